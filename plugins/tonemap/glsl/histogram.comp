#version 450
#include "color.glsl"
#include "luminance_bins.glsl"

layout(local_size_x = 16, local_size_y = 16) in;

layout(set = 0, binding = 0) uniform sampler2D source;
layout(std430, set = 0, binding = 1) buffer histograms {
    uvec2 sums[];  // by tile, then bin, over all pictures with a common exposure: weight, weight * position in the bin
};
layout(set = 0, binding = 2) uniform Settings {
    float center;
} settings;

// Largest weight of a sample; weights are integers. 32 pictures of 8192 x 8192 texels do not overflow.
const float MOST = 120.0;

shared uint weights[BINS], places[BINS];

void main() {
    uint own = gl_LocalInvocationIndex;
    if (own < BINS) {
        weights[own] = places[own] = 0u;
    }
    barrier();
    // One bilinear sample for each 2 x 2 texels.
    ivec2 samples = max((textureSize(source, 0) + 1) / 2, ivec2(1));
    ivec2 tile = ivec2(gl_WorkGroupID.xy);
    ivec2 first = tile * samples / TILES, end = (tile + 1) * samples / TILES;
    for (int y = first.y + int(gl_LocalInvocationID.y); y < end.y; y += 16) {
        for (int x = first.x + int(gl_LocalInvocationID.x); x < end.x; x += 16) {
            vec2 at = (vec2(x, y) + 0.5) / vec2(samples);
            vec2 away = 2.0 * at - 1.0;
            float weight = mix(1.0, exp(-2.0 * dot(away, away)), settings.center);
            vec3 color = textureLod(source, at, 0.0).rgb;
            uint counts = max(1u, uint(weight * MOST + 0.5));
            float place;
            int bin = bin_of(luminance(color), place);
            atomicAdd(weights[bin], counts);
            atomicAdd(places[bin], uint(place * float(counts) + 0.5));
        }
    }
    barrier();
    if (own < BINS) {
        sums[(tile.y * TILES + tile.x) * BINS + own] += uvec2(weights[own], places[own]);
    }
}
