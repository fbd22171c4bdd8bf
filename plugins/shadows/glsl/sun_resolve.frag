#version 450
#include "camera.glsl"
#include "shadow_filter.glsl"
#include "shadow_point.glsl"
#include "sun_shadow.glsl"

layout(location = 0) in vec2 uv;
layout(location = 0) out float out_sun;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    float d = texelFetch(depth, texel, 0).r;
    Point p = point_at(uv, texel, d);
    out_sun = d <= 0.0 ? 1.0 : sun(p, linear_depth(d));
}
