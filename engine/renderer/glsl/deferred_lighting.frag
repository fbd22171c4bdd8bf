#version 450
#include "camera.glsl"
#include "lighting.glsl"

layout(set = 0, binding = 4) uniform sampler2D albedo;
layout(set = 0, binding = 5) uniform sampler2D normal;
layout(set = 0, binding = 6) uniform sampler2D material;
layout(set = 0, binding = 7) uniform sampler2D emissive;
layout(set = 0, binding = 8) uniform sampler2D depth;
layout(set = 0, binding = 9) uniform sampler2D sun_visibility;
layout(set = 0, binding = 24) uniform sampler2D contact_visibility;
layout(set = 0, binding = 11) uniform sampler2D light_visibility;
layout(set = 0, binding = 10) uniform sampler2D ambient_occlusion;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_hdr;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    float d = texelFetch(depth, texel, 0).r;
    if (d <= 0.0) {
        out_hdr = vec4(sky_color(world_ray(uv)), 1.0);
        return;
    }
    vec3 position = world_position(uv, d);
    vec3 v = towards_camera(position);
    vec3 properties = texelFetch(material, texel, 0).rgb;
    float sun = texel_or_constant(sun_visibility, texel).r * texel_or_constant(contact_visibility, texel).r;
    vec4 local = texel_or_constant(light_visibility, texel), sky = texel_or_constant(ambient_occlusion, texel);
    vec3 color = lit(position, normalize(texelFetch(normal, texel, 0).xyz), v, texelFetch(albedo, texel, 0).rgb,
                     properties.x, properties.y, properties.z, sun, local, sky);
    out_hdr = vec4(color + texelFetch(emissive, texel, 0).rgb, 1.0);
}
