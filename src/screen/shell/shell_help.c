/* See shell_help.h. */
#include "shell/shell_help.h"

#include <stdio.h>
#include <string.h>

#include "base/suggestion.h"
#include "lang/builtins/builtin.h"
#include "commands/command.h"
#include "lang/syntax/sentence.h"
#include "course/manual/manual_show.h"
#include "shell/prompt_word.h"
#include "show/doc.h"

enum {
    ANSWERS = 4
}; /* that are shown; a term or an operator that was asked for by name stands alone */

static const char blanks[] = " \t\r\n";

void shell_help_add_words(struct manual *manual)
{
    static const char *const where[] = {
        [WORD_OF_COURSE] = "course",
        [WORD_OF_SHELL] = "screen",
        [WORD_OF_SCREEN] = "screen",
        [WORD_OF_LANGUAGE] = "command",
    };
    struct prompt_word word;
    for (size_t i = 0; prompt_word(i, &word); i++) {
        struct text start = {0}; /* with a blank where something is to be typed after it */
        if (!word.loses)
            text_format(&start, "%s%s", word.name, word.takes_more ? " " : "");
        manual->failed = manual->failed || start.failed;
        manual_add(manual, &(struct manual_entry){.kind = MANUAL_WORD,
                                                  .name = word.name,
                                                  .title = word.usage,
                                                  .text = word.summary,
                                                  .where = where[word.kind],
                                                  .gives = text_string(&start)});
        text_release(&start);
    }
}

/* ---- which lines are questions ---- */

static bool is_prompt_word(const char *name)
{
    struct prompt_word word;
    for (size_t i = 0; prompt_word(i, &word); i++)
        if (strcmp(word.name, name) == 0)
            return true;
    return false;
}

/* A function or command is nearly called so: the language says which. */
static bool is_nearly_known(const char *name, size_t size)
{
    struct suggestion suggestion;
    const struct builtin *builtin;
    size_t n;
    const struct command *commands = command_table(&n);
    suggestion_init(&suggestion, name, size);
    for (size_t i = 0; i < n; i++)
        suggestion_try(&suggestion, commands[i].name);
    for (size_t i = 0; (builtin = builtin_at(i)) != NULL; i++)
        suggestion_try(&suggestion, builtin->name);
    return suggestion.best[0] != '\0';
}

/* The bare name in softmax(), (softmax) and "softmax", as people write it. */
static size_t bare_name(const char **name)
{
    *name += strspn(*name, "(\"'");
    size_t size = strlen(*name);
    while (size > 0 && strchr("()\"'", (*name)[size - 1]) != NULL)
        size--;
    return size;
}

/* Whether the manual calls something exactly so. */
static bool is_in_manual(const struct manual_results *results)
{
    return results->n > 0 && results->items[0].score > 1;
}

/* Whether a line is a question for the manual, which goes to ret. */
static bool read_question(const struct session *session, const char *line,
                          char ret[SHELL_LINE_BYTES])
{
    struct shell_line read;
    const struct names *names = &session->names;
    if (shell_line_split(line, &read) && strcmp(read.words[0], "help") != 0 &&
        sentence_asks(session->find_command, line, strlen(line))) {
        snprintf(ret, SHELL_LINE_BYTES, "%s", line + strspn(line, blanks));
        for (size_t size = strlen(ret); size > 0 && strchr(" \t\r\n?", ret[size - 1]) != NULL;)
            ret[--size] = '\0';
        return true;
    }
    if (!shell_line_split(line, &read) || read.n < 2 || strcmp(read.words[0], "help") != 0 ||
        names_get(names, "help", strlen("help")) != NULL)
        return false;
    const char *question = line + strspn(line, blanks) + strlen("help");
    question += strspn(question, blanks);
    bool assigns = question[0] == '=' && question[1] != '=' && read.n > 2;
    if (assigns || strchr(question, ';') != NULL)
        return false;
    const char *name = read.words[1];
    size_t size = bare_name(&name);
    if (read.n == 2 && (is_prompt_word(name) || builtin_find(name, size) != NULL ||
                        command_find(name, size) != NULL || names_get(names, name, size) != NULL))
        return false;
    snprintf(ret, SHELL_LINE_BYTES, "%s", question);
    for (size = strlen(ret); size > 0 && strchr(blanks, ret[size - 1]) != NULL;)
        ret[--size] = '\0';
    return true;
}

/* ---- answers ---- */

static bool is_of_glossary(enum manual_kind kind)
{
    return kind == MANUAL_TERM || kind == MANUAL_OPERATOR || kind == MANUAL_TOPIC;
}

static bool add_answer(const struct session *session, const struct manual *manual,
                       const struct manual_result *result, bool with_example, struct doc *out,
                       struct error *reterr)
{
    const struct manual_entry *entry = &manual->entries[result->entry];
    const struct manual_setup setup = {&session->settings, session->data_dir, session->graph.stop};
    size_t width_cols = session->settings.width_cols;
    struct text title = {0}, text = {0};
    text_format(&title, "%s   (%s)", entry->title, entry->where);
    manual_add_text(entry, result, &text);
    doc_wrap(out, STYLE_TITLE, text_string(&title), width_cols, 0);
    if (text.size > 0)
        doc_wrap(out, STYLE_PLAIN, text_string(&text), width_cols, 2);
    out->failed = out->failed || title.failed || text.failed;
    text_release(&title);
    text_release(&text);
    if (with_example && !manual_show_example(entry, &setup, out, reterr))
        return false;
    if (manual_opens_lesson(entry))
        doc_line(out, STYLE_QUIET, "  %s%s",
                 is_of_glossary(entry->kind) ? "The course introduces it: " : "", entry->gives);
    return true;
}

static bool add_answers(const struct session *session, const struct manual *manual,
                        const struct manual_results *results, struct doc *out, struct error *reterr)
{
    size_t n = results->n < ANSWERS ? results->n : ANSWERS;
    if (is_in_manual(results))
        n = 1;
    if (results->only_near)
        doc_line(out, STYLE_QUIET, MANUAL_NOTHING_FITS);
    for (size_t i = 0; i < n; i++)
        if (!add_answer(session, manual, &results->items[i],
                        i == 0 && is_of_glossary(manual->entries[results->items[0].entry].kind),
                        out, reterr))
            return false;
    return doc_check(out, reterr);
}

bool shell_help_answer(const struct session *session, const char *line, struct doc *out,
                       bool *ret_answered, struct error *reterr)
{
    struct manual manual = {.n = 0};
    struct manual_results results;
    char question[SHELL_LINE_BYTES];
    *ret_answered = false;
    if (!read_question(session, line, question))
        return true;
    shell_help_add_words(&manual);
    manual_add_all(&manual, session->data_dir);
    bool ok = manual_index(&manual, reterr) && manual_find(&manual, question, &results, reterr);
    bool is_misspelt = ok && !is_in_manual(&results) && strpbrk(question, blanks) == NULL &&
                       is_nearly_known(question, strlen(question));
    if (ok && !is_misspelt) {
        *ret_answered = true;
        ok = results.n > 0
                 ? add_answers(session, &manual, &results, out, reterr)
                 : error_set(
                       reterr, ERR_NAME,
                       "help: nothing has this or a similar name; help alone lists everything");
    }
    manual_release(&manual);
    return ok;
}
