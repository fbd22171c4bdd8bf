#version 450
#include "camera.glsl"
#include "decals.glsl"

// The box of each decal that changes PROPERTY.

layout(std430, set = 0, binding = 40) readonly buffer decals {
    uint count;
    Decal rows[];
};

layout(location = 0) flat out vec4 to_box[3];
layout(location = 3) flat out vec3 towards;  // against the projection, world space, unit length
layout(location = 4) flat out vec4 tint;
layout(location = 5) flat out vec4 limits;   // fade, roughness, metallic
layout(location = 6) flat out uvec2 layers;  // of the image and the normal image

// The clip position of vertices that are not drawn: outside of every picture.
const vec4 NOT_DRAWN = vec4(2.0, 2.0, 2.0, 1.0);

// Bits 0 to 2: whether x, y, z are on the positive side. Counter-clockwise as seen from outside.
const int CORNERS[36] = int[](0, 4, 6, 0, 6, 2,  1, 3, 7, 1, 7, 5,  0, 1, 5, 0, 5, 4,  2, 6, 7, 2, 7, 3,  0, 2, 3, 0, 3, 1,
                              4, 5, 7, 4, 7, 6);

void main() {
    gl_Position = NOT_DRAWN;
    to_box = vec4[](vec4(0.0), vec4(0.0), vec4(0.0));
    towards = vec3(0.0);
    tint = limits = vec4(0.0);
    layers = uvec2(0u);
    if (uint(gl_InstanceIndex) >= count) {
        return;
    }
    Decal decal = rows[gl_InstanceIndex];
    if ((decal.changes >> PROPERTY & 1u) == 0u) {
        return;
    }
    to_box = decal.to_box;
    towards = normalize(vec3(decal.to_world[0].z, decal.to_world[1].z, decal.to_world[2].z));
    tint = decal.tint;
    limits = vec4(decal.fade, decal.roughness, decal.metallic);
    layers = uvec2(decal.image, decal.normal_image);
    vec3 corner = vec3(uvec3(CORNERS[gl_VertexIndex]) >> uvec3(0u, 1u, 2u) & 1u) - 0.5;
    corner.x *= decal.mirrored != 0u ? -1.0 : 1.0;  // so that back faces stay back faces
    vec4 point = vec4(corner, 1.0);
    vec3 world = vec3(dot(decal.to_world[0], point), dot(decal.to_world[1], point), dot(decal.to_world[2], point));
    gl_Position = camera.view_projection * vec4(world, 1.0);
    // The far plane of an orthographic camera may cut off back faces behind surfaces that it shows.
    gl_Position.z = mix(gl_Position.z, 0.5 * gl_Position.w, parallel_rays());
}
