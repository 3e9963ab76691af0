// Kernels of PolyBench, Rodinia and SHOC, written anew: work-groups, indices and local memory are the originals'.

// PolyBench, syr2k: each work-item computes an element of a symmetric update by two matrices. It reads a row of each for
// its own row and for its column.
kernel void syr2k(global float *c, global const float *a, global const float *b, float alpha, float beta, int n, int m)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i < n && j < n) {
        c[i * n + j] *= beta;
        for (int k = 0; k < m; k++)
            c[i * n + j] += alpha * a[i * m + k] * b[j * m + k] + alpha * b[i * m + k] * a[j * m + k];
    }
}
