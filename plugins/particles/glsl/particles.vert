#version 450
#include "camera.glsl"
#include "particles.glsl"

// A square around each particle that there is at the moment that is drawn, facing the camera.

layout(std430, set = 0, binding = 4) readonly buffer state {
    Particle particles[];
};

#if HAS_ORDER
layout(std430, set = 0, binding = 6) readonly buffer order {
    uvec2 sorted_keys[];  // y: the place of the particle
};
#define PLACE(number) sorted_keys[number].y
#else
#define PLACE(number) number
#endif

layout(location = 0) out vec2 corner;
layout(location = 1) flat out vec4 color;  // linear, and opacity
layout(location = 2) flat out vec3 surface;  // softness, additive, lit
layout(location = 3) out vec3 world;
layout(location = 4) flat out int layer;  // of the image; negative: there is none

// The clip position of vertices that are not drawn: outside of every picture.
const vec4 NOT_DRAWN = vec4(2.0, 2.0, 2.0, 1.0);
const vec2 CORNERS[6] = vec2[](vec2(-1, -1), vec2(1, -1), vec2(1, 1), vec2(-1, -1), vec2(1, 1), vec2(-1, 1));

void main() {
    Particle particle = particles[PLACE(gl_VertexIndex / 6)];
    corner = CORNERS[gl_VertexIndex % 6];
    float age = particle.age - emitters.behind;
    gl_Position = NOT_DRAWN;
    color = vec4(0.0);
    surface = vec3(0.0);
    world = vec3(0.0);
    layer = -1;
    if (particle.lifetime <= 0.0 || age < 0.0 || particle.row >= emitters.count) {
        return;
    }
    Emitter emitter = emitters.rows[particle.row];
    if (emitter.number != particle.emitter) {
        return;
    }
    float life = clamp(age / particle.lifetime, 0.0, 1.0);
    float place = life * float(STOPS - 1);
    int stop = min(int(place), STOPS - 2);
    float between = place - float(stop);
    color = mix(emitter.colors[stop], emitter.colors[stop + 1], between);
    if (emitter.layer >= 0) {
        layer = emitter.layer + int(min(fract(life * emitter.plays), 0.9999) * float(emitter.cells));
    }
    surface = vec3(emitter.softness, emitter.additive, emitter.lit);
    float size = mix(emitter.sizes[stop], emitter.sizes[stop + 1], between);
    vec3 right = vec3(camera.view[0][0], camera.view[1][0], camera.view[2][0]);
    vec3 up = vec3(camera.view[0][1], camera.view[1][1], camera.view[2][1]);
    vec3 center = drawn_center(particle);
    world = center + (right * corner.x + up * corner.y) * size;
    gl_Position = camera.view_projection * vec4(world, 1.0);
}
