/* See kept_lines.h: a table of lines by their text, with open addressing. */
#include "exercise/kept_lines.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "show/doc.h"

enum {
    PLACES = 4096, /* a power of two */
    MOST = 1500,   /* lines: a search tries about so many on one case */
};

struct kept_lines {
    struct session_line lines[PLACES]; /* source NULL: a free place */
    size_t n;
    struct arena arena; /* owns their texts and trees */
};

struct kept_lines *kept_lines_new(void)
{
    return calloc(1, sizeof(struct kept_lines));
}

void kept_lines_free(struct kept_lines *kept)
{
    if (kept != NULL)
        arena_release(&kept->arena);
    free(kept);
}

static void forget(struct kept_lines *kept)
{
    arena_clear(&kept->arena);
    memset(kept->lines, 0, sizeof kept->lines);
    kept->n = 0;
}

/* FNV-1a. */
static size_t place_of(const char *line, size_t size)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)line[i]) * UINT64_C(0x100000001B3);
    return (size_t)(hash % PLACES);
}

/* The line, or the free place for it. */
static struct session_line *find(struct kept_lines *kept, const char *line, size_t size)
{
    size_t at = place_of(line, size);
    while (kept->lines[at].source != NULL &&
           (kept->lines[at].size != size || memcmp(kept->lines[at].source, line, size) != 0))
        at = (at + 1) % PLACES;
    return &kept->lines[at];
}

/* Reads it into the free place. */
static bool keep(struct kept_lines *kept, struct session *session, const char *line, size_t size,
                 struct session_line *place, struct error *reterr)
{
    struct session_line read;
    const char *copy = arena_copy(&kept->arena, line, size);
    if (copy == NULL)
        return error_memory(reterr, "a line");
    if (!session_read_line(session, &kept->arena, copy, size, &read, reterr))
        return false;
    *place = read;
    kept->n++;
    return true;
}

bool kept_lines_run(struct kept_lines *kept, struct session *session, const char *line, size_t size,
                    struct error *reterr)
{
    struct doc shown;
    if (kept->n == MOST)
        forget(kept);
    struct session_line *place = find(kept, line, size);
    if (place->source == NULL && !keep(kept, session, line, size, place, reterr))
        return false;
    doc_init(&shown);
    bool ok = session_run_line(session, place, &shown, reterr);
    doc_release(&shown);
    text_clear(&session->script); /* nobody saves this session */
    return ok;
}
