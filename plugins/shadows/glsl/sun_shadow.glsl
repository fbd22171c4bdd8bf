// Shadows of the sun from cascaded maps.
#include "cascades.glsl"

layout(set = 0, binding = 4) uniform sampler2DArray maps_0;
#if TEXTURES > 1
layout(set = 0, binding = 5) uniform sampler2DArray maps_1;
#endif
#if TEXTURES > 2
layout(set = 0, binding = 6) uniform sampler2DArray maps_2;
#endif
#if TEXTURES > 3
layout(set = 0, binding = 7) uniform sampler2DArray maps_3;
#endif

struct Cascade {
    mat4 matrix;
    float texel;
    float length_;
    int texture_;
    float layer;
};

// Constant indices are faster than a divergent index.
Cascade cascade_numbered(int number) {
    Cascade c;
    for (int n = 0; n < CASCADES; ++n) {
        if (n == number) {
            c = Cascade(cascades.matrices[n], cascades.texels[n], cascades.lengths[n], cascades.textures[n],
                        float(cascades.layers[n]));
        }
    }
    return c;
}

vec4 sun_depths(Cascade c, vec2 at) {
    vec3 place = vec3(at, c.layer);
    vec4 found = textureGather(maps_0, place);
#if TEXTURES > 1
    if (c.texture_ == 1) found = textureGather(maps_1, place);
#endif
#if TEXTURES > 2
    if (c.texture_ == 2) found = textureGather(maps_2, place);
#endif
#if TEXTURES > 3
    if (c.texture_ == 3) found = textureGather(maps_3, place);
#endif
    return found;
}

#if PCSS
Blockers sun_blockers(Cascade c, Receiver r, float texels, float spread, float turn) {
    Blockers blockers = Blockers(0.0, 0.0);
    Disk disk = first_tap(turn + 1.0);
    int taps = per_invocation(settings.taps, int(gl_FragCoord.x));
    for (int tap = 0; tap < taps; ++tap) {
        Quad q = quad_around(r, texels * next_search_tap(disk));
        count_blockers(blockers, r, q, sun_depths(c, q.middle), spread);
    }
    return blockers;
}
#endif

Receiver sun_receiver(Cascade c, Point p) {
    return receiver(c.matrix, p, biased(p, -cascades.sun, c.texel), float(settings.size), c.texel, c.texel / c.length_);
}

// Blend weight of a cascade: 0 outside its map, 1 well inside, rising across the border.
float inside_cascade(int cascade, vec3 position) {
    vec3 clip = (cascades.matrices[cascade] * vec4(position, 1.0)).xyz;
    if (clip.z > 1.0) {
        return 0.0;
    }
    // Distances to the sides and to the far plane, in units of half the map's width, less the radius of the taps. Wide
    // penumbrae of PCSS are cut off at the map's edge.
#if PCSS
    float reach = MARGIN + 2.0;
#else
    float reach = settings.softness + 2.0;
#endif
    float texel = 2.0 / float(settings.size);
    float side = 1.0 - max(abs(clip.x), abs(clip.y)) - texel * reach;
    float end = clip.z * cascades.lengths[cascade] * texel / cascades.texels[cascade];
    float border = min(side, end - texel * reach * STEEPEST);
    return clamp(border / max(settings.blend, 1e-4), 0.0, 1.0);
}

// Visibility of the sun from a point. `distance_` is measured along the view axis, in metres.
float sun(Point p, float distance_) {
    if (per_invocation(cascades.casts == 0, int(gl_FragCoord.x)) || distance_ >= cascades.end) {
        return 1.0;
    }
    if (dot(p.normal, cascades.sun) >= 0.0) {
        return 0.0;
    }
    // Cascades are chosen by the coverage of their maps, not by the slices of the view. So maps of earlier frames stay
    // valid within their bounds.
    int number = CASCADES - 1;
    float share = 0.0;
    for (int n = CASCADES - 1; n >= 0; --n) {
        float inside = inside_cascade(n, p.position);
        if (inside > 0.0) {
            number = n;
            share = inside;
        }
    }
    bool last = number == CASCADES - 1;
    Cascade near = cascade_numbered(number);
    Cascade far = cascade_numbered(min(number + 1, CASCADES - 1));
    Receiver in_near = sun_receiver(near, p);
    Receiver in_far = sun_receiver(far, p);
    float texels = settings.softness;  // filter radius in texels of the nearer cascade
    float ratio = 1.0;                 // converts that radius to texels of the farther cascade
#if PCSS
    // The penumbra's radius is the distance to the blocker times the tangent of half the sun's angle.
    bool found_near = share > 0.5;
    Cascade found = far;
    Receiver r = in_far;
    if (found_near) {
        found = near;
        r = in_near;
    }
    float spread = tan(0.5 * settings.sun_angle) * found.length_ / found.texel;
    float wide = clamp((1.0 - r.depth) * spread, MARGIN, max(settings.widest, MARGIN));
    Blockers blockers = sun_blockers(found, r, wide, spread, p.turn);
    if (blockers.count == 0.0) {
        return 1.0;
    }
    ratio = near.texel / far.texel;
    texels = penumbra(blockers, spread, settings.widest) / (found_near ? 1.0 : ratio);
#endif
    // In the blend region, the taps are divided between the two cascades.
    float sum = 0.0;
    float choice = p.turn;
    Disk disk = first_tap(p.turn);
    int taps = per_invocation(settings.taps, int(gl_FragCoord.x));
    for (int tap = 0; tap < taps; ++tap) {
        vec2 offset = texels * next_tap(disk);
        choice = fract(choice + GOLDEN_RATIO);
        bool chosen = choice < share;
        Cascade c = near;
        Receiver r = in_near;
        if (!chosen) {
            c = far;
            r = in_far;
            offset *= ratio;
        }
        Quad q = quad_around(r, offset);
        float seen = quad_seen(r, q, sun_depths(c, q.middle));
        sum += chosen || !last ? seen : 1.0;
    }
    float fade = clamp((cascades.end - distance_) / max(cascades.end * settings.blend, 1e-4), 0.0, 1.0);
    return mix(1.0, sum / float(settings.taps), fade);
}
