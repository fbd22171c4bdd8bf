// The air between the camera and a point, lit in a volume. Include camera.glsl and lights.glsl before.
#include "constants.glsl"
#include "haze.glsl"
#include "froxels.glsl"
#include "air_volume_block.glsl"

layout(set = 0, binding = 29) uniform sampler2DView air_volume_light;

// Mean light of the air up to the end of a slice, between the slice's texels. Texels of other tiles have no weight.
vec3 light_up_to(int slice, vec2 uv, ivec2 size) {
    ivec2 tile = tile_size(size);
    vec2 within = min(uv * vec2(tile - 1), vec2(tile - 1) - 1.0 / 64.0);
    vec2 at = vec2(tile_corner(slice, size)) + 0.5 + max(within, vec2(0.0));
    return texture_of_view(air_volume_light, at / vec2(size)).rgb;
}

// The light that the air scatters towards the eye on a way of `away` metres along a ray in rgb, and the share of the
// light from its end that is lost on the way in a. The ray belongs to the place `uv` of the picture.
vec4 air_volume_along(vec3 eye, vec3 ray, float away, vec2 uv) {
    ivec2 size = textureSize(air_volume_light, 0).xy;
    int slices = slice_count(size);
    float end = min(away, air_volume.reach), within = min(end, air_volume.range);
    float place = slice_at(within, slices, air_volume.range);
    int slice = min(int(place), slices - 1);
    vec3 before = light_up_to(max(slice - 1, 0), uv, size);
    vec3 light = mix(before, light_up_to(slice, uv, size), place - float(slice));
    float open = exp(-air_volume_depth(eye, ray, 0.0, within));
    float open_beyond = exp(-air_volume_depth(eye, ray, within, end));
    float phase = haze_phase(air_volume.glow, dot(ray, -lights.sun_direction));
    vec3 beyond = (lights.horizon + lights.sun_radiance * air_volume.sun * phase) * air_volume.color;
    return vec4(light * (1.0 - open) + beyond * open * (1.0 - open_beyond), 1.0 - open * open_beyond);
}
