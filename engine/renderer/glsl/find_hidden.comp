#version 450
#include "camera.glsl"
#include "culling.glsl"
#include "depth_pyramid.glsl"

// Judges all instances by one view: hidden if the view's depth pyramid is nearer than the instance's box wherever this
// may cover a texel. The views of a player judge one after another. The commands of finest levels have all instances;
// four invocations share a command.

layout(local_size_x = 16, local_size_y = 4) in;

layout(std430, set = 0, binding = 4) readonly buffer depth_pyramid { float farthest[]; };
layout(std430, set = 0, binding = 5) buffer verdicts { uint verdict_of[]; };

layout(push_constant) uniform Push {
    int first;
    int count;
} push;

// A relative margin for depths that a rasteriser interpolates.
const float MARGIN = 1.0 / 512.0;

// Texels on each axis of a level that a box is compared with, at most: a finer level fits boxes better.
const int ACROSS = 4;

// A box in the picture: the texels whose centres it may cover, and its nearest depth. Neither is too small.
struct Outline {
    ivec2 low;
    ivec2 high;
    float nearest;
};

Outline outline_of(mat4 model, Bounds of, ivec2 picture) {
    mat4 rows = transpose(camera.view_projection);
    float far_off = length(model[3].xyz) + stretch(mat3(model)) * (length(of.sphere.xyz) + of.sphere.w);
    vec4 slack = ROUNDING * (vec4(length(rows[0].xyz), length(rows[1].xyz), length(rows[2].xyz), length(rows[3].xyz))
        * far_off + abs(camera.view_projection[3]));
    mat4 clip = camera.view_projection * model;
    vec4 center = clip * vec4(of.sphere.xyz, 1.0);
    vec4 x = clip[0] * of.reach.x, y = clip[1] * of.reach.y, z = clip[2] * of.reach.z;
    vec4 half_size = abs(x) + abs(y) + abs(z) + slack;
    float least_w = center.w - half_size.w;
    Outline outline = Outline(ivec2(0), picture - 1, 1.0);
    if (!(least_w > 0.0)) {
        return outline;  // it reaches behind the camera
    }
    vec2 low = vec2(1e30), high = vec2(-1e30);
    for (int corner = 0; corner < 8; corner++) {
        vec4 at = center + ((corner & 1) != 0 ? x : -x) + ((corner & 2) != 0 ? y : -y) + ((corner & 4) != 0 ? z : -z);
        vec2 less = at.xy - slack.xy, more = at.xy + slack.xy;
        low = min(low, min(less / (at.w - slack.w), less / (at.w + slack.w)));
        high = max(high, max(more / (at.w - slack.w), more / (at.w + slack.w)));
    }
    vec2 first = vec2(low.x + 1.0, 1.0 - high.y) * 0.5 * vec2(picture) - 1.0;  // half a texel more than the centres
    vec2 last = vec2(high.x + 1.0, 1.0 - low.y) * 0.5 * vec2(picture);
    outline.low = ivec2(ceil(clamp(first, vec2(0.0), vec2(picture - 1))));
    outline.high = ivec2(floor(clamp(last, vec2(0.0), vec2(picture - 1))));
    outline.nearest = (center.z + half_size.z) / least_w * (1.0 + MARGIN);
    return outline;
}

bool hidden(Outline outline, ivec2 picture) {
    ivec2 span = outline.high - outline.low;
    int level = max(1, findMSB(max(span.x, span.y)) - 1);
    if (any(greaterThanEqual((outline.high >> level) - (outline.low >> level), ivec2(ACROSS)))) {
        level++;
    }
    level = min(level, LEVELS);
    ivec2 low = outline.low >> level, high = outline.high >> level;
    int start = level_start(picture, level), width = level_size(picture, level).x;
    for (int y = low.y; y <= high.y; y++) {
        for (int x = low.x; x <= high.x; x++) {
            int at = start + y * width + x;
            if (at >= farthest.length() || !(outline.nearest < farthest[at])) {
                return false;
            }
        }
    }
    return true;
}

bool seen(Instance instance, Bounds of) {
    vec4 sphere = placed(of.sphere, instance.model);
    if ((instance.material.y & camera.layers) == 0u || outside(camera.view_projection, 1.0, sphere.xyz, sphere.w)) {
        return false;
    }
    ivec2 picture = ivec2(camera.extent);
    return !hidden(outline_of(instance.model, of, picture), picture);
}

void main() {
    uint at = gl_GlobalInvocationID.x;
    if (at >= push.count) {
        return;
    }
    at += push.first;
    if (bounds[at].finest != at) {
        return;
    }
    // The plan of the frame may be made for fewer instances.
    uint end = min(draws[at].first_instance + draws[at].instances, verdict_of.length());
    for (uint number = draws[at].first_instance + gl_LocalInvocationID.y; number < end; number += gl_WorkGroupSize.y) {
        if (verdict_of[number] != SEEN) {
            verdict_of[number] = seen(instances[number], bounds[at]) ? SEEN : HIDDEN;
        }
    }
}
