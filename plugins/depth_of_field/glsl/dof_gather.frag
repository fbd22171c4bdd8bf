#version 450
#include "constants.glsl"
#include "per_invocation.glsl"

layout(set = 0, binding = 0) uniform sampler2D half_picture;
layout(set = 0, binding = 1) uniform Settings {
    float largest;
    int taps;
} settings;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_far;
layout(location = 1) out vec4 out_near;

// Sunflower spiral on the unit disk.
vec2 tap(int i, int count) {
    float angle = float(i) * GOLDEN_ANGLE;
    return sqrt((float(i) + 0.5) / float(count)) * vec2(cos(angle), sin(angle));
}

// Weight of a texel in the layers, by its blur radius. Nearly sharp texels are excluded: at half resolution, small
// lamps would glow.
float share_of(float radius) {
    return smoothstep(0.35, 1.5, radius);
}

void main() {
    vec2 extent = vec2(textureSize(half_picture, 0));
    vec4 own = textureLod(half_picture, uv, 0.0);
    float height = extent.y;

    // Largest radius that spreads to this texel. A tight disk makes the best use of the taps.
    float reach = abs(own.a) * height;
    for (int i = 0; i < 24; ++i) {
        vec2 offset = tap(i, 24) * settings.largest * height;
        float radius = -textureLod(half_picture, uv + offset / extent, 0.0).a * height;
        reach = radius + 1.0 >= length(offset) ? max(reach, radius) : reach;
    }
    int taps = reach < 0.25 ? 0 : per_invocation(settings.taps, int(gl_FragCoord.x));  // 0: sharp, and no foreground spreads here
    reach = max(reach, 0.75) + 0.25;  // includes the soft edge of the disk

    vec4 far = vec4(0.0), near = vec4(0.0);
    for (int i = 0; i < taps; ++i) {
        vec2 offset = tap(i, taps) * reach;
        vec4 color = textureLod(half_picture, uv + offset / extent, 0.0);
        float radius = color.a * height, away = length(offset);
        // Background spreads at most as far as this texel is blurred, so that it does not bleed over sharp edges.
        float behind = clamp(min(radius, own.a * height) - away + 0.5, 0.0, 1.0) * share_of(radius);
        // If this texel is foreground, its blur reveals hidden background. Samples farther back in its disk, mostly the
        // closest ones, stand in for that.
        float back = clamp(0.5 * (radius - own.a * height) - 0.5, 0.0, 1.0) / (1.0 + away * away);
        far += vec4(color.rgb, 1.0) * (own.a < 0.0 ? back * clamp(-own.a * height - away + 1.0, 0.0, 1.0) : behind);
        // Foreground samples are weighted by the inverse area of their disk.
        float covers = clamp(2.0 * (-radius - away) + 0.5, 0.0, 1.0) * share_of(-radius);
        near += vec4(color.rgb, 1.0) * covers * reach * reach / max(radius * radius, 1.0);
    }
    out_far = vec4(far.rgb / max(far.a, 1e-4), 1.0) * share_of(abs(own.a) * height) * step(1e-4, far.a);
    out_near = near / max(near.a, float(settings.taps));
}
