#version 450
// Directional albedo under a white environment, as f0 * x + y, by the cosine of the view angle (right) and the
// roughness (down). The second half of the split sum of Karis 2013, for GGX with height-correlated Smith visibility.
#include "constants.glsl"
#include "hammersley.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, rgba16f) uniform writeonly image2D result;

const int SAMPLES = 512;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(result);
    if (any(greaterThanEqual(at, size))) {
        return;
    }
    vec2 place = vec2(at) / vec2(size - 1);
    float n_v = max(place.x, 1e-3);
    float alpha = max(place.y * place.y, 1e-4);
    vec3 v = vec3(sqrt(1.0 - n_v * n_v), 0.0, n_v);
    vec2 sum = vec2(0.0);
    for (uint i = 0u; i < uint(SAMPLES); ++i) {
        vec2 chance = hammersley(i, uint(SAMPLES));
        vec3 h = ggx_half_vector(chance, alpha);
        vec3 l = 2.0 * dot(v, h) * h - v;
        if (l.z <= 0.0) {
            continue;
        }
        float v_h = max(dot(v, h), 0.0);
        float a2 = alpha * alpha;
        float smith = l.z * sqrt(n_v * n_v * (1.0 - a2) + a2) + n_v * sqrt(l.z * l.z * (1.0 - a2) + a2);
        float weight = 2.0 * l.z * v_h / (smith * max(h.z, 1e-4));
        float fresnel = pow(1.0 - v_h, 5.0);
        sum += weight * vec2(1.0 - fresnel, fresnel);
    }
    imageStore(result, at, vec4(sum / float(SAMPLES), 0.0, 1.0));
}
