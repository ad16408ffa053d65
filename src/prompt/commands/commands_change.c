/* del, reset, quit, save, load, set: changing the session. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "files/file.h"
#include "kernel/threads.h"
#include "commands/command_internal.h"
#include "show/doc.h"
#include "tensor/random.h"

/* ---- names ---- */

COMMAND(command_del)
{
    (void)out;
    for (size_t i = 0; i < statement->n_arguments; i++) {
        const struct expr *name = statement->arguments[i];
        if (name->kind != EXPR_NAME ||
            names_get(&session->names, name->as.text.bytes, name->as.text.size) == NULL) {
            error_set(reterr, ERR_NAME, "del: this is not a name of this session; vars lists them");
            return expr_place_error(name, reterr);
        }
        struct value nothing = {.kind = VALUE_ABSENT};
        if (!session_bind(session, name->as.text.bytes, name->as.text.size, &nothing, reterr))
            return false;
    }
    return true;
}

COMMAND(command_reset)
{
    (void)statement;
    (void)out;
    struct whatif_state *whatif = session_whatif(session, reterr);
    if (whatif == NULL)
        return false;
    whatif_state_release(whatif);
    for (size_t i = 0; i < session->names.n_variables; i++) {
        const struct variable *variable = &session->names.variables[i];
        struct value nothing = {.kind = VALUE_ABSENT};
        if (variable->value.kind != VALUE_ABSENT &&
            !session_bind(session, variable->name, variable->size, &nothing, reterr))
            return false;
    }
    random_seed(&session->random, SESSION_FIRST_SEED);
    session->transaction.forgets_script = true;
    return true;
}

COMMAND(command_quit)
{
    (void)statement;
    (void)out;
    (void)reterr;
    session->wants_quit = true;
    return true;
}

/* ---- files ---- */

/* The path among a command's words, without quotes. */
static bool path_of(const struct statement *statement, char *path, size_t capacity,
                    struct error *reterr)
{
    const char *words = statement->words;
    size_t size = statement->words_size;
    if (size >= 2 && (words[0] == '"' || words[0] == '\'') && words[size - 1] == words[0]) {
        words++;
        size -= 2;
    }
    if (size == 0 || size >= capacity || memchr(words, '\0', size) != NULL) {
        error_set(reterr, ERR_TYPE, "%s: name a file: %s", statement->command->name,
                  statement->command->usage);
        return false;
    }
    memcpy(path, words, size);
    path[size] = '\0';
    if (text_ends_with(path, ".npy"))
        return error_set(reterr, ERR_TYPE, "%s: for a tensor write %s", statement->command->name,
                         statement->command->name[0] == 's' ? "save(\"x.npy\", X)"
                                                            : "X = load(\"x.npy\")");
    return true;
}

COMMAND(command_save)
{
    char path[4096];
    if (!settings_allow_files(&session->settings, "save", reterr) ||
        !path_of(statement, path, sizeof path, reterr))
        return false;
    if (session->settings.no_saves)
        return true;
    if (!file_replace(path, text_string(&session->script), session->script.size, 0666))
        return error_set(reterr, ERR_FILE, "save: %.200s can't be written: %s", path,
                         strerror(errno));
    size_t n_lines = 0;
    for (size_t i = 0; i < session->script.size; i++)
        n_lines += session->script.bytes[i] == '\n';
    doc_line(out, STYLE_QUIET, "%zu %s saved; load %s brings them back", n_lines,
             n_lines == 1 ? "line" : "lines", path);
    return doc_check(out, reterr);
}

enum { SCRIPT_MAX_BYTES = 16 * 1024 * 1024 };

static bool read_whole(const char *path, struct text *text, struct error *reterr)
{
    struct stat info;
    FILE *file = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "r") : NULL;
    if (file == NULL)
        return error_set(reterr, ERR_FILE, "load: %.200s can't be read: %s", path,
                         errno ? strerror(errno) : "it is not a file");
    char bytes[4096];
    size_t n;
    while ((n = fread(bytes, 1, sizeof bytes, file)) > 0 && text->size <= SCRIPT_MAX_BYTES)
        text_add(text, bytes, n);
    bool ok = !ferror(file) || error_set(reterr, ERR_FILE, "load: %.200s: a read error", path);
    fclose(file);
    if (ok && text->size > SCRIPT_MAX_BYTES)
        ok = error_set(reterr, ERR_LIMIT, "load: %.200s is larger than 16 MB", path);
    return ok && (!text->failed || error_memory(reterr, "load"));
}

COMMAND(command_load)
{
    char path[4096];
    struct text text = {0};
    errno = 0;
    if (!settings_allow_files(&session->settings, "load", reterr) ||
        !path_of(statement, path, sizeof path, reterr))
        return false;
    bool ok = read_whole(path, &text, reterr) &&
              session_run_inside(session, path, text_string(&text), text.size, out, reterr);
    text_release(&text);
    return ok;
}

/* ---- settings ---- */

static const char *const colour_names[] = {"never", "16", "256", "true"};

enum { MOST_THREADS = 1024 };

static bool set_number(const char *value, long low, long high, const char *name, long *ret,
                       struct error *reterr)
{
    char *end;
    long number = strtol(value, &end, 10);
    if (*value == '\0' || *end != '\0' || number < low || number > high)
        return error_set(reterr, ERR_RANGE, "set %s: a whole number from %ld to %ld is needed",
                         name, low, high);
    *ret = number;
    return true;
}

static bool set_switch(const char *value, const char *name, bool *ret, struct error *reterr)
{
    if (strcmp(value, "on") != 0 && strcmp(value, "off") != 0)
        return error_set(reterr, ERR_NAME, "set %s: on or off", name);
    *ret = strcmp(value, "on") == 0;
    return true;
}

static bool set_threads(struct settings *settings, const char *value, struct error *reterr)
{
    long number = 0;
    if (strcmp(value, "all") != 0 &&
        !set_number(value, 1, MOST_THREADS, "threads", &number, reterr))
        return false;
    settings->threads = (size_t)number;
    threads_set(settings->threads);
    return true;
}

static bool set_colours(struct settings *settings, const char *value, struct error *reterr)
{
    for (size_t i = 0; i < COUNT_OF(colour_names); i++)
        if (strcmp(value, colour_names[i]) == 0) {
            settings->colours = (enum colours)i;
            return true;
        }
    return error_set(reterr, ERR_NAME, "set color: never, 16, 256 or true");
}

static bool set_one(struct settings *settings, const char *name, const char *value,
                    struct error *reterr)
{
    long number;
    if (strcmp(name, "digits") == 0) {
        if (!set_number(value, 1, 9, name, &number, reterr))
            return false;
        settings->digits = (int)number;
    } else if (strcmp(name, "width") == 0) {
        if (!set_number(value, 20, 1000, name, &number, reterr))
            return false;
        settings->width_cols = (size_t)number;
    } else if (strcmp(name, "ascii") == 0) {
        return set_switch(value, name, &settings->ascii, reterr);
    } else if (strcmp(name, "echo") == 0) {
        return set_switch(value, name, &settings->echo, reterr);
    } else if (strcmp(name, "threads") == 0) {
        return set_threads(settings, value, reterr);
    } else if (strcmp(name, "color") == 0 || strcmp(name, "colour") == 0) {
        return set_colours(settings, value, reterr);
    } else {
        return error_set(reterr, ERR_NAME,
                         "set: there is no setting %s; there are digits, width, "
                         "ascii, color, echo and threads, and on the full screen theme, palette "
                         "and mouse",
                         name);
    }
    return true;
}

COMMAND(command_set)
{
    char name[24] = "", value[24] = "", words[64];
    if (statement->words_size == 0) {
        const struct settings *settings = &session->settings;
        doc_line(out, STYLE_PLAIN, "digits  %d", settings->digits);
        doc_line(out, STYLE_PLAIN, "width   %zu", settings->width_cols);
        doc_line(out, STYLE_PLAIN, "ascii   %s", settings->ascii ? "on" : "off");
        doc_line(out, STYLE_PLAIN, "color   %s", colour_names[settings->colours]);
        doc_line(out, STYLE_PLAIN, "echo    %s", settings->echo ? "on" : "off");
        if (settings->threads > 0)
            doc_line(out, STYLE_PLAIN, "threads %zu", settings->threads);
        else
            doc_line(out, STYLE_PLAIN, "threads all");
        return doc_check(out, reterr);
    }
    error_quote(words, sizeof words, statement->words, statement->words_size);
    if (sscanf(words, "%23[^ =] %*[=] %23s", name, value) < 2 &&
        sscanf(words, "%23s %23s", name, value) < 2)
        return error_set(reterr, ERR_SYNTAX, "set: write a name and a value, such as set digits 2");
    if (!set_one(&session->settings, name, value, reterr))
        return false;
    session->transaction.changed = true;
    return true;
}
