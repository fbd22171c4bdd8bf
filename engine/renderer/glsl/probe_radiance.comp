#version 450
// The light of all bounces on the faces of a cube.
#include "constants.glsl"
#include "probe_faces.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, set = 0, binding = 3) readonly buffer probe_irradiance {
    vec4 numbers[];
};
layout(set = 0, binding = 4, rgba16f) uniform writeonly image2DArray radiance;

void main() {
    ivec3 at = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(at, imageSize(radiance)))) {
        return;
    }
    ivec2 texel = picture_texel(at.z, at.xy);
    float values[HARMONICS];
    harmonics(texelFetch(probe_normal, texel, 0).xyz, values);
    vec3 around = vec3(0.0);
    for (int k = 0; k < HARMONICS; ++k) {
        around += values[k] * numbers[k].rgb;
    }
    vec3 light = texelFetch(probe_light, texel, 0).rgb;
    light += texelFetch(probe_reflectance, texel, 0).rgb * max(around, 0.0);
    imageStore(radiance, at, vec4(light, 1.0));
}
