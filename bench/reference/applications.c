/* Kernels of applications: kernels/applications.cl. */

#include "sampling.h"

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
			for (int v = 0; v < 4 && x + v * W < nx; v++)
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

#if defined(__AVX512F__) && defined(__AVX512DQ__)
vf _ZGVeN16v_expf(vf);
static inline vf vf_exp(vf x) { return _ZGVeN16v_expf(x); }
static inline vf vf_unsigned(vi x) { return _mm512_cvtepu32_ps((__m512i)x); }
static inline vi vi_bytes(const u8 *p) { return (vi)_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)p)); }
static inline u32 vm_bits(vm m) { return m; }
static inline vi vi_permute(vi x, vi order) { return (vi)_mm512_permutexvar_epi32((__m512i)order, (__m512i)x); }
#else
vf _ZGVdN8v_expf(vf);
static inline vf vf_exp(vf x) { return _ZGVdN8v_expf(x); }
static inline vf vf_unsigned(vi x)
{
	vf high = vf_of((vi)((vu)x >> 16)), low = vf_of(x & 0xFFFF);
	return vf_fuse(high, vf_all(65536), low);
}
static inline vi vi_bytes(const u8 *p) { return (vi)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)p)); }
static inline u32 vm_bits(vm m) { return _mm256_movemask_ps((__m256)m); }
static inline vi vi_permute(vi x, vi order) { return (vi)_mm256_permutevar8x32_epi32((__m256i)x, (__m256i)order); }
#endif

/* Pixels of a row of n, W from x on. */
static inline vi row_pixels(const u8 *row, int x, int n)
{
	if (x >= 0 && x + W <= n)
		return vi_bytes(row + x);
	u8 t[W];
	for (int v = 0; v < W; v++)
		t[v] = row[edge(x + v, n)];
	return vi_bytes(t);
}

/* Units are rows. */
REFERENCE(nlmeans_rows, 4)
{
	const u8 *in = a[1].p;
	const int w = a[2].i, h = a[3].i;
	for (long y = lo; y < hi; y++) {
		u32 *out = (u32 *)a[0].p + 4 * w * y;
		__m128i sum = _mm_setzero_si128();
		for (int x = 0; x < w; x += W) {
			vf here = unorm(vi_bytes(in + y * w + x));
			vi z[4];
			for (int k = 0; k < 4; k++) {
				vf d = here - unorm(row_pixels(in + edge(y + a[8 + k].i, h) * w, x + a[4 + k].i, w));
				z[k] = vi_of(d * d * 255 * 255);
			}
			transpose16(z);
			__m128i t[4][W / 4];
			memcpy(t, z, sizeof t);
			for (int v = 0; v < W; v++) {
				sum = _mm_add_epi32(sum, t[v % 4][v / 4]);
				_mm_storeu_si128((__m128i *)(out + 4 * (x + v)), sum);
			}
		}
	}
}

/* Units are 16 columns. */
REFERENCE(nlmeans_columns, 1)
{
	enum { V = 64 / W };
	u32 *out = a[0].p;
	const u32 *in = a[2].p;
	const long w = a[3].i, h = a[4].i;
	u32 overflows = 0;
	for (long x = 64 * lo; x < 64 * hi; x += 64) {
		vi sum[V];
		for (int v = 0; v < V; v++)
			sum[v] = vi_all(0);
		for (long y = 0; y < h; y++)
			for (int v = 0; v < V; v++) {
				vi t = vi_load(in + y * 4 * w + x + v * W);
				u32 m = vm_bits(vu_less(~(vu)t, (vu)sum[v]));
				overflows += __builtin_popcount((m | m >> 1 | m >> 2 | m >> 3) & 0x1111);
				sum[v] = (vi)((vu)sum[v] + (vu)t);
				vi_store(out + y * 4 * w + x + v * W, sum[v]);
			}
	}
	if (overflows)
		__atomic_fetch_add((u32 *)a[1].p, overflows, __ATOMIC_RELAXED);
}

/* The sums at W / 4 places of a row, four at each; 0 where a place is outside. */
static inline vi patch_sums(const u32 *sums, long w, long h, long x, long y, long p)
{
	const u32 *top = sums + 4 * ((y - p) * w + x), *bottom = sums + 4 * ((y + p) * w + x);
	if (y < p || y + p >= h)
		return vi_all(0);
	if (x >= p && x + W / 4 - 1 + p < w)
		return (vi)((vu)vi_load(bottom + 4 * p) + (vu)vi_load(top - 4 * p) - (vu)vi_load(top + 4 * p) - (vu)vi_load(bottom - 4 * p));
	vi t = vi_all(0);
	for (int v = 0; v < W; v++)
		if (x + v / 4 >= p && x + v / 4 + p < w)
			t[v] = bottom[4 * p + v] + top[-4 * p + v] - top[4 * p + v] - bottom[-4 * p + v];
	return t;
}

/* Units are rows. */
REFERENCE(nlmeans_weights, 4)
{
	float *total = a[0].p, *weight = a[1].p;
	const u32 *sums = a[2].p;
	const u8 *in = a[3].p;
	const int w = a[4].i, h = a[5].i, p = a[6].i;
	const float squared = (float)a[7].f * (float)a[7].f;
	vi order;
	for (int v = 0; v < W; v++)
		order[v] = v % (W / 4) * 4 + v / (W / 4);
	for (long y = lo; y < hi; y++)
		for (int x = 0; x < w; x += W) {
			vi z[4];
			for (int k = 0; k < 4; k++)
				z[k] = (vi)vf_exp(-vf_unsigned(patch_sums(sums, w, h, x + k * (W / 4), y, p)) / squared);
			transpose16(z);
			vf sum = vf_all(0), product = sum;
			for (int k = 0; k < 4; k++) {
				vf f = (vf)vi_permute(z[k], order), pixel = unorm(row_pixels(in + edge(y + a[12 + k].i, h) * w, x + a[8 + k].i, w));
				sum += f, product = vf_fuse(f, vf_of(vi_of(255 * pixel)), product);
			}
			vf_store(weight + y * w + x, vf_load(weight + y * w + x) + sum);
			vf_store(total + y * w + x, vf_load(total + y * w + x) + product);
		}
}

static inline float unorm1(float f) { return fuse(f, 0x1.010102p-8f, f * -0x1.fdfdfep-33f); }

/* Units are 16 rows. */
REFERENCE(unsharp, 1)
{
	enum { MOST = 4 * 1024, PAD = 4 * 8 };
	const u8 *in = a[1].p;
	const int sx = a[2].i, sy = a[3].i, n = a[7].i;
	const float amount = a[4].f, *cx = a[5].p, *cy = a[6].p;
	static _Thread_local float wide[MOST + 2 * PAD], part[32][MOST], whole[16][MOST];
	for (long b = lo; b < hi; b++) {
		for (int j = 0; j < 16 + sy - 1; j++) {
			const u8 *row = in + 4l * n * edge(16 * b + j - sy / 2, n);
			for (int i = 0; i < 4 * n; i++)
				wide[PAD + i] = unorm1(row[i]);
			for (int i = 0; i < PAD; i++)
				wide[i] = wide[PAD + i % 4], wide[PAD + 4 * n + i] = wide[PAD + 4 * n - 4 + i % 4];
			if (j >= sy / 2 && j < 16 + sy / 2)
				memcpy(whole[j - sy / 2], wide + PAD, 4 * n * sizeof(float));
			for (int i = 0; i < 4 * n; i += 2 * W) {
				vf s = vf_all(0), t = s;
				for (int k = 0; k < sx; k++) {
					const float *p = wide + PAD + i + 4 * (k - sx / 2);
					s = vf_fuse(vf_all(cx[k]), vf_load(p), s), t = vf_fuse(vf_all(cx[k]), vf_load(p + W), t);
				}
				vf_store(part[j] + i, s), vf_store(part[j] + i + W, t);
			}
		}
		for (int j = 0; j < 16; j++)
			for (int i = 0; i < 4 * n; i += W) {
				vf s = vf_all(0), pixel = vf_load(whole[j] + i);
				for (int k = 0; k < sy; k++)
					s = vf_fuse(vf_all(cy[k]), vf_load(part[j + k] + i), s);
				vi c = channel(vf_fuse(pixel - s, vf_all(amount), pixel));
				u8 *to = (u8 *)a[0].p + 4l * n * (16 * b + j) + i;
#if defined(__AVX512F__) && defined(__AVX512DQ__)
				_mm_storeu_si128((__m128i *)to, _mm512_cvtepi32_epi8((__m512i)c));
#else
				for (int v = 0; v < W; v++)
					to[v] = c[v];
#endif
			}
	}
}

/* Units are 8 rows. As in the kernel, each pixel computes the gradients of its neighbours. */
REFERENCE(deshake_harris, 1)
{
	enum { MOST = 2048 };
	const u8 *in = a[0].p;
	float *out = a[1].p;
	const int w = a[2].i, h = a[3].i;
	const float scale = 1.0f / (4 * 2 * 255.0f), fourth = scale * scale * scale * scale;
	static _Thread_local float gray[14][MOST + 8 + 16];
	for (long b = lo; b < hi; b++) {
		for (int j = 0; j < 14; j++) {
			const u8 *row = in + (long)w * edge(8 * b + j - 3, h);
			for (int i = 0; i < w; i++)
				gray[j][3 + i] = unorm1(row[i]);
			for (int i = 0; i < 3; i++)
				gray[j][i] = gray[j][3], gray[j][w + 3 + i] = gray[j][w + 2];
		}
		for (int y = 0; y < 8; y++)
			for (int x = 0; x < w; x += W) {
				vf xx = vf_all(0), yy = xx, xy = xx;
				for (int j = 2; j >= -2; j--)
					for (int i = -2; i <= 2; i++) {
						const float *low = &gray[y + j + 4][x + i + 2], *here = &gray[y + j + 3][x + i + 2], *high = &gray[y + j + 2][x + i + 2];
						vf p = vf_load(low), q = vf_load(low + 2), r = vf_load(high), s = vf_load(high + 2), two = vf_all(2);
						vf dx = vf_fuse(two, vf_load(here + 2), vf_fuse_from(two, vf_load(here), q - p)) - r + s;
						vf dy = vf_fuse_from(two, vf_load(high + 1), vf_fuse(two, vf_load(low + 1), p) + q - r) - s;
						xy = vf_fuse(dx, dy, xy), xx = vf_fuse(dx, dx, xx), yy = vf_fuse(dy, dy, yy);
					}
				vf trace = xx + yy;
				vf r = vf_fuse_from(0.04f * (trace * trace), vf_all(fourth), vf_fuse_sub(xx, yy, xy * xy));
				vf_store(out + (8 * b + y) * w + x, vf_choose(vf_less(r, vf_all(3)), r * 0, r));
			}
	}
}

/* An interpolated pixel of each of W places. A word has a pixel and the next one. */
static inline vf pixel_at(const u8 *in, int w, int h, vf x, vf y)
{
	struct two u = neighbours(x, w), v = neighbours(y, h);
	vi shift = (vi)(u.j - u.i) << 3;
#if defined(__AVX512F__) && defined(__AVX512DQ__)
	vi p = (vi)_mm512_i32gather_epi32((__m512i)(v.i * w + u.i), in, 1), q = (vi)_mm512_i32gather_epi32((__m512i)(v.j * w + u.i), in, 1);
#else
	vi p = (vi)_mm256_i32gather_epi32((const int *)in, (__m256i)(v.i * w + u.i), 1), q = (vi)_mm256_i32gather_epi32((const int *)in, (__m256i)(v.j * w + u.i), 1);
#endif
	vf t = 0 + u.w0 * v.w0 * unorm(p & 255);
	t += u.w1 * v.w0 * unorm((vi)((vu)p >> (vu)shift) & 255);
	t += u.w0 * v.w1 * unorm(q & 255);
	return t + u.w1 * v.w1 * unorm((vi)((vu)q >> (vu)shift) & 255);
}

/* Units are features, W at a time. */
REFERENCE(deshake_brief, 16)
{
	const u8 *in = a[0].p;
	const float *features = a[1].p, *pattern = a[3].p;
	u64 *out = a[2].p;
	const int w = a[4].i, h = a[5].i;
	for (long f = lo; f < hi; f += W) {
		float at[2][W];
		for (int v = 0; v < W; v++)
			at[0][v] = features[2 * (f + v)], at[1][v] = features[2 * (f + v) + 1];
		vf x = vf_load(at[0]), y = vf_load(at[1]);
		for (int i = 0; i < 8; i++) {
			u32 words[2][W];
			for (int half = 0; half < 2; half++) {
				vi bits = vi_all(0);
				for (int j = 0; j < 32; j++) {
					const float *p = pattern + 4 * (32 * half + j) * (i + 1);
					vm less = vf_less(pixel_at(in, w, h, x + p[0], y + p[1]), pixel_at(in, w, h, x + p[2], y + p[3]));
					bits |= vi_choose(less, vi_all((i32)(1u << j)), vi_all(0));
				}
				vi_store(words[half], bits);
			}
			for (int v = 0; v < W; v++)
				out[8 * (f + v) + i] = at[0][v] == -1 ? 0 : words[0][v] | (u64)words[1][v] << 32;
		}
	}
}

enum { TILE = 32, V = TILE / W };

/* Lane i gets lane i + 1. */
static inline void lanes_turn(vf t[V])
{
#if defined(__AVX512F__) && defined(__AVX512DQ__)
	__m512i a = (__m512i)t[0], b = (__m512i)t[1];
	t[0] = (vf)_mm512_alignr_epi32(b, a, 1), t[1] = (vf)_mm512_alignr_epi32(a, b, 1);
#else
	vi next = vi_permute(vi_lanes(), (vi)((vu)(vi_lanes() + 1) & 7));
	vf turned[V];
	for (int v = 0; v < V; v++)
		turned[v] = (vf)vi_permute((vi)t[v], next);
	for (int v = 0; v < V; v++)
		t[v] = _mm256_blend_ps(turned[v], turned[(v + 1) % V], 0x80);
#endif
}

struct atoms { vf x[V], y[V], z[V], q[V], sigma[V], epsilon[V], fx[V], fy[V], fz[V]; };

static inline void atoms_load(struct atoms *p, const float *positions, const float *parameters)
{
	for (int v = 0; v < V; v++) {
		for (int k = 0; k < W; k++) {
			long i = v * W + k;
			p->x[v][k] = positions[4 * i], p->y[v][k] = positions[4 * i + 1], p->z[v][k] = positions[4 * i + 2], p->q[v][k] = positions[4 * i + 3];
			p->sigma[v][k] = parameters[2 * i], p->epsilon[v][k] = parameters[2 * i + 1];
		}
		p->fx[v] = p->fy[v] = p->fz[v] = vf_all(0);
	}
}

static void forces_add(u64 *forces, long atoms, const struct atoms *p)
{
	for (int v = 0; v < V; v++)
		for (int k = 0; k < W; k++) {
			u64 *to = forces + v * W + k;
			__atomic_fetch_add(to, (i64)(p->fx[v][k] * 0x1p32f), __ATOMIC_RELAXED);
			__atomic_fetch_add(to + atoms, (i64)(p->fy[v][k] * 0x1p32f), __ATOMIC_RELAXED);
			__atomic_fetch_add(to + 2 * atoms, (i64)(p->fz[v][k] * 0x1p32f), __ATOMIC_RELAXED);
		}
}

/* Units are tiles. */
REFERENCE(openmm_nonbonded, 16)
{
	u64 *forces = a[0].p;
	const float *positions = a[1].p, *parameters = a[2].p;
	const u32 *exclusions = a[3].p;
	const i32 *tiles = a[4].p;
	const long atoms = a[6].i;
	const float side = a[7].f, height = a[8].f, over_side = 1 / side, over_height = 1 / height, cutoff = a[9].f, cutoff2 = cutoff * cutoff;
	for (long t = lo; t < hi; t++) {
		const long x = tiles[2 * t] * TILE, y = tiles[2 * t + 1] * TILE;
		struct atoms p, q;
		vu allowed[V];
		atoms_load(&p, positions + 4 * x, parameters + 2 * x);
		atoms_load(&q, positions + 4 * y, parameters + 2 * y);
		for (int v = 0; v < V; v++) {
			vu lane = (vu)(vi_lanes() + v * W);
			allowed[v] = (vu)vi_load(exclusions + t * TILE + v * W);
			if (x != y)
				allowed[v] = allowed[v] >> lane | allowed[v] << (-lane & 31);
		}
		for (int j = 0; j < TILE; j++) {
			for (int v = 0; v < V; v++) {
				vf dx, dy, dz, his_q, sigma, epsilon;
				if (x == y) {
					const float *him = positions + 4 * (y + j), *his = parameters + 2 * (y + j);
					dx = vf_all(him[0]) - p.x[v], dy = vf_all(him[1]) - p.y[v], dz = vf_all(him[2]) - p.z[v], his_q = vf_all(him[3]);
					sigma = vf_all(his[0]), epsilon = vf_all(his[1]);
				} else {
					dx = q.x[v] - p.x[v], dy = q.y[v] - p.y[v], dz = q.z[v] - p.z[v], his_q = q.q[v];
					sigma = q.sigma[v], epsilon = q.epsilon[v];
				}
				dx = vf_fuse_from(vf_floor(vf_fuse(dx, vf_all(over_side), vf_all(0.5f))), vf_all(side), dx);
				dy = vf_fuse_from(vf_floor(vf_fuse(dy, vf_all(over_side), vf_all(0.5f))), vf_all(side), dy);
				dz = vf_fuse_from(vf_floor(vf_fuse(dz, vf_all(over_height), vf_all(0.5f))), vf_all(height), dz);
				vf r2 = vf_fuse(dz, dz, vf_fuse(dx, dx, dy * dy));
				vm near = vf_less(r2, vf_all(cutoff2));
				vu allow = allowed[v] & 1;
				allowed[v] >>= 1;
				if (!vm_any(near))
					continue;
				vf over_r = 1 / vf_sqrt(r2);
				vf sigma2 = over_r * (p.sigma[v] + sigma);
				sigma2 *= sigma2;
				vf sigma6 = sigma2 * sigma2 * sigma2;
				vf pull = sigma6 * (p.epsilon[v] * epsilon) * vf_fuse_sub(vf_all(12), sigma6, vf_all(6));
				pull = vf_fuse(138.935456f * p.q[v] * his_q, vf_fuse_from(vf_all(2.0f * 0.01f), r2, over_r), pull);
				vf slope = vf_choose(near, vf_choose(vi_equal((vi)allow, vi_all(0)), vf_all(0), pull * over_r * over_r), vf_all(0));
				if (x == y) {
					p.fx[v] = vf_fuse_from(dx, slope, p.fx[v]), p.fy[v] = vf_fuse_from(dy, slope, p.fy[v]), p.fz[v] = vf_fuse_from(dz, slope, p.fz[v]);
					continue;
				}
				dx *= slope, dy *= slope, dz *= slope;
				p.fx[v] -= dx, p.fy[v] -= dy, p.fz[v] -= dz;
				q.fx[v] += dx, q.fy[v] += dy, q.fz[v] += dz;
			}
			if (x != y) {
				lanes_turn(q.x), lanes_turn(q.y), lanes_turn(q.z), lanes_turn(q.q), lanes_turn(q.sigma), lanes_turn(q.epsilon);
				lanes_turn(q.fx), lanes_turn(q.fy), lanes_turn(q.fz);
			}
		}
		forces_add(forces + x, atoms, &p);
		if (x != y)
			forces_add(forces + y, atoms, &q);
	}
}

#if defined(__AVX512F__) && defined(__AVX512DQ__)
static inline vf some_load(const float *p, long n) { return n >= W ? vf_load(p) : _mm512_maskz_loadu_ps((1u << (n < 0 ? 0 : n)) - 1, p); }
static inline void some_store(float *p, long n, vf x)
{
	if (n >= W)
		vf_store(p, x);
	else
		_mm512_mask_storeu_ps(p, (1u << (n < 0 ? 0 : n)) - 1, x);
}
#else
static inline __m256i some_lanes(long n) { return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), (__m256i)vi_lanes()); }
static inline vf some_load(const float *p, long n) { return n >= W ? vf_load(p) : _mm256_maskload_ps(p, some_lanes(n)); }
static inline void some_store(float *p, long n, vf x)
{
	if (n >= W)
		vf_store(p, x);
	else
		_mm256_maskstore_ps(p, some_lanes(n), x);
}
#endif

/* Four columns of the result and four vectors of rows at a time. Units are four columns. */
REFERENCE(gemm_direct, 4)
{
	const long m = a[0].i, n = a[1].i, k = a[2].i, lda = a[7].i, ldb = a[10].i, ldc = a[13].i;
	const float alpha = a[3].f, beta = a[4].f, *x = (float *)a[5].p + a[6].i, *y = (float *)a[8].p + a[9].i;
	float *c = (float *)a[11].p + a[12].i;
	for (long j = 4 * lo; j < 4 * hi; j += 4)
		for (long i = 0; i < m; i += 4 * W) {
			vf s[4][4];
			long column[4];
			for (int u = 0; u < 4; u++) {
				column[u] = j + u < n ? j + u : n - 1;
				for (int v = 0; v < 4; v++)
					s[u][v] = vf_all(0);
			}
			for (long l = 0; l < k; l++) {
				vf r[4];
				for (int v = 0; v < 4; v++)
					r[v] = some_load(x + l * lda + i + v * W, m - i - v * W);
#pragma GCC unroll 4
				for (int u = 0; u < 4; u++)
#pragma GCC unroll 4
					for (int v = 0; v < 4; v++)
						s[u][v] = vf_fuse(r[v], vf_all(y[l * ldb + column[u]]), s[u][v]);
			}
			for (int u = 0; u < 4 && j + u < n; u++)
				for (int v = 0; v < 4; v++) {
					float *to = c + (j + u) * ldc + i + v * W;
					some_store(to, m - i - v * W, vf_fuse(vf_all(alpha), s[u][v], beta * some_load(to, m - i - v * W)));
				}
		}
}
