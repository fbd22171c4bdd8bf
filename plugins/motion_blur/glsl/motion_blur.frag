#version 450
#include "motion.glsl"

// Tiles after McGuire et al., "A Reconstruction Filter for Plausible Motion Blur" (2012); weights after Jimenez, "Next
// Generation Post Processing in Call of Duty" (2014).

layout(set = 0, binding = 2) uniform sampler2D source;
layout(set = 0, binding = 3) uniform sampler2D depth;
layout(set = 0, binding = 4) uniform sampler2D tiles;

layout(location = 0) out vec4 out_color;

vec2 longest_around(ivec2 tile) {
    vec2 longest = vec2(0.0);
    for (int i = 0; i < 9; ++i) {
        ivec2 at = clamp(tile + ivec2(i % 3, i / 3) - 1, ivec2(0), textureSize(tiles, 0) - 1);
        vec2 motion = texelFetch(tiles, at, 0).xy;
        longest = dot(motion, motion) > dot(longest, longest) ? motion : longest;
    }
    return longest;
}

// Which of two texels `away` from one another spreads over the other: the one before if it moves that far.
float spread(float own_depth, float own_reach, float depth_, float reach, float away) {
    float own_before = clamp(0.5 + (own_depth - depth_) / max(0.04 * max(own_depth, depth_), 1e-9), 0.0, 1.0);
    return mix(clamp(reach - away + 1.0, 0.0, 1.0), clamp(own_reach - away + 1.0, 0.0, 1.0), own_before);
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy), last = textureSize(source, 0) - 1;
    vec4 own = texelFetch(source, texel, 0);
    vec2 dominant = longest_around(texel / TILE);
    if (length(dominant) <= 0.5) {
        out_color = own;
        return;
    }
    vec2 own_motion = half_motion(texel);
    float own_reach = length(own_motion), own_depth = texelFetch(depth, texel, 0).r;
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
    int pairs = settings.samples / 2;
    vec4 sum = vec4(0.0);
    for (int i = 0; i < pairs; ++i) {
        vec2 way = i % 2 == 1 && own_reach > 0.5 ? own_motion : dominant;
        vec2 offset = way * (float(i) + 0.5 + noise) / float(pairs);
        ivec2 a = clamp(texel + ivec2(round(offset)), ivec2(0), last);
        ivec2 b = clamp(texel - ivec2(round(offset)), ivec2(0), last);
        float depth_a = texelFetch(depth, a, 0).r, depth_b = texelFetch(depth, b, 0).r;
        float reach_a = length(half_motion(a)), reach_b = length(half_motion(b));
        float weight_a = spread(own_depth, own_reach, depth_a, reach_a, length(offset));
        float weight_b = spread(own_depth, own_reach, depth_b, reach_b, length(offset));
        // What a moving edge uncovers is not in the picture: the background on the other side stands in for it.
        bool a_behind = depth_a < depth_b, a_slower = reach_a < reach_b;
        weight_a = a_behind && a_slower ? weight_b : weight_a;
        weight_b = a_behind || a_slower ? weight_b : weight_a;
        sum += weight_a * vec4(texelFetch(source, a, 0).rgb, 1.0) + weight_b * vec4(texelFetch(source, b, 0).rgb, 1.0);
    }
    sum /= float(2 * pairs);
    out_color = vec4(sum.rgb + (1.0 - sum.a) * own.rgb, 1.0);
}
