#version 450
#include "camera.glsl"
#include "gradient_noise.glsl"
#include "motion.glsl"
#include "per_invocation.glsl"

// Tiles after McGuire et al., "A Reconstruction Filter for Plausible Motion Blur" (2012); weights after Jimenez, "Next
// Generation Post Processing in Call of Duty" (2014).

layout(set = 0, binding = 3) uniform sampler2D source;
layout(set = 0, binding = 4) uniform sampler2D depth;
layout(set = 0, binding = 5) uniform sampler2D tiles;

layout(location = 0) out vec4 out_color;

// The rendered texel at a texel of the picture, which may have been upscaled.
ivec2 rendered_at(ivec2 texel) {
    return texel * textureSize(depth, 0) / textureSize(source, 0);
}

float depth_at(ivec2 texel) {
    return texelFetch(depth, rendered_at(texel), 0).r;
}

vec2 motion_at(ivec2 texel) {
    return half_motion(rendered_at(texel), textureSize(source, 0));
}

vec2 longest_around(ivec2 tile) {
    vec2 longest = vec2(0.0);
    for (int i = 0; i < 9; ++i) {
        ivec2 at = clamp(tile + ivec2(i % 3, i / 3) - 1, ivec2(0), textureSize(tiles, 0) - 1);
        vec2 motion = texelFetch(tiles, at, 0).xy;
        longest = dot(motion, motion) > dot(longest, longest) ? motion : longest;
    }
    return longest;
}

// Weight of a sample `away` texels from this one: the nearer of the two blurs over the other if it moves that far.
float spread(float own_depth, float own_reach, float depth_, float reach, float away) {
    float own_before = clamp(0.5 + (own_depth - depth_) / max(0.04 * depth_unit(max(own_depth, depth_)), 1e-9), 0.0, 1.0);
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
    vec2 own_motion = motion_at(texel);
    float own_depth = depth_at(texel);
    float noise = gradient_noise(texel) - 0.5;
    int pairs = per_invocation(settings.samples / 2, int(gl_FragCoord.x));
    vec4 sum = vec4(0.0), own_way = vec4(0.0);
    for (int i = 0; i < pairs; ++i) {
        vec2 way = i % 2 == 1 && length(own_motion) > 0.5 ? own_motion : dominant;
        ivec2 offset = ivec2(round(way * (float(i) + 0.5 + noise) / float(pairs)));
        float away = length(vec2(offset));
        vec2 direction = normalize(way);
        float own_reach = abs(dot(own_motion, direction));  // motion perpendicular to the direction does not count
        ivec2 a = clamp(texel + offset, ivec2(0), last);
        ivec2 b = clamp(texel - offset, ivec2(0), last);
        float depth_a = depth_at(a), depth_b = depth_at(b);
        float reach_a = abs(dot(motion_at(a), direction)), reach_b = abs(dot(motion_at(b), direction));
        float weight_a = spread(own_depth, own_reach, depth_a, reach_a, away);
        float weight_b = spread(own_depth, own_reach, depth_b, reach_b, away);
        // Background that a moving edge uncovers is not in the picture. The sample on the other side stands in for it.
        bool a_behind = depth_a < depth_b, a_slower = reach_a < reach_b;
        weight_a = a_behind && a_slower ? weight_b : weight_a;
        weight_b = a_behind || a_slower ? weight_b : weight_a;
        vec4 both = weight_a * vec4(texelFetch(source, a, 0).rgb, 1.0);
        both += weight_b * vec4(texelFetch(source, b, 0).rgb, 1.0);
        sum += both;
        own_way += way == own_motion ? both : vec4(0.0);
    }
    sum /= float(2 * pairs);
    // Fill the rest with the blur along the texel's own motion.
    vec3 rest = own_way.a > 0.5 ? own_way.rgb / own_way.a : own.rgb;
    out_color = vec4(sum.rgb + (1.0 - sum.a) * rest, 1.0);
}
