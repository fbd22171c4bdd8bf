// Light of local lights on a part of a ray. Include camera.glsl, lights.glsl, haze.glsl and air_volume_block.glsl before.

const float LEAST_AWAY = 0.1;  // of a ray from a lamp, in metres, as of surfaces

// A lamp's light in a direction away from it, per steradian: a rectangle is one point.
vec3 lamp_intensity(LocalLight lamp, vec3 to_lamp) {
    if (lamp.radiance.w > 0.5) {
        float faced = -4.0 * dot(to_lamp, cross(lamp.inner_cosine.xyz, lamp.direction_cosine.xyz));
        return lamp.radiance.rgb * (lamp.radiance.w > 1.5 ? abs(faced) : max(faced, 0.0));
    }
    float outer = lamp.direction_cosine.w;
    float share = smoothstep(outer, max(lamp.inner_cosine.x, outer + 1e-4), dot(-to_lamp, lamp.direction_cosine.xyz));
    return lamp.radiance.rgb * (outer > -1.0 ? share : 1.0);
}

// The light that air scatters towards the eye, the mean over a ray between two distances. The inverse square of the
// distance from the lamp is integrated; all else is taken where the part `at` of that integral lies before, 0.5 for the
// equi-angular middle (Kulla and Fajardo 2012).
vec3 from_lamp(LocalLight lamp, vec3 eye, vec3 ray, float begin, float end, float at) {
    vec3 from_eye = lamp.position_radius.xyz - eye;
    float nearest = dot(from_eye, ray);
    float aside = max(length(from_eye - ray * nearest), LEAST_AWAY);
    float first = atan((begin - nearest) / aside), last = atan((end - nearest) / aside);
    vec3 way = from_eye - ray * (nearest + aside * tan(mix(first, last, at)));
    float radius = lamp.position_radius.w, edge = dot(way, way) / (radius * radius);
    if (edge >= 1.0) {
        return vec3(0.0);
    }
    vec3 to_lamp = way * inversesqrt(max(dot(way, way), 1e-8));
    float falloff = (last - first) / (aside * (end - begin)) * (1.0 - edge * edge) * (1.0 - edge * edge);
    return lamp_intensity(lamp, to_lamp) * falloff * haze_phase(air_volume.glow, dot(ray, to_lamp));
}

vec3 from_lamps(vec3 eye, vec3 ray, float begin, float end, float at, int invocation) {
    vec3 light = vec3(0.0);
#if CLUSTERED
    int cluster = cluster_at(eye + ray * (0.5 * (begin + end)));
    int words = per_invocation(cluster_words(), invocation);
    for (int word = 0; word < words; ++word) {
        uint bits = cluster_lights(cluster, word);
        while (bits != 0u) {
            int bit = findLSB(bits);
            bits &= bits - 1u;
            light += from_lamp(local_lights[word * 32 + bit], eye, ray, begin, end, at);
        }
    }
#else
    int count = per_invocation(lights.count, invocation);
    for (int i = 0; i < count; ++i) {
        LocalLight lamp = LocalLight(lights.position_radius[i], lights.radiance[i], lights.direction_cosine[i],
                                     lights.inner_cosine[i]);
        light += from_lamp(lamp, eye, ray, begin, end, at);
    }
#endif
    return light;
}
