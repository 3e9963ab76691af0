// Ten kernels of package bench in CUDA C++, for comparison by "bench/gpu -nvcc". The entry of each has the row's name and
// takes the arguments of the OpenCL kernel as one structure.

#define ENTRY extern "C" __global__ void

static __device__ unsigned column() { return blockIdx.x * blockDim.x + threadIdx.x; }
static __device__ unsigned row() { return blockIdx.y * blockDim.y + threadIdx.y; }

struct Saxpy {
	float *y;
	const float *x;
	float a;
};

ENTRY saxpy(Saxpy p)
{
	size_t i = column();
	p.y[i] = p.a * p.x[i] + p.y[i];
}

struct Matmul {
	float *c;
	const float *a, *b;
	int n;
};

ENTRY matmul_naive(Matmul p)
{
	int i = row(), j = column();
	float sum = 0.0f;
	for (int k = 0; k < p.n; k++)
		sum += p.a[i * p.n + k] * p.b[k * p.n + j];
	p.c[i * p.n + j] = sum;
}

ENTRY matmul_tiled(Matmul p)
{
	__shared__ float x[16][16], y[16][16];
	int i = row(), j = column(), u = threadIdx.y, v = threadIdx.x;
	float sum = 0.0f;
	for (int t = 0; t < p.n; t += 16) {
		x[u][v] = p.a[i * p.n + t + v];
		y[u][v] = p.b[(t + u) * p.n + j];
		__syncthreads();
		for (int k = 0; k < 16; k++)
			sum += x[u][k] * y[k][v];
		__syncthreads();
	}
	p.c[i * p.n + j] = sum;
}

struct Floats {
	float *out;
	const float *in;
};

ENTRY reduce_float(Floats p)
{
	__shared__ float part[256];
	int l = threadIdx.x;
	part[l] = p.in[column()];
	__syncthreads();
	for (int s = 128; s > 0; s >>= 1) {
		if (l < s)
			part[l] += part[l + s];
		__syncthreads();
	}
	if (l == 0)
		p.out[blockIdx.x] = part[0];
}

struct Uints {
	unsigned *out;
	const unsigned *in;
};

ENTRY bitonic(Uints p)
{
	__shared__ unsigned t[256];
	unsigned l = threadIdx.x;
	t[l] = p.in[column()];
	__syncthreads();
	for (unsigned k = 2; k <= 256; k <<= 1)
		for (unsigned j = k >> 1; j > 0; j >>= 1) {
			unsigned other = l ^ j;
			if (other > l) {
				unsigned x = t[l], y = t[other];
				if ((x > y) == ((l & k) == 0)) {
					t[l] = y;
					t[other] = x;
				}
			}
			__syncthreads();
		}
	p.out[column()] = t[l];
}

struct Transpose {
	float *out;
	const float *in;
	int w;
};

ENTRY transpose_tiled(Transpose p)
{
	__shared__ float t[16][17];
	int u = threadIdx.x, v = threadIdx.y, x = blockIdx.x * 16, y = blockIdx.y * 16;
	t[v][u] = p.in[(y + v) * p.w + x + u];
	__syncthreads();
	p.out[(x + v) * p.w + y + u] = t[u][v];
}

struct Histogram {
	unsigned *bins;
	const unsigned char *in;
	int each;
};

ENTRY histogram_local(Histogram p)
{
	__shared__ unsigned mine[256];
	int l = threadIdx.x;
	mine[l] = 0;
	__syncthreads();
	for (int k = 0; k < p.each; k++)
		atomicAdd(&mine[p.in[(blockIdx.x * p.each + k) * 256 + l]], 1);
	__syncthreads();
	atomicAdd(&p.bins[l], mine[l]);
}

struct Bodies {
	float4 *acceleration;
	const float4 *bodies;
	int n;
	float softening;
};

ENTRY nbody(Bodies p)
{
	__shared__ float4 tile[64];
	float4 me = p.bodies[column()];
	float x = 0.0f, y = 0.0f, z = 0.0f;
	for (int t = 0; t < p.n; t += 64) {
		tile[threadIdx.x] = p.bodies[t + threadIdx.x];
		__syncthreads();
		for (int k = 0; k < 64; k++) {
			float4 b = tile[k];
			float dx = b.x - me.x, dy = b.y - me.y, dz = b.z - me.z;
			float d = dx * dx + dy * dy + dz * dz + p.softening;
			float f = b.w / (d * sqrtf(d));
			x += f * dx;
			y += f * dy;
			z += f * dz;
		}
		__syncthreads();
	}
	p.acceleration[column()] = make_float4(x, y, z, 0.0f);
}

struct Mandelbrot {
	unsigned *out;
	int w, h, limit;
};

ENTRY mandelbrot(Mandelbrot p)
{
	int x = column(), y = row();
	float cx = -2.0f + 3.0f * x / p.w, cy = -1.5f + 3.0f * y / p.h, zx = 0.0f, zy = 0.0f;
	int n = 0;
	while (n < p.limit && zx * zx + zy * zy < 4.0f) {
		float t = zx * zx - zy * zy + cx;
		zy = 2.0f * zx * zy + cy;
		zx = t;
		n++;
	}
	p.out[y * p.w + x] = n;
}

struct Sparse {
	float *out;
	const int *start, *column;
	const float *number, *x;
};

ENTRY sparse(Sparse p)
{
	size_t i = column();
	float sum = 0.0f;
	for (int k = p.start[i]; k < p.start[i + 1]; k++)
		sum += p.number[k] * p.x[p.column[k]];
	p.out[i] = sum;
}
