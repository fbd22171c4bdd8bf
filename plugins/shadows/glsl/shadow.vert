#version 450
#include "instances.glsl"

layout(push_constant) uniform Push {
    mat4 matrix;
    int flatten;  // 1: what lies before the map's near side is drawn on it
} push;

layout(location = 0) in vec3 in_position;

void main() {
    gl_Position = push.matrix * (instances[gl_InstanceIndex].model * vec4(in_position, 1.0));
    if (push.flatten == 1) {
        gl_Position.z = min(gl_Position.z, 1.0);
    }
}
