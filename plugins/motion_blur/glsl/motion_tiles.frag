#version 450
#include "motion.glsl"

layout(push_constant) uniform Push {
    int width;
    int height;
} picture;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec2 out_motion;

void main() {
    ivec2 size = textureSize(motion_vectors, 0), extent = ivec2(picture.width, picture.height);
    ivec2 tile = ivec2(gl_FragCoord.xy) * TILE;
    // The rendered texels that the tile of the picture covers, in whole or in part.
    ivec2 first = tile * size / extent, last = (min(tile + TILE, extent) * size + extent - 1) / extent;
    vec2 longest = vec2(0.0);
    for (int y = first.y; y < last.y; ++y) {
        for (int x = first.x; x < last.x; ++x) {
            vec2 motion = half_motion(ivec2(x, y), extent);
            longest = dot(motion, motion) > dot(longest, longest) ? motion : longest;
        }
    }
    out_motion = longest;
}
