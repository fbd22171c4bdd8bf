#version 450
#include "sorting.glsl"

// Moves keys to their places. Keys with the same digit keep their order.

layout(std430, set = 0, binding = 0) readonly buffer keys {
    uvec2 key_of[];
};
layout(std430, set = 0, binding = 1) readonly buffer counts {
    uint first_place[];  // by workgroup, then by digit
};
layout(std430, set = 0, binding = 2) writeonly buffer sorted_keys {
    uvec2 sorted_key[];
};

shared uint digits[DIGITS];

void main() {
    uint place = gl_GlobalInvocationID.x, lane = gl_LocalInvocationID.x;
    bool present = place < key_of.length();
    uvec2 key = present ? key_of[place] : uvec2(0u);
    uint digit = digit_of(key);
    digits[lane] = present ? digit : DIGITS;
    barrier();
    if (!present) {
        return;
    }
    uint before = 0u;
    for (uint other = 0u; other < lane; ++other) {
        before += uint(digits[other] == digit);
    }
    sorted_key[first_place[gl_WorkGroupID.x * DIGITS + digit] + before] = key;
}
