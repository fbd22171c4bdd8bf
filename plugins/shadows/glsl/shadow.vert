#version 450
#include "cascades.glsl"
#include "instances.glsl"

layout(push_constant) uniform Push {
    int cascade;
} push;

layout(location = 0) in vec3 in_position;

void main() {
    vec4 world = instances[gl_InstanceIndex].model * vec4(in_position, 1.0);
    gl_Position = cascades.matrices[push.cascade] * world;
}
