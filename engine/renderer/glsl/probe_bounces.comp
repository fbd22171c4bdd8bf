#version 450
// The light from all sides of a probe. Each bounce lights the surfaces by the light of all bounces before.
#include "constants.glsl"
#include "probe_faces.glsl"

const int THREADS = 256;
const int BOUNCES = 16;
const int STEP = 2;  // every second texel along each side
const int SIDE = FACE / STEP;

layout(local_size_x = THREADS) in;
layout(std430, set = 0, binding = 3) writeonly buffer probe_irradiance {
    vec4 numbers[];
};

shared vec3 sums[THREADS];
shared vec3 found[HARMONICS];

void main() {
    int me = int(gl_LocalInvocationIndex);
    if (me < HARMONICS) {
        found[me] = vec3(0.0);
    }
    barrier();
    for (int bounce = 0; bounce <= BOUNCES; ++bounce) {
        vec3 own[HARMONICS];
        for (int i = 0; i < HARMONICS; ++i) {
            own[i] = vec3(0.0);
        }
        for (int i = me; i < 6 * SIDE * SIDE; i += THREADS) {
            int face = i / (SIDE * SIDE);
            ivec2 at = STEP * ivec2(i % SIDE, i / SIDE % SIDE);
            ivec2 texel = picture_texel(face, at);
            vec2 place = on_face(vec2(at) + 0.5 * float(STEP - 1), float(FACE));
            float values[HARMONICS];
            harmonics(texelFetch(probe_normal, texel, 0).xyz, values);
            vec3 around = vec3(0.0);
            for (int k = 0; k < HARMONICS; ++k) {
                around += values[k] * found[k];
            }
            vec3 light = texelFetch(probe_light, texel, 0).rgb;
            light += texelFetch(probe_reflectance, texel, 0).rgb * max(around, 0.0);
            light *= texel_solid_angle(place, float(SIDE));
            harmonics(normalize(cube_direction(face, place)), values);
            for (int k = 0; k < HARMONICS; ++k) {
                own[k] += values[k] * light;
            }
        }
        barrier();
        for (int k = 0; k < HARMONICS; ++k) {
            sums[me] = own[k];
            barrier();
            for (int half_count = THREADS / 2; half_count > 0; half_count /= 2) {
                if (me < half_count) {
                    sums[me] += sums[me + half_count];
                }
                barrier();
            }
            if (me == 0) {
                found[k] = sums[0] * hemisphere(k);
            }
            barrier();
        }
    }
    if (me < HARMONICS) {
        numbers[me] = vec4(found[me], 0.0);
    }
}
