/* help: the page of everything, and what it says of one name. */
#include <string.h>

#include "base/array.h"
#include "base/suggestion.h"
#include "lang/builtins/builtin.h"
#include "commands/command_internal.h"
#include "show/doc.h"

/* Adds a text as lines of words, and gives it back. */
static void add_paragraph(struct doc *out, enum style style, struct text *text, size_t width,
                          size_t indent)
{
    doc_wrap(out, style, text_string(text), width, indent);
    out->failed = out->failed || text->failed;
    text_release(text);
}

/* The example below what help says of a name: each line after a prompt, with its output, from a
 * session of its own. Lines that touch files, and help itself, do not run. */
static bool add_example(const struct session *session, const char *name, const char *example,
                        struct doc *out, struct error *reterr)
{
    bool runs = strcmp(name, "save") != 0 && strcmp(name, "load") != 0 && strcmp(name, "help") != 0;
    struct session inner;
    struct settings settings = session->settings;
    settings.width_cols -= settings.width_cols > 24 ? 2 : 0;
    session_init(&inner, session->find_command, &settings, session->data_dir, session->graph.stop);
    doc_line(out, STYLE_QUIET, "%s", "");
    bool ok = true;
    while (ok && *example != '\0') {
        struct doc shown;
        size_t size = strcspn(example, "\n");
        doc_line(out, STYLE_PLAIN, "  attn> %.*s", (int)size, example);
        doc_init(&shown);
        ok = !runs || session_run(&inner, example, size, &shown, reterr);
        if (ok)
            doc_append(out, &shown, 2);
        doc_release(&shown);
        example += size + (example[size] == '\n');
    }
    session_release(&inner);
    return ok;
}

static const char *const page_start[] = {
    "Type a formula: its value is shown. Give it a name with =, and ask for the why.",
    "",
    "  X = embed(\"Hello shiny sun!\")     three words as three vectors",
    "  S = X @ X.T / sqrt(3)             all pairs of words, compared",
    "  W = softmax(S)                    weights: each row sums to 1",
    "  context = W @ X                   each word mixed from those it attends to",
    "  why W[\"shiny\", \"sun\"]             the arithmetic behind one number",
    "  whatif X[\"sun\", 0] = 0.9          what would change",
    "  heat W                            a picture",
    "",
};

/* The functions of one group, as a paragraph of names. */
static void add_group(const struct session *session, const char *group, struct doc *out)
{
    struct text names = {0};
    const struct builtin *builtin;
    for (size_t i = 0; (builtin = builtin_at(i)) != NULL; i++)
        if (strcmp(builtin->group, group) == 0)
            text_format(&names, "%s%s", names.size ? " " : "", builtin->name);
    doc_line(out, STYLE_TITLE, "%s", group);
    add_paragraph(out, STYLE_NAME, &names, session->settings.width_cols, 2);
}

static bool help_page(struct session *session, struct doc *out, struct error *reterr)
{
    for (size_t i = 0; i < COUNT_OF(page_start); i++)
        doc_line(out, STYLE_PLAIN, "%s", page_start[i]);
    size_t n;
    const struct command *commands = command_table(&n);
    struct text names = {0};
    for (size_t i = 0; i < n; i++)
        text_format(&names, "%s%s", i ? " " : "", commands[i].name);
    doc_line(out, STYLE_TITLE, "commands");
    add_paragraph(out, STYLE_NAME, &names, session->settings.width_cols, 2);
    const struct builtin *builtin;
    const char *group = "";
    for (size_t i = 0; (builtin = builtin_at(i)) != NULL; i++)
        if (strcmp(builtin->group, group) != 0) {
            group = builtin->group;
            add_group(session, group, out);
        }
    doc_line(out, STYLE_QUIET, "%s", "");
    doc_line(out, STYLE_QUIET, "help NAME explains one of them, with an example.");
    return doc_check(out, reterr);
}

static bool help_unknown(const struct session *session, const char *name, size_t size,
                         struct error *reterr)
{
    char shown[48];
    struct suggestion suggestion;
    error_quote(shown, sizeof shown, name, size);
    suggestion_init(&suggestion, name, size);
    size_t n;
    const struct command *commands = command_table(&n);
    for (size_t i = 0; i < n; i++)
        suggestion_try_part(&suggestion, commands[i].name);
    const struct builtin *builtin;
    for (size_t i = 0; (builtin = builtin_at(i)) != NULL; i++)
        suggestion_try_part(&suggestion, builtin->name);
    if (names_get(&session->names, name, size) != NULL)
        return error_set(reterr, ERR_NAME,
                         "help %s: this is a name of this session; vars and trace %s describe it",
                         shown, shown);
    if (suggestion.best[0] != '\0')
        return error_set(reterr, ERR_NAME, "help %s: no such function or command; did you mean %s?",
                         shown, suggestion.best);
    return error_set(reterr, ERR_NAME, "help %s: no such function or command; help lists them",
                     shown);
}

COMMAND(command_help)
{
    /* The name in softmax(), (softmax) and "softmax", as people write it. */
    const char *name = statement->words, *end = name + statement->words_size;
    while (name < end && strchr("(\"'", *name) != NULL)
        name++;
    while (name < end && strchr("()\"'", end[-1]) != NULL)
        end--;
    size_t size = (size_t)(end - name), width_cols = session->settings.width_cols;
    if (name == end)
        return help_page(session, out, reterr);
    const struct builtin *builtin = builtin_find(name, size);
    const struct command *command = command_find(name, size);
    if (builtin == NULL && command == NULL)
        return help_unknown(session, name, size, reterr);
    if (command != NULL) {
        doc_wrap(out, STYLE_TITLE, command->usage, width_cols, 0);
        doc_wrap(out, STYLE_PLAIN, command->summary, width_cols, 2);
        if (!add_example(session, command->name, command->example, out, reterr))
            return false;
    }
    if (builtin != NULL && command != NULL)
        doc_line(out, STYLE_QUIET, "%s", "");
    if (builtin != NULL) {
        struct text signature = {0};
        builtin_signature(builtin, &signature);
        add_paragraph(out, STYLE_TITLE, &signature, width_cols, 0);
        doc_wrap(out, STYLE_PLAIN, builtin->summary, width_cols, 2);
        if (!add_example(session, builtin->name, builtin->example, out, reterr))
            return false;
    }
    return doc_check(out, reterr);
}
