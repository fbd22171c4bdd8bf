#version 450
#include "ssr_cells.glsl"

// Makes five levels of cells. A workgroup reads 32 x 32 texels.

layout(local_size_x = 16, local_size_y = 16) in;

layout(set = 0, binding = 1) uniform sampler2D depth;
layout(std430, set = 0, binding = 2) buffer cells { vec2 ranges[]; };

layout(push_constant) uniform Push {
    int width;
    int height;
} push;

const vec2 NOTHING = vec2(-1.0, 2.0);  // beyond the picture: farther than all depths, and nearer

shared vec2 part[16][16];

vec2 joined(vec2 a, vec2 b) {
    return vec2(max(a.x, b.x), min(a.y, b.y));
}

void store(ivec2 picture, int level, ivec2 cell, vec2 range) {
    ivec2 size = level_size(picture, level);
    int at = level_start(picture, level) + cell.y * size.x + cell.x;
    if (all(lessThan(cell, size)) && at < ranges.length()) {
        ranges[at] = range;
    }
}

void main() {
    ivec2 picture = ivec2(push.width, push.height);
    ivec2 cell = ivec2(gl_GlobalInvocationID.xy);
    ivec2 local = ivec2(gl_LocalInvocationID.xy);
    vec2 range = NOTHING;
    for (int corner = 0; corner < 4; corner++) {
        ivec2 at = 2 * cell + ivec2(corner & 1, corner >> 1);
        if (all(lessThan(at, picture))) {
            range = joined(range, texelFetch(depth, at, 0).rr);
        }
    }
    part[local.y][local.x] = range;
    store(picture, 1, cell, range);
    for (int level = 2; level <= COARSEST; level++) {
        barrier();
        int apart = 1 << (level - 2);
        if (((local.x | local.y) & (2 * apart - 1)) == 0) {
            range = joined(range, part[local.y][local.x + apart]);
            range = joined(range, joined(part[local.y + apart][local.x], part[local.y + apart][local.x + apart]));
            part[local.y][local.x] = range;
            store(picture, level, cell >> (level - 1), range);
        }
    }
}
