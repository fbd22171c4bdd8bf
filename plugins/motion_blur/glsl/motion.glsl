// Motion vectors scaled to the shutter time.

layout(set = 0, binding = 1) uniform sampler2D motion_vectors;
layout(set = 0, binding = 2) uniform Settings {
    float shutter;
    int samples;
} settings;

// Half of the motion while the shutter is open, in texels of a picture of that extent, clamped to the size of a tile.
vec2 half_motion(ivec2 rendered, ivec2 extent) {
    vec2 motion = texelFetch(motion_vectors, rendered, 0).xy;
    motion = max(abs(motion.x), abs(motion.y)) < 4.0 ? motion : vec2(0.0);  // larger values mark "no previous position"
    vec2 half_ = motion * vec2(extent) * settings.shutter * 0.5;
    return half_ * min(1.0, float(TILE) / max(length(half_), 1e-6));
}
