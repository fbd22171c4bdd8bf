#version 450
#include "camera.glsl"
#include "camera_motion.glsl"
#include "per_invocation.glsl"
#include "ssr_roughness.glsl"

layout(set = 0, binding = 1) uniform sampler2D traced;
layout(set = 0, binding = 2) uniform sampler2D depth;
layout(set = 0, binding = 3) uniform sampler2D normal;
layout(set = 0, binding = 4) uniform sampler2D material;
layout(set = 0, binding = 5) uniform sampler2D motion_vectors;
layout(set = 0, binding = 6) uniform sampler2D last_reflected;
layout(set = 0, binding = 7) uniform sampler2D last_age;
layout(set = 0, binding = 8) uniform sampler2D last_depth;
layout(set = 0, binding = 9) uniform Settings {
    int frames;
} settings;
layout(set = 0, binding = 10) uniform EyeBlock {
    vec4 place;  // w: 1 for a position, 0 for a direction
    vec4 last_place;
    int number;
} eye;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 reflected;
layout(location = 1) out float age;  // frames in the mean, as a share of MOST_FRAMES

const float MOST_FRAMES = 255.0;
// Limits of neighbours: the cosine of their normals, and the distance to the texel's plane as a share of its own.
const float LEAST_COSINE = 0.9, TOLERANCE = 0.01;
// Largest change of the direction of view over all frames in the mean, as a share of the width of the lobe.
const float LARGEST_TURN = 0.3;

ivec2 size;

ivec2 inside(ivec2 texel) {
    return clamp(texel, ivec2(0), size - 1);
}

float depth_at(ivec2 texel) {
    return texelFetch(depth, inside(texel), 0).r;
}

// The smaller of the two one-sided differences, which stays on the surface next to an edge.
float slope(float before, float here, float after) {
    return abs(after - here) < abs(here - before) ? after - here : here - before;
}

struct Mean {
    vec4 light;
    vec4 deviation;
};

// The mean over 3 x 3 texels, as far as they are of the same surface and it is rough.
Mean mean_around(ivec2 texel, float d, float spread) {
    vec3 n = texelFetch(normal, texel, 0).xyz;
    vec2 plane = vec2(slope(depth_at(texel - ivec2(1, 0)), d, depth_at(texel + ivec2(1, 0))),
                      slope(depth_at(texel - ivec2(0, 1)), d, depth_at(texel + ivec2(0, 1))));
    float tolerance = TOLERANCE * depth_unit(d);
    vec4 center = texelFetch(traced, texel, 0), sum = center, squares = center * center;
    float weights = 1.0;
    for (int i = 0; i < 9; ++i) {
        ivec2 side = ivec2(i % 3, i / 3) - 1, at = texel + side;
        bool same = i != 4 && at == inside(at) && abs(depth_at(at) - d - dot(plane, vec2(side))) < tolerance
            && dot(texelFetch(normal, inside(at), 0).xyz, n) > LEAST_COSINE;
        float weight = same ? spread : 0.0;
        vec4 light = texelFetch(traced, inside(at), 0);
        sum += weight * light;
        squares += weight * light * light;
        weights += weight;
    }
    vec4 mean = sum / weights;
    return Mean(mean, sqrt(max(squares / weights - mean * mean, 0.0)));
}

// Whether the previous frame shows this surface at `then`: its depth lies among those of the four texels around. A surface
// that moves by itself may have changed its depth by about as much as it moves in the picture.
bool was_seen(vec2 then, float d, vec2 motion) {
    if (any(lessThan(then, vec2(0.0))) || any(greaterThan(then, vec2(1.0)))) {
        return false;
    }
    vec4 before = previous_clip(uv, d);
    float expected = before.w > 0.0 ? before.z / before.w : d;
    float own = length(motion - still_motion(uv, d));
    float tolerance = max(TOLERANCE, 3.0 * own) * depth_unit(expected);
    ivec2 last = textureSize(last_depth, 0) - 1, corner = ivec2(floor(then * vec2(last + 1) - 0.5));
    float nearest = 0.0, farthest = 1e9;
    for (int i = 0; i < 4; ++i) {
        float seen = texelFetch(last_depth, clamp(corner + ivec2(i % 2, i / 2), ivec2(0), last), 0).r;
        nearest = max(nearest, seen);
        farthest = min(farthest, seen);
    }
    return expected > farthest - tolerance && expected < nearest + tolerance;
}

// The history, as near to the mean of this frame's nine rays as chance allows: three standard errors, which are the
// deviation of one ray. The rays alone do not tell the deviation: where one in ten finds a lamp, nine may find none. With
// a share a of rays that find the same light, it is sqrt((1 - a) / a) times their mean.
vec4 likely(vec4 history, Mean now) {
    vec4 by_chance = history * sqrt(max(1.0 - history.a, 0.0) / max(history.a, 1e-3));
    vec4 away = history - now.light, units = abs(away) / max(max(by_chance, now.deviation), 1e-5);
    float most = max(max(units.x, units.y), max(units.z, units.w));
    return most > 1.0 ? now.light + away / most : history;
}

// How many frames belong together: a surface that is seen from elsewhere reflects other things, the sooner the smoother
// it is. Motion of its own changes the reflection about as much as that of the eye.
float frames_alike(float d, vec2 motion, float roughness) {
    vec3 position = world_position(uv, d);
    vec3 now = normalize(eye.place.xyz - eye.place.w * position);
    vec3 then = normalize(eye.last_place.xyz - eye.last_place.w * position);
    float turn = length(now - then) + length(motion - still_motion(uv, d));
    return 1.0 + min(LARGEST_TURN * roughness * roughness / max(turn, 1e-6), MOST_FRAMES);
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    size = textureSize(depth, 0);
    float d = texelFetch(depth, texel, 0).r;
    reflected = vec4(0.0);
    age = 0.0;
    if (d <= 0.0) {
        return;
    }
    float roughness = texelFetch(material, texel, 0).g, spread = spread_of(roughness);
    Mean now = mean_around(texel, d, spread);
    vec2 motion = texelFetch(motion_vectors, texel, 0).rg, then = uv - motion;
    reflected = now.light;
    float frames = 1.0;
    if (was_seen(then, d, motion)) {
        vec4 history = likely(textureLod(last_reflected, then, 0.0), now);
        float most = min(mix(1.0, float(settings.frames), spread), frames_alike(d, motion, roughness));
        frames = min(textureLod(last_age, then, 0.0).r * MOST_FRAMES + 1.0, most);
        reflected = mix(history, now.light, 1.0 / max(frames, 1.0));
    }
    age = frames / MOST_FRAMES;
}
