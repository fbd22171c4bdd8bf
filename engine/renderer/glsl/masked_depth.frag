#version 450
#if OF_CAMERA
#include "camera.glsl"
#define MIP_BIAS camera.mip_bias
#endif
#include "surface.glsl"

layout(location = 3) in vec2 uv;
layout(location = 4) flat in uint material;

void main() {
    if (is_hole(material, uv)) {
        discard;
    }
}
