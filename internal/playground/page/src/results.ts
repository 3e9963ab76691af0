import uPlot from "uplot";
import { byId, errorText, h } from "./dom";
import type { Pool } from "./pool";
import type { Finding, Kernel, View } from "./protocol";

const names: Record<string, string> = { picture: "picture", heat: "heat map", array: "array", line: "line plot", histogram: "histogram" };
const noNumber = -Number.MAX_VALUE; // of view.go

// Results shows the buffers after a run, with the work-items of findings marked.
export class Results {
  private findings: Finding[] = [];
  private marked?: Finding;
  private global: number[] = [];
  private shown?: { view: View; pixels?: Uint8Array };
  private plot?: uPlot;

  constructor(private pool: Pool, private say: (text: string) => void) {
    const [buffer, as] = [byId<HTMLSelectElement>("result-buffer"), byId<HTMLSelectElement>("result-as")];
    buffer.onchange = () => void this.show(buffer.value, "");
    as.onchange = () => void this.show(buffer.value, as.value);
    byId("save-npy").onclick = () => void this.save("npy");
    byId("save-png").onclick = () => void this.save("png");
  }

  clear() {
    this.shown = undefined;
    this.plot?.destroy();
    this.plot = undefined;
    byId("result-controls").hidden = true;
    byId("result").replaceChildren(h("p", { className: "hint" }, "Run a kernel to see its buffers here."));
  }

  // after shows the results of a run.
  async after(kernel: Kernel, global: number[], findings: Finding[]) {
    this.findings = findings;
    this.marked = undefined;
    this.global = global;
    const buffers = kernel.args.filter((a) => a.kind === "buffer" || a.kind === "image");
    const first = buffers.find((a) => a.writable) ?? buffers[0];
    if (!first) {
      return this.clear();
    }
    const select = byId<HTMLSelectElement>("result-buffer");
    const before = select.value;
    select.replaceChildren(...buffers.map((a) => h("option", { value: a.name }, `${a.name} (${a.type})`)));
    const keep = this.shown !== undefined && buffers.some((a) => a.name === before && a.writable);
    select.value = keep ? before : first.name;
    byId("result-controls").hidden = false;
    await this.show(select.value, keep ? byId<HTMLSelectElement>("result-as").value : "");
  }

  private async show(name: string, as: string) {
    try {
      try {
        this.shown = await this.pool.view(name, as);
      } catch (e) {
        if (as === "") {
          throw e;
        }
        this.shown = await this.pool.view(name, ""); // the data has changed its shape
      }
      const v = this.shown.view;
      const select = byId<HTMLSelectElement>("result-as");
      select.replaceChildren(...v.can.map((c) => h("option", { value: c }, names[c])));
      select.value = v.as;
      byId("save-png").hidden = !v.can.includes("picture");
      this.draw();
    } catch (e) {
      byId("result").replaceChildren(h("p", { className: "error" }, errorText(e)));
    }
  }

  // mark points at the work-item of a finding.
  mark(f: Finding) {
    this.marked = f;
    this.draw();
  }

  redraw() {
    if (this.shown && this.plot) {
      this.draw();
    }
  }

  private draw() {
    if (!this.shown) {
      return;
    }
    this.plot?.destroy();
    this.plot = undefined;
    const root = byId("result");
    const { view: v, pixels } = this.shown;
    switch (v.as) {
      case "picture":
      case "heat":
        root.replaceChildren(this.picture(v, pixels!));
        break;
      case "array":
        root.replaceChildren(this.array(v));
        break;
      default:
        root.replaceChildren(h("p", { className: "caption" }, `${names[v.as]} of ${v.name}: ${v.elements} × ${v.type}`));
        this.chart(root, v);
    }
  }

  private picture(v: View, pixels: Uint8Array): HTMLElement {
    const [width, height] = [v.width!, v.height!];
    const canvas = h("canvas", { width, height, role: "img", "aria-label": `${names[v.as]} of ${v.name}, ${width} × ${height}` });
    const c = canvas.getContext("2d")!;
    c.putImageData(new ImageData(new Uint8ClampedArray(pixels), width, height), 0, 0);
    const frame = h("div", { className: "picture" }, canvas);
    frame.style.setProperty("--ratio", `${width} / ${height}`);
    frame.style.setProperty("--width", String(width));
    if (this.global.length === 2 && this.global[0] === width && this.global[1] === height) {
      for (const f of this.findings) {
        const [x, y] = f.item;
        const mark = h("div", { className: f === this.marked ? "mark current" : "mark", title: `work-item (${x}, ${y}): ${f.message}` });
        mark.setAttribute("role", "img");
        mark.setAttribute("aria-label", `work-item (${x}, ${y}), ${f.code}`);
        mark.style.left = `${((x + 0.5) / width) * 100}%`;
        mark.style.top = `${((y + 0.5) / height) * 100}%`;
        frame.append(mark);
      }
    }
    const scale = v.as === "heat" ? [h("p", { className: "scale" }, String(v.low), h("span", { className: "bar", role: "img", "aria-label": "scale of colours from low to high" }), String(v.high))] : [];
    return h("figure", {}, frame, ...scale, h("figcaption", { className: "caption" }, `${v.name}: ${width} × ${height} of ${v.type}`));
  }

  private array(v: View): HTMLElement {
    const of = this.marked;
    const body = h("tbody", {}, ...(v.rows ?? []).map((r) =>
      h("tr", {}, h("th", { scope: "row" }, String(r.index)), ...r.cells.map((c, k) => h("td", of && this.global.length === 1 && of.item[0] === r.index + k ? { className: "marked" } : {}, c)))));
    const shown = (v.rows ?? []).reduce((n, r) => n + r.cells.length, 0);
    return h("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": `elements of ${v.name}` },
      h("table", { className: "array" }, h("caption", { className: "caption" }, `${v.name}: ${shown < v.elements ? `${shown} of ` : ""}${v.elements} × ${v.type}`), body));
  }

  private chart(root: HTMLElement, v: View) {
    const css = getComputedStyle(document.documentElement);
    const color = (name: string) => css.getPropertyValue(name).trim();
    const strokes = ["--line-0", "--line-1", "--line-2", "--line-3"].map(color);
    const bars = v.as === "histogram";
    const axis = { stroke: color("--text"), grid: { stroke: color("--soft"), width: 1 }, ticks: { stroke: color("--soft"), width: 1 } };
    const place = h("div", { className: "plot", role: "img", "aria-label": `${names[v.as]} of ${v.name}` });
    root.append(place);
    const lines = (v.lines ?? []).map((l) => l.map((y) => (y === noNumber ? null : y)));
    this.plot = new uPlot({
      width: Math.max(240, Math.min(place.clientWidth, 900)),
      height: 320,
      scales: { x: { time: false } },
      axes: [{ ...axis, label: bars ? "value" : "index", labelSize: 20 }, { ...axis, size: 70, label: bars ? "elements" : undefined }],
      legend: { show: lines.length > 1 },
      series: [{ label: bars ? "value" : "index" }, ...lines.map((_, k) => ({
        label: lines.length > 1 ? `s${k.toString(16)}` : v.name, stroke: strokes[k % strokes.length], width: 1,
        ...(bars ? { fill: strokes[0], paths: uPlot.paths.bars!({ size: [0.9] }), points: { show: false } } : {}),
      }))],
    }, [v.x ?? [], ...lines] as uPlot.AlignedData, place);
  }

  private async save(ext: string) {
    const name = byId<HTMLSelectElement>("result-buffer").value;
    try {
      const bytes = await this.pool.save(name, `${name}.${ext}`);
      const a = h("a", { href: URL.createObjectURL(new Blob([bytes as BlobPart])), download: `${name}.${ext}` });
      a.click();
      setTimeout(() => URL.revokeObjectURL(a.href), 10_000);
    } catch (e) {
      this.say(errorText(e));
    }
  }
}
