#version 450

layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform sampler2D motion;
layout(set = 0, binding = 2) uniform sampler2D before;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec2 last = textureSize(source, 0) - 1;
    vec3 here = texelFetch(source, at, 0).rgb;
    vec3 least = here;
    vec3 most = here;
    for (int y = -1; y <= 1; ++y) {
        for (int x = -1; x <= 1; ++x) {
            vec3 beside = texelFetch(source, clamp(at + ivec2(x, y), ivec2(0), last), 0).rgb;
            least = min(least, beside);
            most = max(most, beside);
        }
    }
    vec2 from = uv - texelFetch(motion, at, 0).xy * vec2(0.5, -0.5);
    vec3 kept = clamp(textureLod(before, from, 0.0).rgb, least, most);
    color = vec4(mix(here, kept, 0.9), 1.0);
}
