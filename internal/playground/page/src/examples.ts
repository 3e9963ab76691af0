import mandelbrot from "../../../../examples/mandelbrot/mandelbrot.cl";
import saxpy from "../../../../examples/saxpy/saxpy.cl";
import filter from "../../../../examples/filter/filter.cl";
import histogram from "../../../../examples/histogram/histogram.cl";
import reduction from "../../../../examples/reduction/reduction.cl";
import nbody from "../../../../examples/nbody/nbody.cl";
import rotate from "../../../../examples/rotate/rotate.cl";
import scene from "../../../../examples/scene.png";
import { fromBase64, type State } from "./state";

const plain = { options: "", global: "", local: "", offset: "", checks: "all", robust: false, files: {} };

const race = `// Each work-item adds to one element: a data race, which the checks explain.
kernel void sum(global const int *x, global int *total)
{
    size_t i = get_global_id(0);
    total[0] += x[i];
}
`;

const wave = `// A damped wave, for the plot.
kernel void wave(global float2 *y, float pitch, float damping)
{
    float t = get_global_id(0) / (float)get_global_size(0);
    float amplitude = exp(-damping * t);
    y[get_global_id(0)] = amplitude * (float2)(sin(pitch * t), cos(pitch * t));
}
`;

const picture = () => ({ "scene.png": fromBase64(scene) });

export interface Example { name: string; state: () => State }

export const examples: Example[] = [
  { name: "Mandelbrot set", state: () => ({ ...plain, text: mandelbrot, kernel: "mandelbrot", args: { image: "zeros(512x512)", centre: "(-0.6, 0)", scale: "2.4", limit: "400" }, checks: "memory" }) },
  { name: "Filter of a picture", state: () => ({ ...plain, text: filter, kernel: "convolve", args: { src: "scene.png", dst: "", width: "width(src)", height: "height(src)", weights: "[0, -1, 0, -1, 5, -1, 0, -1, 0]", radius: "1" }, checks: "memory", files: picture() }) },
  { name: "Bug: reads beyond a picture", state: () => ({ ...plain, text: filter, kernel: "convolve_careless", args: { src: "scene.png", dst: "", width: "width(src)", weights: "[0, -1, 0, -1, 5, -1, 0, -1, 0]" }, robust: true, files: picture() }) },
  { name: "Bug: a data race", state: () => ({ ...plain, text: race, kernel: "sum", args: { x: "range(64)", total: "[0]" }, global: "64" }) },
  { name: "A wave and its plot", state: () => ({ ...plain, text: wave, kernel: "wave", args: { y: "zeros(1000)", pitch: "60", damping: "3" } }) },
  { name: "saxpy", state: () => ({ ...plain, text: saxpy, kernel: "saxpy", args: { y: "fill(16, 1)", x: "range(16)", a: "2.5" } }) },
  { name: "Histogram with atomics", state: () => ({ ...plain, text: histogram, kernel: "histogram", args: { data: "rand(65536)", n: "len(data)", counts: "zeros(256)" }, global: "4096", local: "128", checks: "memory" }) },
  { name: "Sums of work-groups", state: () => ({ ...plain, text: reduction, kernel: "sum", args: { x: "rand(4096)", partial: "zeros(32)", n: "len(x)", tmp: "local(512)" }, global: "4096", local: "128" }) },
  { name: "Bodies under gravity", state: () => ({ ...plain, text: nbody, kernel: "step", args: { pos: "rand(512)", next: "", vel: "", n: "512", dt: "0.01", softening: "0.01", tile: "local(1024)" }, local: "64", checks: "memory" }) },
  { name: "Rotation with an image", state: () => ({ ...plain, text: rotate, kernel: "rotate_image", args: { src: "scene.png", dst: "zeros(320x240)", angle: "0.5", zoom: "1" }, global: "320x240", checks: "memory", files: picture() }) },
];
