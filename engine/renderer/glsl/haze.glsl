// Air whose density falls off exponentially with height.

// The optical depth of a straight path of `length_` metres between two heights: the integral of
// density * exp(-falloff * (y - height)).
float haze_depth(float density, float falloff, float height, float from, float to, float length_) {
    float a = max(falloff * (from - height), -80.0);
    float b = max(falloff * (to - height), -80.0);
    // A selection and no branch: llvmpipe (Mesa 22.3) crashes on several branches by numbers of uniform blocks.
    bool level = abs(b - a) < 0.01;
    float mean = mix((exp(-a) - exp(-b)) / mix(b - a, 1.0, level), exp(-0.5 * (a + b)), level);
    return density * length_ * mean;
}

// Phase function per steradian with asymmetry g (Henyey and Greenstein 1941).
float haze_phase(float g, float cosine) {
    return (1.0 - g * g) * 0.25 * INV_PI / pow(1.0 + g * g - 2.0 * g * cosine, 1.5);
}
