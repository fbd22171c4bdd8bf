// Light from all sides at a surface: that of the sky, and that of probes in their boxes.

#if defined(HAS_PROBES) && HAS_PROBES && defined(HAS_PROBE_REFLECTIONS) && HAS_PROBE_REFLECTIONS
#include "probes.glsl"
#include "spherical_harmonics.glsl"

layout(std430, set = 0, binding = 26) readonly buffer probe_irradiance {
    vec4 probe_numbers[];
};
layout(set = 0, binding = 27) uniform samplerCubeArray probe_reflections;

// Where a reflection of the box is in the probe's view: the box has its own picture on its sides (Lagarde 2012).
vec3 seen_by_probe(int probe, vec3 position, vec3 direction) {
    vec3 low = probes.lows[probe].xyz, high = probes.highs[probe].xyz;
    vec3 from = clamp(position, low, high);
    vec3 steep = mix(vec3(-1.0), vec3(1.0), greaterThanEqual(direction, vec3(0.0))) * max(abs(direction), 1e-6);
    vec3 away = max((low - from) / steep, (high - from) / steep);
    return from + direction * min(away.x, min(away.y, away.z)) - probes.positions[probe].xyz;
}

vec3 probe_reflection(int probe, vec3 position, vec3 direction, float roughness) {
    float roughest = float(textureQueryLevels(probe_reflections) - 1);
    vec4 at = vec4(seen_by_probe(probe, position, direction), probes.positions[probe].w);
    return textureLod(probe_reflections, at, roughness * roughest).rgb;
}

vec3 probe_diffuse(int probe, vec3 n) {
    float values[HARMONICS];
    harmonics(n, values);
    int first = int(probes.positions[probe].w) * HARMONICS;
    vec3 sum = vec3(0.0);
    for (int i = 0; i < HARMONICS; ++i) {
        sum += values[i] * probe_numbers[first + i].rgb;
    }
    return max(sum, 0.0);
}

vec3 ambient_reflection(vec3 position, vec3 n, vec3 direction, float roughness) {
    vec3 sum = vec3(0.0);
    float left = 1.0;
    int count = per_invocation(probes.count, int(gl_FragCoord.x));
    for (int i = 0; i < count; ++i) {
        float share = left * probes.highs[i].w * probe_share(i, position, n);
        if (share > 0.0) {
            sum += share * probe_reflection(i, position, direction, roughness);
            left -= share;
        }
    }
    return sum + left * sky_reflection(direction, roughness);
}

// Diffuse radiance of a white surface.
vec3 ambient_irradiance(vec3 position, vec3 n) {
    vec3 sum = vec3(0.0);
    float left = 1.0;
    int count = per_invocation(probes.count, int(gl_FragCoord.x));
    for (int i = 0; i < count; ++i) {
        float share = left * probes.highs[i].w * probe_share(i, position, n);
        if (share > 0.0) {
            sum += share * probe_diffuse(i, n);
            left -= share;
        }
    }
    return sum + left * sky_irradiance(n);
}
#else
vec3 ambient_reflection(vec3 position, vec3 n, vec3 direction, float roughness) {
    return sky_reflection(direction, roughness);
}

vec3 ambient_irradiance(vec3 position, vec3 n) {
    return sky_irradiance(n);
}
#endif
