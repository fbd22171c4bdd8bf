#version 450
#include "lens.glsl"

layout(set = 0, binding = 3) uniform sampler2D source;
layout(set = 0, binding = 4) uniform sampler2D far;
layout(set = 0, binding = 5) uniform sampler2D near;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

// Four bilinear samples hide the tap pattern. Their distance follows that of the taps, so that small blurs, whose taps
// are close together, are not blurred twice.
vec4 smoothed(sampler2D layer, float radius) {
    float apart = 0.7 * abs(radius) * inversesqrt(float(settings.taps));
    vec2 texel = clamp(apart - 0.3, 0.25, 0.75) / vec2(textureSize(layer, 0));
    vec4 sum = textureLod(layer, uv + texel * vec2(-1, -1), 0.0) + textureLod(layer, uv + texel * vec2(1, -1), 0.0);
    return 0.25 * (sum + textureLod(layer, uv + texel * vec2(-1, 1), 0.0) + textureLod(layer, uv + texel, 0.0));
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    vec3 color = texelFetch(source, texel, 0).rgb;
    float radius = circle_of_confusion(texelFetch(depth, texel, 0).r) * float(textureSize(depth, 0).y);
    vec4 behind = smoothed(far, radius), before = smoothed(near, radius);
    // Share of the far layer. Matches share_of() in dof_gather.frag; a texel of the layers is two texels here.
    float blurred = smoothstep(0.7, 3.0, abs(radius)) * step(0.01, behind.a);
    color = mix(color, behind.rgb / max(behind.a, 0.01), blurred);
    out_color = vec4(color * (1.0 - before.a) + before.rgb, 1.0);
}
