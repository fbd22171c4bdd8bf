#version 450
#define SHIFT 0
#include "sorting.glsl"

// Turns counts into places: after all smaller digits, and after the same digit of workgroups before.

layout(std430, set = 0, binding = 0) buffer counts {
    uint count_of[];  // by workgroup, then by digit
};

shared uint totals[DIGITS];

void main() {
    uint digit = gl_LocalInvocationID.x, groups = count_of.length() / DIGITS;
    uint total = 0u;
    for (uint group = 0u; group < groups; ++group) {
        uint count = count_of[group * DIGITS + digit];
        count_of[group * DIGITS + digit] = total;
        total += count;
    }
    totals[digit] = total;
    barrier();
    uint before = 0u;
    for (uint smaller = 0u; smaller < digit; ++smaller) {
        before += totals[smaller];
    }
    for (uint group = 0u; group < groups; ++group) {
        count_of[group * DIGITS + digit] += before;
    }
}
