#version 450
#include "tent.glsl"

layout(set = 0, binding = 0) uniform sampler2D coarser;
layout(set = 0, binding = 1) uniform Settings {
    float spread;
} settings;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

// Alpha-blended over the level.
void main() {
    out_color = vec4(tent(coarser, uv).rgb, settings.spread);
}
