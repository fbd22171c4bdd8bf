// Channels of light_visibility that several lights share: the mean of their visible shares, weighted by the light that
// they send to a point. So the luminance of their light is right, and its colour where not more than one of them shines.
#include "color.glsl"
#include "local_light.glsl"

layout(set = 0, binding = 12) uniform ShadowSharingBlock {
    int slots;
    vec4 position_radius[MOST];
    vec4 radiance[MOST];
    vec4 direction_cosine[MOST];
    vec4 inner_cosine[MOST];
} shadow_sharing;

// Visible shares of the lights of further banks.
layout(set = 0, binding = 13) uniform sampler2D seen_1;
layout(set = 0, binding = 14) uniform sampler2D seen_2;
layout(set = 0, binding = 15) uniform sampler2D seen_3;

// Illuminance of a point by a light without shadows, but for constants.
float unshadowed(LocalLight light, Point p) {
    vec3 to_light = light.position_radius.xyz - p.position;
    float distance2 = dot(to_light, to_light), radius = light.position_radius.w;
    float edge = distance2 / max(radius * radius, 1e-8);
    if (edge >= 1.0) {
        return 0.0;
    }
    to_light *= inversesqrt(max(distance2, 1e-8));
    float share = (1.0 - edge * edge) * (1.0 - edge * edge) / max(distance2, 0.01);
    share *= luminance(light.radiance.rgb) * max(dot(p.normal, to_light), 0.0);
    if (light.radiance.w > 0.5) {
        float faced = -4.0 * dot(to_light, cross(light.inner_cosine.xyz, light.direction_cosine.xyz));
        return share * (light.radiance.w > 1.5 ? abs(faced) : max(faced, 0.0));
    }
    float outer = light.direction_cosine.w;
    float cosine = dot(-to_light, light.direction_cosine.xyz);
    return outer > -1.0 ? share * smoothstep(outer, max(light.inner_cosine.x, outer + 1e-4), cosine) : share;
}

// `seen` has the visible shares of the lights of the first bank.
vec4 shared_channels(Point p, ivec2 texel, vec4 seen) {
    vec4 found[4] = vec4[](seen, texel_or_constant(seen_1, texel), texel_or_constant(seen_2, texel),
                           texel_or_constant(seen_3, texel));
    vec4 whole = vec4(0.0), lost = vec4(0.0);
    int slots = per_invocation(shadow_sharing.slots, int(gl_FragCoord.x));
    if (slots == 0) {
        return seen;  // the plan without further banks is not ready yet
    }
    for (int slot = 0; slot < slots; ++slot) {
        LocalLight light = LocalLight(shadow_sharing.position_radius[slot], shadow_sharing.radiance[slot],
                                      shadow_sharing.direction_cosine[slot], shadow_sharing.inner_cosine[slot]);
        float sent = unshadowed(light, p);
        int channel = max(int(light.inner_cosine.w), 0);
        whole[channel] += sent;
        lost[channel] += sent * (1.0 - found[slot / 4][slot % 4]);
    }
    return 1.0 - lost / max(whole, vec4(1e-12));
}
