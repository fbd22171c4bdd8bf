// Soft edges: how much of a light is seen from a point, by taps over a disk of a depth map.
//
// PCF takes the disk as large as it is told. PCSS (Fernando 2005, "Percentage-Closer Soft Shadows") looks for what is
// in the way first, and makes the disk as large as the penumbra that this throws. Depths are reversed: nearer the light
// is larger. Taps are compared with the plane of the surface at their place (Isidoro 2006, "Shadow Mapping: GPU-based Tips
// and Techniques"), so a wide disk needs no larger bias than a narrow one.
#include "constants.glsl"

layout(set = 0, binding = 9) uniform Settings {
    int size;
    int taps;
    float softness;
    float widest;
    float blend;
    float normal_bias;
    float sun_angle;
    float light_radius;
    int light_size;
} settings;

const float STEEPEST = 12.0; // slope of a surface, in texels of depth a texel, up to which its plane is followed

// A surface point, with two directions along the surface.
struct Point {
    vec3 position;
    vec3 normal;
    vec3 along, across;
    float turn;  // of the disks, in radians
};

// A point as a map sees it.
struct Receiver {
    vec2 at;         // in uv of the map
    vec2 low, high;  // the part of the map that is its own, in uv
    vec2 texel;      // of the map, in uv
    float depth;
    vec2 slope;      // depth a texel, right and down, on the surface's plane
};

// Moved off the surface, the more the flatter the light falls on it, by up to so many metres; a tenth at the least.
vec3 biased(Point p, vec3 to_light, float metres) {
    float cosine = clamp(dot(p.normal, to_light), 0.0, 1.0);
    return p.position + p.normal * (metres * settings.normal_bias * sqrt(1.0 - 0.99 * cosine * cosine));
}

// Position in a map of so many texels a side, and depth.
vec3 in_texels(mat4 matrix, vec3 position, float size) {
    vec4 clip = matrix * vec4(position, 1.0);
    return vec3(vec2(0.5 + 0.5 * clip.x / clip.w, 0.5 - 0.5 * clip.y / clip.w) * size, clip.z / clip.w);
}

// The slope of a plane through a point, of which two others are given; all in texels and depth.
vec2 plane_slope(vec3 point, vec3 one, vec3 other, float most) {
    vec3 a = one - point, b = other - point;
    float area = a.x * b.y - a.y * b.x;
    vec2 slope = vec2(a.z * b.y - b.z * a.y, b.z * a.x - a.z * b.x) / (abs(area) < 1e-12 ? 1e-12 : area);
    float length_ = length(slope);
    return length_ > most ? slope * (most / length_) : slope;
}

// A point as a map of `size` texels a side sees it; a texel is `metres` wide and `deep` in depth there.
Receiver receiver(mat4 matrix, Point p, vec3 position, float size, float metres, float deep) {
    vec3 here = in_texels(matrix, position, size);
    vec3 one = in_texels(matrix, position + p.along * metres, size);
    vec3 other = in_texels(matrix, position + p.across * metres, size);
    Receiver r;
    r.at = here.xy / size;
    r.low = vec2(0.5 / size);
    r.high = 1.0 - r.low;
    r.texel = vec2(1.0 / size);
    r.depth = here.z;
    r.slope = plane_slope(here, one, other, STEEPEST * deep);
    return r;
}

// The taps over the unit disk: a spiral, turned by so many radians.
struct Disk {
    vec2 direction;
    float area;
};

Disk first_tap(float turn) {
    return Disk(vec2(cos(turn), sin(turn)), 0.5 / float(settings.taps));
}

vec2 next_tap(inout Disk disk) {
    const mat2 GOLDEN_TURN = mat2(-0.73736888, 0.67549029, -0.67549029, -0.73736888);
    vec2 offset = sqrt(disk.area) * disk.direction;
    disk.direction = GOLDEN_TURN * disk.direction;
    disk.area += 1.0 / float(settings.taps);
    return offset;
}

vec2 tap_place(Receiver r, vec2 offset) {
    return clamp(r.at + offset * r.texel, r.low, r.high);
}

// The depth of the surface's plane at a place; beyond its horizon it is as far away as where nothing is drawn.
float plane_depth(Receiver r, vec2 at) {
    return max(r.depth + dot((at - r.at) / r.texel, r.slope), 0.0);
}

// Four comparisons, in the order of textureGather, weighted as a comparing sampler with a linear filter does.
float weighted(vec4 found, vec2 at, vec2 texel, float depth) {
    vec2 f = fract(at / texel - 0.5);
    vec4 seen = step(found, vec4(depth));
    return mix(mix(seen.w, seen.z, f.x), mix(seen.x, seen.y, f.x), f.y);
}
