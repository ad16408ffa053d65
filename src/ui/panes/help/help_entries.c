/* See help.h: what can be found, and the search. */
#include "ui/panes/help/help_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lang/builtins/builtin.h"
#include "base/array.h"
#include "shell/prompt_word.h"

/* ---- reading ---- */

/* A copy that lives as long as the help. */
static const char *keep(struct help *help, const char *text)
{
    char *copy = arena_copy(&help->arena, text, strlen(text));
    help->failed = help->failed || copy == NULL;
    return copy != NULL ? copy : "";
}

/* The same of a text that is then given back. */
static const char *keep_text(struct help *help, struct text *text)
{
    const char *kept = keep(help, text_string(text));
    help->failed = help->failed || text->failed;
    text_release(text);
    return kept;
}

static void add_entry(struct help *help, struct help_entry entry)
{
    struct help_entry *entries =
        array_grow(help->entries, help->n, &help->capacity, sizeof *entries);
    help->failed = help->failed || entries == NULL;
    if (entries == NULL)
        return;
    help->entries = entries;
    entries[help->n++] = entry;
}

static void add_words(struct help *help)
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
        text_format(&start, "%s%s", word.name, word.takes_more ? " " : "");
        add_entry(help, (struct help_entry){HELP_WORD, word.name, word.usage, word.summary,
                                            where[word.kind], keep_text(help, &start)});
    }
}

static void add_functions(struct help *help)
{
    const struct builtin *builtin;
    for (size_t i = 0; (builtin = builtin_at(i)) != NULL; i++) {
        struct text signature = {0};
        builtin_signature(builtin, &signature);
        add_entry(help,
                  (struct help_entry){HELP_FUNCTION, builtin->name, keep_text(help, &signature),
                                      builtin->summary, "function", builtin->name});
    }
}

static void add_keys(struct help *help, const struct pane_ops *pane)
{
    for (size_t i = 0; pane->bindings[i].key != KEYCODE_NONE; i++) {
        const struct binding *binding = &pane->bindings[i];
        struct text keys = {0};
        if (help_owner_of(pane->bindings, i) != i)
            continue;
        help_write_keys(pane->bindings, i, &keys);
        add_entry(help, (struct help_entry){HELP_KEY, binding->label != NULL ? binding->label : "",
                                            keep_text(help, &keys), help_text_of(binding),
                                            pane->title, ""});
    }
}

static void add_lesson(struct help *help, const struct course_entry *entry)
{
    struct lesson *lesson;
    struct text where = {0}, text = {0}, gives = {0};
    struct error fault;
    if (!lesson_read(entry->path, &lesson, &fault)) {
        help->failed = help->failed || fault.kind == ERR_MEMORY;
        return;
    }
    text_format(&where, "lesson %u", entry->number);
    text_format(&gives, "lesson %s", entry->id);
    for (unsigned i = 0; i < lesson->n_objectives; i++)
        text_format(&text, "%s%s", i > 0 ? "\n" : "", lesson->objectives[i].text);
    const char *title = keep(help, lesson->title), *place = keep_text(help, &where);
    add_entry(help, (struct help_entry){HELP_LESSON, title, title, keep_text(help, &text), place,
                                        keep_text(help, &gives)});
    for (size_t i = 0; i < lesson->n_steps; i++) {
        const struct step *step = lesson->steps[i];
        text_format(&gives, "lesson %s#%s", lesson->id, step->name);
        title = keep(help, step->title);
        add_entry(help,
                  (struct help_entry){HELP_STEP, title, title, "", place, keep_text(help, &gives)});
    }
    lesson_free(lesson);
}

static bool load_all(struct help *fresh, const struct course *course)
{
    add_words(fresh);
    add_functions(fresh);
    for (size_t i = 0; i < fresh->n_panes; i++)
        add_keys(fresh, fresh->panes[i]);
    for (size_t i = 0; course != NULL && i < course->n && !fresh->failed; i++)
        add_lesson(fresh, &course->entries[i]);
    if (fresh->failed)
        return false;
    fresh->results = calloc(fresh->n + 1, sizeof *fresh->results);
    fresh->lines = calloc(fresh->n + 1, sizeof *fresh->lines);
    return fresh->results != NULL && fresh->lines != NULL;
}

bool help_load(struct help *help, const struct pane_ops *const *panes, size_t n_panes,
               const struct course *course, struct error *reterr)
{
    struct help fresh = {.panes = panes, .n_panes = n_panes, .pane = n_panes};
    fresh.rows = help->rows;
    fresh.cols = help->cols;
    if (!load_all(&fresh, course)) {
        help_release(&fresh);
        return error_memory(reterr, "help");
    }
    help_release(help);
    *help = fresh;
    return true;
}

void help_release(void *state)
{
    struct help *help = state;
    free(help->entries);
    free(help->results);
    free(help->lines);
    arena_release(&help->arena);
    doc_release(&help->page);
    pane_request_release(&help->request);
    *help = (struct help){0};
}

/* ---- the search ---- */

enum { MAX_WORDS = 16 }; /* of a search; more are not looked at */

struct query {
    const char *words[MAX_WORDS]; /* in the field */
    size_t sizes[MAX_WORDS], n;
};

enum rank { RANK_IS, RANK_BEGINS, RANK_CONTAINS, RANK_TEXT, RANK_NONE };

static struct query query_of(const struct field *field)
{
    struct query query = {0};
    for (const char *at = field->text; query.n < MAX_WORDS;) {
        at += strspn(at, " ");
        size_t size = strcspn(at, " ");
        if (size == 0)
            break;
        query.words[query.n] = at;
        query.sizes[query.n++] = size;
        at += size;
    }
    return query;
}

/* Whether text begins with a word, in capitals or not. */
static bool begins_with(const char *text, const char *word, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (tolower((unsigned char)text[i]) != tolower((unsigned char)word[i]))
            return false; /* also at the text's end */
    return true;
}

static bool contains(const char *text, const char *word, size_t size)
{
    for (; *text != '\0'; text++)
        if (begins_with(text, word, size))
            return true;
    return false;
}

/* Whether one of the words of `text` is this one. */
static bool has_word(const char *text, const char *word, size_t size)
{
    for (; *text != '\0'; text += strspn(text, " ")) {
        size_t length = strcspn(text, " ");
        if (length == size && begins_with(text, word, size))
            return true;
        text += length;
    }
    return false;
}

bool field_is_within(const struct field *field, const char *text)
{
    struct query query = query_of(field);
    for (size_t i = 0; i < query.n; i++)
        if (!contains(text, query.words[i], query.sizes[i]))
            return false;
    return true;
}

static enum rank rank_word(const struct help_entry *entry, const char *word, size_t size)
{
    bool is_key = entry->kind == HELP_KEY;
    if (begins_with(entry->name, word, size))
        return entry->name[size] == '\0' ? RANK_IS : RANK_BEGINS;
    if (is_key && has_word(entry->title, word, size))
        return RANK_IS;
    if (contains(entry->name, word, size))
        return RANK_CONTAINS;
    if (contains(entry->text, word, size) || contains(entry->where, word, size) ||
        (!is_key && contains(entry->title, word, size)))
        return RANK_TEXT;
    return RANK_NONE;
}

void help_find(struct help *help)
{
    struct query query = query_of(&help->field);
    help->n_results = help->chosen = help->scroll = 0;
    for (enum rank rank = RANK_IS; rank < RANK_NONE; rank++)
        for (size_t i = 0; i < help->n; i++) {
            enum rank worst = RANK_IS; /* of its words' ranks: all of them must be there */
            for (size_t word = 0; word < query.n; word++) {
                enum rank own = rank_word(&help->entries[i], query.words[word], query.sizes[word]);
                worst = own > worst ? own : worst;
            }
            if (worst == rank)
                help->results[help->n_results++] = i;
        }
}
