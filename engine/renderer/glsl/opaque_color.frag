#version 450

layout(set = 0, binding = 0) uniform sampler2D hdr_opaque;

layout(location = 0) out vec4 out_color;

void main() {
    out_color = texelFetch(hdr_opaque, ivec2(gl_FragCoord.xy), 0);
}
