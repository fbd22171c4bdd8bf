#version 450
#include "color.glsl"
#include "per_invocation.glsl"

// After Timothy Lottes, "FXAA 3.11" (2011): find the edge at a texel, search both of its ends, and sample across the
// edge by the coverage of a straight line between the ends.

layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform Settings {
    float contrast;
    float floor;
    float subpixel;
    int search;
} settings;

const float NARROW = 4.0;  // texels between two ends, both of which are outside the edge

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

// Perceived brightness. A square root approximates the sRGB curve.
float brightness(vec2 at) {
    return sqrt(luminance(textureLod(source, at, 0.0).rgb));
}

// Distance in texels from `start` along `step_` to the end of the edge. `change` is the brightness there minus `mean`.
float end_of_edge(vec2 start, vec2 step_, float mean, float threshold, out float change) {
    float texels = 0.0;
    change = 0.0;
    int search = per_invocation(settings.search, int(gl_FragCoord.x));
    for (int i = 0; i < search && abs(change) < threshold; ++i) {
        texels += i < 4 ? 1.0 : i < 8 ? 2.0 : 4.0;
        change = brightness(start + step_ * texels) - mean;
    }
    return texels;
}

void main() {
    vec4 own = texelFetch(source, ivec2(gl_FragCoord.xy), 0);
    vec2 texel = 1.0 / vec2(textureSize(source, 0));
    vec2 x = vec2(texel.x, 0.0), y = vec2(0.0, texel.y);
    float m = sqrt(luminance(own.rgb));
    float n = brightness(uv - y), s = brightness(uv + y), w = brightness(uv - x), e = brightness(uv + x);
    float high = max(m, max(max(n, s), max(w, e))), low = min(m, min(min(n, s), min(w, e)));
    float range = high - low;
    if (range < max(settings.floor, high * settings.contrast)) {
        out_color = own;
        return;
    }
    float nw = brightness(uv - x - y), ne = brightness(uv + x - y);
    float sw = brightness(uv - x + y), se = brightness(uv + x + y);

    // Subpixel aliasing: contrast of the texel to the mean of its neighbours. Restricted to corners (contrast on both
    // axes) and thin lines (contrast on both sides), because it would blur straight edges.
    float around = (2.0 * (n + s + w + e) + nw + ne + sw + se) / 12.0;
    float lone = smoothstep(0.0, 1.0, clamp(abs(around - m) / range, 0.0, 1.0));
    vec2 upright = abs(vec2(n, s) - m), level = abs(vec2(w, e) - m);
    float corner = min(max(upright.x, upright.y), max(level.x, level.y));
    float thin = max(min(upright.x, upright.y), min(level.x, level.y));
    float soften = lone * lone * max(corner, thin) / range * settings.subpixel;

    float rows = abs(nw + sw - 2.0 * w) + 2.0 * abs(n + s - 2.0 * m) + abs(ne + se - 2.0 * e);
    float columns = abs(nw + ne - 2.0 * n) + 2.0 * abs(w + e - 2.0 * m) + abs(sw + se - 2.0 * s);
    bool horizontal = rows >= columns;
    vec2 along = horizontal ? x : y, across = horizontal ? y : x;
    float before = horizontal ? n : w, after = horizontal ? s : e;
    bool is_before = abs(before - m) >= abs(after - m);
    across = is_before ? -across : across;
    float other = is_before ? before : after;

    // Search along the border of the two texels, where bilinear filtering returns their mean.
    float mean = 0.5 * (m + other), threshold = 0.25 * abs(other - m);
    float change_a, change_b;
    float a = end_of_edge(uv + 0.5 * across, -along, mean, threshold, change_a);
    float b = end_of_edge(uv + 0.5 * across, along, mean, threshold, change_b);
    float nearest_change = a < b ? change_a : change_b;
    bool covered = (nearest_change < 0.0) != (m < mean);  // the line covers this texel, not its neighbour
    // A short edge with the same change at both ends is the tip of a thin line, not a slope.
    bool slope = (change_a < 0.0) != (change_b < 0.0) || a + b > NARROW;
    // The line connects the border's midpoints at both ends. The offset is its mean coverage of the texel.
    float cut = covered && slope ? 0.5 - (min(a, b) - 0.5) / max(a + b - 1.0, 1.0) : 0.0;
    out_color = vec4(textureLod(source, uv + across * max(cut, soften), 0.0).rgb, 1.0);
}
