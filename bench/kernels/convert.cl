// Conversions of SRC to DST by CONVERT. Where one is half, LOAD_HALF or STORE_HALF
// converts.
#ifdef LOAD_HALF
typedef half source;
#define LOAD(p, i) LOAD_HALF(i, p)
#else
typedef SRC source;
#define LOAD(p, i) (p)[i]
#endif
#ifdef STORE_HALF
typedef half destination;
#define STORE(x, p, i) STORE_HALF(x, i, p)
#else
typedef DST destination;
#define STORE(x, p, i) (p)[i] = (x)
#endif

// Each element once: the speed of memory.
kernel void stream(global destination *out, global const source *in)
{
    size_t i = get_global_id(0);
    STORE(CONVERT(LOAD(in, i)), out, i);
}

// Eight rows, pitch numbers apart, again and again: the speed of a core and its cache.
kernel void cached(global destination *out, global const source *in, int pitch, int repeats)
{
    for (int r = 0; r < repeats; r++) {
        size_t i = get_global_id(0);
        for (int k = 0; k < 8; k++, i += pitch / LANES)
            STORE(CONVERT(LOAD(in, i)), out, i);
    }
}

#ifdef BACK
// Conversions in registers: there and back, n times.
kernel void chain(global source *out, global const source *in, int n)
{
    size_t i = get_global_id(0);
    SRC x = in[i];
    for (int k = 0; k < n; k++)
        x = BACK(CONVERT(x)) * FACTOR + OFFSET;
    out[i] = x;
}
#endif
