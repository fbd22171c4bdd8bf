// A point or spot light, a row of light_rows.py.
struct LocalLight {
    vec4 position_radius;
    vec4 radiance;
    vec4 direction_cosine;  // w: cosine of the outer angle; -1 or less for point lights
    vec4 inner_cosine;      // x: cosine of the inner angle; y: channel of light_visibility, or -1
};
