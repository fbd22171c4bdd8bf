#version 450
// Prefiltered reflection with view direction = normal: radiance weighted by the GGX lobe and the cosine.
#include "constants.glsl"
#include "cube.glsl"
#include "hammersley.glsl"
#include "per_invocation.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform samplerCube radiance;
layout(set = 0, binding = 1, rgba16f) uniform writeonly image2DArray result;
layout(push_constant) uniform Push {
    float roughness;
    float face;  // texels along a side of a face of the radiance cube
} push;

const int SAMPLES = 128;

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
    vec3 axis = abs(n.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0);
    vec3 x = normalize(cross(axis, n));
    vec3 y = cross(n, x);
    float alpha = push.roughness * push.roughness;
    float texel = 4.0 * PI / (6.0 * push.face * push.face);
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
    imageStore(result, at, vec4(sum / weights, 1.0));
}
