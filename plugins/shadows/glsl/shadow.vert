#version 450
#include "instances.glsl"
#include "per_invocation.glsl"

layout(push_constant) uniform Push {
    mat4 matrix;
    int flatten;  // 1: clamp casters in front of the near plane to it
} push;

layout(location = 0) in vec3 in_position;
#ifdef MASKED
layout(location = 2) in vec2 in_uv;

layout(location = 3) out vec2 uv;
layout(location = 4) flat out uint material;
#endif

void main() {
#ifdef MASKED
    uv = in_uv;
    material = instances[INSTANCE].material.x;
#endif
    gl_Position = push.matrix * (instances[INSTANCE].model * vec4(in_position, 1.0));
    if (per_invocation(push.flatten == 1, gl_VertexIndex)) {
        gl_Position.z = min(gl_Position.z, 1.0);
    }
}
