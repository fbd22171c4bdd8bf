#version 450
#include "color.glsl"

layout(set = 0, binding = 0) uniform sampler2D panel_font;     // sRGB-encoded, straight alpha
layout(set = 0, binding = 1) uniform sampler2D panel_picture;  // linear: what the user looks at

layout(location = 0) in vec2 uv;
layout(location = 1) in vec4 color;  // sRGB-encoded, straight alpha
layout(location = 0) out vec4 out_color;

void main() {
#if SHOWN
    out_color = texture(panel_picture, uv);
#else
    vec4 encoded = color * texture(panel_font, uv);
    out_color = vec4(srgb_to_linear(encoded.rgb), encoded.a);
#endif
}
