#version 450
#include "instances.glsl"
#include "per_invocation.glsl"

layout(push_constant) uniform Push {
    mat4 matrix;
    int flatten;  // 1: clamp casters in front of the near plane to it
} push;

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
    gl_Position = push.matrix * (instances[INSTANCE].model * vec4(in_position, 1.0));
    if (per_invocation(push.flatten == 1, gl_VertexIndex)) {
        gl_Position.z = min(gl_Position.z, 1.0);
    }
}
