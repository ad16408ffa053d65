/* Helpers of the language's tests: see lang_testing.h. */
#include "lang_testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/node.h"
#include "commands/command.h"
#include "lang/syntax/lexer.h"
#include "show/backend.h"
#include "show/doc.h"

const char *testing_data_dir(void)
{
    const char *folder = getenv("ATTN_DATA_DIR");
    if (folder == NULL)
        fail_msg("ATTN_DATA_DIR must name the folder that holds assets/");
    return folder;
}

void lang_open(struct lang *lang)
{
    struct settings settings = {.digits = 4, .width_cols = 80};
    *lang = (struct lang){.stop = 0};
    session_init(&lang->session, command_find, &settings, testing_data_dir(), &lang->stop);
}

void lang_close(struct lang *lang)
{
    session_release(&lang->session);
    text_release(&lang->shown);
}

int lang_setup(void **state)
{
    struct lang *lang = malloc(sizeof *lang);
    if (lang == NULL)
        return 1;
    lang_open(lang);
    *state = lang;
    return 0;
}

int lang_teardown(void **state)
{
    lang_close(*state);
    free(*state);
    return 0;
}

static bool run(struct lang *lang, const char *line, size_t size, struct error *reterr)
{
    struct doc out;
    doc_init(&out);
    text_clear(&lang->shown);
    bool ok = session_run(&lang->session, line, size, &out, reterr);
    doc_to_plain(&out, &lang->shown);
    doc_release(&out);
    return ok;
}

bool lang_try(struct lang *lang, const char *line, struct error *reterr)
{
    return run(lang, line, strlen(line), reterr);
}

void lang_run(struct lang *lang, const char *lines)
{
    struct error error = {.kind = ERR_NONE};
    size_t size = strlen(lines), length;
    bool open;
    for (size_t at = 0; at < size; at += length) {
        length = lexer_line(lines + at, size - at, &open);
        if (!run(lang, lines + at, length, &error))
            fail_msg("%.*s: %s", (int)length, lines + at, error.text);
    }
}

static void describe_tensor(const struct tensor *x, struct text *text)
{
    char shape[TENSOR_SHAPE_TEXT];
    size_t size = tensor_size(x);
    text_format(text, "%s%s", tensor_shape_text(x, shape), x->is_bool ? " bool" : "");
    for (size_t i = 0; i < size && i < 100; i++)
        text_format(text, " %a", (double)tensor_at_position(x, i));
}

static void describe_value(const struct value *value, struct text *text)
{
    char words[120];
    if (value->kind == VALUE_NODE) {
        const struct node *node = value->as.node;
        text_format(text, "node %p \"%s\" ", (const void *)node, node->name ? node->name : "-");
        describe_tensor(&node->value, text);
    } else if (value->kind == VALUE_FUNCTION) {
        text_format(text, "function %s", value->as.function->source);
    } else {
        text_put(text, value_describe(value, words, sizeof words));
    }
    if (value->kind == VALUE_LIST)
        for (size_t i = 0; i < value->as.list->n; i++) {
            text_put(text, "; ");
            describe_value(&value->as.list->items[i], text);
        }
    text_char(text, '\n');
}

static void describe_change(const char *title, const struct change *change, struct text *text)
{
    text_format(text, "%s %zu\n", title, change->n);
    for (size_t i = 0; i < change->n; i++) {
        text_format(text, "  %s: ", change->items[i].name);
        describe_value(&change->items[i].value, text);
    }
}

static void describe_random(const struct random *random, struct text *text)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < 624; i++)
        sum = sum * 31 + random->state[i];
    text_format(text, "random %llx %u %d %a\n", (unsigned long long)sum, random->next,
                (int)random->has_spare, random->has_spare ? random->spare_normal : 0.0);
}

void lang_describe(const struct lang *lang, struct text *text)
{
    const struct session *session = &lang->session;
    const struct settings *settings = &session->settings;
    for (size_t i = 0; i < session->names.n_variables; i++) {
        text_format(text, "%s = ", session->names.variables[i].name);
        describe_value(&session->names.variables[i].value, text);
    }
    describe_change("pending", &session->whatif.pending, text);
    for (size_t i = 0; i < session->whatif.n_undo; i++)
        describe_change("undo", &session->whatif.undo[i], text);
    describe_random(&session->random, text);
    text_format(text, "settings %d %zu %d %d %d %d quit %d\n", settings->digits,
                settings->width_cols, settings->ascii, (int)settings->colours, settings->echo,
                settings->no_files, session->wants_quit);
    text_format(text, "script %s\nnotes %s\n", text_string(&session->script),
                text_string(&session->notes));
    assert_false(text->failed);
}

struct node *lang_node(struct lang *lang, const char *name)
{
    const struct value *value = names_get(&lang->session.names, name, strlen(name));
    if (value == NULL || value->kind != VALUE_NODE)
        fail_msg("%s stands for no tensor", name);
    return value->as.node;
}

void lang_check_value(const char *file, int line_number, struct lang *lang, const char *expression,
                      unsigned n_axes, const size_t *shape, const float *numbers, double tolerance)
{
    struct error error = {.kind = ERR_NONE};
    struct text line = {0};
    text_format(&line, "value_under_test = %s", expression);
    if (!lang_try(lang, text_string(&line), &error)) {
        print_error("%s: %s\n", expression, error.text);
        _fail(file, line_number);
    }
    text_release(&line);
    testing_tensor_close(file, line_number, &lang_node(lang, "value_under_test")->value, n_axes,
                         shape, numbers, tolerance);
}

void lang_check_shows(const char *file, int line_number, struct lang *lang, const char *line,
                      const char *text)
{
    struct error error = {.kind = ERR_NONE};
    if (!lang_try(lang, line, &error)) {
        print_error("%s: %s\n", line, error.text);
        _fail(file, line_number);
    }
    _assert_string_equal(text_string(&lang->shown), text, file, line_number);
}

/* Runs a line that must fail and change nothing. */
static struct error failure(const char *file, int line_number, struct lang *lang, const char *line)
{
    struct error error = {.kind = ERR_NONE};
    struct text before = {0}, after = {0};
    lang_describe(lang, &before);
    if (lang_try(lang, line, &error)) {
        print_error("%s: worked, and should fail; it shows: %s\n", line, text_string(&lang->shown));
        _fail(file, line_number);
    }
    lang_describe(lang, &after);
    _assert_string_equal(text_string(&after), text_string(&before), file, line_number);
    _assert_string_equal(text_string(&lang->shown), "", file, line_number);
    text_release(&before);
    text_release(&after);
    return error;
}

void lang_check_fails(const char *file, int line_number, struct lang *lang, const char *line,
                      enum error_kind kind, const char *part)
{
    struct error error = failure(file, line_number, lang, line);
    testing_error(file, line_number, false, &error, kind);
    testing_says(file, line_number, &error, part);
}

void lang_check_fails_at(const char *file, int line_number, struct lang *lang, const char *line,
                         enum error_kind kind, const char *part, const char *marked)
{
    struct error error = failure(file, line_number, lang, line);
    char got[200];
    size_t size = strlen(line), end = error.end < size ? error.end : size;
    testing_error(file, line_number, false, &error, kind);
    testing_says(file, line_number, &error, part);
    size_t begin = error.begin < end ? error.begin : end;
    snprintf(got, sizeof got, "%.*s", (int)(end - begin), line + begin);
    _assert_string_equal(got, marked, file, line_number);
}
