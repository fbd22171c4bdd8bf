#version 450
#include "camera.glsl"
#define MIP_BIAS camera.mip_bias
#include "surface.glsl"
#include "lighting.glsl"
#ifdef LAYERED
#include "surface_layers.glsl"
#endif

layout(set = 0, binding = 4) uniform sampler2DView sun_visibility;
layout(set = 0, binding = 24) uniform sampler2DView contact_visibility;
layout(set = 0, binding = 6) uniform sampler2DView light_visibility;
layout(set = 0, binding = 5) uniform sampler2DView ambient_occlusion;

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;
layout(location = 3) in vec2 uv;
layout(location = 4) flat in uint material;

layout(location = 0) out vec4 out_hdr;

void main() {
    Surface surface = surface_of(material, normal, tangent, uv, gl_FrontFacing);
#ifdef OWN_SURFACE
    change_surface(surface, material, world, towards_camera(world), normal, uv, gl_FrontFacing);
#endif
    ivec2 texel = ivec2(gl_FragCoord.xy);
    float sun = texel_or_constant(sun_visibility, texel).r * texel_or_constant(contact_visibility, texel).r;
    vec4 local = texel_or_constant(light_visibility, texel), sky = texel_or_constant(ambient_occlusion, texel);
    vec3 v = towards_camera(world);
#ifdef LAYERED
    layers = layers_of(material, normal, tangent, uv, gl_FrontFacing);
    if (is_unlit(material)) {
        out_hdr = vec4(surface.base_color, 1.0);
        return;
    }
#endif
    vec3 color = lit(world, surface.normal, v, surface.base_color, surface.metallic, surface.roughness,
                     surface.occlusion, sun, local, sky);
    out_hdr = vec4(color + LAYERED_EMISSION(surface.emissive, v), 1.0);
}
#include OWN_SURFACE
