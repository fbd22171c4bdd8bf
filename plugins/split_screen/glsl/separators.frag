#version 450

layout(set = 0, binding = 0) uniform Settings {
    vec3 color;
} settings;

layout(location = 0) out vec4 out_color;

void main() {
    out_color = vec4(settings.color, 1.0);
}
