#version 450

layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform sampler2D motion;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
    vec2 along = textureLod(motion, uv, 0.0).xy * vec2(0.5, -0.5);
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 8; ++i) {
        sum += textureLod(source, uv + along * ((float(i) + 0.5) / 8.0 - 0.5), 0.0).rgb;
    }
    color = vec4(sum / 8.0, 1.0);
}
