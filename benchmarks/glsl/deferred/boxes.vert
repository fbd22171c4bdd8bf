#version 450
#include "camera.glsl"

// SIDE x SIDE boxes on a ground, which is the last box, without vertex buffers. REACH is of the sun; 0 for the camera.

layout(location = 0) out vec3 normal;
layout(location = 1) out vec3 tint;
layout(location = 2) out vec4 clip;
invariant gl_Position;

const int CORNERS[6] = int[](0, 1, 2, 2, 1, 3);

void main() {
    int face = gl_VertexIndex / 6;
    int corner = CORNERS[gl_VertexIndex % 6];
    int axis = face >> 1;
    float way = (face & 1) == 0 ? 1.0 : -1.0;
    vec3 local = vec3(0.0);
    normal = vec3(0.0);
    normal[axis] = way;
    local[axis] = way;
    local[(axis + 1) % 3] = float(corner & 1) * 2.0 - 1.0;
    local[(axis + 2) % 3] = (float(corner >> 1) * 2.0 - 1.0) * way;

    vec2 cell = vec2(gl_InstanceIndex % SIDE, gl_InstanceIndex / SIDE);
    float random = fract(sin(dot(cell, vec2(12.9898, 78.233))) * 43758.5453);
    float step_size = 60.0 / float(SIDE);
    float height = step_size * (0.2 + random);
    vec2 middle = (cell + 0.5) * step_size - 30.0;
    vec3 place = vec3(middle.x, height, middle.y) + local * vec3(step_size * 0.3, height, step_size * 0.3);
    tint = 0.3 + 0.7 * fract(vec3(random * 7.0, random * 13.0, random * 29.0));
    if (gl_InstanceIndex == SIDE * SIDE) {
        place = local * vec3(40.0, 0.5, 40.0) - vec3(0.0, 0.5, 0.0);
        tint = vec3(0.4);
    }
    clip = seen_by_camera(place);
    gl_Position = REACH > 0.0 ? seen_by_sun(place, REACH) : clip;
}
