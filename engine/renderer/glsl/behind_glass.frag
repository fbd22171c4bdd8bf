#version 450

layout(set = 0, binding = 0) uniform sampler2D finer;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

// A tent over 4 x 4 texels, by four bilinear taps.
void main() {
    vec2 texel = 1.0 / vec2(textureSize(finer, 0));
    vec3 sum = texture(finer, uv + texel * vec2(-1.0, -1.0)).rgb + texture(finer, uv + texel * vec2(1.0, -1.0)).rgb
        + texture(finer, uv + texel * vec2(-1.0, 1.0)).rgb + texture(finer, uv + texel * vec2(1.0, 1.0)).rgb;
    out_color = vec4(sum * 0.25, 1.0);
}
