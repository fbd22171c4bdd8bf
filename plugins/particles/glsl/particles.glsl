// Emitters and particles, as in table.py.

const int LOG = 32;
const int STOPS = 4;

struct Emitter {
    uint first;      // its first place for a particle
    uint room;       // its places
    uint number;     // of the emitter, from 1
    uint seed;
    vec2 lifetime;   // least and greatest
    vec2 speed;
    vec3 direction;
    float cosine;    // of the greatest angle to the direction
    vec3 gravity;
    float kept;      // share of the velocity that drag leaves after a step
    float radius;
    float softness;
    float additive;
    float lit;
    float restitution;  // negative: they die instead
    float friction;
    float distance_;    // from surfaces at which they collide
    float thickness;    // of surfaces; 0: they do not collide
    int layer;       // of the first cell of its image; negative: it has none
    uint cells;      // of its image
    float plays;     // of all cells in a life
    uint unused;
    vec4 sizes;
    vec4 colors[STOPS];
    vec4 places[LOG + 1];  // at the ends of the last steps: position, and the births until then as bits
};

struct Particle {
    vec3 position;
    float age;       // in seconds
    vec3 velocity;
    float lifetime;  // 0: there is none
    uint emitter;    // its number
    uint row;        // its row among the emitters
    uint step;       // the last one that it has moved in
    float flown;     // seconds without a collision before it, of this frame's steps or its birth
};

layout(std430, set = 0, binding = 5) readonly buffer Emitters {
    uint count;
    uint step;
    float seconds;   // of a step
    float behind;    // from the moment that is drawn to the end of the last step, in seconds
    Emitter rows[];
} emitters;

// Where a particle is at the moment that is drawn, which is not before its last collision.
vec3 drawn_center(Particle particle) {
    return particle.position - particle.velocity * min(emitters.behind, particle.flown);
}
