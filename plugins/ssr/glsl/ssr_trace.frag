#version 450
#include "camera.glsl"
#include "constants.glsl"
#include "gradient_noise.glsl"
#include "per_invocation.glsl"
#include "ssr_cells.glsl"
#include "ssr_roughness.glsl"

layout(set = 0, binding = 1) uniform sampler2D source;
layout(set = 0, binding = 2) uniform sampler2D depth;
layout(set = 0, binding = 3) uniform sampler2D normal;
layout(set = 0, binding = 4) uniform sampler2D material;
layout(std430, set = 0, binding = 5) readonly buffer cells { vec2 ranges[]; };
layout(set = 0, binding = 6) uniform Settings {
    float roughness;
    int steps;
    float thickness;
    float fade;
} settings;
layout(set = 0, binding = 7) uniform EyeBlock {
    vec4 place;
    vec4 last_place;
    int number;
} eye;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_traced;  // rgb: light, premultiplied; a: share of the light that is found

// Share of the largest roughness over which reflections fade.
const float ROUGHNESS_FADE = 0.2;
// Overlap of cells on a ray, in texels, so that rounding leaves no ray in one cell.
const float NUDGE = 0.005;
// Largest light of a ray: for mirrors below the largest 16-bit float; for rough surfaces so low that a single ray that
// finds a lamp leaves no speck.
const float BRIGHTEST = 60000.0, BRIGHTEST_BLURRED = 16.0;

// A ray in the picture: texels from the top left corner, and reversed depth. Both change linearly along it, by `along`
// for each texel of its longer axis.
struct Ray {
    vec3 start;
    vec3 along;
    float end;
};

vec3 at(Ray ray, float way) {
    return ray.start + ray.along * way;
}

// Two numbers from 0 to 1: the pattern of texels, moved in each frame by a sequence that covers the square evenly
// (Roberts 2018, the R2 sequence).
vec2 chances() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    vec2 pattern = vec2(gradient_noise(texel), gradient_noise(texel.yx + 17));
    return fract(pattern + float(eye.number) * vec2(0.7548776662, 0.5698402910));
}

// A facet's normal that v sees, around +Z, by chance (Dupuy and Benyoub 2023).
vec3 visible_facet(vec3 v, float alpha, vec2 chance) {
    vec3 stretched = normalize(vec3(alpha * v.xy, v.z));
    float turn = TWO_PI * chance.x;
    float z = (1.0 - chance.y) * (1.0 + stretched.z) - stretched.z;
    float radius = sqrt(clamp(1.0 - z * z, 0.0, 1.0));
    vec3 h = vec3(radius * cos(turn), radius * sin(turn), z) + stretched;
    return normalize(vec3(alpha * h.xy, max(h.z, 1e-6)));
}

// A direction in which the surface reflects. Those below its horizon are mirrored to above.
vec3 reflected_by_chance(vec3 n, vec3 v, float roughness) {
    vec3 h = n;
    if (roughness >= MIRROR) {
        vec3 axis = abs(n.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0);
        vec3 x = normalize(cross(axis, n));
        vec3 y = cross(n, x);
        vec3 seen = vec3(dot(v, x), dot(v, y), max(dot(v, n), 1e-3));
        vec3 local = visible_facet(normalize(seen), roughness * roughness, chances());
        h = local.x * x + local.y * y + local.z * n;
    }
    vec3 l = reflect(-v, h);
    return l - 2.0 * min(dot(l, n), 0.0) * n;
}

// The ray from a point of the world. It ends at the border of the picture, at the near plane or infinitely far away.
Ray ray_of(vec3 position, vec3 direction, vec2 size) {
    vec4 from = camera.view_projection * vec4(position, 1.0), to = camera.view_projection * vec4(direction, 0.0);
    vec2 scale = vec2(0.5, -0.5) * size;
    vec3 slope = to.xyz * from.w - from.xyz * to.w;  // of the position in the picture, but for a positive factor
    vec3 along = vec3(slope.xy * scale, slope.z);
    vec3 start = vec3(0.5 * size + scale * from.xy / from.w, from.z / from.w);
    along /= max(max(abs(along.x), abs(along.y)), 1e-12);
    vec3 border = mix(vec3(0.0), vec3(size, 1.0), greaterThan(along, vec3(0.0)));
    vec3 ends = (border - start) / mix(vec3(-1e-12), along, greaterThan(abs(along), vec3(1e-12)));
    ends = mix(vec3(1e9), ends, greaterThan(abs(along), vec3(1e-12)));
    return Ray(start, along, min(ends.x, min(ends.y, ends.z)));
}

// How far along the ray it leaves the cell.
float end_of_cell(Ray ray, ivec2 cell, int level) {
    vec2 border = vec2((cell + ivec2(greaterThan(ray.along.xy, vec2(0.0)))) << level);
    vec2 away = mix(vec2(1.0), ray.along.xy, greaterThan(abs(ray.along.xy), vec2(1e-6)));
    vec2 ends = mix(vec2(1e9), (border - ray.start.xy) / away, greaterThan(abs(ray.along.xy), vec2(1e-6)));
    return min(ends.x, ends.y);
}

// The nearest and farthest depth of a cell.
vec2 range_of(ivec2 size, ivec2 cell, int level) {
    if (level == 0) {
        return texelFetch(depth, cell, 0).rr;
    }
    int place = level_start(size, level) + cell.y * level_size(size, level).x + cell.x;
    return place < ranges.length() ? ranges[place] : vec2(1.0, 0.0);
}

// The depth behind a surface of the assumed thickness.
float behind(float d) {
    float in_perspective = camera.near * d / (camera.near + d * settings.thickness);
    float in_parallel = d - settings.thickness * camera.projection[2][2];
    return mix(in_perspective, in_parallel, parallel_rays());
}

// Whether a texel's surface faces the ray. The light of its other side is not in the picture, and rays do not hit the
// surface from which they come.
bool faces(ivec2 texel, vec3 direction) {
    return dot(texelFetch(normal, texel, 0).xyz, direction) < 0.0;
}

// The texel whose surface the ray hits; (-1, -1) if it hits none. Rays pass cells that are all behind them or all before
// them, and look into the others.
ivec2 hit(Ray ray, vec3 direction, ivec2 size) {
    float way = end_of_cell(ray, ivec2(ray.start.xy), 0) + NUDGE;
    int level = 0;
    int steps = per_invocation(settings.steps, int(gl_FragCoord.x));
    for (int number = 0; number < steps && way < ray.end; ++number) {
        vec3 enter = at(ray, way);
        ivec2 cell = clamp(ivec2(enter.xy), ivec2(0), size - 1) >> level;
        float next = min(end_of_cell(ray, cell, level), ray.end);
        float leave = at(ray, next).z;
        vec2 range = range_of(size, cell, level);
        bool passes = min(enter.z, leave) > range.x || max(enter.z, leave) < behind(range.y);
        if (!passes && level > 0) {
            level--;
        } else if (!passes && faces(cell, direction)) {
            return cell;
        } else {
            way = max(next, way) + NUDGE;
            level = min(level + 1, COARSEST);
        }
    }
    return ivec2(-1);
}

float edge_fade(vec2 place) {
    vec2 inside = min(place, 1.0 - place) / max(settings.fade, 1e-4);
    return smoothstep(0.0, 1.0, min(inside.x, inside.y));
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy), size = textureSize(depth, 0);
    float d = texelFetch(depth, texel, 0).r;
    vec4 surface = texelFetch(material, texel, 0);
    float share = 1.0 - smoothstep((1.0 - ROUGHNESS_FADE) * settings.roughness, settings.roughness, surface.g);
    out_traced = vec4(0.0);
    if (d <= 0.0 || surface.a < 0.5 || share <= 0.0) {
        return;
    }
    vec3 position = world_position(uv, d), n = normalize(texelFetch(normal, texel, 0).xyz);
    vec3 direction = reflected_by_chance(n, towards_camera(position), surface.g);
    Ray ray = ray_of(position, direction, vec2(size));
    ivec2 found = hit(ray, direction, size);
    if (found.x >= 0) {
        // Between texels there would be light of what is beside the surface.
        vec3 light = max(texelFetch(source, found, 0).rgb, 0.0);
        float brightest = mix(BRIGHTEST, BRIGHTEST_BLURRED, spread_of(surface.g));
        light *= min(1.0, brightest / max(max(light.r, light.g), max(light.b, 1e-4)));
        share *= edge_fade((vec2(found) + 0.5) / vec2(size));
        out_traced = vec4(light * share, share);
    }
}
