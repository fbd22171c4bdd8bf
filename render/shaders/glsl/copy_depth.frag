#version 450

// The first channel of a texture as depth, texel by texel.

layout(set = 0, binding = 0) uniform sampler2D source;

void main() {
    gl_FragDepth = texelFetch(source, ivec2(gl_FragCoord.xy), 0).r;
}
