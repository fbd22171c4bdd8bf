#version 450
#include "camera.glsl"
#include "particles.glsl"

// The sorting keys of particles: smaller if farther away, in equal steps of the logarithm. Those that are not drawn are last.

layout(local_size_x = 64) in;

layout(std430, set = 0, binding = 1) readonly buffer state {
    Particle particles[];
};
layout(std430, set = 0, binding = 2) writeonly buffer keys {
    uvec2 key_of[];
};

const uint LAST = 65535u;
const float NEAREST = 0.01;          // metres
const float STEPS_OF_OCTAVE = 2730.0;  // 24 octaves

void main() {
    uint place = gl_GlobalInvocationID.x;
    if (place >= key_of.length()) {
        return;
    }
    Particle particle = particles[place];
    vec3 center = drawn_center(particle);
    float depth = dot(center - camera.position, camera_forward());
    float steps = log2(max(depth, NEAREST) / NEAREST) * STEPS_OF_OCTAVE;
    uint nearness = LAST - 1u - uint(clamp(steps, 0.0, float(LAST - 1u)));
    key_of[place] = uvec2(particle.lifetime > 0.0 ? nearness : LAST, place);
}
