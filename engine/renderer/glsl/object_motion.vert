#version 450
#include "camera.glsl"
#include "camera_motion.glsl"
#include "instances.glsl"

layout(std430, set = 0, binding = 2) readonly buffer scene_previous_models {
    mat4 previous_models[];
};

#if HAS_SKINNED_PREVIOUS
layout(std430, set = 0, binding = 3) readonly buffer skinned_previous {
    uint first_moved;
    float previous_positions[];
};
#endif

layout(location = 0) in vec3 in_position;

layout(location = 0) out vec4 clip;
layout(location = 1) out vec4 previous_clip_position;

// The depth must be bit-identical to that of the passes that wrote it.
invariant gl_Position;

// Where the vertex was in its mesh in the previous frame. Only those of characters move in it.
vec3 previous_position() {
#if HAS_SKINNED_PREVIOUS
    uint at = (uint(gl_VertexIndex) - first_moved) * 3u;
    if (uint(gl_VertexIndex) >= first_moved && at + 2u < previous_positions.length()) {
        return vec3(previous_positions[at], previous_positions[at + 1u], previous_positions[at + 2u]);
    }
#endif
    return in_position;
}

void main() {
    Instance instance = instances[INSTANCE];
    vec4 position = instance.model * vec4(in_position, 1.0);
    clip = camera_motion.view_projection * position;
    vec4 previous = previous_models[INSTANCE] * vec4(previous_position(), 1.0);
    previous_clip_position = camera_motion.previous_view_projection * previous;
    gl_Position = (instance.material.y & camera.layers) != 0u ? camera.view_projection * position : NOT_DRAWN;
}
