#version 450

layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform sampler2D depth;
#if HAS_NORMAL
layout(set = 0, binding = 2) uniform sampler2D normal;
#endif
layout(set = 0, binding = 3) uniform Settings {
    vec3 color;
    float opacity;
    int thickness;
    float depth;
    float angle;
} settings;

layout(location = 0) out vec4 out_color;

const ivec2 DIRECTIONS[4] = ivec2[](ivec2(1, 0), ivec2(0, 1), ivec2(1, 1), ivec2(1, -1));

bool outside(ivec2 texel) {
    return any(lessThan(texel, ivec2(0))) || any(greaterThanEqual(texel, textureSize(depth, 0)));
}

// How much nearer a texel is than the line between two others on either side, as a share of the distance. Reversed
// depth is the inverse of distance, which runs straight across the picture on every plane, however tilted: 0 there.
float step_of(float before, float own, float after) {
    return (2.0 * own - before - after) / max(own, 1e-9);
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    float own = texelFetch(depth, texel, 0).r;
    float most = 0.0, least = 0.0, turned = 0.0;
    for (int i = 0; i < 4; ++i) {
        ivec2 a = texel - DIRECTIONS[i] * settings.thickness;
        ivec2 b = texel + DIRECTIONS[i] * settings.thickness;
        if (outside(a) || outside(b)) {
            continue;
        }
        float step_ = step_of(texelFetch(depth, a, 0).r, own, texelFetch(depth, b, 0).r);
        most = max(most, step_);
        least = min(least, step_);
#if HAS_NORMAL
        vec3 u = texelFetch(normal, a, 0).xyz, v = texelFetch(normal, b, 0).xyz;
        float lengths = length(u) * length(v);  // 0 where there is only sky
        turned = max(turned, lengths > 0.0 ? acos(clamp(dot(u, v) / lengths, -1.0, 1.0)) : 0.0);
#endif
    }
    // A line belongs to the surface before: what lies behind one has none of its own.
    float before = own > 0.0 ? 1.0 - smoothstep(settings.depth, 2.5 * settings.depth, -least) : 0.0;
    float edge = before * smoothstep(settings.angle, 1.2 * settings.angle, turned);
    edge = max(edge, smoothstep(settings.depth, 1.5 * settings.depth, most));
    vec3 color = texelFetch(source, texel, 0).rgb;
    out_color = vec4(mix(color, settings.color, edge * settings.opacity), 1.0);
}
