#version 450
#include "small_texels.glsl"

layout(set = 0, binding = 0) uniform sampler2D depth;

layout(location = 0) in vec2 uv;
layout(location = 0) out float out_depth;

void main() {
    out_depth = texelFetch(depth, full_texel(ivec2(gl_FragCoord.xy), textureSize(depth, 0)), 0).r;
}
