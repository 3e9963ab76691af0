// The picture of the examples: a cup of coffee on a checked table, ray-marched. It was made with
//
//     purecl run examples/scene.cl -a 'out=zeros(600x400)' -o out=examples/scene.png
//
// Few shades are used, so that the file stays small.

float box(float2 p, float2 half_size) {
    float2 d = fabs(p) - half_size;
    return length(fmax(d, 0.0f)) + fmin(fmax(d.x, d.y), 0.0f);
}

// A distance to a surface, with the number of what it is.
typedef struct {
    float far;
    int what;
} Hit;

enum { TABLE, CUP, COFFEE, SAUCER };

Hit nearer(Hit a, float far, int what) {
    if (far < a.far) {
        a.far = far;
        a.what = what;
    }
    return a;
}

Hit scene(float3 p) {
    Hit h = {p.y, TABLE};
    float2 q = (float2)(length(p.xz), p.y);
    float wall = box(q - (float2)(0.92f + 0.18f * p.y, 0.85f), (float2)(0.05f, 0.75f)) - 0.03f;
    float floor_of_cup = box(q - (float2)(0.0f, 0.16f), (float2)(0.9f, 0.06f)) - 0.03f;
    float2 ring = (float2)(length(p.xy - (float2)(1.35f, 0.85f)) - 0.42f, p.z);
    float handle = length(ring) - 0.1f;
    float outside = q.x - (0.95f + 0.18f * p.y); // the handle ends at the wall
    h = nearer(h, fmin(fmin(wall, floor_of_cup), fmax(handle, -outside)) * 0.9f, CUP);
    h = nearer(h, box(q - (float2)(0.0f, 1.25f), (float2)(1.1f, 0.02f)), COFFEE);
    h = nearer(h, box(q - (float2)(0.0f, 0.05f), (float2)(1.75f, 0.02f)) - 0.03f, SAUCER);
    return h;
}

float3 normal(float3 p) {
    const float e = 0.001f;
    float3 x = (float3)(e, 0, 0), y = (float3)(0, e, 0), z = (float3)(0, 0, e);
    return normalize((float3)(scene(p + x).far - scene(p - x).far, scene(p + y).far - scene(p - y).far, scene(p + z).far - scene(p - z).far));
}

// Walks along a ray until a surface or the limit, and returns how far it came.
float march(float3 from, float3 direction, float limit) {
    float t = 0.02f;
    for (int i = 0; i < 200 && t < limit; i++) {
        float d = scene(from + t * direction).far;
        if (d < 0.0005f)
            break;
        t += d;
    }
    return t;
}

// The direction in which a ray goes on from a surface.
float3 reflect_ray(float3 ray, float3 n) { return ray - 2.0f * dot(ray, n) * n; }

float3 colour(int what, float3 p) {
    switch (what) {
    case CUP:
        return (float3)(0.85f, 0.25f, 0.2f);
    case COFFEE:
        return (float3)(0.3f, 0.17f, 0.08f);
    case SAUCER:
        return (float3)(0.95f, 0.93f, 0.88f);
    }
    int checks = (int)floor(p.x) + (int)floor(p.z);
    return checks & 1 ? (float3)(0.55f, 0.65f, 0.7f) : (float3)(0.9f, 0.88f, 0.8f);
}

kernel void render(global uchar4 *out) {
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
    float2 s = (float2)(2 * x - w + 1, h - 1 - 2 * y) / h;
    float3 eye = (float3)(0.6f, 4.2f, -5.6f), ahead = normalize((float3)(0.1f, 0.6f, 0.0f) - eye);
    float3 right = normalize(cross((float3)(0, 1, 0), ahead)), up = cross(ahead, right);
    float3 ray = normalize(2.0f * ahead + s.x * right + s.y * up);
    float t = march(eye, ray, 40.0f);
    float3 c = (float3)(0.75f, 0.85f, 0.95f);
    if (t < 40.0f) {
        float3 p = eye + t * ray, n = normal(p), light = normalize((float3)(-2.0f, 4.0f, -2.0f));
        float lit = fmax(dot(n, light), 0.0f);
        if (lit > 0 && march(p + 0.01f * n, light, 12.0f) < 12.0f)
            lit = 0;
        float shine = pow(fmax(dot(reflect_ray(ray, n), light), 0.0f), 40.0f) * (lit > 0);
        c = mix(colour(scene(p).what, p) * (0.35f + 0.65f * lit) + 0.4f * shine, c, smoothstep(12.0f, 40.0f, t));
    }
    c = rint(sqrt(c) * 24.0f) / 24.0f;
    out[y * w + x] = convert_uchar4_sat_rte((float4)(c, 1.0f) * 255.0f);
}
