#version 450
// A mip of the reflections of a probe, filtered for a roughness.
#include "constants.glsl"
#include "cube.glsl"
#include "per_invocation.glsl"
#include "probe_bake.glsl"
#include "probe_store.glsl"
#include "specular_lobe.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform samplerCube radiance;
layout(std430, set = 0, binding = 1) writeonly buffer probe_store {
    uvec2 stored[];
};
layout(push_constant) uniform Push {
    float roughness;
    int side;   // texels along a side of the mip
    int first;  // texel of the mip
} push;

void main() {
    ivec3 at = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(at.xy, ivec2(push.side)))) {
        return;
    }
    vec3 n = normalize(cube_direction(at.z, on_face(vec2(at.xy), float(push.side))));
    vec3 light;
    if (per_invocation(push.roughness <= 0.0, at.x)) {
        light = textureLod(radiance, n, 0.0).rgb;
    } else {
        light = filtered_around(radiance, n, push.roughness, float(textureSize(radiance, 0).x));
    }
    stored[store_place(probe_bake.number, push.first, at, push.side)] = packed_light(light);
}
