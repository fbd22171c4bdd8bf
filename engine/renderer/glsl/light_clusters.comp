#version 450
#include "local_light.glsl"
#include "light_clusters.glsl"
#include "per_invocation.glsl"

// Finds which lights may reach each cluster. An invocation looks at 32 lights for one cluster; a workgroup, at the same 32.

layout(local_size_x = 64) in;

layout(std430, set = 0, binding = 0) readonly buffer scene_lights {
    LocalLight local_lights[];
};
layout(std430, set = 0, binding = 1) writeonly buffer light_clusters {
    LightGrid light_grid;
    uint light_masks[];
};
layout(set = 0, binding = 2) uniform GridBlock {
    LightGrid of_view;
} light_grid_of_view;

// More than the rounding of a cluster's bounds and of positions, relative to their size.
const float ROUNDING = 1e-4;

// The smallest sphere around what a light reaches.
vec4 reached(LocalLight light) {
    vec4 sphere = light.position_radius;
    float cosine = light.direction_cosine.w;
    if (cosine <= 0.0) {
        return sphere;
    }
    // Around the cone's tip and rim, or, of a wide cone, around its rim.
    float along = cosine > 0.70710678 ? 0.5 / cosine : cosine;
    float radius = cosine > 0.70710678 ? along : sqrt(1.0 - cosine * cosine);
    return vec4(sphere.xyz + light.direction_cosine.xyz * (along * sphere.w), radius * sphere.w);
}

// The lights of the workgroup's word: centre in view space, and radius with room for rounding.
shared vec4 spheres[32];

void place_light(LightGrid grid, int light, int bit) {
    vec4 sphere = reached(local_lights[light]);
    vec3 center = in_view(grid, sphere.xyz);
    float slack = ROUNDING * (sphere.w + length(sphere.xyz) + length(center));
    spheres[bit] = vec4(center, sphere.w + slack);
}

bool meets(vec4 sphere, vec3 low, vec3 high) {
    vec3 gap = max(max(low - sphere.xyz, sphere.xyz - high), vec3(0.0)) * (1.0 - ROUNDING);
    return dot(gap, gap) <= sphere.w * sphere.w;
}

void main() {
    int number = int(gl_GlobalInvocationID.x), word = int(gl_GlobalInvocationID.y);
    int lane = int(gl_LocalInvocationID.x);
    LightGrid grid = light_grid_of_view.of_view;
    int clusters = CLUSTERS.x * CLUSTERS.y * CLUSTERS.z;
    // The plan of the frame may be made for fewer lights.
    grid.words = min(grid.words, light_masks.length() / clusters);
    grid.lights = min(grid.lights, grid.words * 32);
    if (number == 0 && word == 0) {
        light_grid = grid;
    }
    int end = min(grid.lights - word * 32, 32);
    if (lane < end) {
        place_light(grid, word * 32 + lane, lane);
    }
    barrier();
    if (number >= clusters || word >= grid.words) {
        return;
    }
    ivec3 cluster = ivec3(number % CLUSTERS.x, (number / CLUSTERS.x) % CLUSTERS.y, number / (CLUSTERS.x * CLUSTERS.y));
    vec3 low, high;
    cluster_box(grid, cluster, low, high);
    uint bits = 0u;
    int lights = per_invocation(end, number);
    for (int bit = 0; bit < lights; ++bit) {
        bits |= meets(spheres[bit], low, high) ? 1u << bit : 0u;
    }
    light_masks[number * grid.words + word] = bits;
}
