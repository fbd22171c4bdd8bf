#version 450
#include "tent.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 0) uniform sampler2D coarser;
layout(set = 0, binding = 1) uniform Settings {
    float spread;
} settings;
layout(set = 0, binding = 2, rgba16f) uniform image2D finer;

// Blends the next smaller mip over a mip in place: a fragment shader cannot read what it draws to, and blending
// needs one. Alpha stays.
void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy), size = imageSize(finer);
    if (any(greaterThanEqual(texel, size))) {
        return;
    }
    vec4 own = imageLoad(finer, texel);
    vec3 wider = tent(coarser, (vec2(texel) + 0.5) / vec2(size)).rgb;
    imageStore(finer, texel, vec4(mix(own.rgb, wider, settings.spread), own.a));
}
