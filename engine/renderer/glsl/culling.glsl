// What culling knows of the scene: its draw commands, the bounds of their meshes, and tests of instances against a view.
#include "instances.glsl"

struct Command {
    uint indices;
    uint instances;
    uint first_index;
    int vertex_offset;
    uint first_instance;
};

struct Bounds {
    vec4 sphere;  // centre, radius
    vec3 reach;   // half the sides of the box around the same centre
    float least;  // the sizes of the level: from `least` to `below`, which does not count for the finest
    float below;
    uint finest;  // the command of the finest level
    uint listed;  // where the list of visible instances begins
};

layout(std430, set = 0, binding = 2) readonly buffer scene_draws { Command draws[]; };
layout(std430, set = 0, binding = 3) readonly buffer scene_bounds { Bounds bounds[]; };

// What the views of a player make of an instance.
const uint UNJUDGED = 0u;
const uint HIDDEN = 1u;  // in all of them
const uint SEEN = 2u;    // perhaps, in one of them

// More than the relative rounding of a test here and of the same positions in a vertex shader.
const float ROUNDING = 1e-5;

// The largest factor by which a matrix stretches: exact for axes at right angles, never too small.
float stretch(mat3 axes) {
    vec3 squares = vec3(dot(axes[0], axes[0]), dot(axes[1], axes[1]), dot(axes[2], axes[2]));
    vec3 others = abs(vec3(dot(axes[1], axes[2]), dot(axes[2], axes[0]), dot(axes[0], axes[1])));
    vec3 sums = squares + others.yzx + others.zxy;
    return sqrt(max(sums.x, max(sums.y, sums.z)));
}

// The bounding sphere in the world.
vec4 placed(vec4 sphere, mat4 model) {
    return vec4((model * vec4(sphere.xyz, 1.0)).xyz, sphere.w * stretch(mat3(model)));
}

// Whether a sphere lies on the outer side of a plane, by more than the rounding of this test and of the vertices.
bool beyond(vec4 plane, vec3 center, float radius) {
    float size = length(plane.xyz);
    float slack = ROUNDING * (size * (length(center) + radius) + abs(plane.w));
    return dot(plane.xyz, center) + plane.w < -(radius * size + slack);  // never beyond no plane at all
}

// Whether a sphere lies outside of the frustum of a matrix. If `near` is 0, what is in front of the near plane does not.
bool outside(mat4 matrix, float near, vec3 center, float radius) {
    mat4 rows = transpose(matrix);
    return beyond(rows[3] + rows[0], center, radius) || beyond(rows[3] - rows[0], center, radius)
        || beyond(rows[3] + rows[1], center, radius) || beyond(rows[3] - rows[1], center, radius)
        || beyond(rows[2], center, radius) || beyond((rows[3] - rows[2]) * near, center, radius);
}
