// Histogram bins, uniform in log luminance. Bin 0 is black and is ignored.

const float LOWEST = -14.0;   // stops: powers of two
const float HIGHEST = 16.0;

// Bin of a luminance, and the position within the bin from 0 to 1.
int bin_of(float luminance_, out float place) {
    place = 0.0;
    if (!(luminance_ > exp2(LOWEST))) {  // written so that NaN counts as black
        return 0;
    }
    float share = clamp((log2(luminance_) - LOWEST) / (HIGHEST - LOWEST), 0.0, 1.0) * float(BINS - 1);
    float bin = min(floor(share), float(BINS - 2));
    place = share - bin;
    return 1 + int(bin);
}

// Luminance in stops of a position in a bin (1 or higher).
float stops_of(int bin, float place) {
    return LOWEST + (float(bin - 1) + place) / float(BINS - 1) * (HIGHEST - LOWEST);
}
