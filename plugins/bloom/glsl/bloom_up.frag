#version 450
#include "tent.glsl"

layout(set = 0, binding = 0) uniform sampler2D coarser;
layout(set = 0, binding = 1) uniform sampler2D own;
layout(set = 0, binding = 2) uniform Settings {
    float spread;
} settings;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

void main() {
    vec4 finer = texelFetch(own, ivec2(gl_FragCoord.xy), 0);
    out_color = vec4(mix(finer.rgb, tent(coarser, uv).rgb, settings.spread), finer.a);
}
