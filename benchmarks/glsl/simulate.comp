#version 450
// A long chain of dependent arithmetic for each of a few values: it leaves most of a large GPU idle.
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) writeonly buffer Next { float next_values[]; };
layout(std430, set = 0, binding = 1) readonly buffer Last { float last_values[]; };
layout(set = 0, binding = 2) uniform Work { int count; } work;

void main() {
    uint at = gl_GlobalInvocationID.x;
    float value = last_values[at] + float(at % 64u) * 0.015625;
    for (int number = 0; number < work.count; number++) {
        value = value * -0.5 + 0.25;
    }
    next_values[at] = value + 1.0;
}
