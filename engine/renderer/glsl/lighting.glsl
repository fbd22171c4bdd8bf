// Shading: suns, sky, point, spot and rectangle lights on a metallic-roughness surface.
// Specular: GGX with height-correlated Smith visibility and Schlick's Fresnel (Burley 2012; Heitz 2014), scaled by the
// light of multiple scattering between facets (Turquin 2019). Diffuse: Lambert, the light that a dielectric lets through.
#include "constants.glsl"
#include "per_invocation.glsl"
#include "lights.glsl"

#ifdef LAYERED
#define DIELECTRIC_F0 layers.f0
#define DIELECTRIC_F90 layers.f90
#else
const vec3 DIELECTRIC_F0 = vec3(0.04);
const vec3 DIELECTRIC_F90 = vec3(1.0);
#endif

#if defined(HAS_ENVIRONMENT_SPECULAR) && HAS_ENVIRONMENT_SPECULAR
// The scene's environment: mip 0 is the background, further mips are prefiltered for increasing roughness.
layout(set = 0, binding = 12) uniform samplerCube environment_specular;
layout(set = 0, binding = 13) uniform samplerCube environment_irradiance;
layout(set = 0, binding = 14) uniform sampler2D environment_brdf;

vec3 sky_color(vec3 direction) {
    return textureLod(environment_specular, direction, 0.0).rgb * lights.environment;
}

vec3 sky_reflection(vec3 direction, float roughness) {
    float roughest = float(textureQueryLevels(environment_specular) - 1);
    return textureLod(environment_specular, direction, roughness * roughest).rgb * lights.environment;
}

// Diffuse radiance of a white surface under the sky.
vec3 sky_irradiance(vec3 n) {
    return textureLod(environment_irradiance, n, 0.0).rgb * lights.environment;
}

// Specular albedo of single scattering under a white sky: f0 * x + y.
vec2 single_albedo(float roughness, float n_v) {
    vec2 size = vec2(textureSize(environment_brdf, 0));
    vec2 at = (vec2(n_v, roughness) * (size - 1.0) + 0.5) / size;
    return textureLod(environment_brdf, at, 0.0).xy;
}
#else
vec3 sky_color(vec3 direction) {
    float height = direction.y;
    vec3 above = mix(lights.horizon, lights.zenith, pow(clamp(height, 0.0, 1.0), 0.55));
    vec3 below = mix(lights.horizon * 0.55, lights.ground, clamp(-height * 4.0, 0.0, 1.0));
    return mix(below, above, smoothstep(-0.02, 0.02, height));
}

// The sky for a row of the table; row 0 is that of a mirror. It has no branch: a node may give its roughness in a uniform
// block, see per_invocation.glsl.
vec3 sky_row(int row, int column, float between, vec3 direction) {
    int place = max(row - 1, 0) * SKY_HEIGHTS + column;
    vec3 filtered = mix(lights.sky[place].rgb, lights.sky[place + 1].rgb, between);
    return mix(filtered, sky_color(direction), bvec3(row == 0));
}

// Reflection of the sky gradient, filtered over the lobe.
vec3 sky_reflection(vec3 towards, float roughness) {
    vec3 direction = normalize(towards);
    float height = sign(direction.y) * sqrt(min(abs(direction.y), 1.0));
    float place = (height * 0.5 + 0.5) * float(SKY_HEIGHTS - 1);
    int column = min(int(place), SKY_HEIGHTS - 2);
    float level = clamp(roughness, 0.0, 1.0) * float(SKY_ROUGHNESSES);
    int row = min(int(level), SKY_ROUGHNESSES - 1);
    vec3 smoother = sky_row(row, column, place - float(column), direction);
    vec3 rougher = sky_row(row + 1, column, place - float(column), direction);
    return mix(smoother, rougher, level - float(row));
}

// Diffuse radiance of a white surface under the sky. The lobe of roughness 1 is that of the cosine.
vec3 sky_irradiance(vec3 n) {
    return sky_reflection(n, 1.0);
}

// Specular albedo of single scattering under a white sky: f0 * x + y. A rational fit by MaterialX 1.38
// (mx_ggx_dir_albedo_analytic).
vec2 single_albedo(float roughness, float n_v) {
    float x = n_v, y = roughness * roughness;
    vec4 sum = vec4(0.1003, 0.9345, 1.0, 1.0)
        + vec4(-0.6303, -2.323, -1.765, 0.2281) * x
        + vec4(9.748, 2.229, 8.263, 15.94) * y
        + vec4(-2.038, -3.748, 11.53, -55.83) * x * y
        + vec4(29.34, 1.424, 28.96, 13.08) * x * x
        + vec4(-8.245, -0.7684, -7.507, 41.26) * y * y
        + vec4(-26.44, 1.436, -36.11, 54.9) * x * x * y
        + vec4(19.99, 0.2913, 15.86, 300.2) * x * y * y
        + vec4(-5.448, 0.6286, 33.37, -285.1) * x * x * y * y;
    return clamp(sum.xy / sum.zw, 0.0, 1.0);
}
#endif

#include "ambient.glsl"

// Dominant reflection direction, which bends towards the normal with roughness (Lagarde and de Rousiers 2014).
vec3 reflected_direction(vec3 n, vec3 v, float roughness) {
    float alpha = roughness * roughness;
    return mix(n, reflect(-v, n), (1.0 - alpha) * (sqrt(1.0 - alpha) + alpha));
}

float distribution(float n_h, float alpha) {
    float a2 = alpha * alpha;
    float d = n_h * n_h * (a2 - 1.0) + 1.0;
    return a2 / (PI * d * d);
}

float visibility(float n_v, float n_l, float alpha) {
    float a2 = alpha * alpha;
    float v = n_l * sqrt(n_v * n_v * (1.0 - a2) + a2);
    float l = n_v * sqrt(n_l * n_l * (1.0 - a2) + a2);
    return 0.5 / max(v + l, 1e-5);
}

vec3 fresnel(vec3 f0, vec3 f90, float v_h) {
    return f0 + (f90 - f0) * pow(1.0 - v_h, 5.0);
}

#include "layers.glsl"
#include "light_pattern.glsl"

// A dielectric mixed with a metal (glTF 2.0): specular reflectance ahead and at grazing angles, with the light of
// multiple scattering, and what the dielectric under it lets through to be scattered.
struct Reflectance {
    vec3 f0;
    vec3 f90;
    vec3 diffuse;
    float roughness;
    vec2 albedo;  // of single scattering: f0 * x + f90 * y
};

// Factor of the specular light for that of multiple scattering: a white surface reflects all light.
vec3 scattering_gain(vec3 f0, vec2 albedo) {
    return 1.0 + f0 * (1.0 / max(albedo.x + albedo.y, 0.1) - 1.0);
}

Reflectance reflectance_of(vec3 base_color, float metallic, float roughness, vec2 albedo) {
    vec3 dielectric = scattering_gain(DIELECTRIC_F0, albedo), metal = scattering_gain(base_color, albedo);
    return Reflectance(mix(DIELECTRIC_F0 * dielectric, base_color * metal, metallic),
                       mix(DIELECTRIC_F90 * dielectric, metal, metallic), base_color * (1.0 - metallic), roughness,
                       albedo);
}

// What a dielectric lets through of light from all sides.
vec3 diffuse_share(vec2 albedo) {
    vec3 dielectric = DIELECTRIC_F0 * albedo.x + DIELECTRIC_F90 * albedo.y;
    return 1.0 - dielectric * scattering_gain(DIELECTRIC_F0, albedo);
}

vec3 shade(vec3 n, vec3 v, vec3 l, Reflectance surface) {
    float n_l = dot(n, l);
    if (n_l <= 0.0) {
        return vec3(0.0);
    }
    vec3 h = normalize(v + l);
    float n_v = max(dot(n, v), 1e-4);
    float v_h = clamp(dot(v, h), 0.0, 1.0);
    float alpha = surface.roughness * surface.roughness;
    float lobe = distribution(clamp(dot(n, h), 0.0, 1.0), alpha) * visibility(n_v, n_l, alpha);
    vec3 through = 1.0 - fresnel(DIELECTRIC_F0, DIELECTRIC_F90, v_h);
    vec3 light = (through * surface.diffuse * INV_PI + fresnel(surface.f0, surface.f90, v_h) * lobe) * n_l;
    return LAYERED_LIGHT(light, n, v, l, h, n_l);
}

// Specular occlusion from the diffuse visibility `open` (Lagarde and de Rousiers 2014).
float reflection_visibility(float n_v, float open, float roughness) {
    return clamp(pow(n_v + open, exp2(-16.0 * roughness - 1.0)) - 1.0 + open, 0.0, 1.0);
}

#if AREA_LIGHTS
// Light of a rectangle.
vec3 rectangle_light(LocalLight light, vec3 to_light, vec3 n, vec3 v, Reflectance surface) {
    vec3 right = light.direction_cosine.xyz, up = light.inner_cosine.xyz;
    bool behind = dot(to_light, cross(up, right)) >= 0.0;
    if (behind && light.radiance.w < 1.5) {
        return vec3(0.0);
    }
    vec2 share = rectangle_shares(to_light, right, up, n, v, surface.roughness);
    vec3 specular = surface.f0 * surface.albedo.x + surface.f90 * surface.albedo.y;
    return surface.diffuse * diffuse_share(surface.albedo) * share.x + specular * share.y;
}
#endif

// Visible share of a local light.
float shadow_of(LocalLight light, vec4 light_visibility) {
    int channel = int(light.inner_cosine.w);
    return channel >= 0 ? light_visibility[channel] : 1.0;
}

// Light of a local light from a point with normal n. light_visibility has its shadows by channel.
vec3 light_of(LocalLight light, vec3 position, vec3 n, vec3 v, Reflectance surface, vec4 light_visibility) {
    vec3 to_light = light.position_radius.xyz - position;
    float distance2 = dot(to_light, to_light);
    float radius = light.position_radius.w;
    if (distance2 >= radius * radius) {
        return vec3(0.0);
    }
    float edge = distance2 / (radius * radius);
    if (light.radiance.w > 0.5) {
#if AREA_LIGHTS
        float end = (1.0 - edge * edge) * (1.0 - edge * edge);
        end *= shadow_of(light, light_visibility);
        return rectangle_light(light, to_light, n, v, surface) * light.radiance.rgb * end;
#else
        return vec3(0.0);  // the plan with their nodes is not ready yet
#endif
    }
    vec3 l = to_light * inversesqrt(max(distance2, 1e-8));
    float falloff = (1.0 - edge * edge) * (1.0 - edge * edge) / max(distance2, 0.01);
    float outer = light.direction_cosine.w;
    vec3 radiance = light.radiance.rgb;
    if (outer > -1.0) {
        float cosine = dot(-l, light.direction_cosine.xyz);
        falloff *= smoothstep(outer, max(light.inner_cosine.x, outer + 1e-4), cosine);
        if (light.inner_cosine.y > 0.5 && falloff > 0.0) {
            radiance *= light_pattern(light, -l);
        }
    }
    falloff *= shadow_of(light, light_visibility);
    return shade(n, v, l, surface) * radiance * falloff;
}

// Light of all local lights.
vec3 local_light(vec3 position, vec3 n, vec3 v, Reflectance surface, vec4 light_visibility) {
    vec3 result = vec3(0.0);
#if CLUSTERED
    // The order is that of the scene, so the sum is that of a loop over all lights.
    int cluster = cluster_at(position);
    int words = per_invocation(cluster_words(), int(gl_FragCoord.x));
    for (int word = 0; word < words; ++word) {
        uint bits = cluster_lights(cluster, word);
        while (bits != 0u) {
            int bit = findLSB(bits);
            bits &= bits - 1u;
            result += light_of(local_lights[word * 32 + bit], position, n, v, surface, light_visibility);
        }
    }
#elif UNCLUSTERED
    int count = per_invocation(lights.total, int(gl_FragCoord.x));
    for (int i = 0; i < count; ++i) {
        result += light_of(local_lights[i], position, n, v, surface, light_visibility);
    }
#else
    int count = per_invocation(lights.count, int(gl_FragCoord.x));
    for (int i = 0; i < count; ++i) {
        LocalLight light = LocalLight(lights.position_radius[i], lights.radiance[i], lights.direction_cosine[i],
                                      lights.inner_cosine[i]);
        result += light_of(light, position, n, v, surface, light_visibility);
    }
#endif
    return result;
}

// Light of all suns; sun_visibility is that of the first.
vec3 sunlight(vec3 n, vec3 v, Reflectance surface, float sun_visibility) {
    vec3 result = shade(n, v, -lights.sun_direction, surface) * lights.sun_radiance * sun_visibility;
    int suns = per_invocation(lights.suns, int(gl_FragCoord.x));
    for (int i = 0; i < suns; ++i) {
        result += shade(n, v, -lights.sun_directions[i].xyz, surface) * lights.sun_radiances[i].rgb;
    }
    return result;
}

// Radiance towards the eye at a surface point. sun_visibility is 0 in full shadow and 1 without shadow, as are the
// channels of light_visibility for local lights that cast shadows. sky_visibility.rgb is the visibility of the sky's
// diffuse light including bounces, sky_visibility.a the visibility of the sky itself.
vec3 lit(vec3 position, vec3 n, vec3 v, vec3 base_color, float metallic, float roughness, float occlusion,
         float sun_visibility, vec4 light_visibility, vec4 sky_visibility) {
    float n_v = max(dot(n, v), 1e-4);
    vec2 albedo = single_albedo(roughness, n_v);
    Reflectance surface = reflectance_of(base_color, metallic, roughness, albedo);
    vec3 result = sunlight(n, v, surface, sun_visibility);
    result += local_light(position, n, v, surface, light_visibility);

    vec3 reflected = ambient_reflection(position, n, reflected_direction(n, v, roughness), roughness);
    reflected *= surface.f0 * albedo.x + surface.f90 * albedo.y;
    reflected *= reflection_visibility(n_v, sky_visibility.a, roughness);
    vec3 scattered = surface.diffuse * diffuse_share(albedo) * ambient_irradiance(position, n) * sky_visibility.rgb;
    result += LAYERED_SKY(scattered + reflected, position, n, v, sky_visibility) * occlusion;
    return result;
}
