/* See embeddings.h. */
#include "lang/builtins/embeddings.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

enum { WORD_BYTES = 32, LINE_BYTES = 256 };

struct embedding {
    char word[WORD_BYTES];
    float vector[EMBEDDING_DIM];
};

struct embeddings {
    size_t n, capacity;
    struct embedding *entries;
};

/* "word 0.1 0.2 0.3" */
static bool parse_entry(char *line, struct embedding *ret)
{
    char *rest = line + strcspn(line, " \t");
    if (rest == line || rest - line >= WORD_BYTES)
        return false;
    memcpy(ret->word, line, (size_t)(rest - line));
    ret->word[rest - line] = '\0';
    for (int i = 0; i < EMBEDDING_DIM; i++) {
        char *end;
        ret->vector[i] = strtof(rest, &end);
        if (end == rest || !isfinite(ret->vector[i]))
            return false;
        rest = end;
    }
    return rest[strspn(rest, " \t\r\n")] == '\0';
}

static bool read_entries(FILE *file, const char *path, struct embeddings *embeddings,
                         struct error *reterr)
{
    char line[LINE_BYTES];
    for (size_t number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        struct embedding entry;
        char *start = line + strspn(line, " \t");
        if (*start == '#' && strchr(line, '\n') == NULL) /* the rest of a long comment */
            for (int c = ' '; c != '\n' && c != EOF;)
                c = getc(file);
        if (*start == '#' || *start == '\n' || *start == '\0')
            continue;
        if (!parse_entry(start, &entry))
            return error_set(reterr, ERR_FILE,
                             "%s: line %zu is not a word and %d numbers; correct or remove it",
                             path, number, EMBEDDING_DIM);
        struct embedding *entries =
            array_grow(embeddings->entries, embeddings->n, &embeddings->capacity, sizeof *entries);
        if (entries == NULL)
            return error_memory(reterr, "the embeddings");
        embeddings->entries = entries;
        entries[embeddings->n++] = entry;
    }
    return !ferror(file) ||
           error_set(reterr, ERR_FILE, "%s: can't be read: %s", path, strerror(errno));
}

bool embeddings_load(const char *path, struct embeddings **ret, struct error *reterr)
{
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return error_set(reterr, ERR_FILE,
                         "%s: %s; set ATTN_DATA_DIR to the folder that holds attn's assets", path,
                         strerror(errno));
    struct embeddings *embeddings = calloc(1, sizeof *embeddings);
    bool ok = embeddings != NULL ? read_entries(file, path, embeddings, reterr)
                                 : error_memory(reterr, "the embeddings");
    fclose(file);
    if (ok)
        *ret = embeddings;
    else
        embeddings_free(embeddings);
    return ok;
}

void embeddings_free(struct embeddings *embeddings)
{
    if (embeddings == NULL)
        return;
    free(embeddings->entries);
    free(embeddings);
}

static const float *find_exact(const struct embeddings *embeddings, const char *word)
{
    for (size_t i = 0; i < embeddings->n; i++)
        if (strcmp(embeddings->entries[i].word, word) == 0)
            return embeddings->entries[i].vector;
    return NULL;
}

const float *embeddings_find(const struct embeddings *embeddings, const char *word, size_t size)
{
    char copy[WORD_BYTES];
    if (size == 0 || size >= WORD_BYTES)
        return NULL;
    memcpy(copy, word, size);
    copy[size] = '\0';
    const float *vector = find_exact(embeddings, copy);
    bool letter = (copy[0] >= 'a' && copy[0] <= 'z') || (copy[0] >= 'A' && copy[0] <= 'Z');
    if (vector != NULL || !letter)
        return vector;
    copy[0] = (char)(copy[0] ^ 0x20); /* the other case */
    return find_exact(embeddings, copy);
}

/* Bytes beyond ASCII count as letters. */
static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || text_is_digit(c) ||
           (unsigned char)c >= 0x80;
}

size_t embeddings_next_word(const char *text, size_t size, size_t *at, const char **ret_word)
{
    while (*at < size && !is_word_byte(text[*at]))
        ++*at;
    size_t begin = *at;
    while (*at < size) {
        bool joint = (text[*at] == '\'' || text[*at] == '-') && *at + 1 < size &&
                     is_word_byte(text[*at + 1]);
        if (!is_word_byte(text[*at]) && !joint)
            break;
        ++*at;
    }
    *ret_word = text + begin;
    return *at - begin;
}
