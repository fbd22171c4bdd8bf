// Soft shadow edges: taps over a disk of a depth map.
//
// PCF uses a fixed radius. PCSS (Fernando 2005, "Percentage-Closer Soft Shadows") searches blockers first and sets the
// radius to that of the penumbra. Depths are reversed: larger is nearer to the light. Texels are compared with the
// receiver's plane at their centres (Isidoro 2006, "Shadow Mapping: GPU-based Tips and Techniques"), so a wide disk
// needs no larger bias than a narrow one.
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

const float STEEPEST = 12.0; // limit of the slope of planes, in texels of depth per texel
const float LEAST_RADIUS = 0.5;  // of the filter, in texels; with bilinear weights, it smooths the steps between texels
const float MARGIN = 2.0;        // of the search for blockers around the light's cone, in texels

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
    float steepest;  // limit of such slopes
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
    r.steepest = STEEPEST * deep;
    r.slope = plane_slope(here, one, other, r.steepest);
    return r;
}

// Taps on the unit disk: a golden-angle spiral with a start angle.
struct Disk {
    vec2 direction;
    float area;
    float step_;  // of the area, from tap to tap
};

Disk first_of(int taps, float turn) {
    float step_ = 1.0 / float(taps);
    return Disk(vec2(cos(turn), sin(turn)), 0.5 * step_, step_);
}

Disk first_tap(float turn) {
    return first_of(settings.taps, turn);
}

vec2 next_tap(inout Disk disk) {
    const mat2 GOLDEN_TURN = mat2(-0.73736888, 0.67549029, -0.67549029, -0.73736888);
    vec2 offset = sqrt(disk.area) * disk.direction;
    disk.direction = GOLDEN_TURN * disk.direction;
    disk.area += disk.step_;
    return offset;
}

// Four neighbouring texels of a map. Components are in the order of textureGather.
struct Quad {
    vec2 middle;       // the point where the four meet, in uv
    vec2 share;        // bilinear weights of the texels to the right and below
    vec4 right, down;  // texels from the receiver to the centre of each of the four
};

// The texels around the point at an offset in texels from the receiver.
Quad quad_around(Receiver r, vec2 offset) {
    vec2 place = clamp(r.at + offset * r.texel, r.low, r.high) / r.texel - 0.5;
    vec2 first = min(floor(place), r.high / r.texel - 1.5);
    vec2 away = first + 0.5 - r.at / r.texel;
    return Quad((first + 1.0) * r.texel, place - first, away.x + vec4(0.0, 1.0, 1.0, 0.0),
                away.y + vec4(1.0, 1.0, 0.0, 0.0));
}

// Depths by which four texels lie above the receiver's plane, towards the light. Beyond the plane's horizon its depth
// is 0, the cleared depth.
vec4 above_plane(Receiver r, Quad q, vec4 found) {
    return found - max(r.depth + q.right * r.slope.x + q.down * r.slope.y, 0.0);
}

// 1 for each of four texels above the receiver's plane that hides the light, else 0.
//
// A surface that meets the receiver in a concave corner is above the plane, too, but hides nothing: extended along its
// slope to the receiver, it passes below. Steeper slopes are edges of blockers.
vec4 blocking(Receiver r, Quad q, vec4 above) {
    vec4 rise_right = vec4(vec2(above.y - above.x), vec2(above.z - above.w));
    vec4 rise_down = vec4(above.x - above.w, vec2(above.y - above.z), above.x - above.w);
    vec4 at_receiver = above - q.right * rise_right - q.down * rise_down;
    vec4 steepness = rise_right * rise_right + rise_down * rise_down;
    vec4 apart = max(step(vec4(0.0), at_receiver), step(vec4(r.steepest * r.steepest), steepness));
    return vec4(greaterThan(above, vec4(0.0))) * apart;
}

float mixed(vec4 values, vec2 share) {
    return mix(mix(values.w, values.z, share.x), mix(values.x, values.y, share.x), share.y);
}

// Visible share of the light at four texels, weighted as by a comparison sampler.
float quad_seen(Receiver r, Quad q, vec4 found) {
    return 1.0 - mixed(blocking(r, q, above_plane(r, q, found)), q.share);
}

// Blockers that were found so far.
struct Blockers {
    float height;  // sum of their depths above the receiver's plane
    float count;
};

// Offset of a tap of the search. Taps are dense around the receiver, so that narrow blockers near to it are found.
vec2 next_search_tap(inout Disk disk) {
    vec2 offset = next_tap(disk);
    return offset * length(offset);
}

// Counts those of four texels that lie within the cone from the receiver to the light's disk. The cone's radius grows
// by `spread` texels per unit of depth.
void count_blockers(inout Blockers b, Receiver r, Quad q, vec4 found, float spread) {
    vec4 above = above_plane(r, q, found);
    vec4 reach = MARGIN + above * spread;
    vec4 within = vec4(lessThan(q.right * q.right + q.down * q.down, reach * reach));
    vec4 counted = blocking(r, q, above) * within;
    b.height += dot(above, counted);
    b.count += dot(vec4(1.0), counted);
}

// Radius of the penumbra, in texels.
float penumbra(Blockers b, float spread, float most) {
    return clamp(spread * b.height / b.count, LEAST_RADIUS, most);
}
