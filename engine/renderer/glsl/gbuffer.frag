#version 450
#include "camera.glsl"
#define MIP_BIAS camera.mip_bias
#define ALPHA_TURN alpha_turn()
#include "surface.glsl"

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;
layout(location = 3) in vec2 uv;
layout(location = 4) flat in uint material;

layout(location = 0) out vec4 out_albedo;
layout(location = 1) out vec4 out_normal;
layout(location = 2) out vec4 out_material;
layout(location = 3) out vec4 out_emissive;

void main() {
    Surface surface = surface_of(material, normal, tangent, uv, gl_FrontFacing);
#ifdef OWN_SURFACE
    change_surface(surface, material, world, towards_camera(world), normal, uv, gl_FrontFacing);
#endif
#ifdef MASKED
    if (is_hole(materials[material], uv, surface.alpha)) {
        discard;
    }
#endif
    out_albedo = vec4(surface.base_color, 1.0);
    out_normal = vec4(surface.normal, 1.0);
    out_material = vec4(surface.metallic, surface.roughness, surface.occlusion,
                        materials[material].layered != 0u ? 0.0 : 1.0);
    out_emissive = vec4(surface.emissive, 1.0);
}
#include OWN_SURFACE
