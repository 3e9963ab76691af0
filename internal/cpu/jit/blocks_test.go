//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"testing"

	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// blocksSource has kernels that transpose square blocks of a tile in local memory. The rows of a tile are one element
// longer than a work-group's. Some work-items of partial blocks load nothing.
const blocksSource = `
#define B barrier(CLK_LOCAL_MEM_FENCE)
#define BLOCKS(NAME, N) \
kernel __attribute__((reqd_work_group_size(32, 2, 1))) void NAME(global int *out, global const int *in, int w, int h) { \
  local int t[2 * N][33]; int lx = get_local_id(0), ly = N * get_local_id(1), k = lx & (N - 1), x = get_global_id(0), y = N * get_global_id(1), d[N]; \
  local int *column = &t[ly][lx], *row = &t[ly + k][lx - k]; bool whole = x - k + N - 1 < w && y + N - 1 < h; \
  if (whole) for (int i = 0; i < N; i++) column[i * 33] = in[(y + i) * w + x]; B; \
  for (int i = 0; i < N; i++) d[i] = row[i]; for (int i = 0; i < N; i++) d[i] += d[(i + 1) % N] * 3; for (int i = 0; i < N; i++) row[i] = d[i]; B; \
  for (int i = 0; i < N; i++) d[i] = column[i * 33]; for (int i = 1; i < N; i++) d[i] ^= d[i - 1] * 5; \
  if (whole) for (int i = 0; i < N; i++) out[(y + i) * w + x] = d[i]; }
BLOCKS(fours, 4)
BLOCKS(eights, 8)
// Half of the work-items load, and the others keep what is in local memory: 0, or what they have stored.
kernel __attribute__((reqd_work_group_size(32, 1, 1))) void kept(global int *out, global const int *in, int w, int h) {
  local int t[32], u[32]; int l = get_local_id(0), x = get_global_id(0); u[l] = l;
  if ((in[x] & 1) != 0) { t[l] = in[x + h]; u[l] = in[x + 1]; } B; out[x] = t[31 - l] * 3 + u[l ^ 5]; }
`

// TestBlocks compares kernels that transpose blocks in registers, and counts the permutations: log N for each row of a block,
// twice.
func TestBlocks(t *testing.T) {
	m := build(t, blocksSource)
	in := scrambled(70 * 40)
	execs := executorsOf(Options{Unfold: true})
	for _, f := range m.Funcs {
		local := []uint64{32, 2}
		if f.Name == "kept" {
			local = []uint64{32, 1}
		}
		for _, size := range [][2]byte{{64, 32}, {61, 31}, {40, 9}, {3, 3}} {
			alikeOn(t, execs, m, f.Name, []shape{{[]uint64{64, 4}, local}}, make(buf, 4*64*32), in, []byte{size[0], 0, 0, 0}, []byte{size[1], 0, 0, 0})
		}
	}
	for name, most := range map[string]int{"fours": 4 * 2 * 2 * 4, "eights": 4 * 2 * 3 * 8} {
		c := listed(t, m.Func(name), x86.AVX512, WholeGangs)
		n := 0
		for _, b := range c.Listing.Plan.Order {
			for _, v := range b.Values {
				if v.Op == ssa.OpPermute {
					n++
				}
			}
		}
		if n == 0 || n > most {
			t.Errorf("%s: %d permutations, want at most %d", name, n, most)
		}
	}
}
