#version 450
// A surface around a probe: its light without bounces, and what it reflects of the light from all sides.
#include "surface.glsl"
#include "probe_bake.glsl"
#include "probes.glsl"
#include "lighting.glsl"
#include "sun_box.glsl"

layout(set = 0, binding = 31) uniform sampler2D probe_sun_map;

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;
layout(location = 3) in vec2 uv;
layout(location = 4) flat in uint material;

layout(location = 0) out vec4 out_light;
layout(location = 1) out vec4 out_reflectance;
layout(location = 2) out vec4 out_normal;

// Part of the sun that a surface sees.
float sun_at(vec3 position, vec3 n) {
    if (per_invocation(probe_bake.sun_texel <= 0.0, int(gl_FragCoord.x))) {
        return 1.0;
    }
    return sun_in_box(probe_sun_map, probe_bake.sun_matrix, probe_bake.sun_texel, position, n);
}

void main() {
    Surface surface = surface_of(material, normal, tangent, uv, gl_FrontFacing);
#ifdef OWN_SURFACE
    change_surface(surface, material, world, normalize(probe_bake.position - world), normal, uv, gl_FrontFacing);
#endif
#ifdef MASKED
#ifdef OWN_SURFACE
    if (is_hole(materials[material], uv, surface.alpha)) {
#else
    if (is_hole(material, uv)) {
#endif
        discard;
    }
#endif
    vec3 n = surface.normal;
    vec3 v = normalize(probe_bake.position - world);
    vec2 albedo = single_albedo(surface.roughness, max(dot(n, v), 1e-4));
    Reflectance parts = reflectance_of(surface.base_color, surface.metallic, surface.roughness, albedo);
    vec3 reflected = parts.diffuse * diffuse_share(albedo) + parts.f0 * albedo.x + parts.f90 * albedo.y;
    reflected *= surface.occlusion;
    float share = probes_share(world, n, per_invocation(probes.count, int(gl_FragCoord.x)));
    vec3 light = sunlight(n, v, parts, sun_at(world, n)) + local_light(world, n, v, parts, vec4(1.0));
    light += (1.0 - share) * reflected * sky_irradiance(n) + surface.emissive;
    out_light = vec4(min(light, 65000.0), 1.0);
    out_reflectance = vec4(share * reflected, 1.0);
    out_normal = vec4(n, 0.0);
}
#include OWN_SURFACE
