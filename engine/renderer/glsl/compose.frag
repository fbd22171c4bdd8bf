#version 450

layout(set = 0, binding = 0) uniform sampler2D ldr;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

void main() {
    out_color = vec4(clamp(texture(ldr, uv).rgb, 0.0, 1.0), 1.0);
}
