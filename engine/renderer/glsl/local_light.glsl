// A point, spot or rectangle light, a row of light_rows.py.
struct LocalLight {
    vec4 position_radius;
    vec4 radiance;          // w: 1 for a rectangle that shines forwards, 2 for one that shines both ways, else 0
    vec4 direction_cosine;  // w: cosine of the outer angle; -1 or less for others than spot lights
    vec4 inner_cosine;      // x: cosine of the inner angle; y: 1 + the layer of light_patterns, or 0; z: the angle by which
                            // the pattern is turned; w: channel of light_visibility, or -1
    // Of a rectangle, the last two begin with half its width and half its height.
};
