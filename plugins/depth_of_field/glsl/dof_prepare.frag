#version 450
#include "color.glsl"
#include "lens.glsl"

layout(set = 0, binding = 3) uniform sampler2D source;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_half;

void main() {
    vec2 texel = 1.0 / vec2(textureSize(source, 0));
    vec4 sum = vec4(0.0);
    float radius = settings.largest;
    for (int i = 0; i < 4; ++i) {
        vec2 at = uv + texel * (vec2(i % 2, i / 2) - 0.5);
        vec4 color = vec4(textureLod(source, at, 0.0).rgb, 1.0);
        sum += color / (1.0 + luminance(color.rgb));  // lone bright texels would flicker
        radius = min(radius, circle_of_confusion(textureLod(depth, at, 0.0).r));  // the nearest of the four decides
    }
    out_half = vec4(sum.rgb / sum.a, radius);
}
