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
#ifdef MASKED
layout(location = 8) flat out uint hash_seed;
#endif

#if defined(HAS_SCENE_ATTRIBUTES) && HAS_SCENE_ATTRIBUTES && !defined(ATTRIBUTES)
#define ATTRIBUTES
#endif
#ifdef ATTRIBUTES
layout(location = 5) out vec4 vertex_color;
layout(location = 6) out vec2 second_uv;

// Meshes that have colours or second texture coordinates are the first ones of the vertex buffer.
layout(std430, set = 0, binding = 18) readonly buffer scene_attributes {
    uvec4 attribute_count;  // x: number of their vertices
    uvec4 attributes[];
};
#endif

// Bodies of glass are as thick as their meshes are large.
#if defined(HAS_SCENE_LAYERS) && HAS_SCENE_LAYERS
#define SCALED
layout(location = 7) flat out float scale;
#endif

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
#ifdef MASKED
    hash_seed = instance.material.z;
#endif
#ifdef ATTRIBUTES
    bool present = uint(gl_VertexIndex) < attribute_count.x;
    uvec4 own = present ? attributes[gl_VertexIndex] : uvec4(0u);
    vertex_color = present ? vec4(unpackUnorm2x16(own.x), unpackUnorm2x16(own.y)) : vec4(1.0);
    second_uv = present ? uintBitsToFloat(own.zw) : in_uv;
#endif
#ifdef SCALED
    scale = pow(abs(determinant(mat3(instance.model))), 1.0 / 3.0);
#endif
    gl_Position = (instance.material.y & camera.layers) != 0u ? camera.view_projection * position : NOT_DRAWN;
}
