#version 450

// Half the size: four boxes of four texels each.
layout(set = 0, binding = 0) uniform sampler2D source;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
    vec2 texel = 1.0 / vec2(textureSize(source, 0));
    vec3 sum = textureLod(source, uv, 0.0).rgb * 4.0;
    for (int y = -1; y <= 1; y += 2) {
        for (int x = -1; x <= 1; x += 2) {
            sum += textureLod(source, uv + texel * vec2(x, y), 0.0).rgb * 2.0;
            sum += textureLod(source, uv + texel * vec2(x, y) * 2.0, 0.0).rgb;
        }
    }
    color = vec4(max(sum / 16.0 - BELOW, 0.0), 1.0);
}
