/* See kept_lines_internal.h: a table of lines by their text, with open addressing. */
#include "exercise/kept_lines_internal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "graph/node.h"
#include "show/doc.h"
#include "tensor/tensor.h"

enum {
    MOST = 3000,            /* lines: a search tries some 2,000 on one case */
    PLACES = 8192,          /* a power of two, more than twice MOST */
    MOST_NUMBERS = 1 << 20, /* in all results */
};

struct kept_line {
    struct session_line line; /* without statements until is_read */
    bool is_read;
    struct value function; /* that it defines, once it has run; else VALUE_ABSENT */
    struct value result;   /* see kept_lines_result(); else VALUE_ABSENT */
    const char *failure;   /* see kept_lines_failed(); or NULL */
    enum error_kind failed_as;
};

struct kept_lines {
    uint16_t places[PLACES]; /* in lines, from 1 on; 0: a free place */
    struct kept_line *lines; /* in the order in which they came, so that few pages are touched */
    size_t n, capacity;
    size_t n_numbers;   /* of the results */
    struct arena arena; /* owns their texts, trees and errors */
};

struct kept_lines *kept_lines_new(void)
{
    return calloc(1, sizeof(struct kept_lines));
}

static void release_values(struct kept_lines *kept)
{
    for (size_t i = 0; i < kept->n; i++) {
        value_release(&kept->lines[i].function);
        value_release(&kept->lines[i].result);
    }
}

void kept_lines_free(struct kept_lines *kept)
{
    if (kept == NULL)
        return;
    release_values(kept);
    arena_release(&kept->arena);
    free(kept->lines);
    free(kept);
}

static void forget(struct kept_lines *kept)
{
    release_values(kept);
    arena_clear(&kept->arena);
    memset(kept->places, 0, sizeof kept->places);
    kept->n = kept->n_numbers = 0;
}

static bool is_line(const struct kept_line *kept, const char *line, size_t size)
{
    return kept->line.size == size && memcmp(kept->line.source, line, size) == 0;
}

/* The place of the line, or the free one for it. */
static size_t place_of(const struct kept_lines *kept, const char *line, size_t size)
{
    size_t at = (size_t)(text_hash(line, size) % PLACES);
    while (kept->places[at] != 0 && !is_line(&kept->lines[kept->places[at] - 1], line, size))
        at = (at + 1) % PLACES;
    return at;
}

static struct kept_line *find(const struct kept_lines *kept, const char *line, size_t size)
{
    size_t place = kept->places[place_of(kept, line, size)];
    return place > 0 ? &kept->lines[place - 1] : NULL;
}

/* The line, which is added if it is new; NULL without memory. */
static struct kept_line *take(struct kept_lines *kept, const char *line, size_t size,
                              struct error *reterr)
{
    size_t at = place_of(kept, line, size);
    if (kept->places[at] > 0)
        return &kept->lines[kept->places[at] - 1];
    struct kept_line *lines =
        array_grow(kept->lines, kept->n, &kept->capacity, sizeof *kept->lines);
    kept->lines = lines != NULL ? lines : kept->lines;
    const char *copy = lines != NULL ? arena_copy(&kept->arena, line, size) : NULL;
    if (copy == NULL) {
        error_memory(reterr, "a line");
        return NULL;
    }
    lines[kept->n] = (struct kept_line){.line = {.source = copy, .size = size}};
    kept->places[at] = (uint16_t)++kept->n;
    return &lines[kept->n - 1];
}

static bool read_line(struct kept_lines *kept, struct session *session, struct kept_line *place,
                      struct error *reterr)
{
    struct session_line line;
    if (place->is_read)
        return true;
    if (!session_read_line(session, &kept->arena, place->line.source, place->line.size, &line,
                           reterr))
        return false;
    place->line = line;
    place->is_read = true;
    return true;
}

/* The name that the line gives a function, when that is all it does; else NULL. */
static const struct expr *defined_by(const struct session_line *line)
{
    const struct statement *first = line->first;
    return first != NULL && first->kind == STATEMENT_DEFINE && first->next == NULL
               ? first->targets[0]
               : NULL;
}

static bool run(struct session *session, const struct session_line *line, struct error *reterr)
{
    struct doc shown;
    doc_init(&shown);
    bool ok = session_run_line(session, line, &shown, reterr);
    doc_release(&shown);
    text_clear(&session->script); /* nobody saves this session */
    return ok;
}

/* Runs a definition the first time; later binds the same function again. */
static bool define(struct session *session, struct kept_line *kept, const struct expr *name,
                   struct error *reterr)
{
    struct names *names = &session->names;
    const char *bytes = name->as.text.bytes;
    size_t size = name->as.text.size;
    struct value function, old;
    if (kept->function.kind == VALUE_ABSENT) {
        if (!run(session, &kept->line, reterr))
            return false;
        kept->function = value_share(names_get(names, bytes, size));
        return true;
    }
    function = value_share(&kept->function);
    if (!names_set(names, bytes, size, &function, &old, reterr)) {
        value_release(&function);
        return false;
    }
    value_release(&old);
    return true;
}

bool kept_lines_run(struct kept_lines *kept, struct session *session, const char *line, size_t size,
                    const struct statement *read, struct error *reterr)
{
    if (kept->n == MOST)
        forget(kept);
    struct kept_line *place = take(kept, line, size, reterr);
    if (place == NULL)
        return false;
    if (read != NULL)
        return run(session, &(struct session_line){line, size, read, false}, reterr);
    if (!read_line(kept, session, place, reterr))
        return false;
    const struct expr *name = defined_by(&place->line);
    return name != NULL ? define(session, place, name, reterr) : run(session, &place->line, reterr);
}

const struct value *kept_lines_result(const struct kept_lines *kept, const char *line, size_t size)
{
    const struct kept_line *place = find(kept, line, size);
    return place != NULL && place->result.kind != VALUE_ABSENT ? &place->result : NULL;
}

void kept_lines_keep_result(struct kept_lines *kept, const char *line, size_t size,
                            const struct value *result)
{
    struct kept_line *place = find(kept, line, size);
    size_t n = result->kind == VALUE_NODE ? tensor_size(&result->as.node->value) : MOST_NUMBERS;
    if (place == NULL || place->result.kind != VALUE_ABSENT || kept->n_numbers + n > MOST_NUMBERS)
        return;
    place->result = value_share(result);
    kept->n_numbers += n;
}

bool kept_lines_failed(const struct kept_lines *kept, const char *line, size_t size,
                       struct error *reterr)
{
    const struct kept_line *place = find(kept, line, size);
    if (place == NULL || place->failure == NULL)
        return false;
    error_set(reterr, place->failed_as, "%s", place->failure);
    return true;
}

void kept_lines_keep_failure(struct kept_lines *kept, const char *line, size_t size,
                             const struct error *error)
{
    struct kept_line *place = find(kept, line, size);
    if (place == NULL || error_is_stop(error))
        return;
    place->failure = arena_copy(&kept->arena, error->text, strlen(error->text));
    place->failed_as = error->kind;
}
