#version 450
#include "instances.glsl"
#include "per_invocation.glsl"

// Lists the instances of each draw command that may be seen, each for one level of its mesh. An invocation looks at the
// instances of one command. Those of coarser levels are the instances of the finest.

layout(local_size_x = 64) in;

const int MOST_VIEWS = 16;

struct Command {
    uint indices;
    uint instances;
    uint first_index;
    int vertex_offset;
    uint first_instance;
};

struct Bounds {
    vec4 sphere;  // centre, radius
    float least;  // the sizes of the level: from `least` to `below`, which does not count for the finest
    float below;
    uint finest;  // the command of the finest level
    uint listed;  // where the list of visible instances begins
};

layout(std430, set = 0, binding = 0) readonly buffer scene_draws { Command draws[]; };
layout(std430, set = 0, binding = 2) readonly buffer scene_bounds { Bounds bounds[]; };
layout(std430, set = 0, binding = 3) writeonly buffer culled_draws { Command culled[]; };
layout(std430, set = 0, binding = 4) writeonly buffer culled_instances { uint kept[]; };
layout(set = 0, binding = 5) uniform Frusta {
    mat4 matrices[MOST_VIEWS];
    int count;
    int near;  // 1: what is in front of the near plane is outside, 0: it is not
    uint layers;
    vec3 eye;
    float slope;  // of half the field of view; 0: everything is large
} frusta;

layout(push_constant) uniform Push {
    int first;
    int count;
} push;

// Whether a sphere lies on the outer side of a plane, by more than the rounding of this test and of the vertices.
bool beyond(vec4 plane, vec3 center, float radius) {
    float size = length(plane.xyz);
    float slack = 1e-5 * (size * (length(center) + radius) + abs(plane.w));
    return dot(plane.xyz, center) + plane.w < -(radius * size + slack);  // never beyond no plane at all
}

bool outside(mat4 matrix, vec3 center, float radius) {
    mat4 rows = transpose(matrix);
    return beyond(rows[3] + rows[0], center, radius) || beyond(rows[3] - rows[0], center, radius)
        || beyond(rows[3] + rows[1], center, radius) || beyond(rows[3] - rows[1], center, radius)
        || beyond(rows[2], center, radius) || beyond((rows[3] - rows[2]) * float(frusta.near), center, radius);
}

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

// Whether a sphere's diameter is below a part of the picture's height. Turning the camera does not change it.
bool smaller(vec4 sphere, float size) {
    return sphere.w < size * (distance(sphere.xyz, frusta.eye) * frusta.slope);
}

bool has_level(vec4 sphere, uint at) {
    return !smaller(sphere, bounds[at].least) && (bounds[at].finest == at || smaller(sphere, bounds[at].below));
}

bool seen(vec4 sphere) {
    int count = per_invocation(frusta.count, int(gl_GlobalInvocationID.x));
    for (int view = 0; view < count; view++) {
        if (!outside(frusta.matrices[view], sphere.xyz, sphere.w)) {
            return true;
        }
    }
    return count == 0;
}

bool listed(Instance instance, uint at) {
    vec4 sphere = placed(bounds[at].sphere, instance.model);
    return (instance.material.y & frusta.layers) != 0u && has_level(sphere, at) && seen(sphere);
}

void main() {
    uint at = gl_GlobalInvocationID.x;
    if (at >= push.count) {
        return;
    }
    at += push.first;
    if (at >= culled.length()) {
        return;
    }
    Command command = draws[at];
    Command finest = draws[bounds[at].finest];
    uint start = bounds[at].listed;
    uint end = start;
    // The plan of the frame may be made for fewer instances.
    if (start + finest.instances <= kept.length()) {
        for (uint number = 0; number < finest.instances; number++) {
            uint instance = finest.first_instance + number;
            if (listed(instances[instance], at)) {
                kept[end++] = instance;
            }
        }
    }
    command.instances = end - start;
    command.first_instance = start;
    culled[at] = command;
}
