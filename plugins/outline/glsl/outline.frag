#version 450
#include "camera.glsl"
#include "per_invocation.glsl"

layout(set = 0, binding = 1) uniform sampler2D source;
layout(set = 0, binding = 2) uniform sampler2D depth;
#if HAS_NORMAL
layout(set = 0, binding = 3) uniform sampler2D normal;
#endif
layout(set = 0, binding = 4) uniform Settings {
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

float depth_at(ivec2 texel) {
    return texelFetch(depth, texel, 0).r;
}

#if HAS_NORMAL
float turn_of(ivec2 p, ivec2 q) {
    vec3 u = texelFetch(normal, p, 0).xyz, v = texelFetch(normal, q, 0).xyz;
    float lengths = length(u) * length(v);  // 0 for sky
    return lengths > 0.0 ? acos(clamp(dot(u, v) / lengths, -1.0, 1.0)) : 0.0;
}
#endif

// Strength of the line at a texel from an edge in one direction: the texel's surface ends or bends there.
//
// A texel p is in front of its neighbour q if it is nearer than both surfaces, each extrapolated from two texels,
// predict. Reversed depth is linear in screen space on every plane. Where a surface bends, or two surfaces meet, the
// two predictions differ in sign.
float line_towards(ivec2 texel, ivec2 direction) {
    float line = 0.0, behind = 0.0;
    int thickness = per_invocation(settings.thickness, int(gl_FragCoord.x));
    for (int i = 0; i < thickness && behind == 0.0; ++i, texel += direction) {
        if (outside(texel - direction) || outside(texel + 2 * direction)) {
            break;
        }
        // The edge is midway between two texels, whose distance is larger along a diagonal.
        float away = (float(i) + 0.5) * length(vec2(direction));
        float covered = clamp(float(settings.thickness) + 0.5 - away, 0.0, 1.0);
        float p = depth_at(texel), q = depth_at(texel + direction);
        float by_p = 2.0 * p - depth_at(texel - direction) - q, by_q = p - 2.0 * q + depth_at(texel + 2 * direction);
        float unit = max(depth_unit(max(p, q)), 1e-9), least = min(abs(by_p), abs(by_q)) / unit;
        float before = by_p > 0.0 && by_q > 0.0 ? least : 0.0;
        // A line belongs to the surface in front; the surface behind gets none. Next to thin objects only one of the
        // two predictions works.
        float hidden = by_p < 0.0 && by_q < 0.0 ? least : q > p ? 0.3 * least : 0.0;
        behind = smoothstep(settings.depth, 1.5 * settings.depth, hidden);
#if HAS_NORMAL
        // Edges are often rounded, so the angle is measured over the adjacent texels of the surface too. The angle at
        // the edge itself must not be too small.
        ivec2 from = texel - (abs(by_p) < settings.depth * unit ? direction : ivec2(0));
        ivec2 to = texel + direction * (abs(by_q) < settings.depth * unit ? 2 : 1);
        float turned = smoothstep(settings.angle, 1.2 * settings.angle, turn_of(from, to));
        turned *= step(0.3 * settings.angle, turn_of(texel, texel + direction));
        line = max(line, covered * turned * (1.0 - behind));
#endif
        line = max(line, covered * smoothstep(settings.depth, 1.5 * settings.depth, before));
    }
    return line;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    float edge = 0.0;
    if (depth_at(texel) > 0.0) {  // no lines on the sky
        for (int i = 0; i < 4; ++i) {
            edge = max(edge, max(line_towards(texel, DIRECTIONS[i]), line_towards(texel, -DIRECTIONS[i])));
        }
    }
    vec3 color = texelFetch(source, texel, 0).rgb;
    out_color = vec4(mix(color, settings.color, edge * settings.opacity), 1.0);
}
