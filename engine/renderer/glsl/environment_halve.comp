#version 450
// Downsamples all faces of a cube: the mean of four texels, weighted by their solid angles.
#include "cube.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform sampler2DArray above;
layout(set = 0, binding = 1, rgba16f) uniform writeonly image2DArray radiance;

void main() {
    ivec3 at = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(at, imageSize(radiance)))) {
        return;
    }
    float size = float(textureSize(above, 0).x);
    vec3 sum = vec3(0.0);
    float weights = 0.0;
    for (int i = 0; i < 4; ++i) {
        ivec2 texel = 2 * at.xy + ivec2(i & 1, i >> 1);
        float weight = texel_solid_angle(on_face(vec2(texel), size), size);
        sum += weight * texelFetch(above, ivec3(texel, at.z), 0).rgb;
        weights += weight;
    }
    imageStore(radiance, at, vec4(sum / weights, 1.0));
}
