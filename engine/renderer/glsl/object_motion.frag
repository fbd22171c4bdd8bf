#version 450
#include "camera_motion.glsl"

layout(location = 0) in vec4 clip;
layout(location = 1) in vec4 previous_clip_position;
layout(location = 0) out vec2 out_motion;

void main() {
    out_motion = motion_between(previous_clip_position, clip);
}
