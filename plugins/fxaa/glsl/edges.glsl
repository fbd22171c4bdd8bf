// Coverage of texels by what is beside them, from the shape of the edge between both. Colours are linear: shares of a texel
// add up in linear light. They are compared as perceived.

// Changes along an edge: the other colour enters the texel's row, or leaves its own, or both. BREAKS is the picture's border, too.
const int NONE = 0, ENTERS = 1, LEAVES = 2, BREAKS = ENTERS + LEAVES;
// Lengths of runs, in texels: up to NARROW, one whose ends turn the same way is the end of something narrow. Up to SHORT, the runs
// beside it are looked at; longer ones tell enough by themselves.
const int NARROW = 3, SHORT = 5;

// The edge between a texel and that at `across`. A colour's place between both is dot(color - own, axis): 0 is the texel's, 1
// the other's.
struct Edge {
    ivec2 texel, along, across;
    vec3 own, axis;
};

// The end of a run, so many texels from its texel. `step_` is 1 if the edge continues a texel nearer to the texel's side, which
// the other colour enters, -1 if it continues on the other side, and 0 at corners, breaks and the limit of the search.
struct End {
    int texels, step_;
};

vec3 color_at(ivec2 texel) {
    return texelFetch(source, clamp(texel, ivec2(0), textureSize(source, 0) - 1), 0).rgb;
}

// A square root approximates the sRGB curve.
vec3 perceived(vec3 color) {
    return sqrt(color);
}

Edge edge_between(ivec2 texel, ivec2 along, ivec2 across) {
    vec3 own = perceived(color_at(texel)), difference = perceived(color_at(texel + across)) - own;
    return Edge(texel, along, across, own, difference / dot(difference, difference));
}

float place(Edge edge, ivec2 texel) {
    return dot(perceived(color_at(texel)) - edge.own, edge.axis);
}

int change_at(Edge edge, ivec2 texel) {
    bool outside = texel != clamp(texel, ivec2(0), textureSize(source, 0) - 1);
    int near = place(edge, texel) > 0.5 ? ENTERS : NONE, far = place(edge, texel + edge.across) < 0.5 ? LEAVES : NONE;
    return outside ? BREAKS : near + far;
}

// 1 for a step from one colour to the other, less for gradients, which continue on one of the sides.
float sharpness(Edge edge) {
    return clamp(1.0 - max(-place(edge, edge.texel - edge.across), place(edge, edge.texel + 2 * edge.across) - 1.0), 0.0, 1.0);
}

End end_of_run(Edge edge, ivec2 towards) {
    int search = per_invocation(settings.search, int(gl_FragCoord.x)), texels = 0, next = 0, change = NONE;
    for (int i = 0; i < search && change == NONE; ++i) {
        texels = next;
        next += i < 4 ? 1 : i < 8 ? 2 : 4;
        change = change_at(edge, edge.texel + towards * next);
    }
    for (change = NONE; texels < next && change == NONE;) {  // what the last stride passed
        change = change_at(edge, edge.texel + towards * ++texels);
    }
    // The step of a straight edge is one texel high. A higher one is a corner, or an edge that is rather upright.
    bool corner = place(edge, edge.texel - edge.across + towards * texels) > 0.5;
    return End(texels, change == LEAVES ? -1 : change == ENTERS && !corner ? 1 : 0);
}

// Length of the run that follows an end, if it ends by the same step and is as long to a texel, else 0.
int next_run(Edge edge, ivec2 towards, End end, int run) {
    for (int i = 0; i <= min(run, SHORT) + 1; ++i) {
        int change = change_at(edge, edge.texel + towards * (end.texels + i) - edge.across * end.step_);
        if (change != NONE) {
            return i >= run - 1 && change == (end.step_ > 0 ? ENTERS : LEAVES) ? i : 0;
        }
    }
    return 0;
}

// max(x, 0), rounded by the mean over the width of a texel and over that of a step, whose place within its texel is unknown.
float ramp(float x) {
    float low = max(x + 1.0, 0.0), high = max(x, 0.0);
    return x > 1.0 ? x : low * low * low / 6.0 - high * high * high / 3.0;
}

// Share of the edge's texel that the other colour covers: by a line from each end that it enters at, half a texel high there
// and 0 in the run's middle. With even runs on both sides of a slope, the line is fitted to four steps by least squares.
float coverage(Edge edge) {
    float sharp = sharpness(edge);
    if (sharp == 0.0) {
        return 0.0;
    }
    End a = end_of_run(edge, -edge.along), b = end_of_run(edge, edge.along);
    int run = a.texels + b.texels - 1;
    bool tip = a.step_ > 0 && b.step_ > 0 && run <= NARROW;
    float middle = 0.5 * float(b.texels - a.texels), texels = float(run);  // the middle as seen from the texel
    if (a.step_ * b.step_ < 0) {
        int before = next_run(edge, -edge.along, a, run), after = next_run(edge, edge.along, b, run);
        if (before > 0 && after > 0 && abs(before - after) <= 1) {
            middle += 0.25 * float(after - before);
            texels = 0.1 * float(3 * (before + run + after) + run);
        }
    }
    float covered = (a.step_ > 0 ? ramp(middle) : 0.0) + (b.step_ > 0 ? ramp(-middle) : 0.0);
    return tip ? 0.0 : sharp * min(covered / texels, 0.5);
}
