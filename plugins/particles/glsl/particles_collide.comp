#version 450
#include "camera.glsl"
#include "particles.glsl"

// Lets the particles that have moved in this frame collide with the surfaces that a view shows: each of their steps that no
// other view has found a collision in is taken back and done again.

layout(local_size_x = 64) in;

layout(std430, set = 0, binding = 1) buffer state {
    Particle particles[];
};
layout(set = 0, binding = 2) uniform sampler2DView depth;
#include "depth_slope.glsl"

#define EMITTER_OF(particle) emitters.rows[particle.row]

// Steps of a frame that are looked at, as many as the clock gives it.
const int MOST_STEPS = 8;
// How far behind a surface, in metres, a particle may begin a step and still collide with it: surfaces are round, or move.
const float SLACK = 0.05;
// The least share of the velocity that drag leaves, for taking it back.
const float LEAST_KEPT = 0.01;

// A plane: what a view shows where it looks towards a point.
struct Surface {
    vec3 place;
    vec3 normal;
    float ahead;  // of the point, in metres
};

// The surface that hides a point in this view, or is just behind it; false where there is none.
bool surface_at(vec3 point, out Surface surface) {
    vec4 clip = camera.view_projection * vec4(point, 1.0);
    if (clip.w <= 0.0 || any(greaterThan(abs(clip.xy), vec2(clip.w))) || clip.z > clip.w) {
        return false;
    }
    ivec2 size = textureSize(depth, 0).xy;
    vec2 uv = vec2(0.5 + 0.5 * clip.x / clip.w, 0.5 - 0.5 * clip.y / clip.w);
    ivec2 texel = min(ivec2(uv * vec2(size)), size - 1);
    float d = texel_of_view(depth, texel, 0).r;
    if (d <= 0.0) {
        return false;
    }
    mat3 to_view = mat3(camera.view);
    vec3 across = slope(texel, d, ivec2(1, 0)) * to_view, down = slope(texel, d, ivec2(0, 1)) * to_view;
    surface.place = world_position((vec2(texel) + 0.5) / vec2(size), d);
    surface.normal = normalize(cross(down, across));
    surface.ahead = linear_depth(clip.z / clip.w) - linear_depth(d);
    return true;
}

// Whether a step of a particle to a point ends behind a surface that it does not begin behind.
bool collides(Particle particle, vec3 to, out Surface surface, out float before, out float after) {
    if (!surface_at(to, surface) || surface.ahead > EMITTER_OF(particle).thickness) {
        return false;
    }
    before = dot(particle.position - surface.place, surface.normal) - EMITTER_OF(particle).distance_;
    after = dot(to - surface.place, surface.normal) - EMITTER_OF(particle).distance_;
    return after < 0.0 && before >= -SLACK;
}

// The velocity after a collision.
vec3 reflected(Particle particle, vec3 normal) {
    float outwards = dot(particle.velocity, normal);
    vec3 along = particle.velocity - normal * outwards;
    float kept = max(outwards, -outwards * EMITTER_OF(particle).restitution);
    return along * (1.0 - EMITTER_OF(particle).friction) + normal * kept;
}

// The particle at the begin of this frame's steps.
Particle taken_back(Particle particle, int steps) {
    for (int step = 0; step < steps; ++step) {
        particle.flown -= emitters.seconds;
        particle.position -= particle.velocity * emitters.seconds;
        particle.velocity -= EMITTER_OF(particle).gravity * emitters.seconds;
        particle.velocity /= max(EMITTER_OF(particle).kept, LEAST_KEPT);
    }
    return particle;
}

// Does a step, and says whether the particle has collided in it.
bool stepped(inout Particle particle) {
    particle.velocity *= EMITTER_OF(particle).kept;
    particle.velocity += EMITTER_OF(particle).gravity * emitters.seconds;
    vec3 to = particle.position + particle.velocity * emitters.seconds;
    Surface surface;
    float before, after;
    if (!collides(particle, to, surface, before, after)) {
        particle.position = to;
        particle.flown += emitters.seconds;
        return false;
    }
    float share = before > 0.0 ? before / (before - after) : 0.0;
    vec3 contact = mix(particle.position, to, share) - surface.normal * min(before, 0.0);
    particle.velocity = reflected(particle, surface.normal);
    particle.flown = (1.0 - share) * emitters.seconds;
    particle.position = contact + particle.velocity * particle.flown;
    return true;
}

void main() {
    uint place = gl_GlobalInvocationID.x;
    if (place >= particles.length()) {
        return;
    }
    Particle particle = particles[place];
    if (particle.lifetime <= 0.0 || particle.row >= emitters.count) {
        return;
    }
    int steps = min(int(particle.flown / emitters.seconds + 0.01), MOST_STEPS);
    if (EMITTER_OF(particle).thickness <= 0.0 || steps == 0) {
        return;
    }
    Particle again = taken_back(particle, steps);
    bool collided = false;
    for (int step = 0; step < steps; ++step) {
        collided = stepped(again) || collided;
        if (collided && EMITTER_OF(particle).restitution < 0.0) {
            again.lifetime = 0.0;
            break;
        }
    }
    if (collided) {
        particles[place] = again;
    }
}
