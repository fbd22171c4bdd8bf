// Images in the cones of spot lights.

layout(set = 0, binding = 35) uniform sampler2DArray light_patterns;  // by layer, in linear light

// The least cosine of half a cone, so that it has an end.
const float WIDEST_COSINE = 0.05;

// What the pattern of a spot light leaves of its light in a direction away from it, of unit length. The image fills the
// square around the cone. The axes across are those of light_rows.py.
vec3 light_pattern(LocalLight light, vec3 away) {
    vec3 ahead = light.direction_cosine.xyz;
    float side = ahead.z >= 0.0 ? 1.0 : -1.0, share = -1.0 / (side + ahead.z);
    vec3 first = vec3(1.0 + side * ahead.x * ahead.x * share, side * ahead.x * ahead.y * share, -side * ahead.x);
    vec3 second = vec3(ahead.x * ahead.y * share, side + ahead.y * ahead.y * share, -ahead.y);
    float cosine = cos(light.inner_cosine.z), sine = sin(light.inner_cosine.z);
    vec3 up = second * cosine - first * sine, right = cross(ahead, up);
    float outer = max(light.direction_cosine.w, WIDEST_COSINE);
    float width = sqrt(1.0 - outer * outer) / outer * max(dot(away, ahead), 1e-4);
    vec2 place = vec2(dot(away, right), -dot(away, up)) / max(width, 1e-6);
    return textureLod(light_patterns, vec3(0.5 + 0.5 * place, light.inner_cosine.y - 1.0), 0.0).rgb;
}
