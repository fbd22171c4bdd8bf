#version 450

layout(set = 0, binding = 0) uniform sampler2D before;
layout(location = 0) out vec4 result;

void main() { result = (texelFetch(before, ivec2(gl_FragCoord.xy), 0) + 1.0e10) * 1.0e20; }
