/* Reports to files and to standard output: see outputs.h. */
#include "cli/outputs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "report/feedback.h"

enum { NAME_BYTES = 160 };

static struct output *add_output(const char *command, struct outputs *outputs)
{
    if (outputs->n == MAX_OUTPUTS)
        usage_error("%s: more than %d reports at once", command, MAX_OUTPUTS);
    struct output *output = &outputs->items[outputs->n++];
    *output = (struct output){.format = NULL};
    return output;
}

static void take_format(const char *command, const struct option *option, const char *value,
                        void *field)
{
    (void)option;
    const struct report_format *format = report_format(value);
    if (format == NULL) {
        struct text list = {0};
        report_list_formats(", ", &list);
        usage_error("%s: --format %s: no such format; there are %s", command, value,
                    text_string(&list));
    }
    add_output(command, field)->format = format;
}

static void take_output(const char *command, const struct option *option, const char *value,
                        void *field)
{
    (void)option;
    struct outputs *outputs = field;
    struct output *last = outputs->n > 0 ? &outputs->items[outputs->n - 1] : NULL;
    if (value[0] == '\0')
        usage_error("%s: --output: FILE must follow, and what follows is empty", command);
    if (last != NULL && last->path != NULL)
        usage_error("%s: --output %s: it belongs to no --format; put one before it", command,
                    value);
    if (last == NULL)
        last = add_output(command, outputs);
    last->path = value;
}

/* The reports of struct outputs as a whole. */
#define SETS_REPORTS .offset = 0, .size = sizeof(struct outputs)

const struct option outputs_table[] = {
    {OPTION_OWN, "--format", "FORMAT", "{formats}", SETS_REPORTS, .take = take_format},
    {OPTION_OWN, "--output", "FILE",
     "where the report of the format before it goes, instead of standard output; pairs of the two "
     "can be repeated",
     SETS_REPORTS, .take = take_output},
    {OPTION_PATH, "--feedback", "FOLDER",
     "writes a text and an HTML file for each student, to hand out",
     OPTION_SETS(struct outputs, feedback)},
    {OPTION_PATH, "--anonymous", "KEYFILE",
     "writes pseudonyms instead of names in all reports; the same key gives the same pseudonyms, "
     "and "
     "a new one is made if the file is missing",
     OPTION_SETS(struct outputs, anonymous)},
    {.kind = OPTION_END},
};

static bool same_place(const struct output *a, const struct output *b)
{
    return a->path == NULL || b->path == NULL ? a->path == b->path : strcmp(a->path, b->path) == 0;
}

static void load_key(struct outputs *outputs)
{
    struct error error;
    if (outputs->anonymous == NULL)
        return;
    if (!anonymous_key_load(outputs->anonymous, &outputs->key, &error))
        usage_error("%s", error.text);
    if (outputs->key.is_new)
        fprintf(stderr,
                "attn: --anonymous: a new key was made; keep the file, the same key gives the same "
                "pseudonyms\n");
    if (outputs->key.is_readable)
        fprintf(stderr, "attn: --anonymous: others may read the key, and find out who is who; "
                        "chmod 600 shuts it\n");
}

bool outputs_anonymize(const struct outputs *outputs, struct results *results, struct error *reterr)
{
    return outputs->anonymous == NULL || results_anonymize(results, &outputs->key, reterr);
}

void outputs_check(const char *command, struct outputs *outputs, const char *usual_format)
{
    struct error error;
    load_key(outputs);
    if (outputs->feedback != NULL && !feedback_open(outputs->feedback, &error))
        usage_error("%s", error.text);
    for (size_t i = 0; i < outputs->n; i++) {
        struct output *output = &outputs->items[i];
        if (output->format == NULL)
            output->format = report_format(usual_format);
        for (size_t j = 0; j < i; j++)
            if (same_place(output, &outputs->items[j]))
                usage_error("%s: %s and %s both go to %s; give each an --output of its own",
                            command, outputs->items[j].format->name, output->format->name,
                            output->path != NULL ? output->path : "standard output");
        if (output->path != NULL && !report_can_write(output->path, &error))
            usage_error("%s", error.text);
    }
}

const char *outputs_json(const struct outputs *outputs)
{
    for (size_t i = 0; i < outputs->n; i++)
        if (outputs->items[i].path != NULL && strcmp(outputs->items[i].format->name, "json") == 0)
            return outputs->items[i].path;
    return NULL;
}

static bool print_piece(void *context, const char *bytes, size_t size)
{
    return fwrite(bytes, 1, size, context) == size;
}

static bool write_one(const struct output *output, const struct results *results,
                      struct error *reterr)
{
    struct error error = {.kind = ERR_NONE};
    if (output->path != NULL)
        return report_write_file(output->path, output->format, results, reterr);
    bool ok =
        report_put_all(output->format, results, print_piece, stdout, &error) && fflush(stdout) == 0;
    if (!ok && error.kind == ERR_NONE)
        error_set(&error, ERR_FILE, "standard output: can't be written: %s", strerror(errno));
    if (!ok)
        *reterr = error;
    return ok;
}

bool outputs_write_files(const struct outputs *outputs, const struct results *results, bool last)
{
    bool all = true;
    for (size_t i = 0; i < outputs->n; i++) {
        struct error error;
        if (outputs->items[i].path == NULL || write_one(&outputs->items[i], results, &error))
            continue;
        all = false;
        if (last)
            print_error(&error, NULL, 0, NULL, 0);
    }
    struct error error;
    if (last && outputs->feedback != NULL && !feedback_write(outputs->feedback, results, &error)) {
        print_error(&error, NULL, 0, NULL, 0);
        all = false;
    }
    return all;
}

bool outputs_print(const struct outputs *outputs, const struct results *results)
{
    for (size_t i = 0; i < outputs->n; i++) {
        struct error error;
        if (outputs->items[i].path != NULL || write_one(&outputs->items[i], results, &error))
            continue;
        print_error(&error, NULL, 0, NULL, 0);
        return false;
    }
    return true; /* no two go there */
}

static FILE *open_report(const char *path, char *name, size_t capacity, struct error *reterr)
{
    error_quote(name, capacity, path, strlen(path));
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        error_set(reterr, ERR_FILE, "%s: can't be read: %s", name, strerror(errno));
    return file;
}

bool read_report(const char *path, struct results *ret, struct error *reterr)
{
    char name[NAME_BYTES];
    FILE *file = open_report(path, name, sizeof name, reterr);
    bool ok = file != NULL && report_read_json(name, file, ret, reterr);
    if (file != NULL)
        fclose(file);
    return ok;
}

bool read_report_each(const char *path, report_take *take, void *context, struct results *ret,
                      struct error *reterr)
{
    char name[NAME_BYTES];
    FILE *file = open_report(path, name, sizeof name, reterr);
    bool ok = file != NULL && report_read_each(name, file, take, context, ret, reterr);
    if (file != NULL)
        fclose(file);
    return ok;
}
