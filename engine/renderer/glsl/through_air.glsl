// Light of a transparent surface as it is seen through the air of request_air. Include camera.glsl and lighting.glsl
// before.
#include "air.glsl"
#include "air_volume.glsl"

// The light of a surface at a position, dimmed and veiled. `hides` is the share of the light from behind that it does not
// let through: that light has a veil of its own.
vec3 through_air(vec3 color, vec3 hides, vec3 position) {
    vec3 v = towards_camera(position);
    float away = distance_from_camera(position);
    vec3 eye = position + v * away;
    if (per_invocation(air_volume.density > 0.0, int(gl_FragCoord.x))) {
        vec4 lit_veil = air_volume_along(eye, -v, away, place_in_picture(position));
        color = color * (1.0 - lit_veil.a) + lit_veil.rgb * hides;
    }
    if (per_invocation(air.density > 0.0, int(gl_FragCoord.x))) {
        vec4 veil = air_along(eye, -v, away);
        color = mix(color, veil.rgb * hides, veil.a);
    }
    return color;
}
