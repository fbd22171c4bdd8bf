#version 450
#if OF_CAMERA
#include "camera.glsl"
#define MIP_BIAS camera.mip_bias
#define ALPHA_TURN alpha_turn()
#endif
#include "surface.glsl"

#ifdef OWN_SURFACE
layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;
#endif
layout(location = 3) in vec2 uv;
layout(location = 4) flat in uint material;

void main() {
#ifdef OWN_SURFACE
    Surface surface = surface_of(material, normal, tangent, uv, gl_FrontFacing);
#if OF_CAMERA
    change_surface(surface, material, world, towards_camera(world), normal, uv, gl_FrontFacing);
#else
    change_surface(surface, material, world, normalize(normal), normal, uv, gl_FrontFacing);
#endif
    if (is_hole(materials[material], uv, surface.alpha)) {
#else
    if (is_hole(material, uv)) {
#endif
        discard;
    }
}
#include OWN_SURFACE
