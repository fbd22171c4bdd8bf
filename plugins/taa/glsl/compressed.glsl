// Range compression to luminance below 1, so that one bright sample does not outweigh many dark ones. A mean of
// compressed colours is a mean weighted by 1 / (1 + luminance / HALF_WEIGHT) (Karis 2014).
#include "color.glsl"

// Above white, so that lamps keep most of their light and only fireflies are suppressed.
const float HALF_WEIGHT = 4.0;

vec3 compress(vec3 linear) {
    return linear / (HALF_WEIGHT + luminance(linear));
}

vec3 expand(vec3 compressed) {
    return compressed * HALF_WEIGHT / max(1.0 - luminance(compressed), 1e-4);
}
