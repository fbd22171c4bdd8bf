// Light from a rectangle, by linearly transformed cosines (Heitz, Dupuy, Hill and Neubelt 2016): the specular lobe is a
// clamped cosine whose directions are transformed by a matrix, so its integral over a polygon is that of the cosine over the
// polygon transformed back. area_fit.py fits the matrices.

layout(set = 0, binding = 20) uniform sampler2D area_light_table;

// The matrix that transforms the lobe to a cosine, for directions along (towards the viewer, across, normal).
mat3 lobe_to_cosine(float roughness, float n_v) {
    vec2 size = vec2(textureSize(area_light_table, 0));
    vec2 at = (vec2(roughness, sqrt(1.0 - min(n_v, 1.0))) * (size - 1.0) + 0.5) / size;
    vec4 fit = textureLod(area_light_table, at, 0.0);
    float alpha = roughness * roughness;
    return mat3(fit.x, 0.0, alpha * fit.z, 0.0, 1.0, 0.0, fit.y, 0.0, alpha * fit.w);
}

// Part of an edge between two unit vectors in the integral of a cosine.
float edge_integral(vec3 a, vec3 b) {
    vec3 normal = cross(a, b);
    float sine = length(normal);
    return normal.z * (sine > 1e-4 ? atan(sine, dot(a, b)) / sine : 1.0);
}

// Share of a clamped cosine around (0, 0, 1) that a rectangle takes. What lies below the horizon is cut off.
float cosine_share(vec3 corners[4]) {
    vec3 kept[5];
    int count = 0;
    for (int i = 0; i < 4; ++i) {
        vec3 a = corners[i], b = corners[(i + 1) % 4];
        if (a.z > 0.0) {
            kept[count++] = normalize(a);
        }
        if ((a.z > 0.0) != (b.z > 0.0) && count < 5) {
            kept[count++] = normalize(vec3((a.xy * b.z - b.xy * a.z) / (b.z - a.z), 0.0));
        }
    }
    float sum = 0.0;
    for (int i = 0; i < count; ++i) {
        sum += edge_integral(kept[i], kept[i + 1 < count ? i + 1 : 0]);
    }
    return abs(sum) * 0.15915494;
}

// Diffuse and specular share of the light of a rectangle, from its middle `to_light` and half its sides.
vec2 rectangle_shares(vec3 to_light, vec3 right, vec3 up, vec3 n, vec3 v, float roughness) {
    vec3 along = v - n * dot(n, v);
    vec3 other = abs(n.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0);
    along = dot(along, along) > 1e-8 ? normalize(along) : normalize(cross(n, other));
    mat3 frame = transpose(mat3(along, cross(n, along), n));
    vec3 middle = frame * to_light, x = frame * right, y = frame * up;
    vec3 corners[4] = vec3[](middle - x - y, middle + x - y, middle + x + y, middle - x + y);
    float diffuse = cosine_share(corners);
    mat3 back = lobe_to_cosine(roughness, max(dot(n, v), 0.0));
    for (int i = 0; i < 4; ++i) {
        corners[i] = back * corners[i];
    }
    return vec2(diffuse, cosine_share(corners));
}
