#version 450
#include "lens.glsl"

layout(set = 0, binding = 3) uniform sampler2D source;
layout(set = 0, binding = 4) uniform sampler2D far;
layout(set = 0, binding = 5) uniform sampler2D near;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

// Four filtered samples, which hide the pattern of the taps: the farther these are apart, the wider. What is blurred by
// few texels has them close together, and would be blurred twice.
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
    // What has a share in the layers; their texels are two of these.
    float blurred = smoothstep(0.7, 3.0, abs(radius)) * step(0.01, behind.a);
    color = mix(color, behind.rgb / max(behind.a, 0.01), blurred);
    out_color = vec4(color * (1.0 - before.a) + before.rgb, 1.0);
}
