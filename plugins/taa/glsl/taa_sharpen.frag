#version 450
#include "sharpening.glsl"

layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform Settings {
    float sharpness;
} settings;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

void main() {
    out_color = vec4(sharpened(source, ivec2(gl_FragCoord.xy), settings.sharpness), 1.0);
}
