#version 450
#include "camera.glsl"
#include "particles.glsl"

// A square around each particle that there is at the moment that is drawn, facing the camera.

layout(std430, set = 0, binding = 4) readonly buffer state {
    Particle particles[];
};

layout(location = 0) out vec2 corner;
layout(location = 1) flat out vec4 color;  // linear, and opacity
layout(location = 2) flat out vec2 surface;  // softness, additive

// The clip position of vertices that are not drawn: outside of every picture.
const vec4 NOT_DRAWN = vec4(2.0, 2.0, 2.0, 1.0);
const vec2 CORNERS[6] = vec2[](vec2(-1, -1), vec2(1, -1), vec2(1, 1), vec2(-1, -1), vec2(1, 1), vec2(-1, 1));

void main() {
    Particle particle = particles[gl_VertexIndex / 6];
    corner = CORNERS[gl_VertexIndex % 6];
    float age = particle.age - emitters.behind;
    gl_Position = NOT_DRAWN;
    color = vec4(0.0);
    surface = vec2(0.0);
    if (particle.lifetime <= 0.0 || age < 0.0 || particle.row >= emitters.count) {
        return;
    }
    Emitter emitter = emitters.rows[particle.row];
    if (emitter.number != particle.emitter) {
        return;
    }
    float place = clamp(age / particle.lifetime, 0.0, 1.0) * float(STOPS - 1);
    int stop = min(int(place), STOPS - 2);
    float between = place - float(stop);
    color = mix(emitter.colors[stop], emitter.colors[stop + 1], between);
    surface = vec2(emitter.softness, emitter.additive);
    float size = mix(emitter.sizes[stop], emitter.sizes[stop + 1], between);
    vec3 right = vec3(camera.view[0][0], camera.view[1][0], camera.view[2][0]);
    vec3 up = vec3(camera.view[0][1], camera.view[1][1], camera.view[2][1]);
    vec3 center = particle.position - particle.velocity * emitters.behind;
    vec3 position = center + (right * corner.x + up * corner.y) * size;
    gl_Position = camera.view_projection * vec4(position, 1.0);
}
