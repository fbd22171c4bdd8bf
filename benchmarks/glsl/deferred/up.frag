#version 450

// Twice the size by a tent filter, added to the picture of that size.
layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform sampler2D base;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
    vec2 texel = 1.0 / vec2(textureSize(source, 0));
    vec3 sum = vec3(0.0);
    for (int y = -1; y <= 1; ++y) {
        for (int x = -1; x <= 1; ++x) {
            sum += textureLod(source, uv + texel * vec2(x, y), 0.0).rgb * float((2 - abs(x)) * (2 - abs(y)));
        }
    }
    color = vec4(sum / 16.0 * 0.7 + textureLod(base, uv, 0.0).rgb, 1.0);
}
