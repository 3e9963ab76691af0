// Each work-item computes an element of the product of two matrices.
kernel void matmul(global float *c, global const float *a, global const float *b, int n)
{
    int i = get_global_id(1), j = get_global_id(0);
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
    c[i * n + j] = sum;
}
