#version 450
#include "camera.glsl"
#include "shadow_filter.glsl"
#include "shadow_point.glsl"
#include "local_shadow.glsl"
#if defined(HAS_SHADOW_SHARING) && HAS_SHADOW_SHARING
#include "shared_channels.glsl"
#endif

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_lights;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    float d = texelFetch(depth, texel, 0).r;
    Point p = point_at(uv, texel, d);
    out_lights = vec4(1.0);
    for (int slot = 0; slot < SLOTS; ++slot) {
        if (d > 0.0) {
            out_lights[slot] = local_light(slot, p);
        }
    }
#if defined(HAS_SHADOW_SHARING) && HAS_SHADOW_SHARING
    if (d > 0.0) {
        out_lights = shared_channels(p, texel, out_lights);
    }
#endif
}
