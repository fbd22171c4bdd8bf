// Instance data, indexed by INSTANCE in vertex shaders.

struct Instance {
    mat4 model;
    uvec4 material;  // x: index into the materials, y: layers, z: number of the entity
};

layout(std430, set = 0, binding = 1) readonly buffer scene_instances {
    Instance instances[];
};

// The clip position of vertices that are not drawn: outside of every picture.
const vec4 NOT_DRAWN = vec4(2.0, 2.0, 2.0, 1.0);

// The number of the vertex's instance. Where instances are culled, those that are drawn are listed.
#if HAS_VISIBLE_INSTANCES
layout(std430, set = 0, binding = 15) readonly buffer visible_instances {
    uint visible[];
};
#define INSTANCE visible[gl_InstanceIndex]
#else
#define INSTANCE gl_InstanceIndex
#endif

// Normal matrix: the cofactors of the model's upper left 3 x 3, valid for non-uniform scale.
mat3 normal_matrix(mat4 model) {
    vec3 x = model[0].xyz, y = model[1].xyz, z = model[2].xyz;
    return mat3(cross(y, z), cross(z, x), cross(x, y));
}
