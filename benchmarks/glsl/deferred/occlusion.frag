#version 450
#include "camera.glsl"

layout(set = 0, binding = 0) uniform sampler2D depth;
layout(set = 0, binding = 1) uniform sampler2D direction;
layout(location = 0) in vec2 uv;
layout(location = 0) out float occlusion;

void main() {
    vec3 place = place_of(uv, textureLod(depth, uv, 0.0).r);
    vec3 normal = textureLod(direction, uv, 0.0).xyz;
    float turn = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) * 6.2831853;
    float found = 0.0;
    for (int i = 0; i < 16; ++i) {
        float angle = turn + float(i) * 2.3999632;
        vec2 around = vec2(cos(angle), sin(angle)) * sqrt((float(i) + 0.5) / 16.0) * 0.03;
        vec2 at = uv + around;
        vec3 off = place_of(at, textureLod(depth, at, 0.0).r) - place;
        found += max(dot(off, normal) - 0.02, 0.0) / (dot(off, off) + 0.1);
    }
    occlusion = clamp(1.0 - found * 0.1, 0.0, 1.0);
}
