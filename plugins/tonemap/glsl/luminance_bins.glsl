// A scale of luminance in even steps of its logarithm. Bin 0 is for black, which says nothing about the light.

const float LOWEST = -14.0;   // stops: powers of two
const float HIGHEST = 16.0;

// The bin of a luminance and, from 0 to 1, the place in it.
int bin_of(float luminance_, out float place) {
    place = 0.0;
    if (!(luminance_ > exp2(LOWEST))) {  // so that a nan is black, too
        return 0;
    }
    float share = clamp((log2(luminance_) - LOWEST) / (HIGHEST - LOWEST), 0.0, 1.0) * float(BINS - 1);
    float bin = min(floor(share), float(BINS - 2));
    place = share - bin;
    return 1 + int(bin);
}

// A place in a bin from 1, in stops.
float stops_of(int bin, float place) {
    return LOWEST + (float(bin - 1) + place) / float(BINS - 1) * (HIGHEST - LOWEST);
}
