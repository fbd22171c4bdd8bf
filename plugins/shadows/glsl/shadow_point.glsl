// The surface point of a texel, from the depth and, if there are any, the normals of the picture.
layout(set = 0, binding = 2) uniform sampler2D depth;
#if HAS_NORMAL
layout(set = 0, binding = 3) uniform sampler2D normal;
#endif

#include "gradient_noise.glsl"
#include "surface_normal.glsl"

// The point of a texel of depth d.
Point point_at(vec2 uv, ivec2 texel, float d) {
    Point p;
    p.position = world_position(uv, max(d, 1e-6 * camera.near));
    p.normal = surface_normal(p.position, texel);
    vec3 axis = abs(p.normal.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0);
    p.along = normalize(cross(p.normal, axis));
    p.across = cross(p.normal, p.along);
    // The noise rotates the disks of neighbouring texels by very different angles.
    p.turn = TWO_PI * gradient_noise(ivec2(gl_FragCoord.xy));
    return p;
}
