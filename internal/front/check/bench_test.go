package check

import (
	"fmt"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/front/preprocess"
	"github.com/purecl/purecl/internal/front/syntax"
)

// benchUnit is one kernel of the benchmark, with a typical mix of declarations, vector arithmetic, indexing,
// builtins and control flow of image and solver kernels.
const benchUnit = `
struct particle%[1]d {
  float4 pos, vel;
  float mass;
  int kind;
};
constant float weights%[1]d[9] = { 1, 2, 1, 2, 4, 2, 1, 2, 1 };
static float4 shade%[1]d(float4 colour, float gain, int mode) {
  float4 result = colour * gain;
  switch (mode) {
  case 0:
    result.xyz = result.zyx;
    break;
  case 1:
    result = clamp(result, 0.0f, 1.0f);
    break;
  default:
    result = mix(result, (float4)(1.0f, 0.5f, 0.25f, 1.0f), 0.5f);
  }
  return result;
}
kernel void filter%[1]d(global const uchar4 *restrict src, global uchar4 *restrict dst, int width, int height) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  float4 sum = (float4)(0.0f);
  float total = 0;
  for (int dy = -1; dy <= 1; dy++) {
    for (int dx = -1; dx <= 1; dx++) {
      int sx = min(max(x + dx, 0), width - 1);
      int sy = min(max(y + dy, 0), height - 1);
      float w = weights%[1]d[(dy + 1) * 3 + dx + 1];
      sum += convert_float4(src[sy * width + sx]) * w;
      total += w;
    }
  }
  sum = shade%[1]d(sum / total, 1.25f, x & 3);
  dst[y * width + x] = convert_uchar4_sat_rte(sum * 255.0f);
}
kernel void step%[1]d(global struct particle%[1]d *p, local float4 *cache, float dt, uint n) {
  uint i = get_global_id(0), l = get_local_id(0), size = get_local_size(0);
  float4 acc = 0;
  for (uint base = 0; base < n; base += size) {
    cache[l] = p[base + l].pos;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = 0; j < size; j++) {
      float4 d = cache[j] - p[i].pos;
      float r2 = d.x * d.x + d.y * d.y + d.z * d.z + 1e-6f;
      acc.xyz += d.xyz * (rsqrt(r2) / r2);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  p[i].vel += acc * dt;
  p[i].pos = p[i].kind == 0 ? p[i].pos : p[i].pos + p[i].vel * dt;
}
`

func benchSource(units int) string {
	var b strings.Builder
	for i := range units {
		fmt.Fprintf(&b, benchUnit, i)
	}
	return b.String()
}

// BenchmarkCheck measures Check alone, in source lines per second.
func BenchmarkCheck(b *testing.B) {
	src := benchSource(33) // about 2,000 lines
	source := diag.NewSource()
	file, _ := source.AddFile("bench.cl", []byte(src), 0)
	opts := &option.Source{}
	rep := diag.NewReporter(source, diag.Config{})
	var m syntax.Memory
	ast := m.Parse(source, preprocess.Run(source, file, opts, rep), opts, rep)
	lines := strings.Count(src, "\n")
	b.ReportAllocs()
	for b.Loop() {
		if Check(ast, source, opts, rep) == nil {
			b.Fatal(rep.Diags[0].Message)
		}
	}
	b.ReportMetric(float64(lines)*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}
