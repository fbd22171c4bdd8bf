// A scale of luminance in even steps of its logarithm. Bin 0 is for black, which says nothing about the light.

const float LOWEST = -14.0;   // stops: powers of two
const float HIGHEST = 16.0;

int bin_of(float luminance_) {
    if (!(luminance_ > exp2(LOWEST))) {  // so that a nan is black, too
        return 0;
    }
    float share = (log2(luminance_) - LOWEST) / (HIGHEST - LOWEST);
    return 1 + int(clamp(share, 0.0, 0.9999) * float(BINS - 1));
}

// The middle of a bin from 1, in stops.
float stops_of(int bin) {
    return LOWEST + (float(bin) - 0.5) / float(BINS - 1) * (HIGHEST - LOWEST);
}
