// Shadows of rectangle lights. Each tile is the view from the middle of a part of the rectangle, and tells which share of
// that part is seen (PCSS, with the extent of the part). The parts count by the light that they send to the point.

const float EDGE = 0.1;         // of a tile, in which shadows fade out, as a share of half its width
const float ELLIPSE = 1.12838;  // axes of the ellipse of a rectangle's area, as a multiple of its sides
const int LEAST_TAPS = 4;       // for each part

// Share of a part that is seen. `size` has the axes of its ellipse, in texels at the receiver's distance.
float part_seen(int slot, Receiver r, vec2 size, float turn) {
    int taps = per_invocation(max(settings.taps / 4, LEAST_TAPS), int(gl_FragCoord.x));
    vec2 wide = max(size, vec2(MARGIN)), spread = size / r.depth;
    Blockers blockers = Blockers(0.0, 0.0);
    Disk disk = first_of(taps, turn + 1.0);
    for (int tap = 0; tap < taps; ++tap) {
        Quad q = quad_around(r, wide * next_tap(disk));
        vec4 above = above_plane(r, q, lamp_depths(slot, q.middle));
        // The cone from the point to the part, at the heights of the four texels.
        vec4 across = q.right / (MARGIN + above * spread.x), along = q.down / (MARGIN + above * spread.y);
        vec4 within = vec4(lessThan(across * across + along * along, vec4(1.0)));
        vec4 counted = blocking(r, q, above) * within;
        blockers.height += dot(above, counted);
        blockers.count += dot(vec4(1.0), counted);
    }
    if (blockers.count == 0.0) {
        return 1.0;
    }
    vec2 texels = max(spread * (blockers.height / blockers.count), vec2(LEAST_RADIUS));
    float sum = 0.0;
    disk = first_of(taps, turn);
    for (int tap = 0; tap < taps; ++tap) {
        Quad q = quad_around(r, texels * next_tap(disk));
        sum += quad_seen(r, q, lamp_depths(slot, q.middle));
    }
    return sum / float(taps);
}

// Visible share of a slot's rectangle from a point.
float rectangle_light(int slot, Point p) {
    vec4 tiles = local.tiles[slot];
    float seen = 0.0, whole = 0.0;
    int count = per_invocation(COLUMNS * ROWS, int(gl_FragCoord.x));
    for (int tile = 0; tile < count; ++tile) {
        vec3 to_part = local.origins[slot * COLUMNS * ROWS + tile].xyz - p.position;
        vec4 clip = local.matrices[slot * COLUMNS * ROWS + tile] * vec4(p.position, 1.0);
        float away = clip.w;  // metres along the rectangle's direction
        float distance2 = dot(to_part, to_part);
        float light = dot(p.normal, to_part) * away / (distance2 * distance2);
        if (away <= NEAR || light <= 0.0) {
            continue;
        }
        whole += light;
        float covered = clamp((1.0 - max(abs(clip.x), abs(clip.y)) / away) / EDGE, 0.0, 1.0);
        if (covered > 0.0) {
            float texel = tiles.y * away;
            Receiver r = tile_receiver(slot, tile, p, to_part * inversesqrt(distance2), away, texel);
            float share = part_seen(slot, r, ELLIPSE * tiles.zw / texel, p.turn + GOLDEN_ANGLE * float(tile));
            light *= mix(1.0, share, covered);
        }
        seen += light;
    }
    return whole > 0.0 ? seen / whole : 1.0;
}
