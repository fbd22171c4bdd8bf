// Range compression, so that one bright sample does not outweigh many dark ones: a mean of compressed colours is a mean
// weighted by 1 / (1 + weight * luminance) (Karis 2014). Such a mean takes the light of a lamp that covers few samples,
// so the weight ends at lamps, whose mean is that of the light.
#include "color.glsl"

// Luminances between which a texel turns from a surface into a lamp.
const float SURFACE = 0.75;
const float LAMP = 1.5;
// Above white, so that bright surfaces keep most of their light.
const float SURFACE_WEIGHT = 0.25;

// The weight for colours of up to that luminance.
float compression(float brightest) {
    return SURFACE_WEIGHT * (1.0 - smoothstep(SURFACE, LAMP, brightest));
}

vec3 compress(vec3 linear, float weight) {
    return linear / (1.0 + weight * luminance(linear));
}

vec3 expand(vec3 compressed, float weight) {
    return compressed / max(1.0 - weight * luminance(compressed), 1e-4);
}
