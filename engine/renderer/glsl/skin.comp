#version 450

// Moves the vertices of meshes that follow a rig, by morph targets and then by joints. A workgroup has 64 vertices of
// one mesh. With PREVIOUS, writes the positions in the pose of the last frame instead.

layout(local_size_x = 64) in;

const uint NONE = 0xffffffffu;

struct Job {
    uint source;      // first vertex at rest
    uint moved;       // first vertex that is written
    uint count;       // of vertices
    uint palette;     // the first row of the first joint's matrix
    uint influences;  // words of 4 joints and 4 weights a vertex; NONE: all vertices follow the first joint
    uint morphs;      // words of the first morph target
    uint targets;     // number of morph targets
    uint weights;     // number of the first morph weight
};

layout(std430, set = 0, binding = 1) readonly buffer skinning_jobs { Job jobs[]; };
layout(std430, set = 0, binding = 2) readonly buffer skinning_groups { uvec2 groups[]; };  // job, first vertex in it
layout(std430, set = 0, binding = 3) readonly buffer skinning_data { uint words[]; };
layout(std430, set = 0, binding = 4) readonly buffer skinning_pose { vec4 pose[]; };  // rows of matrices, then weights
#if PREVIOUS
layout(std430, set = 0, binding = 5) readonly buffer scene_vertices { float vertices[]; };
layout(std430, set = 0, binding = 6) buffer skinned_previous { uint first_moved; float previous[]; };
#else
layout(std430, set = 0, binding = 5) buffer scene_vertices { float vertices[]; };
#endif

layout(push_constant) uniform Push {
    uint groups_in_row;
    uint group_count;
} push;

struct Vertex {
    vec3 position;
    vec3 normal;
    vec3 tangent;
};

struct Rows {
    vec4 x, y, z;
};

vec3 float3_of(uint at) {
    return vec3(vertices[at], vertices[at + 1u], vertices[at + 2u]);
}

vec3 word3_of(uint at) {
    return uintBitsToFloat(uvec3(words[at], words[at + 1u], words[at + 2u]));
}

Vertex morphed(Job job, uint number) {
    uint at = (job.source + number) * VERTEX_FLOATS;
    Vertex vertex = Vertex(float3_of(at), float3_of(at + 3u), float3_of(at + 8u));
    for (uint target = 0u; target < job.targets; target++) {
        uint place = job.weights + target;
        float weight = pose[place >> 2][place & 3u];
        if (weight != 0.0) {
            uint delta = job.morphs + (target * job.count + number) * 9u;
            vertex.position += weight * word3_of(delta);
            vertex.normal += weight * word3_of(delta + 3u);
            vertex.tangent += weight * word3_of(delta + 6u);
        }
    }
    return vertex;
}

Rows matrix_of(Job job, uint number) {
    if (job.influences == NONE) {
        return Rows(pose[job.palette], pose[job.palette + 1u], pose[job.palette + 2u]);
    }
    uint at = job.influences + number * 6u;
    uvec4 joints = uvec4(words[at] & 0xffffu, words[at] >> 16, words[at + 1u] & 0xffffu, words[at + 1u] >> 16);
    Rows rows = Rows(vec4(0.0), vec4(0.0), vec4(0.0));
    for (int slot = 0; slot < 4; slot++) {
        float weight = uintBitsToFloat(words[at + 2u + uint(slot)]);
        uint row = job.palette + 3u * joints[slot];
        rows.x += weight * pose[row];
        rows.y += weight * pose[row + 1u];
        rows.z += weight * pose[row + 2u];
    }
    return rows;
}

vec3 unit(vec3 direction, vec3 otherwise) {
    float square = dot(direction, direction);
    return square > 0.0 ? direction * inversesqrt(square) : otherwise;
}

vec3 product(vec3 x, vec3 y, vec3 z, vec3 v) {
    return vec3(dot(x, v), dot(y, v), dot(z, v));
}

void main() {
    uint group = gl_WorkGroupID.y * push.groups_in_row + gl_WorkGroupID.x;
    if (group >= push.group_count) {
        return;
    }
    Job job = jobs[groups[group].x];
    uint number = groups[group].y + gl_LocalInvocationID.x;
    if (number >= job.count) {
        return;
    }
    Vertex vertex = morphed(job, number);
    Rows rows = matrix_of(job, number);
    vec4 place = vec4(vertex.position, 1.0);
    vec3 position = vec3(dot(rows.x, place), dot(rows.y, place), dot(rows.z, place));
#if PREVIOUS
    uint at = (job.moved - first_moved + number) * 3u;
    previous[at] = position.x;
    previous[at + 1u] = position.y;
    previous[at + 2u] = position.z;
#else
    vec3 x = rows.x.xyz, y = rows.y.xyz, z = rows.z.xyz;
    // The cofactors turn normals, also where a matrix stretches.
    vec3 normal = unit(product(cross(y, z), cross(z, x), cross(x, y), vertex.normal), vertex.normal);
    vec3 tangent = unit(product(x, y, z, vertex.tangent), vertex.tangent);
    uint at = (job.moved + number) * VERTEX_FLOATS;
    for (uint axis = 0u; axis < 3u; axis++) {
        vertices[at + axis] = position[axis];
        vertices[at + 3u + axis] = normal[axis];
        vertices[at + 8u + axis] = tangent[axis];
    }
#endif
}
