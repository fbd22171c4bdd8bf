#version 450
#include "constants.glsl"
#include "per_invocation.glsl"
#include "camera.glsl"
#include "lights.glsl"
#include "haze.glsl"
#include "froxels.glsl"
#include "air_volume_block.glsl"
#include "sun_maps.glsl"
#include "froxel_lamps.glsl"

// The light that dense air would scatter towards the eye, for each froxel.

layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 4, rgba16f) uniform writeonly image2D scattered;
layout(set = 0, binding = 5) uniform Settings {
    int samples;
    float lamps;
} settings;

#if TEMPORAL
#include "froxel_past.glsl"
#endif

int invocation;

vec3 from_suns(vec3 position, vec3 ray) {
    float phase = haze_phase(air_volume.glow, dot(ray, -lights.sun_direction));
    vec3 light = lights.sun_radiance * phase * sun_reaches(position, invocation);
    int suns = per_invocation(lights.suns, invocation);
    for (int i = 0; i < suns; ++i) {
        light += lights.sun_radiances[i].rgb * haze_phase(air_volume.glow, dot(ray, -lights.sun_directions[i].xyz));
    }
    return light * air_volume.sun;
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy), size = imageSize(scattered);
    invocation = texel.x;
    if (any(greaterThanEqual(texel, size))) {
        return;
    }
    ivec2 tile = tile_size(size), place = texel / tile;
    if (any(greaterThanEqual(place, tile_count(size)))) {
        imageStore(scattered, texel, vec4(0.0));
        return;
    }
    int slices = slice_count(size), slice = place.y * tile_count(size).x + place.x;
    vec2 uv = froxel_uv(texel - place * tile, tile);
#if TEMPORAL
    vec4 known = light_before(ray_origin(uv) + world_ray(uv) * slice_begin(float(slice) + 0.5, slices, air_volume.range));
    float at = past.place;
#else
    const float at = 0.5;
#endif
    vec3 eye = ray_origin(uv), ray = world_ray(uv), light = vec3(0.0);
    float begin = slice_begin(float(slice), slices, air_volume.range);
    float end = slice_begin(float(slice + 1), slices, air_volume.range);
    float part = (end - begin) / float(settings.samples);
    int samples = per_invocation(settings.samples, invocation);
    for (int i = 0; i < samples; ++i) {
        float from = begin + float(i) * part;
        light += from_suns(eye + ray * (from + at * part), ray);
        light += from_lamps(eye, ray, from, from + part, at, invocation) * settings.lamps;
    }
    light = light / float(settings.samples) + lights.horizon;
    light = min(light * air_volume.color, HALF_MAX);
    float age = 1.0;
#if TEMPORAL
    age = min(known.a + 1.0, float(FRAMES));
    light = mix(known.rgb, light, 1.0 / age);
#endif
    imageStore(scattered, texel, vec4(light, age));
}
