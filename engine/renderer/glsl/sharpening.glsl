// Sharpening of light.
#include "compressed.glsl"
#include "constants.glsl"

// Compressed to luminance below 1.
vec3 compressed_at(sampler2D source, ivec2 texel) {
    vec3 light = texelFetch(source, clamp(texel, ivec2(0), textureSize(source, 0) - 1), 0).rgb;
    return compress(light, SURFACE_WEIGHT) * SURFACE_WEIGHT;
}

vec3 light_of(vec3 compressed) {
    return expand(compressed / SURFACE_WEIGHT, SURFACE_WEIGHT);
}

// Contrast-adaptive sharpening with a cross of five texels, limited so that the result stays between black and white,
// and to `limit` (Lottes 2021, the RCAS of FidelityFX FSR 1). It ends at lamps, whose light it would increase.
vec3 sharpened(sampler2D source, ivec2 texel, float sharpness) {
    const float limit = 0.25 - 1.0 / 16.0;
    vec3 center = compressed_at(source, texel);
    vec3 up = compressed_at(source, texel + ivec2(0, -1)), down = compressed_at(source, texel + ivec2(0, 1));
    vec3 left = compressed_at(source, texel + ivec2(-1, 0)), right = compressed_at(source, texel + ivec2(1, 0));
    vec3 low = min(min(up, down), min(left, right));
    vec3 high = max(max(up, down), max(left, right));
    vec3 to_black = min(low, center) / max(4.0 * high, 1e-5);
    vec3 to_white = (1.0 - max(high, center)) / max(4.0 - 4.0 * low, 1e-5);
    vec3 room = min(to_black, to_white);
    float surface = compression(luminance(light_of(max(high, center)))) / SURFACE_WEIGHT;
    // Saturated light may exceed 1, which leaves no room for sharpening.
    float lobe = -clamp(min(room.r, min(room.g, room.b)), 0.0, limit) * sharpness * surface;
    vec3 sharp = (lobe * (up + down + left + right) + center) / (4.0 * lobe + 1.0);
    return min(light_of(max(sharp, 0.0)), HALF_MAX);
}
