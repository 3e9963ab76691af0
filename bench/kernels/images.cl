// Images and samplers. reference/images.c has the same in C.

constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
float2 rotated(int x, int y, float c, float s) { return (float2)(fma((float)x, c, fma((float)y, -s, 40.3f)), fma((float)x, s, fma((float)y, c, -30.4f))); }
float luma(float4 t) { return fma(t.x, 0.299f, fma(t.y, 0.587f, t.z * 0.114f)); }

// Each work-item reads the nearest pixel of a rotated image.
kernel void image_rotate(global float *out, read_only image2d_t im, float c, float s) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * get_global_size(0) + x] = luma(read_imagef(im, nearest, rotated(x, y, c, s)));
}

// Each work-item interpolates a pixel of a rotated image.
kernel void image_rotate_linear(global float *out, read_only image2d_t im, float c, float s) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * get_global_size(0) + x] = luma(read_imagef(im, linear, rotated(x, y, c, s)));
}

// Each work-item sums 16 interpolated elements of a three-dimensional image.
kernel void image_volume(global float *out, read_only image3d_t im, float c, float s) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < 16; k++)
    sum += read_imagef(im, linear, (float4)(rotated(x, y, c, s) * 0.25f, k + 0.25f, 0)).x;
  out[y * get_global_size(0) + x] = sum;
}

// Each work-item stores the mean of 3 by 3 pixels.
kernel void image_blur(write_only image2d_t out, read_only image2d_t im) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = 0;
  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++)
      sum += read_imagef(im, nearest, p + (int2)(i, j));
  write_imagef(out, p, sum * (1 / 9.0f));
}

// Each work-item stores a pixel.
kernel void image_write(write_only image2d_t out, float c, float s) {
  int x = get_global_id(0), y = get_global_id(1);
  float2 p = rotated(x, y, c, s) * 0.001f;
  write_imagef(out, (int2)(x, y), (float4)(p, p.x - p.y, 1));
}

// Each work-item sums a row of pixels.
kernel void image_rows(global float *out, read_only image2d_t im) {
  int y = get_global_id(0), n = get_image_width(im);
  float sum = 0;
  for (int x = 0; x < n; x++)
    sum += read_imagef(im, nearest, (int2)(x, y)).x;
  out[y] = sum;
}
