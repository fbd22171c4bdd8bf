#version 450
#include "camera.glsl"
#include "instances.glsl"

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec2 in_uv;
layout(location = 3) in vec4 in_tangent;

layout(location = 0) out vec3 world;
layout(location = 1) out vec3 normal;
layout(location = 2) out vec4 tangent;
layout(location = 3) out vec2 uv;
layout(location = 4) flat out uint material;

// The depth prepass and the shading pass must produce bit-identical depths.
invariant gl_Position;

void main() {
    Instance instance = instances[INSTANCE];
    vec4 position = instance.model * vec4(in_position, 1.0);
    world = position.xyz;
    normal = normal_matrix(instance.model) * in_normal;
    tangent = vec4(mat3(instance.model) * in_tangent.xyz, in_tangent.w);
    uv = in_uv;
    material = instance.material.x;
    gl_Position = (instance.material.y & camera.layers) != 0u ? camera.view_projection * position : NOT_DRAWN;
}
