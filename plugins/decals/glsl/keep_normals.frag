#version 450

// Normals as they are before decals. Texels of the sky have none.

layout(set = 0, binding = 0) uniform sampler2D normal;
layout(set = 0, binding = 1) uniform sampler2D depth;

layout(location = 0) out vec4 kept;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    kept = texelFetch(depth, texel, 0).r > 0.0 ? texelFetch(normal, texel, 0) : vec4(0.0);
}
