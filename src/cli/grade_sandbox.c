/* The sandbox of attn grade: see grade_sandbox.h. */
#include "cli/grade_sandbox.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "judge/run/sandbox_selftest.h"

static int could_not(const struct error *error)
{
    print_error(error, NULL, 0, NULL, 0);
    return EXIT_UNGRADED;
}

/* The names of a set of layers. */
static void add_layers(struct text *text, unsigned layers, const char *separator)
{
    bool first = true;
    for (unsigned bit = 1; bit < LAYERS_ALL; bit <<= 1) {
        if (!(layers & bit))
            continue;
        text_format(text, "%s%s", first ? "" : separator, layer_name((enum layer)bit));
        first = false;
    }
}

static int refuse(const struct text *why, const struct text *reasons)
{
    fprintf(stderr,
            "attn: grade: %s. Not graded: a submission could harm this machine or forge a pass. "
            "attn doctor tells more; --accept-weak-isolation grades all the same\n%s",
            text_string(why), text_string(reasons));
    return EXIT_UNGRADED;
}

/* Adds a line "NAME: why"; where the machine lacks something, that is why. */
static void add_reason(struct text *text, const char *name, const char *line, size_t size)
{
    char why[160];
    snprintf(why, sizeof why, "%.*s", (int)size, line);
    const char *lack = build_lack_in(why);
    if (lack != NULL)
        text_format(text, "%s: %s\n", name, lack);
    else
        text_format(text, "%.*s\n", (int)size, line);
}

/* Of reasons, a line "NAME: why" for each layer that is not there, those that are about these; and
 * one for each of them that was left out. */
static void add_reasons(struct text *text, const struct text *reasons, unsigned layers,
                        unsigned without)
{
    for (const char *line = text_string(reasons); *line != '\0';) {
        size_t size = strcspn(line, "\n");
        for (unsigned bit = 1; bit < LAYERS_ALL; bit <<= 1) {
            const char *name = layer_name((enum layer)bit);
            if ((layers & bit & ~without) && strncmp(line, name, strlen(name)) == 0 &&
                line[strlen(name)] == ':')
                add_reason(text, name, line, size);
        }
        line += size + (line[size] == '\n');
    }
    for (unsigned bit = 1; bit < LAYERS_ALL; bit <<= 1)
        if (layers & bit & without)
            text_format(text, "%s: left out by --without\n", layer_name((enum layer)bit));
}

static int refuse_weak(const struct grade_sandbox *sandbox, const struct grade_options *options,
                       const struct text *reasons)
{
    struct text why = {0}, lines = {0};
    text_put(&why, "the sandbox is too weak, it needs ");
    unsigned needed = layers_needed(sandbox->layers, geteuid() == 0, &why);
    add_reasons(&lines, reasons, needed, options->without);
    int code = refuse(&why, &lines);
    text_release(&why);
    text_release(&lines);
    return code;
}

static int choose_layers(const struct grade_options *options, struct grade_sandbox *sandbox)
{
    struct text reasons = {0};
    int code = EXIT_OK;
    sandbox->layers = layers_available(&reasons) & ~options->without;
    if (!(sandbox->layers & LAYER_NAMESPACES))
        sandbox->layers &= ~(unsigned)LAYER_ROOT; /* which needs them */
    add_layers(&sandbox->head, sandbox->layers, "\n");
    text_char(&sandbox->head, '\n');
    enum isolation isolation = layers_isolation(sandbox->layers);
    if (isolation == ISOLATION_WEAK && !options->accepts_weak)
        code = refuse_weak(sandbox, options, &reasons);
    else if (isolation != ISOLATION_FULL) {
        text_format(&sandbox->head, "%s: without ",
                    isolation == ISOLATION_WEAK ? RESULTS_WEAK " accepted" : RESULTS_REDUCED);
        add_layers(&sandbox->head, LAYERS_ALL & ~sandbox->layers, " and ");
        text_char(&sandbox->head, '\n');
    }
    text_release(&reasons);
    return code;
}

static int prove(const struct grade_options *options, struct grade_sandbox *sandbox)
{
    struct selftest_result probes[SELFTEST_PROBES];
    struct text faults = {0};
    struct error error;
    bool all_right, accepts = options->accepts_weak;
    if (!selftest_run(&sandbox->compiler, &limits_default, sandbox->layers, probes, &all_right,
                      &error))
        return could_not(&error);
    for (int i = 0; i < SELFTEST_PROBES; i++) {
        const struct selftest_probe *probe = probes[i].probe;
        if (probes[i].got != probe->expects)
            text_format(
                accepts ? &sandbox->head : &faults, "%sprobe %s gave %s instead of %s; %s %s\n",
                accepts ? RESULTS_WEAK " accepted: " : "", probe->name, verdict_name(probes[i].got),
                verdict_name(probe->expects), layer_name(probe->layer),
                sandbox->layers & probe->layer ? "does not hold" : "is missing");
    }
    int code = EXIT_OK;
    if (!all_right && !accepts) {
        struct text why = {0};
        text_put(&why, "the sandbox failed its self-test");
        code = refuse(&why, &faults);
        text_release(&why);
    }
    text_release(&faults);
    return code;
}

int grade_sandbox_prepare(const struct grade_options *options, struct grade_sandbox *ret)
{
    struct error error;
    *ret = (struct grade_sandbox){0};
    if (!compiler_find(options->compiler, &ret->compiler, &error))
        return could_not(&error);
    int code = choose_layers(options, ret);
    return code == EXIT_OK ? prove(options, ret) : code;
}

void grade_sandbox_release(struct grade_sandbox *sandbox)
{
    text_release(&sandbox->head);
}
