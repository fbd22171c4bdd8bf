#version 450
#include "camera.glsl"
#include "shadow_filter.glsl"
#include "sun_shadow.glsl"
#if LIGHTS
#include "local_shadow.glsl"
#endif

layout(set = 0, binding = 2) uniform sampler2D depth;
#if HAS_NORMAL
layout(set = 0, binding = 3) uniform sampler2D normal;
#endif

layout(location = 0) in vec2 uv;
layout(location = 0) out float out_sun;
#if LIGHTS
layout(location = 1) out vec4 out_lights;
#endif

vec3 surface_normal(vec3 position, ivec2 texel) {
#if HAS_NORMAL
    return normalize(texelFetch(normal, texel, 0).xyz);
#else
    return normalize(cross(dFdy(position), dFdx(position)));
#endif
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    float d = texelFetch(depth, texel, 0).r;
    Point p;
    p.position = world_position(uv, max(d, 1e-6 * camera.near));
    p.normal = surface_normal(p.position, texel);
    vec3 axis = abs(p.normal.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0);
    p.along = normalize(cross(p.normal, axis));
    p.across = cross(p.normal, p.along);
    // Interleaved gradient noise (Jimenez 2014) rotates the disks of neighbouring texels by very different angles.
    p.turn = TWO_PI * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    bool sky = d <= 0.0;
    out_sun = sky ? 1.0 : sun(p, linear_depth(d));
#if LIGHTS
    out_lights = vec4(1.0);
    for (int channel = 0; channel < CHANNELS; ++channel) {
        if (!sky && per_invocation(channel < local.channels, int(gl_FragCoord.x))) {
            out_lights[channel] = local_light(channel, p);
        }
    }
#endif
}
