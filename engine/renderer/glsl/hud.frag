#version 450
#include "color.glsl"

#define PAGE_U 2.0

layout(set = 0, binding = 0) uniform sampler2D hud_atlas;   // coverage of glyphs
layout(set = 0, binding = 1) uniform sampler2D hud_images;  // sRGB-encoded, premultiplied alpha

layout(location = 0) in vec2 uv;     // 0 to 1 over hud_atlas, or (PAGE_U, 0) plus texels of hud_images
layout(location = 1) in vec4 color;  // sRGB-encoded, straight alpha
layout(location = 0) out vec4 out_color;

void main() {
    float coverage = texture(hud_atlas, uv).r;
    vec4 texel = texture(hud_images, (uv - vec2(PAGE_U, 0.0)) / vec2(textureSize(hud_images, 0)));
    bool image = uv.x >= PAGE_U;
    vec3 tint = image ? texel.rgb / max(texel.a, 1.0 / 255.0) : vec3(1.0);
    out_color = vec4(srgb_to_linear(color.rgb * tint), color.a * (image ? texel.a : coverage));
}
