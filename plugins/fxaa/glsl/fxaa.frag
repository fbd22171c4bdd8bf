#version 450
#include "per_invocation.glsl"

// After Timothy Lottes, "FXAA 3.11" (2011), for contrast, direction and search of edges, and Alexander Reshetov, "Morphological
// Antialiasing" (2009), for the shapes of runs: see edges.glsl.

layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform Settings {
    float contrast;
    float floor;
    float subpixel;
    int search;
} settings;

layout(location = 0) out vec4 out_color;

#include "edges.glsl"

float largest(vec3 color) {
    return max(color.r, max(color.g, color.b));
}

float contrast(vec3 a, vec3 b) {
    return largest(abs(perceived(a) - perceived(b)));
}

// How much three colours side by side differ from an even gradient.
vec3 bend(vec3 before, vec3 middle, vec3 behind) {
    return abs(perceived(before) + perceived(behind) - 2.0 * perceived(middle));
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy), x = ivec2(1, 0), y = ivec2(0, 1);
    vec3 own = color_at(texel);
    vec3 n = color_at(texel - y), s = color_at(texel + y), w = color_at(texel - x), e = color_at(texel + x);
    vec2 upright = vec2(contrast(own, n), contrast(own, s)), level = vec2(contrast(own, w), contrast(own, e));
    float range = max(max(upright.x, upright.y), max(level.x, level.y));
    float threshold = max(settings.floor, settings.contrast * largest(perceived(max(own, max(max(n, s), max(w, e))))));
    out_color = vec4(own, 1.0);
    if (range < threshold) {
        return;
    }

    vec3 nw = color_at(texel - x - y), ne = color_at(texel + x - y), sw = color_at(texel - x + y), se = color_at(texel + x + y);
    vec3 rows = bend(nw, w, sw) + 2.0 * bend(n, own, s) + bend(ne, e, se);
    vec3 columns = bend(nw, n, ne) + 2.0 * bend(w, own, e) + bend(sw, s, se);
    bool is_level = largest(rows) >= largest(columns);
    ivec2 along = is_level ? x : y, across = is_level ? y : x;
    float covered = 0.0;
    for (int side = -1; side <= 1; side += 2) {
        vec3 other = color_at(texel + side * across);
        float share = contrast(own, other) < threshold ? 0.0 : coverage(edge_between(texel, along, side * across));
        covered += share;
        out_color.rgb += share * (other - own);
    }

    // Subpixel aliasing: what is narrower than a texel shows as lone texels and broken lines, which have contrast on both axes
    // and on both sides. Lines along the texels do not, and stay sharp.
    vec3 around = (2.0 * (n + s + w + e) + nw + ne + sw + se) / 12.0;
    float lone = smoothstep(0.0, range, contrast(own, around));
    float both_axes = min(max(upright.x, upright.y), max(level.x, level.y));
    float both_sides = max(min(upright.x, upright.y), min(level.x, level.y));
    float soften = covered > 0.0 ? 0.0 : lone * lone * min(both_axes, both_sides) / range * settings.subpixel;
    out_color.rgb = mix(out_color.rgb, around, soften);
}
