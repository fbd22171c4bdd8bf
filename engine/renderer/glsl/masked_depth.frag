#version 450
#include "surface.glsl"

layout(location = 3) in vec2 uv;
layout(location = 4) flat in uint material;

void main() {
    if (is_hole(material, uv)) {
        discard;
    }
}
