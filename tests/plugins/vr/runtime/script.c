/* The script, the log, and the numbers by which results go. */
#include "runtime.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Runtime runtime;

static const Range NEVER = {1, 0};

int within(Range range, int number) { return range.first <= number && number <= range.last; }

static int state_named(const char *name) {
    static const char *const names[] = {"UNKNOWN", "IDLE",     "READY",        "SYNCHRONIZED", "VISIBLE",
                                        "FOCUSED", "STOPPING", "LOSS_PENDING", "EXITING"};
    for (int state = 0; state < 9; state++)
        if (!strcmp(name, names[state])) return state;
    return INSTANCE_LOSS;
}

static void read_line(Script *script, char *line) {
    char word[64], state[64];
    int used = 0, number = 0, eye = 0;
    XrPosef pose;
    if (sscanf(line, "%63s %n", word, &used) != 1) return;
    char *rest = line + used;
    rest[strcspn(rest, "\n")] = 0;
    if (!strcmp(word, "out")) snprintf(script->out, sizeof script->out, "%s", rest);
    if (!strcmp(word, "extent")) sscanf(rest, "%u %u", &script->width, &script->height);
    if (!strcmp(word, "eye") && sscanf(rest, "%d", &eye) == 1 && eye < EYES) {
        XrVector3f *place = &script->places[eye];
        XrFovf *fov = &script->fovs[eye];
        sscanf(rest, "%*d %f %f %f %f %f %f %f", &place->x, &place->y, &place->z, &fov->left, &fov->right, &fov->up,
               &fov->down);
    }
    if (!strcmp(word, "pose") && script->pose_count < MOST_STEPS &&
        sscanf(rest, "%d %f %f %f %f %f %f %f", &number, &pose.position.x, &pose.position.y, &pose.position.z,
               &pose.orientation.x, &pose.orientation.y, &pose.orientation.z, &pose.orientation.w) == 8)
        script->poses[script->pose_count++] = (ScriptedPose){number, pose};
    if (!strcmp(word, "event") && script->event_count < MOST_STEPS && sscanf(rest, "%d %63s", &number, state) == 2)
        script->events[script->event_count++] = (ScriptedEvent){number, state_named(state)};
    if (!strcmp(word, "formats"))
        for (char *end = rest; script->format_count < 8 && *end;)
            script->formats[script->format_count++] = strtoll(end, &end, 10);
    if (!strcmp(word, "vulkan")) sscanf(rest, "%d %d", &script->vulkan_major, &script->vulkan_minor);
    if (!strcmp(word, "instance_extensions")) snprintf(script->instance_extensions, 256, "%s", rest);
    if (!strcmp(word, "device_extensions")) snprintf(script->device_extensions, 256, "%s", rest);
    if (!strcmp(word, "without_vulkan")) script->without_vulkan = 1;
    if (!strcmp(word, "lost")) sscanf(rest, "%d", &script->lost);
    Range *range = !strcmp(word, "absent")      ? &script->absent
                   : !strcmp(word, "hidden")    ? &script->hidden
                   : !strcmp(word, "untracked") ? &script->untracked
                   : !strcmp(word, "late")      ? &script->late
                                                : NULL;
    if (range) sscanf(rest, "%d %d", &range->first, &range->last);
}

void read_script(void) {
    Script *script = &runtime.script;
    memset(script, 0, sizeof *script);
    script->absent = script->hidden = script->untracked = script->late = NEVER;
    script->lost = -1;
    script->vulkan_major = 1;
    const char *path = getenv("TEST_XR_SCRIPT");
    FILE *file = path ? fopen(path, "r") : NULL;
    char line[1200];
    while (file && fgets(line, sizeof line, file)) read_line(script, line);
    if (file) fclose(file);
}

void note(const char *format, ...) {
    char path[1100];
    snprintf(path, sizeof path, "%s/log.txt", runtime.script.out);
    FILE *file = fopen(path, "a");
    if (!file) return;
    va_list arguments;
    va_start(arguments, format);
    vfprintf(file, format, arguments);
    va_end(arguments);
    fputc('\n', file);
    fclose(file);
}

static const char *result_name(XrResult result) {
#define XR_NAMED(name, value)                                                                                          \
    if (result == name) return #name;
    XR_RESULTS(XR_NAMED)
    return "?";
}

XrResult violation(XrResult result, const char *function, const char *why) {
    note("violation: %s: %s: %s", function, result_name(result), why);
    return result;
}
