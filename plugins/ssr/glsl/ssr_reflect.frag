#version 450
#include "camera.glsl"
#include "lighting.glsl"

layout(set = 0, binding = 4) uniform sampler2D source;
layout(set = 0, binding = 5) uniform sampler2D reflected;
layout(set = 0, binding = 6) uniform sampler2D depth;
layout(set = 0, binding = 7) uniform sampler2D normal;
layout(set = 0, binding = 8) uniform sampler2D albedo;
layout(set = 0, binding = 9) uniform sampler2D material;
layout(set = 0, binding = 10) uniform sampler2D ambient_occlusion;
layout(set = 0, binding = 11) uniform Settings {
    float intensity;
} settings;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_hdr;

// Takes from the light what lighting.glsl has added as the reflection of the environment, as far as rays have found
// surfaces there, and adds the light of these. Rays find what is hidden from the sky themselves, so their light is not
// dimmed by ambient occlusion.
void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    out_hdr = texelFetch(source, texel, 0);
    vec4 found = texelFetch(reflected, texel, 0) * settings.intensity;
    if (found.a <= 0.0) {
        return;
    }
    vec3 position = world_position(uv, texelFetch(depth, texel, 0).r);
    vec3 v = towards_camera(position), n = normalize(texelFetch(normal, texel, 0).xyz);
    vec3 properties = texelFetch(material, texel, 0).rgb;
    float n_v = max(dot(n, v), 1e-4);
    vec2 share = single_albedo(properties.y, n_v);
    Reflectance surface = reflectance_of(texelFetch(albedo, texel, 0).rgb, properties.x, properties.y, share);
    float open = texel_or_constant(ambient_occlusion, texel).a;
    vec3 environment = ambient_reflection(position, n, reflected_direction(n, v, properties.y), properties.y);
    environment *= reflection_visibility(n_v, open, properties.y);
    vec3 reflectance = (surface.f0 * share.x + surface.f90 * share.y) * properties.z;
    out_hdr.rgb = max(out_hdr.rgb + reflectance * (found.rgb - found.a * environment), 0.0);
}
