#version 450

layout(set = 0, binding = 0) uniform sampler2D source;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec2 last = textureSize(source, 0) - 1;
    vec3 here = texelFetch(source, at, 0).rgb;
    vec3 around = texelFetch(source, clamp(at + ivec2(1, 0), ivec2(0), last), 0).rgb;
    around += texelFetch(source, clamp(at - ivec2(1, 0), ivec2(0), last), 0).rgb;
    around += texelFetch(source, clamp(at + ivec2(0, 1), ivec2(0), last), 0).rgb;
    around += texelFetch(source, clamp(at - ivec2(0, 1), ivec2(0), last), 0).rgb;
    vec2 border = uv - 0.5;
    color = vec4(clamp(here * 1.8 - around * 0.2, 0.0, 1.0) * (1.0 - dot(border, border) * 0.5), 1.0);
}
