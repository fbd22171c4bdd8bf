#version 450
layout(set = 0, binding = 0) uniform sampler2D source;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 result;

void main() {
    result = texture(source, uv) * 0.5 + 0.25;
}
