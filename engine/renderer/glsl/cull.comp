#version 450
#include "instances.glsl"
#include "per_invocation.glsl"

// Lists the instances of each draw command that may be seen. An invocation looks at the instances of one command.

layout(local_size_x = 64) in;

const int MOST_VIEWS = 16;

struct Command {
    uint indices;
    uint instances;
    uint first_index;
    int vertex_offset;
    uint first_instance;
};

layout(std430, set = 0, binding = 0) readonly buffer scene_draws { Command draws[]; };
layout(std430, set = 0, binding = 2) readonly buffer scene_bounds { vec4 bounds[]; };  // centre, radius
layout(std430, set = 0, binding = 3) writeonly buffer culled_draws { Command culled[]; };
layout(std430, set = 0, binding = 4) writeonly buffer culled_instances { uint kept[]; };
layout(set = 0, binding = 5) uniform Frusta {
    mat4 matrices[MOST_VIEWS];
    int count;
    int near;  // 1: what is in front of the near plane is outside, 0: it is not
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

bool seen(mat4 model, vec4 sphere) {
    vec3 center = (model * vec4(sphere.xyz, 1.0)).xyz;
    float radius = sphere.w * stretch(mat3(model));
    int count = per_invocation(frusta.count, int(gl_GlobalInvocationID.x));
    for (int view = 0; view < count; view++) {
        if (!outside(frusta.matrices[view], center, radius)) {
            return true;
        }
    }
    return count == 0;
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
    uint end = command.first_instance;
    // The plan of the frame may be made for fewer instances.
    if (command.first_instance + command.instances <= kept.length()) {
        for (uint number = 0; number < command.instances; number++) {
            uint instance = command.first_instance + number;
            if (seen(instances[instance].model, bounds[at])) {
                kept[end++] = instance;
            }
        }
    }
    command.instances = end - command.first_instance;
    culled[at] = command;
}
