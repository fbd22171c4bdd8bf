#version 450
#include "camera.glsl"
#include "surface.glsl"
#include "lighting.glsl"
#ifdef LAYERED
#include "surface_layers.glsl"
#endif

#if HAS_SUN_VISIBILITY
layout(set = 0, binding = 4) uniform sampler2DView sun_visibility;
#endif
#if HAS_CONTACT_VISIBILITY
layout(set = 0, binding = 24) uniform sampler2DView contact_visibility;
#endif
#if HAS_LIGHT_VISIBILITY
layout(set = 0, binding = 6) uniform sampler2DView light_visibility;
#endif
#if HAS_AMBIENT_OCCLUSION
layout(set = 0, binding = 5) uniform sampler2DView ambient_occlusion;
#endif

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;
layout(location = 3) in vec2 uv;
layout(location = 4) flat in uint material;

layout(location = 0) out vec4 out_hdr;

void main() {
    Surface surface = surface_of(material, normal, tangent, uv, gl_FrontFacing);
#if HAS_SUN_VISIBILITY
    float sun = texel_of_view(sun_visibility, ivec2(gl_FragCoord.xy), 0).r;
#else
    float sun = 1.0;
#endif
#if HAS_CONTACT_VISIBILITY
    sun *= texel_of_view(contact_visibility, ivec2(gl_FragCoord.xy), 0).r;
#endif
#if HAS_LIGHT_VISIBILITY
    vec4 local = texel_of_view(light_visibility, ivec2(gl_FragCoord.xy), 0);
#else
    vec4 local = vec4(1.0);
#endif
#if HAS_AMBIENT_OCCLUSION
    vec4 sky = texel_of_view(ambient_occlusion, ivec2(gl_FragCoord.xy), 0);
#else
    vec4 sky = vec4(1.0);
#endif
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
