#version 450
#include "lens.glsl"

layout(set = 0, binding = 3) uniform sampler2D source;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_half;

void main() {
    vec2 texel = 1.0 / vec2(textureSize(source, 0));
    vec3 sum = vec3(0.0);
    float radius = settings.largest;
    for (int i = 0; i < 4; ++i) {
        vec2 at = uv + texel * (vec2(i % 2, i / 2) - 0.5);
        sum += min(textureLod(source, at, 0.0).rgb, 64000.0);  // clamp to the range of 16-bit floats
        radius = min(radius, circle_of_confusion(textureLod(depth, at, 0.0).r));  // of the nearest of the four
    }
    out_half = vec4(0.25 * sum, radius);
}
