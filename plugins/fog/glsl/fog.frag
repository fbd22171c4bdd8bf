#version 450
#include "camera.glsl"
#include "lighting.glsl"
#include "air.glsl"

layout(set = 0, binding = 4) uniform sampler2D source;
layout(set = 0, binding = 5) uniform sampler2D depth;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    float d = texelFetch(depth, texel, 0).r;
    vec3 ray = world_ray(uv), eye = ray_origin(uv);
    vec4 veil = air_along(eye, ray, d > 0.0 ? distance(world_position(uv, d), eye) : air.reach);
    out_color = vec4(mix(texelFetch(source, texel, 0).rgb, veil.rgb, veil.a), 1.0);
}
