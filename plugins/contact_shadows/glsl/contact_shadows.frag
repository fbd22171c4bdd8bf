#version 450
#include "camera.glsl"
#include "gradient_noise.glsl"
#include "lights.glsl"
#include "per_invocation.glsl"

layout(set = 0, binding = 4) uniform sampler2D depth;
#if HAS_NORMAL
layout(set = 0, binding = 5) uniform sampler2D normal;
#endif
layout(set = 0, binding = 6) uniform Settings {
    float length_;
    float thickness;
    int steps;
    float bias;
    float strength;
} settings;
layout(push_constant) uniform Push {
    int casts;  // 1 if the sun casts shadows, else 0
} push;

layout(location = 0) in vec2 uv;
layout(location = 0) out float out_visibility;

#include "surface_normal.glsl"

// Share of the ray at whose end shadows fade, and of the picture at whose border they do.
const float FADE = 0.25, BORDER = 0.05;
// How far to a side of a point the thing that hides it has to reach, as a share of the point's depth behind the surface.
const float REACH = 0.75;

// Size of a texel in the world at a depth, in metres.
float texel_size(float d) {
    float reach = mix(linear_depth(d), 1.0, parallel_rays());
    return 2.0 * reach / (camera.projection[1][1] * float(textureSize(depth, 0).y));
}

// Position in the picture, (0, 0) in the top left corner, and reversed depth. Both change linearly along a ray.
vec3 seen_at(vec3 position) {
    vec4 clip = camera.view_projection * vec4(position, 1.0);
    return vec3(0.5 + 0.5 * clip.x / clip.w, 0.5 - 0.5 * clip.y / clip.w, clip.z / clip.w);
}

// How long a ray may be so that it ends before the camera.
float before_camera(vec3 start, vec3 towards) {
    vec3 forward = camera_forward();
    float room = dot(start - camera.position, forward) - camera.near, speed = -dot(towards, forward);
    return mix(0.9 * room / max(speed, 1e-6), 1e9, max(step(speed, 1e-6), parallel_rays()));
}

float fade(vec2 place) {
    vec2 inside = min(place, 1.0 - place) / BORDER;
    return clamp(min(inside.x, inside.y), 0.0, 1.0);
}

// Whether a texel is this one or next to it. Rays that start above their surface begin there behind edges that are before
// the surface and do not touch it.
bool beside(ivec2 texel) {
    ivec2 away = abs(texel - ivec2(gl_FragCoord.xy));
    return max(away.x, away.y) <= 1;
}

// Whether a point of a ray is in front of the surface that the picture shows at an offset from it.
bool seen_aside(vec3 at, vec2 aside) {
    ivec2 size = textureSize(depth, 0);
    ivec2 texel = clamp(ivec2(floor((at.xy + aside) * vec2(size))), ivec2(0), size - 1);
    return texelFetch(depth, texel, 0).r <= at.z;
}

// Whether the thing that hides a point of a ray, which lies `behind` metres behind its surface, blocks the ray. Things are
// taken to be about as thick as they are wide: the ray passes behind one if the point would be seen on both sides of it.
bool blocked(vec3 at, float behind) {
    if (behind <= 0.0 || behind >= settings.thickness) {
        return false;
    }
    float reach = mix(linear_depth(at.z), 1.0, parallel_rays());
    vec2 aside = REACH * behind * 0.5 * vec2(camera.projection[0][0], camera.projection[1][1]) / reach;
    vec2 x = vec2(aside.x, 0.0), y = vec2(0.0, aside.y);
    bool narrow = seen_aside(at, -x) && seen_aside(at, x), low = seen_aside(at, -y) && seen_aside(at, y);
    return !narrow && !low;
}

// The share of the sun that a ray in the picture sees.
float marched(vec3 start, vec3 end) {
    ivec2 size = textureSize(depth, 0);
    int steps = per_invocation(settings.steps, int(gl_FragCoord.x));
    // The noise moves the steps of neighbouring texels.
    float first = gradient_noise(ivec2(gl_FragCoord.xy));
    for (int number = 0; number < steps; ++number) {
        float way = (float(number) + first) / float(steps);
        vec3 at = mix(start, end, way);
        if (any(lessThan(at.xy, vec2(0.0))) || any(greaterThanEqual(at.xy, vec2(1.0)))) {
            return 1.0;
        }
        ivec2 texel = ivec2(at.xy * vec2(size));
        float surface = texelFetch(depth, texel, 0).r;
        float behind = linear_depth(at.z) - linear_depth(surface);
        if (!beside(texel) && blocked(at, behind)) {
            return 1.0 - fade(at.xy) * clamp((1.0 - way) / FADE, 0.0, 1.0);
        }
    }
    return 1.0;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    float d = texelFetch(depth, texel, 0).r;
    vec3 position = world_position(uv, max(d, 1e-6 * camera.near));
    vec3 n = surface_normal(position, texel), towards = -lights.sun_direction;
    out_visibility = 1.0;
    vec3 light = lights.sun_radiance * float(push.casts);
    if (d > 0.0 && dot(n, towards) * dot(light, vec3(1.0)) > 0.0) {
        // A sample shows the surface half a texel beside the ray at most, so one texel above it the ray is free of it.
        vec3 start = position + n * texel_size(d) * settings.bias;
        vec3 end = start + towards * min(settings.length_, before_camera(start, towards));
        out_visibility = mix(1.0, marched(seen_at(start), seen_at(end)), settings.strength);
    }
}
