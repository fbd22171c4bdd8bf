#version 450

layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform sampler2D bloom;
layout(set = 0, binding = 2) uniform Settings {
    float intensity;
} settings;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

void main() {
    vec3 color = texelFetch(source, ivec2(gl_FragCoord.xy), 0).rgb;
    out_color = vec4(mix(color, texture(bloom, uv).rgb, settings.intensity), 1.0);
}
