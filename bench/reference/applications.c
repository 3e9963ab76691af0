/* Kernels of applications: kernels/applications.cl. */

#include "simd.h"

#define ROTATE(x, s) ((x) << (s) | (x) >> (32 - (s)))

static inline void sha1_block(vu w[16], vu h[5])
{
	vu a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
#pragma GCC unroll 80
	for (int i = 0; i < 80; i++) {
		if (i >= 16) {
			vu x = w[(i + 13) & 15] ^ w[(i + 8) & 15] ^ w[(i + 2) & 15] ^ w[i & 15];
			w[i & 15] = ROTATE(x, 1);
		}
		vu f = i < 20 ? (b & c) | (~b & d) : i < 40 || i >= 60 ? b ^ c ^ d : (b & c) | (b & d) | (c & d);
		u32 k = i < 20 ? 0x5A827999 : i < 40 ? 0x6ED9EBA1 : i < 60 ? 0x8F1BBCDC : 0xCA62C1D6;
		vu t = ROTATE(a, 5) + f + e + (w[i & 15] + k);
		e = d, d = c, c = ROTATE(b, 30), b = a, a = t;
	}
	h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e;
}

/* The block of a message that is a digest, after a block of the key. */
static inline void hmac_message(vu w[16], const vu h[5])
{
	for (int k = 0; k < 16; k++)
		w[k] = k < 5 ? h[k] : (vu)vi_all(k == 5 ? 0x80000000 : k == 15 ? (64 + 20) * 8 : 0);
}

/* Units are states of 30 words: the key's two digests, and the digest and the result of both halves. */
REFERENCE(wpa_loop, 64)
{
	const long iterations = a[2].i;
	for (long i = lo; i < hi; i += W) {
		u32 *p = (u32 *)a[0].p + 30 * i;
		vi at = vi_lanes() * 30;
		vu inner[5], outer[5];
		for (int k = 0; k < 5; k++)
			inner[k] = (vu)vi_gather(p + k, at), outer[k] = (vu)vi_gather(p + 5 + k, at);
		for (int half = 0; half < 2; half++) {
			vu digest[5], out[5], w[16];
			for (int k = 0; k < 5; k++)
				digest[k] = (vu)vi_gather(p + 10 + 5 * half + k, at), out[k] = (vu)vi_gather(p + 20 + 5 * half + k, at);
			for (long j = 0; j < iterations; j++) {
				hmac_message(w, digest);
				memcpy(digest, inner, sizeof digest);
				sha1_block(w, digest);
				hmac_message(w, digest);
				memcpy(digest, outer, sizeof digest);
				sha1_block(w, digest);
				for (int k = 0; k < 5; k++)
					out[k] ^= digest[k];
			}
			for (int v = 0; v < W; v++)
				for (int k = 0; k < 5; k++)
					p[30 * v + 10 + 5 * half + k] = digest[k][v], p[30 * v + 20 + 5 * half + k] = out[k][v];
		}
	}
}

/* Units are rows. A row of the input is extended by the filter's length. */
REFERENCE(silx_rows, 16)
{
	enum { MOST = 512 };
	const float *in = a[0].p, *filter = a[2].p;
	float *out = a[1].p, row[MOST];
	const long length = a[3].i, nx = a[4].i, centre = (length - 1) / 2;
	for (long r = lo; r < hi; r++) {
		const float *from = in + r * nx;
		for (long k = 0; k < centre; k++)
			row[k] = from[nx - centre + k];
		memcpy(row + centre, from, nx * sizeof *row);
		for (long k = centre; k < length; k++)
			row[nx + k] = from[k - centre];
		for (long x = 0; x < nx; x += 2 * W) {
			vf s = vf_all(0), t = s;
			for (long j = 0; j < length; j++) {
				vf c = vf_all(filter[length - 1 - j]);
				s = vf_fuse(vf_load(row + x + j), c, s), t = vf_fuse(vf_load(row + x + j + W), c, t);
			}
			vf_store(out + r * nx + x, s), vf_store(out + r * nx + x + W, t);
		}
	}
}

/* Units are rows. */
REFERENCE(silx_planes, 16)
{
	const float *in = a[0].p, *filter = a[2].p;
	float *out = a[1].p;
	const long length = a[3].i, nx = a[4].i, ny = a[5].i, nz = a[6].i, centre = (length - 1) / 2;
	for (long r = lo; r < hi; r++)
		for (long x = 0; x < nx; x += 2 * W) {
			vf s = vf_all(0), t = s;
			for (long j = 0; j < length; j++) {
				vf c = vf_all(filter[length - 1 - j]);
				const float *p = in + ((r / ny - centre + j + nz) % nz * ny + r % ny) * nx + x;
				s = vf_fuse(vf_load(p), c, s), t = vf_fuse(vf_load(p + W), c, t);
			}
			vf_store(out + r * nx + x, s), vf_store(out + r * nx + x + W, t);
		}
}

static inline long edge(long i, long n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

/* Units are rows. The rows of the input that a row needs are extended by their edges. */
REFERENCE(silx_texture, 16)
{
	enum { MOST = 128, SIDE = 8 };
	const float *in = a[0].p, *filter = a[2].p;
	float *out = a[1].p, rows[SIDE * SIDE][MOST];
	const long l = a[3].i, nx = a[6].i, ny = a[7].i, nz = a[8].i, centre = (l - 1) / 2;
	for (long r = lo; r < hi; r++) {
		for (long j = 0; j < l * l; j++) {
			const float *from = in + (edge(r / ny - centre + j / l, nz) * ny + edge(r % ny - centre + j % l, ny)) * nx;
			for (long k = 0; k < centre; k++)
				rows[j][k] = from[0];
			memcpy(rows[j] + centre, from, nx * sizeof *from);
			for (long k = nx + centre; k < nx + l; k++)
				rows[j][k] = from[nx - 1];
		}
		for (long x = 0; x < nx; x += 4 * W) {
			vf s[4] = {vf_all(0), vf_all(0), vf_all(0), vf_all(0)};
			for (long j = 0; j < l * l; j++)
				for (long k = 0; k < l; k++)
					for (int v = 0; v < 4; v++)
						s[v] = vf_fuse(vf_load(rows[j] + x + v * W + k), vf_all(filter[(l * l - 1 - j) * l + l - 1 - k]), s[v]);
			for (int v = 0; v < 4; v++)
				vf_store(out + r * nx + x + v * W, s[v]);
		}
	}
}

/* Numbers of a row, W from x on; the row continues from its end to its begin. */
enum { WIDTH = 64, HEIGHT = 64 };

static inline int turned(int x) { return x & (WIDTH - 1); }

#if defined(__AVX512F__) && defined(__AVX512DQ__)
static inline vf row_get(const float *row, int x)
{
	if (x >= 0 && x + W <= WIDTH)
		return vf_load(row + x);
	vf t = x < 0 ? _mm512_maskz_loadu_ps(0xFFFE, row + x) : _mm512_maskz_loadu_ps(0x7FFF, row + x);
	return _mm512_mask_broadcastss_ps(t, x < 0 ? 1 : 0x8000, _mm_load_ss(row + (x < 0 ? WIDTH - 1 : 0)));
}

static inline void row_put(float *row, int x, vf t)
{
	if (x >= 0 && x + W <= WIDTH) {
		vf_store(row + x, t);
		return;
	}
	_mm512_mask_storeu_ps(row + x, x < 0 ? 0xFFFE : 0x7FFF, t);
	row[x < 0 ? WIDTH - 1 : 0] = x < 0 ? t[0] : t[W - 1];
}

static inline vf half_get(const u16 *row, int x)
{
	if (x >= 0 && x + W <= WIDTH)
		return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(row + x)));
	u16 t[W];
	for (int v = 0; v < W; v++)
		t[v] = row[turned(x + v)];
	return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)t));
}

static inline void half_put(u16 *row, int x, vf f)
{
	__m256i h = _mm512_cvtps_ph(f, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
	if (x >= 0 && x + W <= WIDTH) {
		_mm256_storeu_si256((__m256i *)(row + x), h);
		return;
	}
	u16 t[W];
	_mm256_storeu_si256((__m256i *)t, h);
	for (int v = 0; v < W; v++)
		row[turned(x + v)] = t[v];
}

static inline vm solid_cells(const u8 *p) { return _mm_cmpeq_epi8_mask(_mm_loadu_si128((const __m128i *)p), _mm_set1_epi8(1)); }
#else
static inline vf row_get(const float *row, int x)
{
	if (x >= 0 && x + W <= WIDTH)
		return vf_load(row + x);
	float t[W];
	for (int v = 0; v < W; v++)
		t[v] = row[turned(x + v)];
	return vf_load(t);
}

static inline void row_put(float *row, int x, vf f)
{
	if (x >= 0 && x + W <= WIDTH)
		vf_store(row + x, f);
	else
		for (int v = 0; v < W; v++)
			row[turned(x + v)] = f[v];
}

static inline vf half_get(const u16 *row, int x)
{
	if (x >= 0 && x + W <= WIDTH)
		return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(row + x)));
	u16 t[W];
	for (int v = 0; v < W; v++)
		t[v] = row[turned(x + v)];
	return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)t));
}

static inline void half_put(u16 *row, int x, vf f)
{
	__m128i h = _mm256_cvtps_ph(f, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
	if (x >= 0 && x + W <= WIDTH) {
		_mm_storeu_si128((__m128i *)(row + x), h);
		return;
	}
	u16 t[W];
	_mm_storeu_si128((__m128i *)t, h);
	for (int v = 0; v < W; v++)
		row[turned(x + v)] = t[v];
}

static inline vm solid_cells(const u8 *p) { return vi_equal((vi)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)p)), vi_all(1)); }
#endif

static inline vf cells_get(const void *f, long row, int x, int half)
{
	if (half)
		return half_get((const u16 *)f + row, x) * 0x1p-15f;
	return row_get((const float *)f + row, x);
}

static inline void cells_put(void *f, long row, int x, vf t, int half)
{
	if (half)
		half_put((u16 *)f + row, x, t * 0x1p15f);
	else
		row_put((float *)f + row, x, t);
}

/* The numbers of both directions of pair i move to equilibrium. */
static inline void collide(vf g[19], int i, vf s, vf c, vf rho, vf over, float omega)
{
	vf q = vf_fuse(vf_all(0.5f), vf_fuse(s, s, c), s), r = vf_fuse(vf_all(0.5f), vf_fuse(s, s, c), -s);
	g[i] = vf_fuse(vf_all(1.0f - omega), g[i], omega * vf_fuse(rho, q, over));
	g[i + 1] = vf_fuse(vf_all(1.0f - omega), g[i + 1], omega * vf_fuse(rho, r, over));
}

/* Units are rows of cells, W at a time. */
static inline void d3q19_rows(const union arg *a, long lo, long hi, int half)
{
	static const int side[19][3] = {{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}, {1, 1, 0}, {-1, -1, 0}, {1, 0, 1},
		{-1, 0, -1}, {0, 1, 1}, {0, -1, -1}, {1, -1, 0}, {-1, 1, 0}, {1, 0, -1}, {-1, 0, 1}, {0, 1, -1}, {0, -1, 1}};
	void *f = a[0].p;
	const u8 *flags = a[1].p;
	const long depth = a[2].i, cells = WIDTH * HEIGHT * depth;
	const int odd = a[4].i;
	const float omega = a[3].f;
	for (long r = lo; r < hi; r++) {
		long here[19], there[19];
		for (int i = 1; i < 19; i += 2) {
			long y = (r % HEIGHT + side[i][1] + HEIGHT) % HEIGHT, z = (r / HEIGHT + side[i][2] + depth) % depth;
			here[i] = (odd ? i : i + 1) * cells + r * WIDTH;
			there[i] = (odd ? i + 1 : i) * cells + (z * HEIGHT + y) * WIDTH;
		}
		for (int x = 0; x < WIDTH; x += W) {
			vf g[19], old[19], rho = vf_all(0);
			vm solid = solid_cells(flags + r * WIDTH + x);
			old[0] = g[0] = cells_get(f, r * WIDTH, x, half);
#pragma GCC unroll 18
			for (int i = 1; i < 19; i += 2) {
				old[i + 1] = g[i] = cells_get(f, here[i], x, half);
				old[i] = g[i + 1] = cells_get(f, there[i], x + side[i][0], half);
			}
#pragma GCC unroll 19
			for (int i = 0; i < 19; i++)
				rho += g[i];
			rho += 1.0f;
			vf u = (g[1] - g[2] + g[7] - g[8] + g[9] - g[10] + g[13] - g[14] + g[15] - g[16]) / rho;
			vf v = (g[3] - g[4] + g[7] - g[8] + g[11] - g[12] + g[14] - g[13] + g[17] - g[18]) / rho;
			vf w = (g[5] - g[6] + g[9] - g[10] + g[11] - g[12] + g[16] - g[15] + g[18] - g[17]) / rho;
			vf c = -3.0f * vf_fuse(u, u, vf_fuse(v, v, w * w)), over = rho - 1.0f;
			vf near = rho * (1.0f / 18), far = rho * (1.0f / 36), near_over = over * (1.0f / 18), far_over = over * (1.0f / 36);
			u *= 3.0f, v *= 3.0f, w *= 3.0f;
			g[0] = vf_fuse(vf_all(1.0f - omega), g[0], omega * ((1.0f / 3) * vf_fuse(rho, 0.5f * c, over)));
			collide(g, 1, u, c, near, near_over, omega), collide(g, 3, v, c, near, near_over, omega), collide(g, 5, w, c, near, near_over, omega);
			collide(g, 7, u + v, c, far, far_over, omega), collide(g, 9, u + w, c, far, far_over, omega), collide(g, 11, v + w, c, far, far_over, omega);
			collide(g, 13, u - v, c, far, far_over, omega), collide(g, 15, u - w, c, far, far_over, omega), collide(g, 17, v - w, c, far, far_over, omega);
			cells_put(f, r * WIDTH, x, vf_choose(solid, old[0], g[0]), half);
#pragma GCC unroll 18
			for (int i = 1; i < 19; i += 2) {
				cells_put(f, there[i], x + side[i][0], vf_choose(solid, old[i], g[i]), half);
				cells_put(f, here[i], x, vf_choose(solid, old[i + 1], g[i + 1]), half);
			}
		}
	}
}

REFERENCE(d3q19, 8) { d3q19_rows(a, lo, hi, 0); }
REFERENCE(d3q19_half, 8) { d3q19_rows(a, lo, hi, 1); }
