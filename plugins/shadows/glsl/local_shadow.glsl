// Shadows of the local lights of a bank, whose maps are tiles of a texture for each.

// The plugin defines SLOTS (lights of a bank), COLUMNS and ROWS of the tiles of a texture, NEAR (near plane of the maps,
// in metres) and BORDER (width of a tile's border on each side, as a share of the tile).

const vec2 TILES = vec2(float(COLUMNS), float(ROWS));

layout(set = 0, binding = 11) uniform LocalBlock {
    mat4 matrices[SLOTS * COLUMNS * ROWS];
    vec4 origins[SLOTS * COLUMNS * ROWS];
    vec4 places[SLOTS];  // position, range
    vec4 tiles[SLOTS];   // number of tiles, size of a texel one metre away; half sides of a part of a rectangle
} local;

layout(set = 0, binding = 4) uniform sampler2D lamp_maps_0;
layout(set = 0, binding = 5) uniform sampler2D lamp_maps_1;
layout(set = 0, binding = 6) uniform sampler2D lamp_maps_2;
layout(set = 0, binding = 7) uniform sampler2D lamp_maps_3;

vec4 lamp_depths(int slot, vec2 at) {
    vec4 found = textureGather(lamp_maps_0, at);
    if (slot == 1) found = textureGather(lamp_maps_1, at);
    if (slot == 2) found = textureGather(lamp_maps_2, at);
    if (slot == 3) found = textureGather(lamp_maps_3, at);
    return found;
}

#if PCSS
Blockers local_blockers(int slot, Receiver r, float texels, float spread, float turn) {
    Blockers blockers = Blockers(0.0, 0.0);
    Disk disk = first_tap(turn + 1.0);
    int taps = per_invocation(settings.taps, int(gl_FragCoord.x));
    for (int tap = 0; tap < taps; ++tap) {
        Quad q = quad_around(r, texels * next_search_tap(disk));
        count_blockers(blockers, r, q, lamp_depths(slot, q.middle), spread);
    }
    return blockers;
}
#endif

int cube_face(vec3 direction) {
    vec3 size = abs(direction);
    if (size.x >= size.y && size.x >= size.z) {
        return direction.x > 0.0 ? 0 : 1;
    }
    if (size.y >= size.z) {
        return direction.y > 0.0 ? 2 : 3;
    }
    return direction.z > 0.0 ? 4 : 5;
}

// Projects a point to a tile. `away` is its distance along the tile's axis, `texel` the size of a texel there, in metres.
Receiver tile_receiver(int slot, int tile, Point p, vec3 to_light, float away, float texel) {
    mat4 matrix = local.matrices[slot * COLUMNS * ROWS + tile];
    // Depth is near / distance, so the depth of a texel is near * texel / distance^2.
    Receiver r = receiver(matrix, p, biased(p, to_light, texel), float(settings.light_size), texel,
                          NEAR * texel / (away * away));
    vec2 corner = vec2(float(tile % COLUMNS), float(tile / COLUMNS));
    r.at = (corner + r.at) / TILES;
    r.low = (corner + r.low) / TILES;
    r.high = (corner + r.high) / TILES;
    r.texel /= TILES;
    return r;
}

#include "rectangle_shadow.glsl"

// Visibility of a slot's light from a point.
float local_light(int slot, Point p) {
    vec4 tiles = local.tiles[slot];
    vec3 to_light = local.places[slot].xyz - p.position;
    float distance_ = length(to_light);
    if (tiles.x == 0.0 || distance_ >= local.places[slot].w) {
        return 1.0;
    }
    if (tiles.z > 0.0) {
        return rectangle_light(slot, p);
    }
    to_light /= max(distance_, 1e-6);
    if (dot(p.normal, to_light) <= 0.0) {
        return 0.0;
    }
    int tile = tiles.x > 1.0 ? cube_face(-to_light) : 0;
    float away = (local.matrices[slot * COLUMNS * ROWS + tile] * vec4(p.position, 1.0)).w;
    if (away <= NEAR) {
        return 1.0;
    }
    float texel = tiles.y * away;
    Receiver r = tile_receiver(slot, tile, p, to_light, away, texel);
    vec2 half_texel = 0.5 * r.texel;
    if (any(lessThan(r.at, r.low - half_texel)) || any(greaterThan(r.at, r.high + half_texel))) {
        return 1.0;  // outside the cone of a spot light
    }
    float texels = settings.softness;
#if PCSS
    float most = BORDER * float(settings.light_size);
    float wide = settings.light_radius / texel;
    // Radius of the penumbra = (receiver distance - blocker distance) / blocker distance * light radius, with
    // depth = near / distance.
    float spread = wide / r.depth;
    Blockers blockers = local_blockers(slot, r, clamp(wide, MARGIN, most), spread, p.turn);
    if (blockers.count == 0.0) {
        return 1.0;
    }
    texels = penumbra(blockers, spread, most);
#endif
    float sum = 0.0;
    Disk disk = first_tap(p.turn);
    int taps = per_invocation(settings.taps, int(gl_FragCoord.x));
    for (int tap = 0; tap < taps; ++tap) {
        Quad q = quad_around(r, texels * next_tap(disk));
        sum += quad_seen(r, q, lamp_depths(slot, q.middle));
    }
    return sum / float(settings.taps);
}
