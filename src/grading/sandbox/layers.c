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
static enum isolation isolation_of(unsigned layers, bool is_root)
{
    const unsigned all = LAYERS_ALL & ~(unsigned)LAYER_CGROUP;
    if (has(layers, all))
        return ISOLATION_FULL;
    if (!has(layers, LAYER_SECCOMP | LAYER_RLIMITS | LAYER_UID))
        return ISOLATION_WEAK;
    bool own_root = has(layers, LAYER_NAMESPACES | LAYER_ROOT);
    if (!own_root && !has(layers, LAYER_LANDLOCK)) /* a compiler could read the others' files */
        return ISOLATION_WEAK;
    bool own_user = is_root; /* since it is not root that runs the programs then */
    return has(layers, LAYER_NAMESPACES) || has(layers, LAYER_CGROUP) || own_user
               ? ISOLATION_REDUCED
               : ISOLATION_WEAK;
}

enum isolation layers_isolation(unsigned layers)
{
    return isolation_of(layers, geteuid() == 0);
}

/* ---- what is needed ---- */

enum {
    START_AS_ROOT = LAYERS_ALL + 1, /* a help too, but not a layer */
    MAX_WAYS = 8,                   /* there are two ways to hide files, three to end programs */
};

static bool suffices(unsigned layers)
{
    return isolation_of(layers & LAYERS_ALL, (layers & START_AS_ROOT) != 0) != ISOLATION_WEAK;
}

/* Would what is there, with what is added, suffice, and with nothing less? */
static bool just_suffices(unsigned there, unsigned added)
{
    bool just = suffices(there | added);
    for (unsigned bit = 1; bit <= START_AS_ROOT && just; bit <<= 1)
        just = !(added & bit) || !suffices(there | (added & ~bit));
    return just;
}

static void add_names(struct text *text, unsigned layers)
{
    bool is_first = true;
    for (unsigned bit = 1; bit <= START_AS_ROOT; bit <<= 1) {
        if (!(layers & bit))
            continue;
        text_format(text, "%s%s", is_first ? "" : " and ",
                    bit == START_AS_ROOT ? "a start as root" : layer_name((enum layer)bit));
        is_first = false;
    }
}

unsigned layers_needed(unsigned layers, bool is_root, struct text *text)
{
    unsigned there = layers | (is_root ? START_AS_ROOT : 0), named = 0, ways[MAX_WAYS], n = 0;
    unsigned always = START_AS_ROOT | LAYERS_ALL;
    for (unsigned added = 1; added <= (START_AS_ROOT | LAYERS_ALL) && n < MAX_WAYS; added++)
        if (!(added & there) && just_suffices(there, added))
            ways[n++] = added;
    for (unsigned i = 0; i < n; i++) {
        always &= ways[i];
        named |= ways[i];
    }
    if (n > 0)
        add_names(text, always);
    for (unsigned i = 0; i < n && n > 1; i++) {
        text_put(text, i > 0 ? ", or " : always != 0 ? ", and either " : "either ");
        add_names(text, ways[i] & ~always);
    }
    return named & LAYERS_ALL;
}
