#version 450
#include "color.glsl"

layout(set = 0, binding = 0) uniform sampler2D hud_atlas;

layout(location = 0) in vec2 uv;
layout(location = 1) in vec4 color;  // sRGB-encoded, straight alpha
layout(location = 0) out vec4 out_color;

void main() {
    out_color = vec4(srgb_to_linear(color.rgb), color.a * texture(hud_atlas, uv).r);
}
