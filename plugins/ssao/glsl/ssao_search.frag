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
const float WIDEST_GAP = 0.4;
// Exponent of the sample distribution: samples are denser near the texel.
const float CLOSER = 1.7;
// Limit of the search, as a share of the picture's height. Very near surfaces would be slow without it.
const float LONGEST = 0.3;

// View-space position of a texel of the picture; the camera looks along -Z.
vec3 view_position(ivec2 texel, float d) {
    vec2 size = vec2(textureSize(depth, 0));
    vec2 place = (vec2(texel) + 0.5) / size;
    float distance_ = linear_depth(d);
    vec2 clip = vec2(place.x * 2.0 - 1.0, 1.0 - place.y * 2.0) + camera.projection[2].xy;
    return vec3(clip * distance_ / vec2(camera.projection[0][0], camera.projection[1][1]), -distance_);
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

// Cosine-weighted visibility from the normal's angle to one horizon's angle, both from the view vector (Jimenez 2016).
float arc(float h, float n, float cos_n) {
    return 0.25 * (cos_n + 2.0 * h * sin(n) - cos(2.0 * h - n));
}

// Current surface point, view vector and normal in view space, and the normal's angle in the current slice.
vec3 position, v, n;
float angle_n, cos_n;

// One side of a slice during the horizon search.
struct Side {
    float sign_;
    float low;      // cosine of the angle from the view vector to the surface without occluders
    float highest;  // cosine of the angle to the horizon so far
    float above;    // visibility above the horizon, with everything below it hidden
    float open;     // visibility including partial occlusion
    float away;     // distance of the last sample
};

Side side_of(float sign_) {
    float low = cos(angle_n + sign_ * HALF_PI);
    float all = arc(sign_ * acos(clamp(low, -1.0, 1.0)), angle_n, cos_n);
    return Side(sign_, low, low, all, all, 0.0);
}

// Adds the next sample, from near to far. Rays between the last horizon and a higher one end between the last sample
// and this one, and that distance determines their occlusion. Samples are snapped to texels beside the slice, so
// samples that hardly rise above the surface are treated as the surface.
void take(inout Side side, ivec2 small) {
    vec3 offset = at(small) - position;
    float distance_ = max(length(offset), 1e-6);
    float found = mix(side.low, dot(offset, v) / distance_, smoothstep(0.0, LEAST_RISE, dot(offset, n) / distance_));
    if (found > side.highest) {
        float above = arc(side.sign_ * acos(clamp(found, -1.0, 1.0)), angle_n, cos_n);
        float near = max(side.away, distance_ - WIDEST_GAP * settings.radius);
        side.open -= falloff(0.5 * (near + distance_)) * (side.above - above);
        side.highest = found;
        side.above = above;
    }
    side.away = distance_;
}

bool inside(ivec2 small, ivec2 last) {
    return all(greaterThanEqual(small, ivec2(0))) && all(lessThanEqual(small, last));
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
    v = normalize(-position);
    n = surface_normal(texel, position);
    // Bias towards the camera, so that rounding of depth does not occlude.
    position += v * (-position.z) * 1e-4;

    float height = float(small_last.y + 1);
    float reach = settings.radius * camera.projection[1][1] * 0.5 * height / -position.z;  // texels of the search
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
        angle_n = (dot(along, projected) < 0.0 ? -1.0 : 1.0) * acos(cos_n);

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
        visibility += projected_length * (forward.open + backward.open);
    }
    // Only the mean over the slices of an open hemisphere is 1. Values above 1 must be kept until the denoiser
    // averages.
    out_visibility = visibility / float(settings.slices);
}
