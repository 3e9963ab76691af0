/* Heat on a plate, over MPI and OpenCL: each rank holds some rows of the plate and one row of each
 * neighbour (the halo), runs the kernel on its OpenCL device, and exchanges its border rows after each step.
 *
 *   mpicc -O2 stencil.c -o stencil -lOpenCL -ffp-contract=off
 *   mpirun -np 4 ./stencil 512 512 100
 *
 * Rank 0 computes the same in C and compares bit for bit. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *source =
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "kernel void step(global const float *in, global float *out, int w)\n"
    "{\n"
    "    int x = get_global_id(0), i = (get_global_id(1) + 1) * w + x;\n" /* row 0 is the halo */
    "    out[i] = x == 0 || x == w - 1 ? in[i] : 0.25f * ((in[i - 1] + in[i + 1]) + (in[i - w] + in[i + w]));\n"
    "}\n";

static void check(cl_int status, const char *call)
{
    if (status != CL_SUCCESS) {
        fprintf(stderr, "%s: error %d\n", call, status);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}
#define CHECK(call) check(call, #call)

static float initial(int x, int y, int h) { return y == 0 ? 100.0f : y == h - 1 ? -20.0f : (float)((x * 31 + y * 17) % 97); }

/* compare repeats the steps in C and returns how many elements of the result differ. */
static long compare(const float *result, int w, int h, int steps)
{
    float *a = malloc(sizeof(float) * w * h), *b = malloc(sizeof(float) * w * h);
    long differ = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            a[y * w + x] = b[y * w + x] = initial(x, y, h);
    for (int s = 0; s < steps; s++) {
        for (int y = 1; y < h - 1; y++)
            for (int x = 1; x < w - 1; x++) {
                int i = y * w + x;
                b[i] = 0.25f * ((a[i - 1] + a[i + 1]) + (a[i - w] + a[i + w]));
            }
        float *t = a;
        a = b;
        b = t;
    }
    for (long i = 0; i < (long)w * h; i++)
        differ += memcmp(&a[i], &result[i], sizeof(float)) != 0;
    free(a);
    free(b);
    return differ;
}

int main(int argc, char **argv)
{
    int rank, ranks, w = argc > 1 ? atoi(argv[1]) : 256, h = argc > 2 ? atoi(argv[2]) : 256, steps = argc > 3 ? atoi(argv[3]) : 50;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (w < 3 || steps < 0 || h - 2 < ranks) {
        if (rank == 0)
            fprintf(stderr, "usage: stencil WIDTH HEIGHT STEPS, with a width of 3 or more and a row for each rank\n");
        MPI_Finalize();
        return 2;
    }

    /* The rows 1 to h-2 change; rank r has those from first on. */
    int first = 1 + (long)(h - 2) * rank / ranks, rows = 1 + (long)(h - 2) * (rank + 1) / ranks - first;
    size_t row = sizeof(float) * w, size = row * (rows + 2);
    float *plate = malloc(size);
    for (int y = 0; y < rows + 2; y++)
        for (int x = 0; x < w; x++)
            plate[y * w + x] = initial(x, first - 1 + y, h);

    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    CHECK(clGetPlatformIDs(1, &platform, NULL));
    CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    check(status, "clCreateProgramWithSource");
    CHECK(clBuildProgram(program, 1, &device, "", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "step", &status);
    check(status, "clCreateKernel");
    cl_mem in = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, size, plate, &status);
    check(status, "clCreateBuffer");
    cl_mem out = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, size, plate, &status);
    check(status, "clCreateBuffer");

    int above = rank > 0 ? rank - 1 : MPI_PROC_NULL, below = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
    float *border = malloc(4 * row); /* own first and last row, the neighbours' */
    float *mine_first = border, *mine_last = border + w, *from_above = border + 2 * w, *from_below = border + 3 * w;
    double begin = MPI_Wtime();
    for (int s = 0; s < steps; s++) {
        size_t global[2] = {w, rows};
        CHECK(clSetKernelArg(kernel, 0, sizeof in, &in));
        CHECK(clSetKernelArg(kernel, 1, sizeof out, &out));
        CHECK(clSetKernelArg(kernel, 2, sizeof w, &w));
        CHECK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL));
        CHECK(clEnqueueReadBuffer(queue, out, CL_FALSE, row, row, mine_first, 0, NULL, NULL));
        CHECK(clEnqueueReadBuffer(queue, out, CL_TRUE, row * rows, row, mine_last, 0, NULL, NULL));
        MPI_Sendrecv(mine_first, w, MPI_FLOAT, above, 0, from_below, w, MPI_FLOAT, below, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(mine_last, w, MPI_FLOAT, below, 1, from_above, w, MPI_FLOAT, above, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (above != MPI_PROC_NULL)
            CHECK(clEnqueueWriteBuffer(queue, out, CL_TRUE, 0, row, from_above, 0, NULL, NULL));
        if (below != MPI_PROC_NULL)
            CHECK(clEnqueueWriteBuffer(queue, out, CL_TRUE, row * (rows + 1), row, from_below, 0, NULL, NULL));
        cl_mem t = in;
        in = out;
        out = t;
    }
    CHECK(clEnqueueReadBuffer(queue, in, CL_TRUE, 0, size, plate, 0, NULL, NULL));
    double seconds = MPI_Wtime() - begin;

    /* Rank 0 gathers the rows that change between the two that do not. */
    float *whole = rank == 0 ? malloc(row * h) : NULL;
    int *counts = malloc(sizeof(int) * ranks), *displacements = malloc(sizeof(int) * ranks);
    for (int r = 0; r < ranks; r++) {
        int from = 1 + (long)(h - 2) * r / ranks;
        counts[r] = w * (1 + (long)(h - 2) * (r + 1) / ranks - from);
        displacements[r] = w * from;
    }
    MPI_Gatherv(plate + w, w * rows, MPI_FLOAT, whole, counts, displacements, MPI_FLOAT, 0, MPI_COMM_WORLD);
    long differ = 0;
    if (rank == 0) {
        for (int x = 0; x < w; x++) {
            whole[x] = initial(x, 0, h);
            whole[(h - 1) * w + x] = initial(x, h - 1, h);
        }
        differ = compare(whole, w, h, steps);
        printf("%d ranks, %d×%d, %d steps: %ld elements differ from C, %.1f ms\n", ranks, w, h, steps, differ, seconds * 1e3);
    }
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free(plate);
    free(border);
    free(whole);
    free(counts);
    free(displacements);
    MPI_Finalize();
    return differ != 0;
}
