// Reflection with view direction = normal, filtered over the GGX lobe weighted by the cosine.
#include "hammersley.glsl"

const int SAMPLES = 128;

// The filtered light of `radiance`, a cube with `face` texels along a side, around n. The roughness is above 0.
vec3 filtered_around(samplerCube radiance, vec3 n, float roughness, float face) {
    vec3 axis = abs(n.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0);
    vec3 x = normalize(cross(axis, n));
    vec3 y = cross(n, x);
    float alpha = roughness * roughness;
    float texel = 4.0 * PI / (6.0 * face * face);
    vec3 sum = vec3(0.0);
    float weights = 0.0;
    for (uint i = 0u; i < uint(SAMPLES); ++i) {
        // GGX-distributed half vectors around n.
        vec3 local = ggx_half_vector(hammersley(i, uint(SAMPLES)), alpha);
        float cosine = local.z;
        vec3 h = local.x * x + local.y * y + local.z * n;
        vec3 l = 2.0 * cosine * h - n;
        float n_l = dot(n, l);
        if (n_l <= 0.0) {
            continue;
        }
        // The density of l is D(h) / 4, because n = v. The mip's texel covers the solid angle of the sample.
        float d = cosine * cosine * (alpha * alpha - 1.0) + 1.0;
        float density = alpha * alpha / (PI * d * d) * 0.25;
        float mip = 0.5 * log2(1.0 / (float(SAMPLES) * density * texel)) + 0.5;
        sum += n_l * textureLod(radiance, l, max(mip, 0.0)).rgb;
        weights += n_l;
    }
    return sum / weights;
}
