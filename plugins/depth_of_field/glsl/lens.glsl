// The lens: how far each point of the picture is out of focus.
#include "camera.glsl"

layout(set = 0, binding = 1) uniform sampler2D depth;
layout(set = 0, binding = 2) uniform Settings {
    float focus;
    float aperture;
    float largest;
    int taps;
} settings;

// The reversed depth that is sharp: the given one, or the mean of a few points in the middle.
float focus_depth() {
    if (settings.focus > 0.0) {
        return camera.near / settings.focus;
    }
    float sum = 0.0;
    for (int i = 0; i < 9; ++i) {
        sum += textureLod(depth, 0.5 + 0.02 * vec2(i % 3 - 1, i / 3 - 1), 0.0).r;
    }
    return sum / 9.0;
}

// Radius of the circle of confusion as a share of the picture's height; negative before the focus. A thin lens of
// diameter A, sharp at S, spreads a point at z over A * |1/S - 1/z| of slope; reversed depth is near / z.
float circle_of_confusion(float d) {
    float radius = 0.25 * settings.aperture * camera.projection[1][1] * (focus_depth() - d) / camera.near;
    return clamp(radius, -settings.largest, settings.largest);
}
