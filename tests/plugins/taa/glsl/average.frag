#version 450

layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform sampler2D average;
layout(set = 0, binding = 2) uniform Count {
    float frames;
} count;

layout(location = 0) out vec4 out_color;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    vec4 before = texelFetch(average, texel, 0);
    out_color = mix(before, texelFetch(source, texel, 0), 1.0 / (count.frames + 1.0));
}
