#version 450
#include "constants.glsl"
#include "per_invocation.glsl"
#include "blur.glsl"

layout(set = 0, binding = 0) uniform sampler2D half_picture;
layout(set = 0, binding = 1) uniform sampler2D behind;
layout(set = 0, binding = 2) uniform sampler2D before;
layout(set = 0, binding = 3) uniform sampler2D spreads;
layout(set = 0, binding = 4) uniform Settings {
    float largest;
    int taps;
} settings;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_far;
layout(location = 1) out vec4 out_near;
layout(location = 2) out vec2 out_reach;

const float SHARES = 16.0;  // of the set of samples, one for each texel of a square of 4 x 4
const int SEARCH = 24;

// Sunflower spiral on the unit disk (Vogel 1979).
vec2 spiral(int i, int count, float turn) {
    float angle = float(i) * GOLDEN_ANGLE + turn;
    return sqrt((float(i) + 0.5) / float(count)) * vec2(cos(angle), sin(angle));
}

// Distance between samples that are evenly over a disk.
float between(float reach, float count) {
    return reach * sqrt(PI / count);
}

// The shares are spirals, moved within the distance between their samples. If that is much larger than the square, they
// are turned instead: moves of many texels would leave gaps where squares meet.
bool is_turned(float reach) {
    return between(reach, float(settings.taps)) > 6.0;
}

// Side of the square within which the shares of a disk are moved.
float side(float reach) {
    return is_turned(reach) ? 0.0 : filled(reach) * between(reach, float(settings.taps));
}

// Radius of the disk for the samples: moved ones cover the border of the disk of radius `reach` as well as its middle.
float sampled(float reach) {
    return reach + 0.25 * side(reach);
}

// A sample of this texel.
vec2 tap(int i, float reach) {
    ivec2 share = ivec2(gl_FragCoord.xy) & 3;
    float turn = is_turned(reach) ? 2.0 * PI * 9.0 / SHARES * float(4 * share.y + share.x) : 0.0;
    return sampled(reach) * spiral(i, settings.taps, turn) + side(reach) * (vec2(share) - 1.5) / 4.0;
}

// Mip with texels 1.9 times as large as the distance between the samples of all shares.
float mip_of(float reach) {
    return log2(max(1.9 * between(reach, SHARES * float(settings.taps)), 1.0));
}

// Largest radius in front of the focus that spreads to this texel. A tight disk makes the best use of the samples.
float reach_of_foreground(vec2 extent) {
    float most = settings.largest * extent.y, reach = 0.0;
    int level = min(int(ceil(log2(max(1.5 * between(most, float(SEARCH)), 1.0)))), textureQueryLevels(spreads) - 1);
    vec2 size = vec2(textureSize(spreads, level));
    for (int i = 0; i < SEARCH; ++i) {
        vec2 offset = spiral(i, SEARCH, 0.0) * most;
        vec2 texel = clamp((uv + offset / extent) * size, vec2(0.0), size - 1.0);
        float radius = texelFetch(spreads, ivec2(texel), level).b * most;
        reach = radius + exp2(float(level)) >= length(offset) ? max(reach, radius) : reach;
    }
    return reach;
}

// Mean of what is behind the focus, on the texel's own disk.
vec4 far_layer(float own, vec2 extent) {
    int taps = own < 0.25 ? 0 : per_invocation(settings.taps, int(gl_FragCoord.x));
    float reach = max(own, 0.75) + 0.25, mip = mip_of(reach);  // includes the soft edge of the disk
    vec4 far = vec4(0.0);
    for (int i = 0; i < taps; ++i) {
        vec2 offset = tap(i, reach), at = uv + offset / extent;
        vec4 light = textureLod(behind, at, mip);
        float part = textureLod(spreads, at, mip).r / max(weight_of_radius(light), 1e-6);
        // Background spreads at most as far as this texel is blurred, so that it does not bleed over sharp edges.
        float radius = min(part * settings.largest * extent.y, own);
        far += light * clamp(radius - length(offset) + 0.5, 0.0, 1.0);
    }
    return far;
}

// The blur of foreground reveals hidden background. Samples farther back in its disk, mostly the closest ones, stand in
// for that.
vec4 revealed(float own, vec2 extent) {
    int taps = own > -0.25 ? 0 : per_invocation(settings.taps, int(gl_FragCoord.x));
    float reach = max(-own, 0.75) + 0.25;
    vec4 far = vec4(0.0);
    for (int i = 0; i < taps; ++i) {
        vec2 offset = tap(i, reach);
        vec4 color = textureLod(half_picture, uv + offset / extent, 0.0);
        float away = length(offset);
        float back = clamp(0.5 * (color.a * extent.y - own) - 0.5, 0.0, 1.0) / (1.0 + away * away);
        far += vec4(color.rgb, 1.0) * back * clamp(-own - away + 1.0, 0.0, 1.0);
    }
    return far;
}

// Foreground, each sample weighted by the inverse area of its disk.
vec4 near_layer(float reach, vec2 extent) {
    int taps = reach < 0.25 ? 0 : per_invocation(settings.taps, int(gl_FragCoord.x));
    reach = max(reach, 0.75) + 0.25;
    float mip = mip_of(reach), area = sampled(reach) * sampled(reach);
    vec4 near = vec4(0.0);
    for (int i = 0; i < taps; ++i) {
        vec2 offset = tap(i, reach), at = uv + offset / extent;
        vec4 light = textureLod(before, at, mip);
        float part = textureLod(spreads, at, mip).g / max(weight_of_radius(light), 1e-6);
        float radius = part * settings.largest * extent.y;
        float covers = clamp(2.0 * (radius - length(offset)) + 0.5, 0.0, 1.0);
        near += light * covers * area / max(radius * radius, 1.0);
    }
    return near / max(near.a, float(settings.taps));
}

void main() {
    vec2 extent = vec2(textureSize(half_picture, 0));
    float own = texelFetch(half_picture, ivec2(gl_FragCoord.xy), 0).a * extent.y;
    float reach = reach_of_foreground(extent);
    vec4 far = own < 0.0 ? revealed(own, extent) : far_layer(own, extent);
    out_far = vec4(far.rgb / max(far.a, 1e-4), 1.0) * share_of(abs(own)) * step(1e-4, far.a);
    out_near = near_layer(reach, extent);
    out_reach = vec2(abs(own), reach);
}
