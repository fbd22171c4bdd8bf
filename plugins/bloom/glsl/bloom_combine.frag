#version 450
#include "tent.glsl"

layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform sampler2D bloom;
layout(set = 0, binding = 2) uniform Settings {
    float intensity;
} settings;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

// A mix instead of a sum conserves energy, so no threshold is needed. Light that the Karis weights suppress is not
// removed from the picture either: lamps of a few texels keep their brightness.
void main() {
    vec3 color = texelFetch(source, ivec2(gl_FragCoord.xy), 0).rgb;
    vec4 spread = tent(bloom, uv);
    out_color = vec4(color * (1.0 - settings.intensity * spread.a) + settings.intensity * spread.rgb, 1.0);
}
