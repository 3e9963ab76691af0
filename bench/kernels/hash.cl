// Hashes and random numbers: integer operations in registers.

#define STEP(f, a, b, c, d, x, t, s) a = rotate(a + f(b, c, d) + (x) + t, (uint)s) + b
#define F(x, y, z) ((x) & (y) | ~(x) & (z))
#define G(x, y, z) ((x) & (z) | (y) & ~(z))
#define H(x, y, z) ((x) ^ (y) ^ (z))
#define I(x, y, z) ((y) ^ ((x) | ~(z)))
// Each work-item computes the MD5 digest of a block: its number in 8 bytes, padded.
kernel void md5(global uint4 *out)
{
    uint n = get_global_id(0), w[16] = {n, n ^ 0x5A5A5A5A, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64, 0};
    uint a = 0x67452301, b = 0xEFCDAB89, c = 0x98BADCFE, d = 0x10325476;
    STEP(F, a, b, c, d, w[0], 0xD76AA478, 7); STEP(F, d, a, b, c, w[1], 0xE8C7B756, 12);
    STEP(F, c, d, a, b, w[2], 0x242070DB, 17); STEP(F, b, c, d, a, w[3], 0xC1BDCEEE, 22);
    STEP(F, a, b, c, d, w[4], 0xF57C0FAF, 7); STEP(F, d, a, b, c, w[5], 0x4787C62A, 12);
    STEP(F, c, d, a, b, w[6], 0xA8304613, 17); STEP(F, b, c, d, a, w[7], 0xFD469501, 22);
    STEP(F, a, b, c, d, w[8], 0x698098D8, 7); STEP(F, d, a, b, c, w[9], 0x8B44F7AF, 12);
    STEP(F, c, d, a, b, w[10], 0xFFFF5BB1, 17); STEP(F, b, c, d, a, w[11], 0x895CD7BE, 22);
    STEP(F, a, b, c, d, w[12], 0x6B901122, 7); STEP(F, d, a, b, c, w[13], 0xFD987193, 12);
    STEP(F, c, d, a, b, w[14], 0xA679438E, 17); STEP(F, b, c, d, a, w[15], 0x49B40821, 22);
    STEP(G, a, b, c, d, w[1], 0xF61E2562, 5); STEP(G, d, a, b, c, w[6], 0xC040B340, 9);
    STEP(G, c, d, a, b, w[11], 0x265E5A51, 14); STEP(G, b, c, d, a, w[0], 0xE9B6C7AA, 20);
    STEP(G, a, b, c, d, w[5], 0xD62F105D, 5); STEP(G, d, a, b, c, w[10], 0x02441453, 9);
    STEP(G, c, d, a, b, w[15], 0xD8A1E681, 14); STEP(G, b, c, d, a, w[4], 0xE7D3FBC8, 20);
    STEP(G, a, b, c, d, w[9], 0x21E1CDE6, 5); STEP(G, d, a, b, c, w[14], 0xC33707D6, 9);
    STEP(G, c, d, a, b, w[3], 0xF4D50D87, 14); STEP(G, b, c, d, a, w[8], 0x455A14ED, 20);
    STEP(G, a, b, c, d, w[13], 0xA9E3E905, 5); STEP(G, d, a, b, c, w[2], 0xFCEFA3F8, 9);
    STEP(G, c, d, a, b, w[7], 0x676F02D9, 14); STEP(G, b, c, d, a, w[12], 0x8D2A4C8A, 20);
    STEP(H, a, b, c, d, w[5], 0xFFFA3942, 4); STEP(H, d, a, b, c, w[8], 0x8771F681, 11);
    STEP(H, c, d, a, b, w[11], 0x6D9D6122, 16); STEP(H, b, c, d, a, w[14], 0xFDE5380C, 23);
    STEP(H, a, b, c, d, w[1], 0xA4BEEA44, 4); STEP(H, d, a, b, c, w[4], 0x4BDECFA9, 11);
    STEP(H, c, d, a, b, w[7], 0xF6BB4B60, 16); STEP(H, b, c, d, a, w[10], 0xBEBFBC70, 23);
    STEP(H, a, b, c, d, w[13], 0x289B7EC6, 4); STEP(H, d, a, b, c, w[0], 0xEAA127FA, 11);
    STEP(H, c, d, a, b, w[3], 0xD4EF3085, 16); STEP(H, b, c, d, a, w[6], 0x04881D05, 23);
    STEP(H, a, b, c, d, w[9], 0xD9D4D039, 4); STEP(H, d, a, b, c, w[12], 0xE6DB99E5, 11);
    STEP(H, c, d, a, b, w[15], 0x1FA27CF8, 16); STEP(H, b, c, d, a, w[2], 0xC4AC5665, 23);
    STEP(I, a, b, c, d, w[0], 0xF4292244, 6); STEP(I, d, a, b, c, w[7], 0x432AFF97, 10);
    STEP(I, c, d, a, b, w[14], 0xAB9423A7, 15); STEP(I, b, c, d, a, w[5], 0xFC93A039, 21);
    STEP(I, a, b, c, d, w[12], 0x655B59C3, 6); STEP(I, d, a, b, c, w[3], 0x8F0CCC92, 10);
    STEP(I, c, d, a, b, w[10], 0xFFEFF47D, 15); STEP(I, b, c, d, a, w[1], 0x85845DD1, 21);
    STEP(I, a, b, c, d, w[8], 0x6FA87E4F, 6); STEP(I, d, a, b, c, w[15], 0xFE2CE6E0, 10);
    STEP(I, c, d, a, b, w[6], 0xA3014314, 15); STEP(I, b, c, d, a, w[13], 0x4E0811A1, 21);
    STEP(I, a, b, c, d, w[4], 0xF7537E82, 6); STEP(I, d, a, b, c, w[11], 0xBD3AF235, 10);
    STEP(I, c, d, a, b, w[2], 0x2AD7D2BB, 15); STEP(I, b, c, d, a, w[9], 0xEB86D391, 21);
    out[get_global_id(0)] = (uint4)(a + 0x67452301, b + 0xEFCDAB89, c + 0x98BADCFE, d + 0x10325476);
}

constant uint sha_constants[64] = {
    0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5,
    0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174,
    0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA,
    0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147, 0x06CA6351, 0x14292967,
    0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85,
    0xA2BFE8A1, 0xA81A664B, 0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070,
    0x19A4C116, 0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3,
    0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208, 0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2,
};
// Each work-item computes the first word of the SHA-256 digest of a block: its number in 8 bytes, padded.
kernel void sha256(global uint *out)
{
    uint n = get_global_id(0), w[16] = {n, n ^ 0x5A5A5A5A, 0x80000000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64};
    uint a = 0x6A09E667, b = 0xBB67AE85, c = 0x3C6EF372, d = 0xA54FF53A, e = 0x510E527F, f = 0x9B05688C, g = 0x1F83D9AB, h = 0x5BE0CD19;
    for (int i = 0; i < 64; i++) {
        if (i >= 16) {
            uint x = w[(i + 1) & 15], y = w[(i + 14) & 15];
            w[i & 15] += (rotate(x, 25u) ^ rotate(x, 14u) ^ x >> 3) + w[(i + 9) & 15] + (rotate(y, 15u) ^ rotate(y, 13u) ^ y >> 10);
        }
        uint s = h + (rotate(e, 26u) ^ rotate(e, 21u) ^ rotate(e, 7u)) + (e & f ^ ~e & g) + sha_constants[i] + w[i & 15];
        uint t = (rotate(a, 30u) ^ rotate(a, 19u) ^ rotate(a, 10u)) + (a & b ^ a & c ^ b & c);
        h = g, g = f, f = e, e = d + s, d = c, c = b, b = a, a = s + t;
    }
    out[get_global_id(0)] = a + 0x6A09E667;
}

// Each work-item computes n steps of the xorshift generator.
kernel void xorshift(global uint *out, int n)
{
    uint x = get_global_id(0) * 2654435761u + 1;
    for (int k = 0; k < n; k++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    out[get_global_id(0)] = x;
}

// Each work-item computes four random numbers by Philox 4x32-10.
kernel void philox(global uint4 *out, uint key)
{
    uint4 c = (uint4)((uint)get_global_id(0), 0, 0, 0);
    uint2 k = (uint2)(key, key + 1);
    for (int r = 0; r < 10; r++) {
        uint h0 = mul_hi(0xD2511F53u, c.x), l0 = 0xD2511F53u * c.x, h1 = mul_hi(0xCD9E8D57u, c.z), l1 = 0xCD9E8D57u * c.z;
        c = (uint4)(h1 ^ c.y ^ k.x, l1, h0 ^ c.w ^ k.y, l0);
        k += (uint2)(0x9E3779B9, 0xBB67AE85);
    }
    out[get_global_id(0)] = c;
}

// Each work-item computes the FNV-1a hash of 64 contiguous bytes.
kernel void fnv(global uint *out, global const uchar *in)
{
    size_t i = get_global_id(0);
    uint h = 2166136261u;
    for (int k = 0; k < 64; k++)
        h = (h ^ in[i * 64 + k]) * 16777619u;
    out[i] = h;
}
