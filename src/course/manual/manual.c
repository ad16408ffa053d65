/* See manual.h: the entries. */
#include "course/manual/manual.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "course/lesson/course.h"
#include "lang/builtins/builtin.h"
#include "course/manual/glossary_internal.h"

/* A copy that lives as long as the manual. */
static const char *keep(struct manual *manual, const char *text)
{
    char *copy = text != NULL ? arena_copy(&manual->arena, text, strlen(text)) : NULL;
    manual->failed = manual->failed || (text != NULL && copy == NULL);
    return copy != NULL ? copy : "";
}

void manual_add(struct manual *manual, const struct manual_entry *entry)
{
    struct manual_entry *entries =
        array_grow(manual->entries, manual->n, &manual->capacity, sizeof *entries);
    manual->failed = manual->failed || entries == NULL;
    if (entries == NULL)
        return;
    manual->entries = entries;
    entries[manual->n++] = (struct manual_entry){
        .kind = entry->kind,
        .name = keep(manual, entry->name),
        .also = keep(manual, entry->also),
        .title = keep(manual, entry->title),
        .text = keep(manual, entry->text),
        .where = keep(manual, entry->where),
        .example = keep(manual, entry->example),
        .gives = keep(manual, entry->gives),
    };
}

/* Adds an entry whose texts were written, and gives them back. */
static void add_written(struct manual *manual, struct manual_entry entry, struct text *texts,
                        size_t n_texts)
{
    for (size_t i = 0; i < n_texts; i++)
        manual->failed = manual->failed || texts[i].failed;
    manual_add(manual, &entry);
    for (size_t i = 0; i < n_texts; i++)
        text_release(&texts[i]);
}

static void add_functions(struct manual *manual)
{
    const struct builtin *builtin;
    for (size_t i = 0; (builtin = builtin_at(i)) != NULL; i++) {
        struct text signature = {0};
        builtin_signature(builtin, &signature);
        add_written(manual,
                    (struct manual_entry){.kind = MANUAL_FUNCTION,
                                          .name = builtin->name,
                                          .title = text_string(&signature),
                                          .text = builtin->summary,
                                          .where = "function",
                                          .example = builtin->example,
                                          .gives = builtin->name},
                    &signature, 1);
    }
}

/* ---- the glossary ---- */

static void add_glossary_list(struct manual *manual, const struct glossary_list *list,
                              enum manual_kind kind, const char *where)
{
    for (unsigned i = 0; i < list->n; i++) {
        const struct glossary_entry *entry = &list->entries[i];
        struct text line = {0};
        if (entry->lesson != NULL)
            text_format(&line, "lesson %s", entry->lesson);
        add_written(manual,
                    (struct manual_entry){.kind = kind,
                                          .name = entry->name,
                                          .also = entry->also,
                                          .title = entry->name,
                                          .text = entry->text,
                                          .where = where,
                                          .example = entry->example,
                                          .gives = text_string(&line)},
                    &line, 1);
    }
}

static void add_glossary(struct manual *manual, const char *data_dir, bool topics_alone)
{
    struct glossary glossary;
    struct error error;
    if (!glossary_open(data_dir, &glossary, &error)) {
        manual->failed = manual->failed || error.kind == ERR_MEMORY;
        return;
    }
    if (!topics_alone) {
        add_glossary_list(manual, &glossary.terms, MANUAL_TERM, "term");
        add_glossary_list(manual, &glossary.operators, MANUAL_OPERATOR, "operator");
    }
    add_glossary_list(manual, &glossary.topics, MANUAL_TOPIC, "about attn");
    glossary_release(&glossary);
}

/* ---- the lessons ---- */

/* Adds a piece of Markdown without its marks and headings, each of its lines as one. A number that
 * is computed when the page is read is left open. */
static void add_plain(struct text *out, const char *source)
{
    bool in_code = false;
    for (const char *at = source; *at != '\0'; at++) {
        if (*at == '#' && (at == source || at[-1] == '\n')) {
            at += strcspn(at, "\n");
            if (*at == '\0')
                break;
        } else if (*at == '`') {
            in_code = !in_code;
            if (in_code && at[1] == '=' && at[2] == ' ') {
                text_put(out, "...");
                at += strcspn(at + 1, "`");
            }
        } else if (!in_code && *at == '*' && at[1] == '*') {
            at++;
        } else if (!in_code && *at == ']' && at[1] == '(' && strchr(at, ')') != NULL) {
            at = strchr(at, ')'); /* the text of a link stays */
        } else if (in_code || strchr("[|*", *at) == NULL) {
            text_char(out, *at);
        }
    }
    text_char(out, '\n');
}

void manual_add_page_text(const struct page *page, struct text *out)
{
    for (size_t i = 0; i < page->n_parts; i++)
        if (page->parts[i].kind == PART_PROSE)
            add_plain(out, page->parts[i].source.text);
}

static void add_page(struct manual *manual, const struct lesson *lesson, const struct page *page,
                     const char *where)
{
    struct text texts[3] = {{0}, {0}, {0}}; /* what it says, its title, the line that opens it */
    manual_add_page_text(page, &texts[0]);
    text_format(&texts[1], "%s: %s", lesson->title, page->step != NULL ? page->step->title : "");
    if (page->step == NULL)
        text_shrink(&texts[1], strlen(lesson->title));
    text_format(&texts[2], "lesson %s#%s", lesson->id, page->name);
    add_written(manual,
                (struct manual_entry){.kind = MANUAL_PAGE,
                                      .name = "",
                                      .title = text_string(&texts[1]),
                                      .text = text_string(&texts[0]),
                                      .where = where,
                                      .gives = text_string(&texts[2])},
                texts, COUNT_OF(texts));
}

static void add_step(struct manual *manual, const struct lesson *lesson, const struct step *step,
                     const char *where)
{
    struct text texts[2] = {{0}, {0}};
    text_format(&texts[0], "%s: %s", lesson->title, step->title);
    text_format(&texts[1], "lesson %s#%s", lesson->id, step->name);
    add_written(manual,
                (struct manual_entry){.kind = MANUAL_STEP,
                                      .name = step->title,
                                      .title = text_string(&texts[0]),
                                      .where = where,
                                      .gives = text_string(&texts[1])},
                texts, COUNT_OF(texts));
}

static void add_lesson(struct manual *manual, const struct course_entry *entry)
{
    struct lesson *lesson;
    struct text texts[2] = {{0}, {0}};
    struct error fault;
    char where[32];
    if (!lesson_read(entry->path, &lesson, &fault)) {
        manual->failed = manual->failed || fault.kind == ERR_MEMORY;
        return;
    }
    snprintf(where, sizeof where, "lesson %u", entry->number);
    for (unsigned i = 0; i < lesson->n_objectives; i++)
        text_format(&texts[0], "%s%s", i > 0 ? "\n" : "", lesson->objectives[i].text);
    text_format(&texts[1], "lesson %s", entry->id);
    add_written(manual,
                (struct manual_entry){.kind = MANUAL_LESSON,
                                      .name = lesson->title,
                                      .title = lesson->title,
                                      .text = text_string(&texts[0]),
                                      .where = where,
                                      .gives = text_string(&texts[1])},
                texts, COUNT_OF(texts));
    for (size_t i = 0; i < lesson->n_steps; i++)
        add_step(manual, lesson, lesson->steps[i], where);
    for (size_t i = 0; i < lesson->n_pages; i++)
        add_page(manual, lesson, &lesson->pages[i], where);
    lesson_free(lesson);
}

static void add_lessons(struct manual *manual, const char *data_dir)
{
    struct course course;
    struct error error;
    if (!course_open(data_dir, &course, &error)) {
        manual->failed = manual->failed || error.kind == ERR_MEMORY;
        return;
    }
    for (size_t i = 0; i < course.n && !manual->failed; i++)
        add_lesson(manual, &course.entries[i]);
    course_release(&course);
}

static void read_wording(struct manual *manual, const char *data_dir)
{
    struct error error;
    wording_release(&manual->wording);
    if (!wording_open(data_dir, &manual->wording, &error))
        manual->failed = manual->failed || error.kind == ERR_MEMORY;
}

void manual_add_topics(struct manual *manual, const char *data_dir)
{
    if (data_dir == NULL)
        return;
    read_wording(manual, data_dir);
    add_glossary(manual, data_dir, true);
}

void manual_add_all(struct manual *manual, const char *data_dir)
{
    add_functions(manual);
    if (data_dir == NULL)
        return;
    read_wording(manual, data_dir);
    add_glossary(manual, data_dir, false);
    add_lessons(manual, data_dir);
}

void manual_release(struct manual *manual)
{
    free(manual->entries);
    free(manual->postings);
    free(manual->names);
    arena_release(&manual->arena);
    wording_release(&manual->wording);
    *manual = (struct manual){.n = 0};
}
