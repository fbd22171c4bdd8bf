// Shadows of spot and point lights, whose maps are tiles of a texture for each.

// The plugin defines LIGHTS (textures), COLUMNS and ROWS of the tiles of a texture, NEAR (near plane of the maps, in metres) and BORDER (width of a
// tile's border on each side, as a share of the tile).

const vec2 TILES = vec2(float(COLUMNS), float(ROWS));

layout(set = 0, binding = 11) uniform LocalBlock {
    mat4 matrices[CHANNELS * COLUMNS * ROWS];
    vec4 places[CHANNELS];  // position, range
    vec4 tiles[CHANNELS];   // number of tiles, size of a texel one metre away
} local;

layout(set = 0, binding = 4) uniform sampler2D lamp_maps_0;
#if LIGHTS > 1
layout(set = 0, binding = 5) uniform sampler2D lamp_maps_1;
#endif
#if LIGHTS > 2
layout(set = 0, binding = 6) uniform sampler2D lamp_maps_2;
#endif
#if LIGHTS > 3
layout(set = 0, binding = 7) uniform sampler2D lamp_maps_3;
#endif

vec4 lamp_depths(int channel, vec2 at) {
    vec4 found = textureGather(lamp_maps_0, at);
#if LIGHTS > 1
    if (channel == 1) found = textureGather(lamp_maps_1, at);
#endif
#if LIGHTS > 2
    if (channel == 2) found = textureGather(lamp_maps_2, at);
#endif
#if LIGHTS > 3
    if (channel == 3) found = textureGather(lamp_maps_3, at);
#endif
    return found;
}

#if PCSS
Blockers local_blockers(int channel, Receiver r, float texels, float spread, float turn) {
    Blockers blockers = Blockers(0.0, 0.0);
    Disk disk = first_tap(turn + 1.0);
    int taps = per_invocation(settings.taps, int(gl_FragCoord.x));
    for (int tap = 0; tap < taps; ++tap) {
        Quad q = quad_around(r, texels * next_search_tap(disk));
        count_blockers(blockers, r, q, lamp_depths(channel, q.middle), spread);
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

// Visibility of a channel's light from a point.
float local_light(int channel, Point p) {
    vec4 tiles = local.tiles[channel];
    vec3 to_light = local.places[channel].xyz - p.position;
    float distance_ = length(to_light);
    if (tiles.x == 0.0 || distance_ >= local.places[channel].w) {
        return 1.0;
    }
    to_light /= max(distance_, 1e-6);
    if (dot(p.normal, to_light) <= 0.0) {
        return 0.0;
    }
    int tile = tiles.x > 1.0 ? cube_face(-to_light) : 0;
    mat4 matrix = local.matrices[channel * COLUMNS * ROWS + tile];
    float away = (matrix * vec4(p.position, 1.0)).w;  // metres along the tile's axis
    if (away <= NEAR) {
        return 1.0;
    }
    float texel = tiles.y * away;
    float size = float(settings.light_size);
    vec3 position = biased(p, to_light, texel);
    // Depth is near / distance, so the depth of a texel is near * texel / distance^2.
    Receiver r = receiver(matrix, p, position, size, texel, NEAR * texel / (away * away));
    if (any(lessThan(r.at, vec2(0.0))) || any(greaterThan(r.at, vec2(1.0)))) {
        return 1.0;  // outside the cone of a spot light
    }
    vec2 corner = vec2(float(tile % COLUMNS), float(tile / COLUMNS));
    r.at = (corner + r.at) / TILES;
    r.low = (corner + r.low) / TILES;
    r.high = (corner + r.high) / TILES;
    r.texel /= TILES;
    float texels = settings.softness;
#if PCSS
    float most = BORDER * size;
    float wide = settings.light_radius / texel;
    // Radius of the penumbra = (receiver distance - blocker distance) / blocker distance * light radius, with
    // depth = near / distance.
    float spread = wide / r.depth;
    Blockers blockers = local_blockers(channel, r, clamp(wide, MARGIN, most), spread, p.turn);
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
        sum += quad_seen(r, q, lamp_depths(channel, q.middle));
    }
    return sum / float(settings.taps);
}
