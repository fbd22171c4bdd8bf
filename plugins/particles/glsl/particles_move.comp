#version 450
#include "constants.glsl"
#include "particles.glsl"

// Moves all particles by the steps since the last frame; each invocation has one place for a particle.

layout(local_size_x = 64) in;

layout(std430, set = 0, binding = 1) buffer state {
    Particle particles[];
};

// PCG (Jarzynski and Olano 2020).
uint hashed(uint value) {
    uint next = value * 747796405u + 2891336453u;
    uint word = ((next >> ((next >> 28u) + 4u)) ^ next) * 277803737u;
    return (word >> 22u) ^ word;
}

float next_random(inout uint random) {
    random = hashed(random);
    return float(random >> 8u) / 16777216.0;
}

// A direction with even distribution in the cone around the axis whose half angle has this cosine.
vec3 direction_in_cone(vec3 axis, float cosine, inout uint random) {
    float height = mix(1.0, cosine, next_random(random)), turn = TWO_PI * next_random(random);
    float away = sqrt(max(0.0, 1.0 - height * height));
    vec3 side = normalize(cross(axis, abs(axis.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0)));
    return axis * height + (side * cos(turn) + cross(axis, side) * sin(turn)) * away;
}

// The row of the emitter that a place belongs to, or -1.
int row_of(uint place) {
    int low = 0, high = int(emitters.count);
    while (low < high) {
        int middle = (low + high) / 2;
        if (emitters.rows[middle].first <= place) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    int row = low - 1;
    return row >= 0 && place - emitters.rows[row].first < emitters.rows[row].room ? row : -1;
}

Particle no_particle() {
    return Particle(vec3(0.0), 0.0, vec3(0.0), 0.0, 0u, 0u, 0u, 0.0);
}

// The particle of this number, at the end of the step in which it is born at the moment `share` of the step.
Particle newborn(int row, uint number, vec3 from, vec3 to, float share) {
    Emitter emitter = emitters.rows[row];
    uint random = hashed(number + hashed(emitter.seed));
    Particle particle = no_particle();
    particle.lifetime = mix(emitter.lifetime.x, emitter.lifetime.y, next_random(random));
    float speed = mix(emitter.speed.x, emitter.speed.y, next_random(random));
    particle.velocity = direction_in_cone(emitter.direction, emitter.cosine, random) * speed;
    vec3 within = direction_in_cone(vec3(0.0, 1.0, 0.0), -1.0, random) * pow(next_random(random), 1.0 / 3.0);
    particle.age = particle.flown = (1.0 - share) * emitters.seconds;
    particle.position = mix(from, to, share) + within * emitter.radius + particle.velocity * particle.age;
    return particle;
}

// The particle that is born at a place of an emitter in the step before the end `end` of its log, or `old`.
Particle born(Particle old, int row, uint place, int end) {
    vec4 from = emitters.rows[row].places[end - 1], to = emitters.rows[row].places[end];
    uint first = floatBitsToUint(from.w), births = floatBitsToUint(to.w) - first;
    uint room = emitters.rows[row].room;
    // Of the numbers from the first on, the first one at this place.
    uint ahead = (place + room - first % room) % room;
    if (ahead >= births) {
        return old;
    }
    ahead += (births - 1u - ahead) / room * room;  // and the last one
    return newborn(row, first + ahead, from.xyz, to.xyz, (float(ahead) + 0.5) / float(births));
}

void moved(inout Particle particle, int row) {
    particle.velocity = particle.velocity * emitters.rows[row].kept + emitters.rows[row].gravity * emitters.seconds;
    particle.position += particle.velocity * emitters.seconds;
    particle.age += emitters.seconds;
    particle.flown += emitters.seconds;
    if (particle.age >= particle.lifetime) {
        particle.lifetime = 0.0;
    }
}

void main() {
    uint place = gl_GlobalInvocationID.x;
    if (place >= particles.length()) {
        return;
    }
    int row = row_of(place);
    Particle particle = particles[place];
    int steps = int(emitters.step - particle.step);
    if (row < 0) {
        if (particle.emitter != 0u) {
            particles[place] = no_particle();  // its emitter was removed
        }
        return;
    }
    if (particle.emitter != emitters.rows[row].number || steps < 0) {
        particle = no_particle();
        steps = LOG;
    } else if (steps == 0 && particle.row == uint(row)) {
        return;
    }
    particle.flown = steps > 0 ? 0.0 : particle.flown;
    for (int left = steps; left > 0; --left) {
        if (particle.lifetime > 0.0) {
            moved(particle, row);
        } else {
            left = min(left, LOG);
        }
        if (left <= LOG) {
            particle = born(particle, row, place - emitters.rows[row].first, LOG + 1 - left);
        }
    }
    particle.emitter = emitters.rows[row].number;
    particle.row = uint(row);
    particle.step = emitters.step;
    particles[place] = particle;
}
