#version 450
#include "constants.glsl"
#include "camera.glsl"
#include "haze.glsl"
#include "froxels.glsl"
#include "air_volume_block.glsl"

// The light that the air scatters on the way to the end of each froxel, from front to back along its ray. It is divided by
// the share of the light from there that the air hides: neighbouring rays differ less in this mean than in the sum.

layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 1) uniform sampler2D scattered;
layout(set = 0, binding = 2, rgba16f) uniform writeonly image2D air_volume_light;

const float LEAST_HIDDEN = 1e-6;  // by which the sum is divided

void main() {
    ivec2 cell = ivec2(gl_GlobalInvocationID.xy), tile = tile_size(imageSize(air_volume_light));
    if (any(greaterThanEqual(cell, tile))) {
        return;
    }
    vec2 uv = froxel_uv(cell, tile);
    vec3 eye = ray_origin(uv), ray = world_ray(uv), light = vec3(0.0);
    float open = 1.0, hidden = 0.0;
    for (int slice = 0; slice < SLICES; ++slice) {
        ivec2 texel = tile_corner(slice, tile) + cell;
        vec3 here = texelFetch(scattered, texel, 0).rgb;
        float begin = slice_begin(slice, air_volume.range), end = slice_begin(slice + 1, air_volume.range);
        float passing = exp(-air_volume_depth(eye, ray, begin, end));
        light += open * (1.0 - passing) * here;
        hidden += open * (1.0 - passing);
        open *= passing;
        imageStore(air_volume_light, texel, vec4(hidden > LEAST_HIDDEN ? light / hidden : here, 1.0));
    }
}
