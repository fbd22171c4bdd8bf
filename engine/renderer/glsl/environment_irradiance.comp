#version 450
// Irradiance by normal, divided by pi: the diffuse radiance of a white surface.
#include "constants.glsl"
#include "cube.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform sampler2DArray radiance;
layout(set = 0, binding = 1, rgba16f) uniform writeonly image2DArray result;

void main() {
    ivec3 at = ivec3(gl_GlobalInvocationID);
    ivec3 size = imageSize(result);
    if (any(greaterThanEqual(at, size))) {
        return;
    }
    vec3 n = normalize(cube_direction(at.z, on_face(vec2(at.xy), float(size.x))));
    int side = textureSize(radiance, 0).x;
    vec3 sum = vec3(0.0);
    float weights = 0.0;
    for (int face = 0; face < 6; ++face) {
        for (int i = 0; i < side * side; ++i) {
            ivec2 texel = ivec2(i % side, i / side);
            vec2 place = on_face(vec2(texel), float(side));
            float weight = texel_solid_angle(place, float(side));
            weight *= max(0.0, dot(n, normalize(cube_direction(face, place))));
            sum += weight * texelFetch(radiance, ivec3(texel, face), 0).rgb;
            weights += weight;
        }
    }
    imageStore(result, at, vec4(sum / weights, 1.0));
}
