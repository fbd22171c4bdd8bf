#version 450
#include "constants.glsl"
#include "camera.glsl"
#include "cascades.glsl"

layout(set = 0, binding = 2) uniform sampler2D depth;
layout(set = 0, binding = 3) uniform sampler2DShadow map;
#if HAS_NORMAL
layout(set = 0, binding = 4) uniform sampler2D normal;
#endif
layout(set = 0, binding = 5) uniform Settings {
    int size;
    float softness;
    float blend;
} settings;

layout(location = 0) in vec2 uv;
layout(location = 0) out float out_visibility;

const int TAPS = 16;

vec3 surface_normal(vec3 position, ivec2 texel) {
#if HAS_NORMAL
    return normalize(texelFetch(normal, texel, 0).xyz);
#else
    return normalize(cross(dFdy(position), dFdx(position)));
#endif
}

// Share of a disk of taps that the sun reaches. The disk is a sunflower spiral, turned by `turn` radians.
float filtered(int cascade, vec3 position, float turn) {
    vec4 clip = cascades.matrices[cascade] * vec4(position, 1.0);
    vec2 tile = vec2(cascade % 2, cascade / 2);
    vec2 center = vec2(clip.x * 0.5 + 0.5, 0.5 - clip.y * 0.5);
    float texel = 1.0 / float(settings.size);
    float margin = texel;  // stay within the cascade's quarter
    float sum = 0.0;
    for (int i = 0; i < TAPS; ++i) {
        float radius = settings.softness * texel * sqrt((float(i) + 0.5) / float(TAPS));
        float angle = float(i) * GOLDEN_ANGLE + turn;
        vec2 local = clamp(center + radius * vec2(cos(angle), sin(angle)), margin, 1.0 - margin);
        sum += texture(map, vec3((tile + local) * 0.5, clip.z));
    }
    return sum / float(TAPS);
}

vec3 offset_position(vec3 position, vec3 n, int cascade) {
    return position + n * cascades.texels[cascade] * (0.7 + 0.5 * settings.softness);
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    float d = texelFetch(depth, texel, 0).r;
    vec3 position = world_position(uv, max(d, 1e-7));
    vec3 n = surface_normal(position, texel);
    float distance_ = linear_depth(d);
    if (d <= 0.0 || distance_ >= cascades.ends[3]) {
        out_visibility = 1.0;
        return;
    }
    int cascade = 0;
    while (cascade < 3 && distance_ > cascades.ends[cascade]) {
        ++cascade;
    }
    float turn = TWO_PI * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    float visibility = filtered(cascade, offset_position(position, n, cascade), turn);

    float start = cascade == 0 ? 0.0 : cascades.ends[cascade - 1];
    float end = cascades.ends[cascade];
    float fade = (distance_ - mix(end, start, settings.blend)) / max((end - start) * settings.blend, 1e-4);
    if (fade > 0.0) {
        float next = cascade == 3 ? 1.0 : filtered(cascade + 1, offset_position(position, n, cascade + 1), turn);
        visibility = mix(visibility, next, clamp(fade, 0.0, 1.0));
    }
    out_visibility = visibility;
}
