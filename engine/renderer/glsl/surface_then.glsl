// Where the surface of a texel was in the last frame, and how much of it was seen. For temporal effects: the shader
// that includes this declares the textures `depth`, `previous_depth` and `motion_vectors`, of one size.
#include "camera_motion.glsl"
#include "projections.glsl"

// Threshold of the second difference of depth at the edge of a surface, as a share of the distance.
const float EDGE = 0.001;

// The difference of depth that stands for the distance of a surface.
float distance_unit(float d) {
    return depth_unit(camera_motion.view_projection, d);
}

// Velocity dilation: the nearest of the surrounding texels on another surface, because an edge moves with the surface
// in front. On one plane reversed depth is linear, so a texel and its opposite sum to twice the centre's depth, and the
// centre keeps its own motion.
ivec2 nearest_around(ivec2 texel, ivec2 last) {
    float depths[9];
    for (int i = 0; i < 9; ++i) {
        depths[i] = texelFetch(depth, clamp(texel + ivec2(i % 3, i / 3) - 1, ivec2(0), last), 0).r;
    }
    float middle = depths[4], largest = middle, edge = EDGE * distance_unit(middle);
    int nearest = 4;
    for (int i = 0; i < 9; ++i) {
        float bend = depths[i] + depths[8 - i] - 2.0 * middle;
        if (depths[i] > largest && bend > edge) {
            largest = depths[i];
            nearest = i;
        }
    }
    return clamp(texel + ivec2(nearest % 3, nearest / 3) - 1, ivec2(0), last);
}

float depth_then(ivec2 texel) {
    return texelFetch(previous_depth, clamp(texel, ivec2(0), textureSize(previous_depth, 0) - 1), 0).r;
}

float depth_now(ivec2 texel) {
    return texelFetch(depth, clamp(texel, ivec2(0), textureSize(depth, 0) - 1), 0).r;
}

// Directions to the neighbours on the same surface, one for each axis: the neighbours whose depth is closer to d.
ivec2 along_surface(ivec2 texel, float d) {
    bvec2 back = bvec2(
        abs(depth_now(texel - ivec2(1, 0)) - d) < abs(depth_now(texel + ivec2(1, 0)) - d),
        abs(depth_now(texel - ivec2(0, 1)) - d) < abs(depth_now(texel + ivec2(0, 1)) - d)
    );
    return ivec2(back.x ? -1 : 1, back.y ? -1 : 1);
}

// Depths in the previous frame around this texel's position `then`, relative to the depth that the surface at texel
// `front` had: the least and the largest of four texels, in units of the difference that the surface may have had.
vec2 depths_then(ivec2 front, float d, ivec2 sides, vec2 size, vec2 motion, vec2 then) {
    vec2 place = (vec2(front) + 0.5) / size;
    vec4 before = previous_clip(place, d);
    float expected = before.w > 0.0 ? before.z / before.w : d;
    // A surface with its own motion may have changed its depth by about as much as it moves in screen space.
    float own = length(motion - still_motion(place, d));
    float tolerance = own * size.y > 0.05 ? max(3.0 * own, 0.01) : 0.005;
    float slope = abs(depth_now(front + ivec2(sides.x, 0)) - d) + abs(depth_now(front + ivec2(0, sides.y)) - d);
    ivec2 corner = ivec2(floor(then * vec2(textureSize(previous_depth, 0)) - 0.5));
    vec2 range = vec2(1e9, -1e9);
    for (int i = 0; i < 4; ++i) {
        float found = depth_then(corner + ivec2(i % 2, i / 2));
        range = vec2(min(range.x, found), max(range.y, found));
    }
    return (range - expected) / (tolerance * distance_unit(expected) + slope + 1e-7);
}

// Disocclusion: whether the surface was hidden in the previous frame, by its depths_then(). The jitter makes edges flicker,
// so all surrounding texels must agree.
bool was_hidden(vec2 depths) {
    return depths.x > 1.0;
}

// Distance of neighbours on the surface at texel `front` in the previous frame, in texels, on the narrower axis. A
// surface that turns into view was a narrow rim, so the history has almost no samples of it.
float width_then(ivec2 front, ivec2 sides, vec2 size, vec2 motion) {
    ivec2 last = ivec2(size) - 1;
    vec2 x = texelFetch(motion_vectors, clamp(front + ivec2(sides.x, 0), ivec2(0), last), 0).rg;
    vec2 y = texelFetch(motion_vectors, clamp(front + ivec2(0, sides.y), ivec2(0), last), 0).rg;
    vec2 width = 1.0 - vec2(x.x - motion.x, y.y - motion.y) * size * vec2(sides);
    return min(width.x, width.y);
}
