// Shading: sun, sky, point and spot lights on a metallic-roughness surface.
// Specular: GGX with height-correlated Smith visibility and Schlick's Fresnel (Burley 2012; Heitz 2014).
#include "constants.glsl"
#include "per_invocation.glsl"

const int MAX_LIGHTS = 16;

layout(set = 0, binding = 3) uniform LightsBlock {
    vec3 sun_direction;  // direction in which the light travels
    vec3 sun_radiance;
    vec3 zenith;
    vec3 horizon;
    vec3 ground;
    int count;
    vec4 position_radius[MAX_LIGHTS];
    vec4 radiance[MAX_LIGHTS];
    vec4 direction_cosine[MAX_LIGHTS];  // w: cosine of the outer angle; -1 or less for point lights
    vec4 inner_cosine[MAX_LIGHTS];      // x: cosine of the inner angle; y: channel of light_visibility, or -1
    float environment;                  // intensity of the environment
} lights;

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

// Specular albedo under a white sky.
vec3 sky_brdf(vec3 f0, float roughness, float n_v) {
    vec2 size = vec2(textureSize(environment_brdf, 0));
    vec2 at = (vec2(n_v, roughness) * (size - 1.0) + 0.5) / size;
    vec2 scale_bias = textureLod(environment_brdf, at, 0.0).xy;
    return f0 * scale_bias.x + scale_bias.y;
}

// Diffuse share: the light that is not reflected specularly.
vec3 scattered_share(vec3 reflected) {
    return 1.0 - reflected;
}

// Dominant reflection direction, which bends towards the normal with roughness (Lagarde and de Rousiers 2014).
vec3 reflected_direction(vec3 n, vec3 v, float roughness) {
    float alpha = roughness * roughness;
    return mix(n, reflect(-v, n), (1.0 - alpha) * (sqrt(1.0 - alpha) + alpha));
}
#else
vec3 sky_color(vec3 direction) {
    float height = direction.y;
    vec3 above = mix(lights.horizon, lights.zenith, pow(clamp(height, 0.0, 1.0), 0.55));
    vec3 below = mix(lights.horizon * 0.55, lights.ground, clamp(-height * 4.0, 0.0, 1.0));
    return mix(below, above, smoothstep(-0.02, 0.02, height));
}

// Reflection of the sky gradient, blurred over the lobe.
vec3 sky_reflection(vec3 direction, float roughness) {
    vec3 average = mix(lights.ground, mix(lights.horizon, lights.zenith, 0.5), direction.y * 0.5 + 0.5);
    return mix(sky_color(direction), average, roughness * (2.0 - roughness));
}

// Diffuse radiance of a white surface under the sky.
vec3 sky_irradiance(vec3 n) {
    return mix(lights.ground, mix(lights.horizon, lights.zenith, 0.6), n.y * 0.5 + 0.5);
}

// Specular albedo under a white sky (Karis 2014, "Physically Based Shading on Mobile").
vec3 sky_brdf(vec3 f0, float roughness, float n_v) {
    vec4 r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    float a004 = min(r.x * r.x, exp2(-9.28 * n_v)) * r.x + r.y;
    vec2 ab = vec2(-1.04, 1.04) * a004 + r.zw;
    return f0 * ab.x + ab.y;
}

vec3 scattered_share(vec3 reflected) {
    return vec3(1.0);
}

vec3 reflected_direction(vec3 n, vec3 v, float roughness) {
    return reflect(-v, n);
}
#endif

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

vec3 fresnel(vec3 f0, float v_h) {
    return f0 + (1.0 - f0) * pow(1.0 - v_h, 5.0);
}

vec3 shade(vec3 n, vec3 v, vec3 l, vec3 diffuse, vec3 f0, float roughness) {
    float n_l = dot(n, l);
    if (n_l <= 0.0) {
        return vec3(0.0);
    }
    vec3 h = normalize(v + l);
    float n_v = max(dot(n, v), 1e-4);
    float alpha = roughness * roughness;
    vec3 f = fresnel(f0, clamp(dot(v, h), 0.0, 1.0));
    vec3 specular = f * distribution(clamp(dot(n, h), 0.0, 1.0), alpha) * visibility(n_v, n_l, alpha);
    return ((1.0 - f) * diffuse * INV_PI + specular) * n_l;
}

// Specular occlusion from the diffuse visibility `open` (Lagarde and de Rousiers 2014).
float reflection_visibility(float n_v, float open, float roughness) {
    return clamp(pow(n_v + open, exp2(-16.0 * roughness - 1.0)) - 1.0 + open, 0.0, 1.0);
}

// Radiance towards the eye at a surface point. sun_visibility is 0 in full shadow and 1 without shadow, as are the
// channels of light_visibility for local lights that cast shadows. sky_visibility.rgb is the visibility of the sky's
// diffuse light including bounces, sky_visibility.a the visibility of the sky itself.
vec3 lit(vec3 position, vec3 n, vec3 v, vec3 base_color, float metallic, float roughness, float occlusion,
         float sun_visibility, vec4 light_visibility, vec4 sky_visibility) {
    vec3 diffuse = base_color * (1.0 - metallic);
    vec3 f0 = mix(vec3(0.04), base_color, metallic);
    vec3 result = shade(n, v, -lights.sun_direction, diffuse, f0, roughness) * lights.sun_radiance * sun_visibility;

    int count = per_invocation(lights.count, int(gl_FragCoord.x));
    for (int i = 0; i < count; ++i) {
        vec3 to_light = lights.position_radius[i].xyz - position;
        float distance2 = dot(to_light, to_light);
        float radius = lights.position_radius[i].w;
        if (distance2 >= radius * radius) {
            continue;
        }
        vec3 l = to_light * inversesqrt(max(distance2, 1e-8));
        float edge = distance2 / (radius * radius);
        float falloff = (1.0 - edge * edge) * (1.0 - edge * edge) / max(distance2, 0.01);
        float outer = lights.direction_cosine[i].w;
        if (outer > -1.0) {
            float cosine = dot(-l, lights.direction_cosine[i].xyz);
            falloff *= smoothstep(outer, max(lights.inner_cosine[i].x, outer + 1e-4), cosine);
        }
        int channel = int(lights.inner_cosine[i].y);
        if (channel >= 0) {
            falloff *= light_visibility[channel];
        }
        result += shade(n, v, l, diffuse, f0, roughness) * lights.radiance[i].rgb * falloff;
    }

    float n_v = max(dot(n, v), 1e-4);
    vec3 share = sky_brdf(f0, roughness, n_v);
    vec3 reflected = sky_reflection(reflected_direction(n, v, roughness), roughness) * share;
    reflected *= reflection_visibility(n_v, sky_visibility.a, roughness);
    diffuse *= scattered_share(share);
    result += (diffuse * sky_irradiance(n) * sky_visibility.rgb + reflected) * occlusion;
    return result;
}
