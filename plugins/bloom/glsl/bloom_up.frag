#version 450

layout(set = 0, binding = 0) uniform sampler2D coarser;
layout(set = 0, binding = 1) uniform sampler2D own;
layout(set = 0, binding = 2) uniform Settings {
    float spread;
} settings;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

void main() {
    vec2 texel = 1.0 / vec2(textureSize(coarser, 0));
    vec3 tent = 4.0 * texture(coarser, uv).rgb;
    for (int i = -1; i <= 1; i += 2) {
        tent += 2.0 * texture(coarser, uv + texel * vec2(i, 0)).rgb;
        tent += 2.0 * texture(coarser, uv + texel * vec2(0, i)).rgb;
        tent += texture(coarser, uv + texel * vec2(i, -1)).rgb;
        tent += texture(coarser, uv + texel * vec2(i, 1)).rgb;
    }
    out_color = vec4(mix(texelFetch(own, ivec2(gl_FragCoord.xy), 0).rgb, tent / 16.0, settings.spread), 1.0);
}
