#version 450

layout(set = 0, binding = 0) uniform sampler2D light;
layout(set = 0, binding = 1) uniform sampler2D absorbance;

layout(location = 0) out vec4 out_hdr;  // premultiplied

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    vec4 sum = texelFetch(light, texel, 0);
    float hidden = 1.0 - exp2(-texelFetch(absorbance, texel, 0).r);
    out_hdr = vec4(sum.rgb / max(sum.a, 1e-5) * hidden, hidden);
}
