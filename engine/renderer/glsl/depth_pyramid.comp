#version 450
#include "depth_pyramid.glsl"

// Makes five levels of a depth pyramid from the one before them: level 0, which is the depth itself, or level 5. A
// workgroup reads 32 x 32 texels.

layout(local_size_x = 16, local_size_y = 16) in;

#if FINER == 0
layout(set = 0, binding = 0) uniform sampler2D depth;
#endif
layout(std430, set = 0, binding = 1) buffer depth_pyramid { float farthest[]; };

layout(push_constant) uniform Push {
    int width;
    int height;
} push;

const float NEARER = 2.0;  // than all depths: beyond the picture

shared float part[16][16];

float finer_texel(ivec2 picture, ivec2 texel) {
#if FINER == 0
    return texelFetch(depth, texel, 0).r;
#else
    int at = level_start(picture, FINER) + texel.y * level_size(picture, FINER).x + texel.x;
    return at < farthest.length() ? farthest[at] : 0.0;
#endif
}

void store(ivec2 picture, int level, ivec2 texel, float value) {
    ivec2 size = level_size(picture, level);
    int at = level_start(picture, level) + texel.y * size.x + texel.x;
    if (all(lessThan(texel, size)) && at < farthest.length()) {
        farthest[at] = value;
    }
}

void main() {
    ivec2 picture = ivec2(push.width, push.height);
    ivec2 finer = level_size(picture, FINER);
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 local = ivec2(gl_LocalInvocationID.xy);
    float least = NEARER;
    for (int corner = 0; corner < 4; corner++) {
        ivec2 at = 2 * texel + ivec2(corner & 1, corner >> 1);
        if (all(lessThan(at, finer))) {
            least = min(least, finer_texel(picture, at));
        }
    }
    part[local.y][local.x] = least;
    store(picture, FINER + 1, texel, least);
    for (int step = 1; step < 5; step++) {
        barrier();
        int apart = 1 << (step - 1);
        if (((local.x | local.y) & (2 * apart - 1)) == 0) {
            least = min(least, part[local.y][local.x + apart]);
            least = min(least, min(part[local.y + apart][local.x], part[local.y + apart][local.x + apart]));
            part[local.y][local.x] = least;
            store(picture, FINER + 1 + step, texel >> step, least);
        }
    }
}
