#version 450
#include "constants.glsl"

layout(set = 0, binding = 0) uniform sampler2D half_picture;
layout(set = 0, binding = 1) uniform Settings {
    float largest;
    int taps;
} settings;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_far;
layout(location = 1) out vec4 out_near;

// Of a disk of radius 1, a sunflower spiral.
vec2 tap(int i, int count) {
    float angle = float(i) * GOLDEN_ANGLE;
    return sqrt((float(i) + 0.5) / float(count)) * vec2(cos(angle), sin(angle));
}

// How much of a texel is blurred, by its radius. What is nearly sharp has no part in the layers, whose texels are coarse:
// small lamps would glow.
float share_of(float radius) {
    return smoothstep(0.35, 1.5, radius);
}

void main() {
    vec2 extent = vec2(textureSize(half_picture, 0));
    vec4 own = textureLod(half_picture, uv, 0.0);
    float height = extent.y;

    // How far away anything may be that spreads to here: a disk no larger than need be gets the taps.
    float reach = abs(own.a) * height;
    for (int i = 0; i < 24; ++i) {
        vec2 offset = tap(i, 24) * settings.largest * height;
        float radius = -textureLod(half_picture, uv + offset / extent, 0.0).a * height;
        reach = radius + 1.0 >= length(offset) ? max(reach, radius) : reach;
    }
    int taps = reach < 0.25 ? 0 : settings.taps;  // sharp, and nothing near spreads to here
    reach = max(reach, 0.75) + 0.25;  // with the soft edge of the disk

    vec4 far = vec4(0.0), near = vec4(0.0);
    for (int i = 0; i < taps; ++i) {
        vec2 offset = tap(i, taps) * reach;
        vec4 color = textureLod(half_picture, uv + offset / extent, 0.0);
        float radius = color.a * height, away = length(offset);
        // What is behind spreads no farther than this texel itself is blurred, so that it stays behind sharp edges.
        float behind = clamp(min(radius, own.a * height) - away + 0.5, 0.0, 1.0) * share_of(radius);
        // Where this texel is before, what lies farther back in its disk, above all next to it, stands for what it hides
        // and its blur lets through.
        float back = clamp(0.5 * (radius - own.a * height) - 0.5, 0.0, 1.0) / (1.0 + away * away);
        far += vec4(color.rgb, 1.0) * (own.a < 0.0 ? back * clamp(-own.a * height - away + 1.0, 0.0, 1.0) : behind);
        // What is before covers by its share of its own disk.
        float covers = clamp(2.0 * (-radius - away) + 0.5, 0.0, 1.0) * share_of(-radius);
        near += vec4(color.rgb, 1.0) * covers * reach * reach / max(radius * radius, 1.0);
    }
    out_far = vec4(far.rgb / max(far.a, 1e-4), 1.0) * share_of(abs(own.a) * height) * step(1e-4, far.a);
    out_near = near / max(near.a, float(settings.taps));
}
