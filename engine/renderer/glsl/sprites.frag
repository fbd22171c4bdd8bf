#version 450

layout(set = 1, binding = 0) uniform sampler2D sprite_image;  // premultiplied alpha

layout(location = 0) in vec2 uv;
layout(location = 1) flat in vec4 part;
layout(location = 2) flat in vec4 color;
layout(location = 3) flat in float glyphs;  // 1: sprite_image is the glyph sheet, whose red is coverage
layout(location = 0) out vec4 out_color;

// Filtering stays within the part of the image that the sprite shows.
void main() {
    vec2 margin = min(0.5 / vec2(textureSize(sprite_image, 0)), 0.5 * (part.zw - part.xy));
    vec4 texel = textureGrad(sprite_image, clamp(uv, part.xy + margin, part.zw - margin), dFdx(uv), dFdy(uv));
    out_color = mix(texel, texel.rrrr, glyphs) * vec4(color.rgb * color.a, color.a);
}
