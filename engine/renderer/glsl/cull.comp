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
    float slope;  // of half the field of view; 0: everything is large
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

// Whether a sphere's diameter is below a part of the picture's height. Turning the camera does not change it.
bool smaller(vec4 sphere, float size) {
    return sphere.w < size * (distance(sphere.xyz, frusta.eye) * frusta.slope);
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

// Whether occlusion leaves an instance in the list: of occluders, if it was seen in the last frame; of what is drawn, if
// it is not known to be hidden in this one.
bool unoccluded(uint number) {
#if HAS_VERDICTS
    return number >= verdict_of.length() || verdict_of[number] != HIDDEN;
#elif HAS_LAST_VERDICTS
    return number < verdict_of.length() && verdict_of[number] == SEEN;
#else
    return true;
#endif
}

bool listed(uint number, uint at) {
    Instance instance = instances[number];
    vec4 sphere = placed(bounds[at].sphere, instance.model);
    return unoccluded(number) && (instance.material.y & frusta.layers) != 0u && has_level(sphere, at) && seen(sphere);
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
