#version 450
#include "culling.glsl"
#include "per_invocation.glsl"

// Lists the instances of each draw command that may be seen, each for one level of its mesh. An invocation looks at the
// instances of one command. Those of coarser levels are the instances of the finest.

layout(local_size_x = 64) in;

const int MOST_VIEWS = 16;

layout(std430, set = 0, binding = 4) writeonly buffer culled_draws { Command culled[]; };
layout(std430, set = 0, binding = 5) writeonly buffer culled_instances { uint kept[]; };
layout(set = 0, binding = 6) uniform Frusta {
    mat4 matrices[MOST_VIEWS];
    int count;
    int near;  // 1: what is in front of the near plane is outside, 0: it is not
    uint layers;
    vec3 eye;
    float slope;        // of half the field of view
    float half_height;  // of an orthographic picture; both 0: everything is large
    vec4 reach;         // a sphere: what is outside of it is not seen
} frusta;

#if HAS_VERDICTS
layout(std430, set = 0, binding = 7) readonly buffer verdicts { uint verdict_of[]; };
#elif HAS_LAST_VERDICTS
layout(std430, set = 0, binding = 7) readonly buffer last_verdicts { uint verdict_of[]; };
#endif

layout(push_constant) uniform Push {
    int first;
    int count;
} push;

// Half the height of what the picture shows, in metres, at the distance of a point.
float half_height_at(vec3 point) {
    return distance(point, frusta.eye) * frusta.slope + frusta.half_height;
}

// Whether a sphere's diameter is below a part of the picture's height. Turning the camera does not change it.
bool smaller(vec4 sphere, float size) {
    return sphere.w < size * half_height_at(sphere.xyz);
}

bool has_level(vec4 sphere, uint at) {
    return !smaller(sphere, bounds[at].least) && (bounds[at].finest == at || smaller(sphere, bounds[at].below));
}

bool seen(vec4 sphere) {
    int count = per_invocation(frusta.count, int(gl_GlobalInvocationID.x));
    for (int view = 0; view < count; view++) {
        if (!outside(frusta.matrices[view], float(frusta.near), sphere.xyz, sphere.w)) {
            return true;
        }
    }
    return count == 0;
}

#if HAS_VERDICTS

// Unless it is known to be hidden.
bool left_in(uint number, vec4 sphere, uint at) {
    return number >= verdict_of.length() || verdict_of[number] != HIDDEN;
}

#elif HAS_LAST_VERDICTS

// An occluder has to cover 8 texels a triangle: this many by the square of its size, in a picture of 1080 lines.
const float TEXELS = 1080.0 * 1080.0 * 0.785;
const float TEXELS_A_TRIANGLE = 8.0;

// If the last frame has seen it, and it may hide more than it costs.
bool left_in(uint number, vec4 sphere, uint at) {
    float away = half_height_at(sphere.xyz);
    bool pays = TEXELS * sphere.w * sphere.w >= TEXELS_A_TRIANGLE * float(draws[at].indices / 3u) * away * away;
    return pays && number < verdict_of.length() && verdict_of[number] == SEEN;
}

#else

bool left_in(uint number, vec4 sphere, uint at) {
    return true;
}

#endif

bool listed(uint number, uint at) {
    Instance instance = instances[number];
    vec4 sphere = placed(bounds[at].sphere, instance.model);
    bool shown = (instance.material.y & frusta.layers) != 0u && left_in(number, sphere, at);
    shown = shown && distance(sphere.xyz, frusta.reach.xyz) <= (frusta.reach.w + sphere.w) * (1.0 + ROUNDING);
    return shown && has_level(sphere, at) && seen(sphere);
}

void main() {
    uint at = gl_GlobalInvocationID.x;
    if (at >= push.count) {
        return;
    }
    at += push.first;
    if (at >= culled.length()) {
        return;
    }
    Command command = draws[at];
    Command finest = draws[bounds[at].finest];
    uint start = bounds[at].listed;
    uint end = start;
    // The plan of the frame may be made for fewer instances.
    if (start + finest.instances <= kept.length()) {
        for (uint number = 0; number < finest.instances; number++) {
            uint instance = finest.first_instance + number;
            if (listed(instance, at)) {
                kept[end++] = instance;
            }
        }
    }
    command.instances = end - start;
    command.first_instance = start;
    culled[at] = command;
}
