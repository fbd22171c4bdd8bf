#version 450
#include "camera.glsl"
#include "lighting.glsl"

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_hdr;

void main() {
    out_hdr = vec4(sky_color(world_ray(uv)), 1.0);
}
