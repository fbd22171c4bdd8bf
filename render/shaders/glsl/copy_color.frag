#version 450

// One texture, texel by texel.

layout(set = 0, binding = 0) uniform sampler2D source;

layout(location = 0) out vec4 out_color;

void main() {
    out_color = texelFetch(source, ivec2(gl_FragCoord.xy), 0);
}
