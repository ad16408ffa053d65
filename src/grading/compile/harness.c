/* The C around a learner's function: see harness_internal.h. */
#include "compile/harness_internal.h"

#include <stddef.h>

#include "compile/sanitizer_text.h" /* sanitizer_text: the lines of wire.h and sanitizer_main.c */
#include "compile/runner_text.h"    /* runner_text: the lines of wire.h and runner_main.c */

/* An argument as the function takes it, from arrays[i] or args[i]. */
static void add_argument(const struct param *param, unsigned i, struct text *text)
{
    switch (param->kind) {
    case PARAM_SIZE:
        text_format(text, "(size_t)args[%u]", i);
        break;
    case PARAM_BOOL:
        text_format(text, "args[%u] != 0", i);
        break;
    case PARAM_FLOAT:
        text_format(text, "number(args[%u])", i);
        break;
    case PARAM_FLOATS:
    case PARAM_BOOLS:
        text_format(text, "arrays[%u]", i);
        break;
    }
}

static void add_call(const struct prototype *prototype, struct text *text)
{
    text_put(text, "\nstatic inline float number(uint64_t bits)\n{\n"
                   "    union { uint32_t bits; float number; } word = {(uint32_t)bits};\n"
                   "    return word.number;\n}\n\n"
                   "void runner_call(void *const *arrays, const uint64_t *args)\n{\n    ");
    if (prototype->returns_float)
        text_format(text, "*(float *)arrays[%u] = ", prototype->n_params);
    text_format(text, "%s(", prototype->function);
    for (unsigned i = 0; i < prototype->n_params; i++) {
        text_put(text, i > 0 ? ", " : "");
        add_argument(&prototype->params[i], i, text);
    }
    text_put(text, ");\n}\n");
}

static void add_program(const struct prototype *prototype, const char *const *lines,
                        struct text *text)
{
    text_put(text, "#define _GNU_SOURCE\n");
    prototype_header(prototype, text);
    for (size_t i = 0; lines[i] != NULL; i++)
        text_put(text, lines[i]);
    add_call(prototype, text);
}

void harness_runner(const struct prototype *prototype, struct text *text)
{
    add_program(prototype, runner_text, text);
}

void harness_sanitizer(const struct prototype *prototype, struct text *text)
{
    add_program(prototype, sanitizer_text, text);
}
