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
    ivec2 cell = ivec2(gl_GlobalInvocationID.xy), size = imageSize(air_volume_light), tile = tile_size(size);
    if (any(greaterThanEqual(cell, tile))) {
        if (all(lessThan(cell, size)) && any(greaterThanEqual(cell, tile * tile_count(size)))) {
            imageStore(air_volume_light, cell, vec4(0.0));  // no froxel, but a filter may touch it
        }
        return;
    }
    int slices = slice_count(size);
    vec2 uv = froxel_uv(cell, tile);
    vec3 eye = ray_origin(uv), ray = world_ray(uv), light = vec3(0.0);
    float open = 1.0, hidden = 0.0;
    for (int slice = 0; slice < slices; ++slice) {
        ivec2 texel = tile_corner(slice, size) + cell;
        vec3 here = texelFetch(scattered, texel, 0).rgb;
        float begin = slice_begin(float(slice), slices, air_volume.range);
        float end = slice_begin(float(slice + 1), slices, air_volume.range);
        float passing = exp(-air_volume_depth(eye, ray, begin, end));
        light += open * (1.0 - passing) * here;
        hidden += open * (1.0 - passing);
        open *= passing;
        imageStore(air_volume_light, texel, vec4(hidden > LEAST_HIDDEN ? light / hidden : here, 1.0));
    }
}
