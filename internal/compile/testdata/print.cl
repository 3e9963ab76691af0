// printf (OpenCL C 6.15.14).
constant char *constant greeting = "const";
kernel void k(int i, float f) {
    printf("hello\n");
    int n = printf("%d %5d|%-5d|%05d %u %x %c %%\n", i, i, i, i, 4000000000u, 255, 'A');
    printf("%d\n", n);
    printf("%f %.2f %e %g %s\n", f, f, f, f, "str");
    printf("%v4d %v2hlf %v4hhu\n", (int4)(1, 2, 3, 4), (float2)(1.5f, 2), (uchar4)(250, 251, 252, 253));
    printf("%ld %hhd %lu\n", (long)1 << 40, (char)-3, (ulong)7);
}
