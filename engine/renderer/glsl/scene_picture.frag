#version 450
// A surface in a picture of the scene that is none of the views (scene_pictures.py): lit as in these, by all lamps of
// the scene, with a map of the sun of its own in the place of textures of the view.
#include "camera.glsl"
#include "surface.glsl"
#include "lighting.glsl"
#include "sun_box.glsl"

layout(set = 0, binding = 30) uniform PictureSunBlock {
    mat4 matrix;
    float texel;  // in metres; 0 if the sun casts no shadow
} picture_sun;
layout(set = 0, binding = 31) uniform sampler2D picture_sun_map;

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;
layout(location = 3) in vec2 uv;
layout(location = 4) flat in uint material;

layout(location = 0) out vec4 out_light;

void main() {
#if defined(MASKED) && !defined(OWN_SURFACE)
    if (is_hole(material, uv)) {
        discard;
    }
#endif
    Surface surface = surface_of(material, normal, tangent, uv, gl_FrontFacing);
#ifdef OWN_SURFACE
    change_surface(surface, material, world, towards_camera(world), normal, uv, gl_FrontFacing);
#endif
#if defined(MASKED) && defined(OWN_SURFACE)
    if (is_hole(materials[material], uv, surface.alpha)) {
        discard;
    }
#endif
    float sun = 1.0;
    if (per_invocation(picture_sun.texel > 0.0, int(gl_FragCoord.x))) {
        sun = sun_in_box(picture_sun_map, picture_sun.matrix, picture_sun.texel, world, surface.normal);
    }
    vec3 v = towards_camera(world);
    vec3 light = lit(world, surface.normal, v, surface.base_color, surface.metallic, surface.roughness,
                     surface.occlusion, sun, vec4(1.0), vec4(1.0));
    out_light = vec4(light + surface.emissive, 1.0);
}
#include OWN_SURFACE
