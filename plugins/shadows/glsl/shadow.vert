#version 450
#include "instances.glsl"

#if OF_SUN
// A block, so that recorded commands stay as they are while the view moves.
layout(set = 0, binding = 40) uniform CascadeBlock {
    mat4 matrix;
} cascade;
#define MATRIX cascade.matrix
#else
layout(push_constant) uniform Push {
    mat4 matrix;
} push;
#define MATRIX push.matrix
#endif

layout(location = 0) in vec3 in_position;
#ifdef OWN_SURFACE
layout(location = 1) in vec3 in_normal;
layout(location = 3) in vec4 in_tangent;

layout(location = 0) out vec3 world;
layout(location = 1) out vec3 normal;
layout(location = 2) out vec4 tangent;
#endif
#ifdef MASKED
layout(location = 2) in vec2 in_uv;

layout(location = 3) out vec2 uv;
layout(location = 4) flat out uint material;
layout(location = 8) flat out uint hash_seed;
#endif

void main() {
#ifdef MASKED
    uv = in_uv;
    material = instances[INSTANCE].material.x;
    hash_seed = instances[INSTANCE].material.z;
#endif
#ifdef OWN_SURFACE
    Instance instance = instances[INSTANCE];
    world = (instance.model * vec4(in_position, 1.0)).xyz;
    normal = normal_matrix(instance.model) * in_normal;
    tangent = vec4(mat3(instance.model) * in_tangent.xyz, in_tangent.w);
#endif
    gl_Position = MATRIX * (instances[INSTANCE].model * vec4(in_position, 1.0));
#if OF_SUN
    gl_Position.z = min(gl_Position.z, 1.0);  // casters in front of the near plane are drawn on it
#endif
}
