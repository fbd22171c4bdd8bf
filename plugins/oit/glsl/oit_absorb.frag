#version 450
#if HAS_SCENE_LAYERS
#define ATTRIBUTES
#endif
#include "camera.glsl"
#define MIP_BIAS camera.mip_bias
#include "surface.glsl"
#include "depth_moments.glsl"

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;
layout(location = 3) in vec2 uv;
layout(location = 4) flat in uint material;

layout(set = 0, binding = 23) uniform Settings {
    float nearest;
    float farthest;
} settings;
layout(location = 0) out float out_absorbance;
layout(location = 1) out vec4 out_moments;

void main() {
    Surface surface = surface_of(material, normal, tangent, uv, gl_FrontFacing);
#ifdef OWN_SURFACE
    change_surface(surface, material, world, towards_camera(world), normal, uv, gl_FrontFacing);
#endif
    if (!gl_FrontFacing && materials[material].parameters.z == 0.0) {
        discard;
    }
    out_absorbance = absorbance_of(surface.alpha);
    float depth = moment_depth(distance_from_camera(world), settings.nearest, settings.farthest);
    out_moments = moments_of(out_absorbance, depth);
}
#include OWN_SURFACE
