// Layers of a surface over metal and roughness: what they do to the light of it. Plain surfaces have none.
// Sources: KHR_materials_specular, ior, clearcoat and sheen of glTF 2.0; sheen: Estevez and Kulla 2017, with the
// visibility of Ashikhmin and Neubelt (2013).
#ifdef LAYERED

struct Layers {
    vec3 f0;   // reflectance of the part that is no metal, ahead
    vec3 f90;  // and at grazing angles
    float coat;
    float coat_roughness;
    vec3 coat_normal;
    vec3 sheen;
    float sheen_roughness;
};

// Those of the fragment's surface.
Layers layers;

float reflection_visibility(float n_v, float open, float roughness);

const vec3 COAT_F0 = vec3(0.04);

// What the coat lets through, on the way to the eye.
float through_coat(vec3 v) {
    float n_v = clamp(dot(layers.coat_normal, v), 0.0, 1.0);
    return 1.0 - layers.coat * fresnel(COAT_F0, vec3(1.0), n_v).x;
}

// Light that sheen scatters under a white sky, for white fibres: the integral of sheen_light over all directions, at most
// 1. Its logarithm is fitted by least squares, weighted for an even error of the integral, with a cubic in the cosine
// whose factors depend on the roughness. The largest error is 0.014; tests/engine/renderer/test_sheen.py integrates.
float sheen_albedo(float n_v) {
    float x = n_v, y = max(layers.sheen_roughness, 0.1), z = 1.0 / y;
    vec4 cubic = vec4(0.1299 * z + 0.2419 - 1.6208 * y + 0.7627 * y * y,
                      -1.9473 * z + 4.4805 - 12.0271 * y + 7.4184 * y * y,
                      2.8912 * z - 16.7813 + 43.0265 * y - 27.5253 * y * y,
                      -3.9922 * z + 16.8812 - 36.2824 * y + 22.4099 * y * y);
    return min(exp(dot(cubic, vec4(1.0, x, x * x, x * x * x))), 1.0);
}

float through_sheen(float n_v) {
    return 1.0 - max(layers.sheen.r, max(layers.sheen.g, layers.sheen.b)) * sheen_albedo(n_v);
}

vec3 sheen_light(float n_v, float n_l, float n_h) {
    float alpha = max(layers.sheen_roughness * layers.sheen_roughness, 1e-3);
    float sine = sqrt(max(1.0 - n_h * n_h, 0.0));
    float density = (2.0 + 1.0 / alpha) * pow(sine, 1.0 / alpha) * 0.5 * INV_PI;
    return layers.sheen * density * n_l / (4.0 * max(n_l + n_v - n_l * n_v, 1e-4));
}

// The light of one direction, with that of the surface below.
vec3 layered_light(vec3 below, vec3 n, vec3 v, vec3 l, vec3 h, float n_l) {
    float n_v = max(dot(n, v), 1e-4);
    vec3 light = below * through_sheen(n_v) + sheen_light(n_v, n_l, clamp(dot(n, h), 0.0, 1.0));
    float c_l = clamp(dot(layers.coat_normal, l), 0.0, 1.0);
    float c_v = max(dot(layers.coat_normal, v), 1e-4);
    float alpha = layers.coat_roughness * layers.coat_roughness;
    float lobe = distribution(clamp(dot(layers.coat_normal, h), 0.0, 1.0), alpha) * visibility(c_v, c_l, alpha) * c_l;
    return light * through_coat(v) + layers.coat * fresnel(COAT_F0, vec3(1.0), clamp(dot(v, h), 0.0, 1.0)) * lobe;
}

// The light of the sky, with that of the surface below.
vec3 layered_sky(vec3 below, vec3 position, vec3 n, vec3 v, vec4 sky_visibility) {
    float n_v = max(dot(n, v), 1e-4);
    float c_v = max(dot(layers.coat_normal, v), 1e-4);
    vec3 fibres = layers.sheen * sheen_albedo(n_v) * ambient_irradiance(position, n) * sky_visibility.rgb;
    vec3 reflected = reflected_direction(layers.coat_normal, v, layers.coat_roughness);
    vec3 coat = ambient_reflection(position, layers.coat_normal, reflected, layers.coat_roughness);
    vec2 albedo = single_albedo(layers.coat_roughness, c_v);
    coat *= (COAT_F0.x * albedo.x + albedo.y) * reflection_visibility(c_v, sky_visibility.a, layers.coat_roughness);
    return (below * through_sheen(n_v) + fibres) * through_coat(v) + layers.coat * coat;
}

#define LAYERED_LIGHT(below, n, v, l, h, n_l) layered_light(below, n, v, l, h, n_l)
#define LAYERED_SKY(below, position, n, v, sky_visibility) layered_sky(below, position, n, v, sky_visibility)
#define LAYERED_EMISSION(below, v) ((below) * through_coat(v))
#else
#define LAYERED_LIGHT(below, n, v, l, h, n_l) (below)
#define LAYERED_SKY(below, position, n, v, sky_visibility) (below)
#define LAYERED_EMISSION(below, v) (below)
#endif
