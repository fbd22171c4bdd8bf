#version 450
#if HAS_SCENE_LAYERS
#define ATTRIBUTES
#define LAYERED
#endif
#include "camera.glsl"
#define MIP_BIAS camera.mip_bias
#include "surface.glsl"
#include "lighting.glsl"
#ifdef LAYERED
#include "surface_layers.glsl"
#endif
#include "sun_maps.glsl"
#include "through_air.glsl"
#include "glass.glsl"

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;
layout(location = 3) in vec2 uv;
layout(location = 4) flat in uint material;
#ifdef LAYERED
layout(location = 7) flat in float scale;
#endif

#ifdef UNORDERED
#include "depth_moments.glsl"
layout(set = 0, binding = 23) uniform Settings {
    float nearest;
    float farthest;
} settings;
layout(set = 0, binding = 36) uniform sampler2DView absorbance;
layout(set = 0, binding = 37) uniform sampler2DView moments;
layout(location = 0) out vec4 out_light;  // premultiplied, as it reaches the camera
#else
layout(location = 0) out vec4 out_hdr;  // premultiplied
#endif

void main() {
    Surface surface = surface_of(material, normal, tangent, uv, gl_FrontFacing);
#ifdef OWN_SURFACE
    change_surface(surface, material, world, towards_camera(world), normal, uv, gl_FrontFacing);
#endif
    vec3 v = towards_camera(world);
#ifdef LAYERED
    layers = layers_of(material, normal, tangent, uv, gl_FrontFacing);
#endif
    vec3 passed = vec3(0.0);  // share of the light from behind
    float transmission = materials[material].parameters.w * (1.0 - surface.metallic);
#ifdef LAYERED
    vec2 by_image = transmission_of(material, uv);
    transmission *= by_image.r;
#endif
    if (transmission > 0.0) {
        passed = transmission * let_through(surface.base_color, surface.roughness, max(dot(surface.normal, v), 1e-4));
        surface.base_color *= 1.0 - transmission;
    }
    float sun = sun_reaches_surface(world, surface.normal, int(gl_FragCoord.x));
    vec3 color = lit(world, surface.normal, v, surface.base_color, surface.metallic, surface.roughness,
                     surface.occlusion, sun, vec4(1.0), vec4(1.0));
    color += LAYERED_EMISSION(surface.emissive, v);
#ifdef LAYERED
    if (is_unlit(material)) {
        color = surface.base_color;
    }
#endif
    color = through_air(color, 1.0 - passed, world);
    if (transmission > 0.0) {
        vec3 behind = light_behind(surface.roughness);
#ifdef LAYERED
        if (material_layers[material].volume.w > 0.0) {
            behind = light_through(material, scale * by_image.g, world, surface.normal, v, surface.roughness);
        }
#endif
        color += passed * behind;
    }
    if (!gl_FrontFacing && materials[material].parameters.z == 0.0) {
        discard;
    }
#ifdef UNORDERED
    float depth = moment_depth(distance_from_camera(world), settings.nearest, settings.farthest);
    ivec2 texel = ivec2(gl_FragCoord.xy);
    float all = texel_of_view(absorbance, texel, 0).r;
    float before = absorbed_before(depth, absorbance_of(surface.alpha), all, texel_of_view(moments, texel, 0));
    float reaching = surface.alpha * max(exp2(-before), 1e-4);
    out_light = vec4(min(color, 500.0), 1.0) * reaching;  // sums fit into 16-bit floats
#else
    out_hdr = vec4(color * surface.alpha, surface.alpha);
#endif
}
#include OWN_SURFACE
