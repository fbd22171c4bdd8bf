#version 450

layout(push_constant) uniform Push {
    vec2 extent;  // size of the output, in pixels
} push;

layout(location = 0) in vec2 in_position;  // pixels from the top left corner
layout(location = 1) in vec2 in_uv;
layout(location = 2) in vec4 in_color;

layout(location = 0) out vec2 uv;
layout(location = 1) out vec4 color;

void main() {
    uv = in_uv;
    color = in_color;
    vec2 position = in_position / push.extent * 2.0 - 1.0;
    gl_Position = vec4(position.x, -position.y, 0.0, 1.0);
}
