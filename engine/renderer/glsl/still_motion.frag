#version 450
#include "camera_motion.glsl"

layout(set = 0, binding = 0) uniform sampler2DView depth;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec2 out_motion;

void main() {
    out_motion = still_motion(uv, texel_of_view(depth, ivec2(gl_FragCoord.xy), 0).r);
}
