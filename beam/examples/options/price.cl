// Monte-Carlo prices of European call options. Random numbers are a function of the option's seed
// and the path's number alone (Philox2x32-10: J. Salmon et al., "Parallel Random Numbers: As Easy as 1, 2,
// 3", 2011), so that a price depends neither on batches nor on workers.
static uint2 philox(uint2 counter, uint key)
{
    for (int i = 0; i < 10; i++, key += 0x9E3779B9u)
        counter = (uint2)(mul_hi(0xD256D193u, counter.x) ^ key ^ counter.y, 0xD256D193u * counter.x);
    return counter;
}

kernel void price(global const double *spot, global const double *strike, global const double *years, global const uint *seed,
                  global double *value, global double *error, double rate, double volatility, int paths)
{
    size_t i = get_global_id(0);
    double drift = (rate - volatility * volatility / 2) * years[i], spread = volatility * sqrt(years[i]);
    double sum = 0, squares = 0;
    for (int p = 0; p < paths; p++) {
        uint2 r = philox((uint2)(p, 0), seed[i]);
        // Box and Muller's normal numbers; 0 is left out.
        double u = (r.x + 1.0) / 4294967296.0, v = r.y / 4294967296.0;
        double z = sqrt(-2 * log(u)) * cospi(2 * v);
        double gain = fmax(spot[i] * exp(drift + spread * z) - strike[i], 0.0);
        sum += gain;
        squares += gain * gain;
    }
    double mean = sum / paths, discount = exp(-rate * years[i]);
    value[i] = discount * mean;
    error[i] = discount * sqrt(fmax(squares / paths - mean * mean, 0.0) / paths);
}
