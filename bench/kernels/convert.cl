// Conversions from SRC to DST by CONVERT. If one is half, LOAD_HALF or STORE_HALF converts it.
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

// Each work-item converts an element. Memory bounds the speed.
kernel void stream(global destination *out, global const source *in)
{
    size_t i = get_global_id(0);
    STORE(CONVERT(LOAD(in, i)), out, i);
}

// Each work-item repeatedly converts eight elements that are pitch apart. The cache or the core bounds the speed.
kernel void cached(global destination *out, global const source *in, int pitch, int repeats)
{
    for (int r = 0; r < repeats; r++) {
        size_t i = get_global_id(0);
        for (int k = 0; k < 8; k++, i += pitch / LANES)
            STORE(CONVERT(LOAD(in, i)), out, i);
    }
}

#ifdef BACK
// Each work-item converts a value forth and back n times. The core bounds the speed.
kernel void chain(global source *out, global const source *in, int n)
{
    size_t i = get_global_id(0);
    SRC x = in[i];
    for (int k = 0; k < n; k++)
        x = BACK(CONVERT(x)) * FACTOR + OFFSET;
    out[i] = x;
}
#endif
