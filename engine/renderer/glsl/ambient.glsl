// Light from all sides at a surface: that of the sky, and that of probes in their boxes.

#if defined(HAS_PROBE_REFLECTIONS) && HAS_PROBE_REFLECTIONS
#include "probes.glsl"

layout(set = 0, binding = 26) uniform samplerCubeArray probe_reflections;

const int RING_LOBES = 5;
const float LOBE_ROUGHNESS = 0.5;  // lobes of that roughness cover the hemisphere

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

// Light of the hemisphere around a normal, weighted by the cosine: two rings of lobes with equal parts of it. Each is seen
// on the side of the box that it meets, so that walls beside a window have more light than those far away.
vec3 probe_diffuse(int probe, vec3 position, vec3 n) {
    vec3 axis = abs(n.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0);
    vec3 x = normalize(cross(axis, n));
    vec3 y = cross(n, x);
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 2 * RING_LOBES; ++i) {
        float aside = i < RING_LOBES ? 0.5 : 0.8660254;  // sines of angles with 1/4 and 3/4 of the light inside
        float turn = (float(i) + (i < RING_LOBES ? 0.0 : 0.5)) * TWO_PI / float(RING_LOBES);
        vec3 direction = aside * (cos(turn) * x + sin(turn) * y) + sqrt(1.0 - aside * aside) * n;
        sum += probe_reflection(probe, position, direction, LOBE_ROUGHNESS);
    }
    return sum / float(2 * RING_LOBES);
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
            sum += share * probe_diffuse(i, position, n);
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
