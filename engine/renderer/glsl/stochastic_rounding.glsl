// Rounding of accumulated colours to 16-bit floats.
#include "gradient_noise.glsl"

// Stochastic rounding to 16-bit floats, so that the mean over frames is `color`. Rounding to nearest would never
// accumulate small differences, and truncation, which devices may do, would darken the picture.
vec3 rounded(vec3 color, int frame) {
    vec3 unit = exp2(max(floor(log2(max(color, 1e-6))), -14.0) - 10.0);
    return floor(color / unit + gradient_noise(ivec2(gl_FragCoord.xy), frame)) * unit;
}
