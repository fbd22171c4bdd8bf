#version 450
// The first step of a simulation that reacts to what was drawn.
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) writeonly buffer Next { float next_values[]; };
layout(set = 0, binding = 1) uniform sampler2D shaded;

void main() {
    uint at = gl_GlobalInvocationID.x;
    ivec2 size = textureSize(shaded, 0);
    next_values[at] = texelFetch(shaded, ivec2(at % size.x, (at / size.x) % size.y), 0).r;
}
