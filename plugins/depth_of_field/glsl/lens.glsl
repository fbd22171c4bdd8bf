// Thin lens: circle of confusion from depth.
#include "camera.glsl"
#include "per_invocation.glsl"

layout(set = 0, binding = 1) uniform sampler2D depth;
layout(set = 0, binding = 2) uniform Settings {
    float focus;
    float aperture;
    float largest;
    int taps;
} settings;

// Reversed depth of the focus plane: from the setting, or the mean of a few points in the centre.
float focus_depth() {
    if (per_invocation(settings.focus > 0.0, int(gl_FragCoord.x))) {
        return camera.near / settings.focus;
    }
    float sum = 0.0;
    for (int i = 0; i < 9; ++i) {
        sum += textureLod(depth, 0.5 + 0.02 * vec2(i % 3 - 1, i / 3 - 1), 0.0).r;
    }
    return sum / 9.0;
}

// Radius of the circle of confusion as a share of the picture's height; negative in front of the focus. A thin lens of
// diameter A, focused at S, blurs a point at z over a slope of A * |1/S - 1/z|. Reversed depth is near / z. An orthographic
// picture is seen through no lens: it stays sharp.
float circle_of_confusion(float d) {
    float radius = 0.25 * settings.aperture * camera.projection[1][1] * (focus_depth() - d) / camera.near;
    radius *= 1.0 - parallel_rays();
    return clamp(radius, -settings.largest, settings.largest);
}
