#version 450
#include "local_light.glsl"
#include "light_clusters.glsl"

// Gives every cluster every light: shading by these clusters is a loop over all lights.

layout(local_size_x = 64) in;

layout(std430, set = 0, binding = 1) writeonly buffer light_clusters {
    LightGrid light_grid;
    uint light_masks[];
};
layout(set = 0, binding = 2) uniform GridBlock {
    LightGrid of_view;
} light_grid_of_view;

void main() {
    LightGrid grid = light_grid_of_view.of_view;
    uint number = gl_GlobalInvocationID.x;
    if (number == 0u) {
        light_grid = grid;
    }
    if (number < light_masks.length()) {
        int left = grid.lights - 32 * int(number % uint(grid.words));
        light_masks[number] = left >= 32 ? 0xFFFFFFFFu : (1u << max(left, 0)) - 1u;
    }
}
