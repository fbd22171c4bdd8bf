#version 450
// Copies a mip of the reflections of all baked probes to a texture.
#include "per_invocation.glsl"
#include "probes.glsl"
#include "probe_store.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, set = 0, binding = 0) readonly buffer probe_store {
    uvec2 stored[];
};
layout(set = 0, binding = 1, rgba16f) uniform writeonly image2DArray result;
layout(push_constant) uniform Push {
    int side;   // texels along a side of the mip
    int first;  // texel of the mip
} push;

void main() {
    ivec3 at = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(at.xy, ivec2(push.side)))) {
        return;
    }
    int number = at.z / 6;
    vec3 light = vec3(0.0);
    int count = per_invocation(probes.count, at.x);
    for (int i = 0; i < count; ++i) {
        if (int(probes.positions[i].w) == number && probes.highs[i].w > 0.0) {
            light = unpacked_light(stored[store_place(number, push.first, ivec3(at.xy, at.z % 6), push.side)]);
        }
    }
    imageStore(result, at, vec4(light, 1.0));
}
