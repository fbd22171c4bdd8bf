#version 450
#include "motion.glsl"

layout(location = 0) in vec2 uv;
layout(location = 0) out vec2 out_motion;

void main() {
    ivec2 size = textureSize(motion_vectors, 0), first = ivec2(gl_FragCoord.xy) * TILE;
    ivec2 last = min(first + TILE, size);
    vec2 longest = vec2(0.0);
    for (int y = first.y; y < last.y; ++y) {
        for (int x = first.x; x < last.x; ++x) {
            vec2 motion = half_motion(ivec2(x, y));
            longest = dot(motion, motion) > dot(longest, longest) ? motion : longest;
        }
    }
    out_motion = longest;
}
