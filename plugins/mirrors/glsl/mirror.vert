#version 450
// The glass of a mirror: two triangles.
#include "camera.glsl"
#include "mirror.glsl"
layout(location = 0) out vec3 world;

void main() {
    const vec2 corners[6] = vec2[](vec2(-1, -1), vec2(1, -1), vec2(1, 1), vec2(-1, -1), vec2(1, 1), vec2(-1, 1));
    vec2 corner = corners[gl_VertexIndex];
    world = glass.middle.xyz + corner.x * glass.right.xyz + corner.y * glass.up.xyz;
    gl_Position = camera.view_projection * vec4(world, 1.0);
}
