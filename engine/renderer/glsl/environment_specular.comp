#version 450
// Prefiltered reflection with view direction = normal: radiance weighted by the GGX lobe and the cosine.
#include "constants.glsl"
#include "cube.glsl"
#include "per_invocation.glsl"
#include "specular_lobe.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform samplerCube radiance;
layout(set = 0, binding = 1, rgba16f) uniform writeonly image2DArray result;
layout(push_constant) uniform Push {
    float roughness;
    float face;  // texels along a side of a face of the radiance cube
} push;

void main() {
    ivec3 at = ivec3(gl_GlobalInvocationID);
    ivec3 size = imageSize(result);
    if (any(greaterThanEqual(at, size))) {
        return;
    }
    vec3 n = normalize(cube_direction(at.z, on_face(vec2(at.xy), float(size.x))));
    if (per_invocation(push.roughness <= 0.0, at.x)) {
        imageStore(result, at, vec4(textureLod(radiance, n, 0.0).rgb, 1.0));
        return;
    }
    imageStore(result, at, vec4(filtered_around(radiance, n, push.roughness, push.face), 1.0));
}
