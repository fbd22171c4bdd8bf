// Below that roughness, a surface is a mirror: all rays have one direction, and no mean over texels and frames is needed.
const float MIRROR = 0.06;
// From that roughness on, the mean is over all texels and frames.
const float BLURRED = 0.2;

// From 0 for a mirror to 1 for rays that need the whole mean.
float spread_of(float roughness) {
    return smoothstep(MIRROR, BLURRED, roughness);
}
