// What was drawn around a probe, and the light of its bounces.
#include "cube.glsl"
#include "spherical_harmonics.glsl"

layout(set = 0, binding = 0) uniform sampler2D probe_light;
layout(set = 0, binding = 1) uniform sampler2D probe_reflectance;
layout(set = 0, binding = 2) uniform sampler2D probe_normal;

const int FACE = 64;  // texels along a side

// A texel of a face in the pictures, which are mirrored.
ivec2 picture_texel(int face, ivec2 at) {
    return ivec2(face * FACE + FACE - 1 - at.x, at.y);
}
