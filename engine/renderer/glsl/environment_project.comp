#version 450
// Projects an equirectangular panorama, whose centre is -Z, to the faces of a cube.
#include "constants.glsl"
#include "cube.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform sampler2D environment_image;
layout(set = 0, binding = 1, rgba16f) uniform writeonly image2DArray radiance;
layout(push_constant) uniform Push {
    float turn;  // radians, counter-clockwise from above
} push;

const int SAMPLES = 4;  // along each side of a texel

vec3 panorama(vec3 direction) {
    float around = atan(direction.x, -direction.z) + push.turn;
    float up = asin(clamp(direction.y, -1.0, 1.0));
    float half_row = 0.5 / float(textureSize(environment_image, 0).y);
    float row = clamp(0.5 - up / PI, half_row, 1.0 - half_row);
    return textureLod(environment_image, vec2(0.5 + around / TWO_PI, row), 0.0).rgb;
}

void main() {
    ivec3 at = ivec3(gl_GlobalInvocationID);
    ivec3 size = imageSize(radiance);
    if (any(greaterThanEqual(at, size))) {
        return;
    }
    vec3 sum = vec3(0.0);
    for (int i = 0; i < SAMPLES * SAMPLES; ++i) {
        vec2 within = (vec2(float(i % SAMPLES), float(i / SAMPLES)) + 0.5) / float(SAMPLES) - 0.5;
        sum += panorama(normalize(cube_direction(at.z, on_face(vec2(at.xy) + within, float(size.x)))));
    }
    imageStore(radiance, at, vec4(sum / float(SAMPLES * SAMPLES), 1.0));
}
