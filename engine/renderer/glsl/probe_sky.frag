#version 450
// The sky behind the surfaces around a probe.
#include "cube.glsl"
#include "lighting.glsl"

layout(push_constant) uniform Push {
    int face;
} push;

layout(location = 0) in vec2 uv;

layout(location = 0) out vec4 out_light;
layout(location = 1) out vec4 out_reflectance;
layout(location = 2) out vec4 out_normal;

void main() {
    vec2 at = uv * 2.0 - 1.0;
    out_light = vec4(min(sky_color(normalize(cube_direction(per_invocation(push.face, int(gl_FragCoord.x)), vec2(-at.x, at.y)))), 65000.0), 1.0);
    out_reflectance = vec4(0.0);
    out_normal = vec4(0.0, 1.0, 0.0, 0.0);
}
