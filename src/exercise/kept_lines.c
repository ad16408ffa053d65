/* See kept_lines.h: a table of lines by their text, with open addressing. */
#include "exercise/kept_lines.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "graph/node.h"
#include "show/doc.h"
#include "tensor/tensor.h"

enum {
    PLACES = 4096,          /* a power of two */
    MOST = 1500,            /* lines: a search tries about so many on one case */
    MOST_NUMBERS = 1 << 20, /* in all results */
};

struct kept_line {
    struct session_line line; /* source NULL: a free place; without statements until is_read */
    bool is_read;
    struct value function; /* that it defines, once it has run; else VALUE_ABSENT */
    struct value result;   /* see kept_lines_result(); else VALUE_ABSENT */
};

struct kept_lines {
    struct kept_line lines[PLACES];
    size_t n;
    size_t n_numbers;   /* of the results */
    struct arena arena; /* owns their texts and trees */
};

struct kept_lines *kept_lines_new(void)
{
    return calloc(1, sizeof(struct kept_lines));
}

static void release_values(struct kept_lines *kept)
{
    for (size_t i = 0; i < PLACES; i++) {
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
    free(kept);
}

static void forget(struct kept_lines *kept)
{
    release_values(kept);
    arena_clear(&kept->arena);
    memset(kept->lines, 0, sizeof kept->lines);
    kept->n = kept->n_numbers = 0;
}

/* The place of the line, or the free one for it. */
static size_t find(const struct kept_lines *kept, const char *line, size_t size)
{
    size_t at = (size_t)(text_hash(line, size) % PLACES);
    while (
        kept->lines[at].line.source != NULL &&
        (kept->lines[at].line.size != size || memcmp(kept->lines[at].line.source, line, size) != 0))
        at = (at + 1) % PLACES;
    return at;
}

/* Takes the free place for the line. */
static bool take(struct kept_lines *kept, const char *line, size_t size, struct kept_line *place,
                 struct error *reterr)
{
    const char *copy = arena_copy(&kept->arena, line, size);
    if (copy == NULL)
        return error_memory(reterr, "a line");
    *place = (struct kept_line){.line = {.source = copy, .size = size}};
    kept->n++;
    return true;
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

/* Runs a definition at the first time; binds what it gave then at later ones. */
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
    struct kept_line *place = &kept->lines[find(kept, line, size)];
    if (place->line.source == NULL && !take(kept, line, size, place, reterr))
        return false;
    if (read != NULL)
        return run(session, &(struct session_line){line, size, read}, reterr);
    if (!read_line(kept, session, place, reterr))
        return false;
    const struct expr *name = defined_by(&place->line);
    return name != NULL ? define(session, place, name, reterr) : run(session, &place->line, reterr);
}

const struct value *kept_lines_result(const struct kept_lines *kept, const char *line, size_t size)
{
    const struct kept_line *place = &kept->lines[find(kept, line, size)];
    return place->result.kind != VALUE_ABSENT ? &place->result : NULL;
}

void kept_lines_keep_result(struct kept_lines *kept, const char *line, size_t size,
                            const struct value *result)
{
    struct kept_line *place = &kept->lines[find(kept, line, size)];
    size_t n = result->kind == VALUE_NODE ? tensor_size(&result->as.node->value) : MOST_NUMBERS;
    if (place->line.source == NULL || place->result.kind != VALUE_ABSENT ||
        kept->n_numbers + n > MOST_NUMBERS)
        return;
    place->result = value_share(result);
    kept->n_numbers += n;
}
