#version 450
#include "camera.glsl"
#include "constants.glsl"
#include "per_invocation.glsl"
#include "small_texels.glsl"

layout(set = 0, binding = 1) uniform sampler2D small_depth;
layout(set = 0, binding = 2) uniform sampler2D depth;
#if HAS_NORMAL
layout(set = 0, binding = 3) uniform sampler2D normal;
#endif
layout(set = 0, binding = 4) uniform Settings {
    float radius;
    int slices;
    int steps;
} settings;

layout(location = 0) in vec2 uv;
layout(location = 0) out float out_visibility;

// Occlusion falls off from this share of the radius on.
const float FALLOFF_START = 0.4;
// Sine of the elevation above the surface from which an occluder counts in full.
const float LEAST_RISE = 0.08;
// Largest distance of two samples on one surface, as a share of the radius. The last two of six samples are 0.27 of the
// radius apart in screen space, and farther on surfaces that slope away.
const float WIDEST_GAP = 0.5;
// Steepest slope of depth over width from one sample to the next on one surface.
const float STEEPEST = 1.5;
// Sectors of a side of a slice, a bit each.
const float SECTORS = 32.0;
// Exponent of the sample distribution: samples are denser near the texel.
const float CLOSER = 1.7;
// Limit of the search, as a share of the picture's height. Samples on very near surfaces would be too far apart
// without it.
const float LONGEST = 0.7;

// View-space position of a texel of the picture; the camera looks along -Z.
vec3 view_position(ivec2 texel, float d) {
    vec2 size = vec2(textureSize(depth, 0));
    vec2 place = (vec2(texel) + 0.5) / size;
    float distance_ = linear_depth(d);
    // The picture's offset is in the third column in perspective, and in the fourth of parallel rays.
    vec2 clip = vec2(place.x * 2.0 - 1.0, 1.0 - place.y * 2.0) + camera.projection[2].xy - camera.projection[3].xy;
    float widening = mix(distance_, 1.0, parallel_rays());
    return vec3(clip * widening / vec2(camera.projection[0][0], camera.projection[1][1]), -distance_);
}

// Unit vector from the camera to a point in view space.
vec3 view_ray(vec3 point) {
    return normalize(mix(point, vec3(0.0, 0.0, -1.0), parallel_rays()));
}

// The factor by which the picture's scale is less at a point than a metre from the camera.
float shrinking(vec3 point) {
    return mix(-point.z, 1.0, parallel_rays());
}

vec3 at(ivec2 small) {
    float d = texelFetch(small_depth, small, 0).r;
    return view_position(full_texel(small, textureSize(depth, 0)), d);
}

// Normal from depth differences to the nearer neighbour on each axis, so that edges do not distort it.
vec3 normal_of_depth(ivec2 texel, vec3 position) {
    ivec2 last = textureSize(depth, 0) - 1;
    vec3 difference[2];
    for (int axis = 0; axis < 2; ++axis) {
        ivec2 step = ivec2(1 - axis, axis);
        ivec2 a = max(texel - step, ivec2(0)), b = min(texel + step, last);
        vec3 before = position - view_position(a, texelFetch(depth, a, 0).r);
        vec3 after = view_position(b, texelFetch(depth, b, 0).r) - position;
        bool use_after = a == texel || (b != texel && abs(after.z) < abs(before.z));
        difference[axis] = use_after ? after : before;
    }
    return normalize(cross(difference[1], difference[0]));
}

vec3 surface_normal(ivec2 texel, vec3 position) {
#if HAS_NORMAL
    return normalize(mat3(camera.view) * texelFetch(normal, texel, 0).xyz);
#else
    return normal_of_depth(texel, position);
#endif
}

// Weight of an occluder by its distance.
float falloff(float distance_) {
    return clamp((settings.radius - distance_) / (settings.radius * (1.0 - FALLOFF_START)), 0.0, 1.0);
}

// Current surface point, view vector and normal in view space, and the normal's angle in the current slice.
vec3 position, v, n;
float cos_n, sin_n;

// Cosine-weighted visibility from the view vector to a horizon on one side of it, of which the cosine is given
// (Jimenez 2016; his cosine of twice the angle is written out).
float arc(float sign_, float cosine) {
    float c = clamp(cosine, -1.0, 1.0);
    float s = sign_ * sqrt(1.0 - c * c);
    return 0.5 * (sign_ * acos(c) * sin_n + s * (s * cos_n - c * sin_n));
}

// One side of a slice during the search. Its sectors have equal shares of the visibility. They go from the view vector
// down to the surface.
struct Side {
    float sign_;
    float low;     // cosine of the angle from the view vector to the surface without occluders
    float all;     // visibility without occluders
    float open;    // visibility including partial occlusion
    uint hidden;   // sectors with an occluder
    vec3 ground;   // last sample of this surface and its continuation
    vec3 last;     // last sample
    float above;   // sectors above the last sample
    bool front;    // whether the last sample is on a thing in front of the ground
    vec3 edge;     // first sample on that thing
    float top;     // sectors above the edge
    float weight;  // weight of an occluder at the edge
};

Side side_of(float sign_) {
    float low = -sign_ * sin_n;
    float all = arc(sign_, low);
    return Side(sign_, low, all, all, 0u, position, position, SECTORS, false, position, SECTORS, 1.0);
}

// Number of sectors above a point. Samples are snapped to texels beside the slice, so points that hardly rise above the
// surface are treated as the surface.
float sectors_above(Side side, vec3 point) {
    vec3 towards = normalize(point - position);
    float cosine = mix(side.low, dot(towards, v), smoothstep(0.0, LEAST_RISE, dot(towards, n)));
    return SECTORS * clamp(arc(side.sign_, max(cosine, side.low)) / max(side.all, 1e-6), 0.0, 1.0);
}

// The bits of the first sectors from the view vector.
uint first_sectors(float count) {
    return count >= SECTORS - 0.5 ? ~0u : (1u << uint(round(count))) - 1u;
}

// Hides the sectors between two numbers. Sectors behind an occluder out of reach stay open for later samples.
void hide(inout Side side, float above, float below, float weight) {
    if (weight > 0.0) {
        uint found = first_sectors(below) & ~first_sectors(above) & ~side.hidden;
        side.open -= side.all * float(bitCount(found)) / SECTORS * weight;
        side.hidden |= found;
    }
}

// Distance of two points across the view, at the depth of the second.
float across(vec3 a, vec3 b) {
    return length(b.xy - a.xy * mix(b.z / a.z, 1.0, parallel_rays()));
}

// A thing in front of the ground is taken to be as deep as it is wide. Light passes behind it.
void leave(inout Side side, float deep) {
    vec3 back = side.edge + view_ray(side.edge) * deep;
    hide(side, side.top, sectors_above(side, back), side.weight);
}

// Adds the next sample, from near to far. Ground that rises hides all sectors below it, weighted by the distance of the
// rise from the sample before. The sectors below a thing in front of it wait until the width of the thing is known.
void take(inout Side side, ivec2 small) {
    vec3 here = at(small);
    float distance_ = length(here - position);
    float before = clamp(length(side.last - position), distance_ - WIDEST_GAP * settings.radius, distance_);
    float weight = falloff(0.5 * (before + distance_));
    float gap = across(here, side.last);
    bool same = side.front && side.last.z - here.z <= STEEPEST * gap;
    if (side.front && !same) {
        leave(side, across(side.edge, side.last) + gap);
    }
    float above = sectors_above(side, here);
    bool jump = here.z - side.ground.z > STEEPEST * across(side.ground, here);
    side.front = same || (jump && dot(here - position, n) > LEAST_RISE * distance_);
    float from = above, to = SECTORS;
    if (!side.front) {
        side.ground = here;
    } else if (!same) {
        side.edge = here;
        side.top = to = above;
        side.weight = weight;
    } else {
        from = min(above, side.above);
        to = max(above, side.above);
        weight = above < side.above ? weight : side.weight;
    }
    hide(side, from, to, weight);
    side.last = here;
    side.above = above;
}

// A thing without an end within reach may be a wall or a floor: light does not pass behind it.
float visibility_of(inout Side side) {
    if (side.front) {
        hide(side, side.top, SECTORS, side.weight);
    }
    return side.open;
}

bool inside(ivec2 small, ivec2 last) {
    return all(greaterThanEqual(small, ivec2(0))) && all(lessThanEqual(small, last));
}

// More than the rounding of a point's position, in metres.
float rounding_of(vec3 point) {
    float in_parallel = 1e-4 / camera.projection[1][1] + 1e-6 / max(camera.projection[2][2], 1e-9);
    return mix(-point.z * 1e-4, in_parallel, parallel_rays());
}

void main() {
    ivec2 small = ivec2(gl_FragCoord.xy);
    ivec2 small_last = textureSize(small_depth, 0) - 1;
    float d = texelFetch(small_depth, small, 0).r;
    if (d <= 0.0) {
        out_visibility = 1.0;
        return;
    }
    ivec2 texel = full_texel(small, textureSize(depth, 0));
    position = view_position(texel, d);
    v = -view_ray(position);
    n = surface_normal(texel, position);
    // Bias towards the camera, so that rounding of depth does not occlude.
    position += v * rounding_of(position);

    float height = float(small_last.y + 1);
    float reach = settings.radius * camera.projection[1][1] * 0.5 * height / shrinking(position);  // texels of the search
    reach = min(reach, LONGEST * height);
    if (reach < 1.0) {
        out_visibility = 1.0;
        return;
    }

    // A 4 x 4 pattern of 16 directions and 4 distance offsets.
    float turn = float((((small.x + small.y) & 3) << 2) + (small.x & 3)) / 16.0;
    float shift = float((small.y - small.x) & 3) / 4.0;
    float visibility = 0.0;
    int slices = per_invocation(settings.slices, int(gl_FragCoord.x));
    int steps = per_invocation(settings.steps, int(gl_FragCoord.x));
    for (int slice = 0; slice < slices; ++slice) {
        float angle = (float(slice) + turn) * PI / float(settings.slices);
        vec2 direction = vec2(cos(angle), sin(angle));

        vec3 along = vec3(direction, 0.0) - v * dot(vec3(direction, 0.0), v);
        vec3 axis = normalize(cross(along, v));
        vec3 projected = n - axis * dot(n, axis);
        float projected_length = length(projected);
        cos_n = clamp(dot(projected, v) / max(projected_length, 1e-6), -1.0, 1.0);
        sin_n = (dot(along, projected) < 0.0 ? -1.0 : 1.0) * sqrt(1.0 - cos_n * cos_n);

        Side forward = side_of(1.0), backward = side_of(-1.0);
        for (int i = 0; i < steps; ++i) {
            float t = (float(i) + shift + 0.125) / float(settings.steps);
            vec2 offset = max(pow(t, CLOSER) * reach, float(i) + 1.0) * vec2(direction.x, -direction.y);
            ivec2 step = ivec2(round(offset));
            if (inside(small + step, small_last)) {
                take(forward, small + step);
            }
            if (inside(small - step, small_last)) {
                take(backward, small - step);
            }
        }
        visibility += projected_length * (visibility_of(forward) + visibility_of(backward));
    }
    // Only the mean over the slices of an open hemisphere is 1. Values above 1 must be kept until the denoiser
    // averages.
    out_visibility = visibility / float(settings.slices);
}
