#version 450
#include "camera.glsl"
#include "lights.glsl"
#include "air_volume.glsl"

layout(set = 0, binding = 4) uniform sampler2D source;
layout(set = 0, binding = 5) uniform sampler2D depth;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    float d = texelFetch(depth, texel, 0).r;
    vec3 ray = world_ray(uv), eye = ray_origin(uv);
    float away = d > 0.0 ? distance(world_position(uv, d), eye) : air_volume.reach;
    vec4 veil = air_volume_along(eye, ray, away, uv);
    out_color = vec4(texelFetch(source, texel, 0).rgb * (1.0 - veil.a) + veil.rgb, 1.0);
}
