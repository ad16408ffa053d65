/* The layers one by one: their names, which of them work on this machine, and how well they isolate
 * together. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "sandbox/box.h"
#include "base/text.h"

static const struct {
    enum layer layer;
    const char *name;
} names[] = {
    {LAYER_NAMESPACES, "namespaces"},
    {LAYER_ROOT, "root"},
    {LAYER_RLIMITS, "rlimits"},
    {LAYER_LANDLOCK, "landlock"},
    {LAYER_SECCOMP, "seccomp"},
    {LAYER_CGROUP, "cgroup"},
    {LAYER_UID, "uid"},
};

enum { N_LAYERS = COUNT_OF(names) };

const char *layer_name(enum layer layer)
{
    for (unsigned i = 0; i < N_LAYERS; i++)
        if (names[i].layer == layer)
            return names[i].name;
    return "?";
}

/* Puts up these layers in a box without a program; why that failed, or "" when all work. */
static const char *try_box(enum box_kind kind, unsigned layers, char why[200])
{
    struct box_plan plan = {.kind = kind,
                            .layers = layers,
                            .limits = kind == BOX_RUN ? limits_default.run : limits_default.compile,
                            .program_fd = -1,
                            .fds = {-1, -1, -1},
                            .n_fds = 3};
    struct box *box;
    struct box_end end;
    struct error error;
    why[0] = '\0';
    if (!box_start(&plan, &box, &error)) {
        snprintf(why, 200, "%.199s", error.text);
        return why;
    }
    box_collect(box, &end);
    if (end.how == BOX_FAILED)
        snprintf(why, 200, "%s", end.failure);
    else if (end.how == BOX_EXITED && end.code != 0)
        snprintf(why, 200, "the box ended with code %d", end.code);
    else if (end.how != BOX_EXITED)
        snprintf(why, 200, "the box was ended by signal %d", end.signal);
    return why;
}

/* The roots of programs and of compilers are not the same, nor are their filters. */
static const char *try_layers(unsigned layers, char why[200])
{
    if (try_box(BOX_RUN, layers, why)[0] == '\0')
        try_box(BOX_COMPILE, layers, why);
    return why;
}

/* One by one, so that each is tried where those work that it needs. */
static unsigned try_each(unsigned wanted, struct text *reasons)
{
    unsigned layers = 0;
    char why[200];
    for (unsigned i = 0; i < N_LAYERS; i++) {
        unsigned layer = names[i].layer;
        if (!(wanted & layer))
            continue;
        if (layer == LAYER_ROOT && !(layers & LAYER_NAMESPACES))
            snprintf(why, sizeof why, "needs namespaces");
        else
            try_layers(layer == LAYER_ROOT ? layer | LAYER_NAMESPACES : layer, why);
        if (why[0] == '\0') {
            layers |= layer;
        } else if (reasons != NULL) {
            size_t size = strlen(names[i].name);
            bool begins_with_name = strncmp(why, names[i].name, size) == 0 && why[size] == ':';
            text_format(reasons, "%s%s%s\n", begins_with_name ? "" : names[i].name,
                        begins_with_name ? "" : ": ", why);
        }
    }
    return layers;
}

/* Mostly all work but control groups, or all of them: then one or two boxes have shown it. */
unsigned layers_available(struct text *reasons)
{
    char why[200];
    unsigned groups = try_each(LAYER_CGROUP, reasons);
    unsigned others = LAYERS_ALL & ~(unsigned)LAYER_CGROUP;
    if (try_layers(others, why)[0] == '\0')
        return others | groups;
    return try_each(others, reasons) | groups;
}

/* ---- how well it all holds ---- */

static bool has(unsigned layers, unsigned wanted)
{
    return (layers & wanted) == wanted;
}

/* Without a filter anything that a program may ask of the kernel is left to ask; as root, or beside
 * the other processes of the user who grades, without a limit to processes, one of them can take
 * the machine. */
enum isolation layers_isolation(unsigned layers)
{
    const unsigned all = LAYERS_ALL & ~(unsigned)LAYER_CGROUP;
    if (has(layers, all))
        return ISOLATION_FULL;
    if (!has(layers, LAYER_SECCOMP | LAYER_RLIMITS | LAYER_UID))
        return ISOLATION_WEAK;
    bool own_root = has(layers, LAYER_NAMESPACES | LAYER_ROOT);
    if (!own_root && !has(layers, LAYER_LANDLOCK)) /* a compiler could read the others' files */
        return ISOLATION_WEAK;
    bool own_user = geteuid() == 0; /* since it is not root that runs the programs then */
    return has(layers, LAYER_NAMESPACES) || has(layers, LAYER_CGROUP) || own_user
               ? ISOLATION_REDUCED
               : ISOLATION_WEAK;
}
