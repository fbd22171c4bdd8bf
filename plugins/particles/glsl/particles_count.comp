#version 450
#include "sorting.glsl"

// Counts how often the keys of a workgroup have each digit.

layout(std430, set = 0, binding = 0) readonly buffer keys {
    uvec2 key_of[];
};
layout(std430, set = 0, binding = 1) writeonly buffer counts {
    uint count_of[];  // by workgroup, then by digit
};

shared uint found[DIGITS];

void main() {
    uint place = gl_GlobalInvocationID.x, lane = gl_LocalInvocationID.x;
    found[lane] = 0u;
    barrier();
    if (place < key_of.length()) {
        atomicAdd(found[digit_of(key_of[place])], 1u);
    }
    barrier();
    count_of[gl_WorkGroupID.x * DIGITS + lane] = found[lane];
}
