// Soft shadow edges: taps over a disk of a depth map.
//
// PCF uses a fixed radius. PCSS (Fernando 2005, "Percentage-Closer Soft Shadows") searches blockers first and sets the
// radius to the penumbra's width. Depths are reversed: larger is nearer to the light. Taps are compared with the
// receiver's plane (Isidoro 2006, "Shadow Mapping: GPU-based Tips and Techniques"), so a wide disk needs no larger bias
// than a narrow one.
#include "constants.glsl"
#include "per_invocation.glsl"

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

const float STEEPEST = 12.0; // limit of the receiver plane's slope, in texels of depth per texel

// A surface point with two tangents.
struct Point {
    vec3 position;
    vec3 normal;
    vec3 along, across;
    float turn;  // rotation of the disks, in radians
};

// A point in the space of a map.
struct Receiver {
    vec2 at;         // in uv of the map
    vec2 low, high;  // bounds of the map's own part of the texture, in uv
    vec2 texel;      // size of a texel, in uv
    float depth;
    vec2 slope;      // depth per texel to the right and down, on the receiver's plane
};

// Normal offset, up to `metres` at grazing light and a tenth of that at least.
vec3 biased(Point p, vec3 to_light, float metres) {
    float cosine = clamp(dot(p.normal, to_light), 0.0, 1.0);
    return p.position + p.normal * (metres * settings.normal_bias * sqrt(1.0 - 0.99 * cosine * cosine));
}

// Position in texels and depth in a map of `size` texels along a side.
vec3 in_texels(mat4 matrix, vec3 position, float size) {
    vec4 clip = matrix * vec4(position, 1.0);
    return vec3(vec2(0.5 + 0.5 * clip.x / clip.w, 0.5 - 0.5 * clip.y / clip.w) * size, clip.z / clip.w);
}

// Slope of the plane through three points, in depth per texel, clamped to `most`.
vec2 plane_slope(vec3 point, vec3 one, vec3 other, float most) {
    vec3 a = one - point, b = other - point;
    float area = a.x * b.y - a.y * b.x;
    vec2 slope = vec2(a.z * b.y - b.z * a.y, b.z * a.x - a.z * b.x) / (abs(area) < 1e-12 ? 1e-12 : area);
    float length_ = length(slope);
    return length_ > most ? slope * (most / length_) : slope;
}

// Projects a point to a map of `size` texels along a side. A texel there is `metres` wide and has a depth of `deep`.
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

// Taps on the unit disk: a golden-angle spiral with a start angle.
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

// Depth of the receiver's plane at a tap. Clamped to 0, the cleared depth, beyond the plane's horizon.
float plane_depth(Receiver r, vec2 at) {
    return max(r.depth + dot((at - r.at) / r.texel, r.slope), 0.0);
}

// Four comparisons in textureGather's order, with the bilinear weights of a comparison sampler.
float weighted(vec4 found, vec2 at, vec2 texel, float depth) {
    vec2 f = fract(at / texel - 0.5);
    vec4 seen = step(found, vec4(depth));
    return mix(mix(seen.w, seen.z, f.x), mix(seen.x, seen.y, f.x), f.y);
}
