#version 450

layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform sampler2D bloom;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
    vec3 light = textureLod(source, uv, 0.0).rgb * 0.35 + textureLod(bloom, uv, 0.0).rgb * 0.1;
    vec3 shown = light * (2.51 * light + 0.03) / (light * (2.43 * light + 0.59) + 0.14);
    color = vec4(pow(clamp(shown, 0.0, 1.0), vec3(1.0 / 2.2)), 1.0);
}
