// Cube maps: direction of a texel (Vulkan 1.3, "Cube Map Face Selection") and its solid angle.

// Direction of a point on a face. `at` is from -1 to 1, x right and y down.
vec3 cube_direction(int face, vec2 at) {
    switch (face) {
        case 0: return vec3(1.0, -at.y, -at.x);
        case 1: return vec3(-1.0, -at.y, at.x);
        case 2: return vec3(at.x, 1.0, at.y);
        case 3: return vec3(at.x, -1.0, -at.y);
        case 4: return vec3(at.x, -at.y, 1.0);
        default: return vec3(-at.x, -at.y, -1.0);
    }
}

// Centre of a texel on a face of `size` texels along a side, from -1 to 1.
vec2 on_face(vec2 texel, float size) {
    return (texel + 0.5) * (2.0 / size) - 1.0;
}

// Solid angle in steradians of a texel around `at`, on a face of `size` texels along a side.
float texel_solid_angle(vec2 at, float size) {
    float square = 1.0 + dot(at, at);
    return 4.0 / (size * size * square * sqrt(square));
}
