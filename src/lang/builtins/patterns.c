/* See patterns_internal.h. Weights are read as whole hundredths, so that a row of them sums to
 * exactly 1. */
#include "lang/builtins/patterns_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "show/labels.h"
#include "tensor/tensor.h"

enum { LINE_BYTES = 512, WHOLE = 100 };

#define BLANKS " \t\r\n"

struct patterns {
    size_t n, capacity;
    struct pattern *items;
};

/* The file, and the line looked at. */
struct pattern_reader {
    FILE *file;
    const char *path;
    size_t number;         /* of the line, from 1 */
    char line[LINE_BYTES]; /* "" after the last */
    struct error *reterr;
};

/* Goes to the next line that says something, without its comment; line is "" at the end. */
static bool next_line(struct pattern_reader *reader)
{
    char *line = reader->line;
    while (fgets(line, LINE_BYTES, reader->file) != NULL) {
        reader->number++;
        if (strchr(line, '\n') == NULL && !feof(reader->file))
            return error_set(reader->reterr, ERR_FILE,
                             "%s: line %zu is longer than %d bytes; shorten it", reader->path,
                             reader->number, LINE_BYTES - 2);
        line[strcspn(line, "#")] = '\0';
        if (line[strspn(line, BLANKS)] != '\0')
            return true;
    }
    *line = '\0';
    return !ferror(reader->file) || error_set(reader->reterr, ERR_FILE, "%s: can't be read: %s",
                                              reader->path, strerror(errno));
}

/* Cuts the next word off *rest. Returns its size, 0 at the end. */
static size_t cut_word(const char **rest, const char **ret_word)
{
    *ret_word = *rest + strspn(*rest, BLANKS);
    size_t size = strcspn(*ret_word, BLANKS);
    *rest = *ret_word + size;
    return size;
}

/* Cuts the next word off *rest, and says whether it is this one. */
static bool cut_keyword(const char **rest, const char *wanted)
{
    const char *word;
    size_t size = cut_word(rest, &word);
    return text_equals(word, size, wanted);
}

static bool fail(struct pattern_reader *reader, const char *what)
{
    return error_set(reader->reterr, ERR_FILE, "%s: line %zu: %s", reader->path, reader->number,
                     what);
}

/* pattern NAME */
static bool read_name(struct pattern_reader *reader, const struct patterns *patterns,
                      struct pattern *pattern)
{
    const char *rest = reader->line, *name, *more;
    bool ok = cut_keyword(&rest, "pattern");
    size_t size = cut_word(&rest, &name);
    if (!ok || size == 0 || size >= PATTERN_NAME_BYTES || cut_word(&rest, &more) > 0)
        return fail(reader, "here a pattern begins: write pattern and its name, one short word");
    if (patterns_find(patterns, name, size) != NULL)
        return fail(reader, "a pattern of this name stands above; choose another name");
    memcpy(pattern->name, name, size);
    pattern->name[size] = '\0';
    return next_line(reader);
}

/* tokens WORD ... */
static bool read_tokens(struct pattern_reader *reader, struct pattern *pattern)
{
    const char *rest = reader->line, *tokens[PATTERN_MAX_TOKENS], *word;
    size_t sizes[PATTERN_MAX_TOKENS], n = 0, size;
    if (!cut_keyword(&rest, "tokens"))
        return fail(reader, "after a pattern's name come its words: write tokens and the words");
    while ((size = cut_word(&rest, &word)) > 0) {
        if (n == PATTERN_MAX_TOKENS)
            return fail(reader, "more than 24 tokens; choose a shorter sentence");
        tokens[n] = word;
        sizes[n++] = size;
    }
    return (n > 0 || fail(reader, "there are no tokens; write them after the word tokens")) &&
           labels_new(n, tokens, sizes, &pattern->tokens, reader->reterr) &&
           tensor_zeros(2, (size_t[]){n, n}, &pattern->weights, reader->reterr) &&
           next_line(reader);
}

/* 0.25 as 25 */
static bool parse_hundredths(const char *word, size_t size, unsigned *ret)
{
    if (size != 4 || !text_is_digit(word[0]) || word[1] != '.' || !text_is_digit(word[2]) ||
        !text_is_digit(word[3]))
        return false;
    *ret = (unsigned)(word[0] - '0') * WHOLE + (unsigned)(word[2] - '0') * 10 +
           (unsigned)(word[3] - '0');
    return true;
}

/* Weights of token i to tokens 0..i. */
static bool read_row(struct pattern_reader *reader, struct pattern *pattern, size_t i)
{
    const char *rest = reader->line, *word, *token = labels_name(pattern->tokens, i);
    size_t n = labels_count(pattern->tokens), j = 0, size;
    unsigned sum = 0, hundredths;
    char what[160];
    for (; (size = cut_word(&rest, &word)) > 0; j++) {
        if (!parse_hundredths(word, size, &hundredths))
            return fail(reader, "a weight is written with two decimals, such as 0.25");
        if (j <= i)
            pattern->weights.data[i * n + j] = (float)hundredths / WHOLE;
        sum += hundredths;
    }
    if (j != i + 1)
        snprintf(what, sizeof what,
                 "%zu weights for \"%.40s\", which needs %zu: to itself and to "
                 "those before it",
                 j, token, i + 1);
    else
        snprintf(what, sizeof what,
                 "the weights of \"%.40s\" sum to %u.%02u; they must sum to 1.00", token,
                 sum / WHOLE, sum % WHOLE);
    return (j == i + 1 && sum == WHOLE) ? next_line(reader) : fail(reader, what);
}

/* A row for each token; or the word equal: each token attends equally to all it may see. */
static bool read_weights(struct pattern_reader *reader, struct pattern *pattern)
{
    size_t n = labels_count(pattern->tokens);
    const char *rest = reader->line, *more;
    bool equal = cut_keyword(&rest, "equal") && cut_word(&rest, &more) == 0;
    for (size_t i = 0; i < n && !equal; i++)
        if (!read_row(reader, pattern, i))
            return false;
    for (size_t i = 0; i < n && equal; i++)
        for (size_t j = 0; j <= i; j++)
            pattern->weights.data[i * n + j] = 1 / (float)(i + 1);
    return !equal || next_line(reader);
}

static bool read_patterns(struct pattern_reader *reader, struct patterns *patterns)
{
    bool ok = next_line(reader);
    while (ok && reader->line[0] != '\0') {
        struct pattern *items =
            array_grow(patterns->items, patterns->n, &patterns->capacity, sizeof *items);
        if (items == NULL)
            return error_memory(reader->reterr, "the patterns");
        patterns->items = items;
        struct pattern *pattern = &items[patterns->n++];
        *pattern = (struct pattern){.tokens = NULL};
        ok = read_name(reader, patterns, pattern) && read_tokens(reader, pattern) &&
             read_weights(reader, pattern);
    }
    return ok;
}

bool patterns_load(const char *path, struct patterns **ret, struct error *reterr)
{
    struct pattern_reader reader = {.file = fopen(path, "r"), .path = path, .reterr = reterr};
    if (reader.file == NULL)
        return error_set(reterr, ERR_FILE,
                         "%s: %s; set ATTN_DATA_DIR to the folder that holds attn's assets", path,
                         strerror(errno));
    struct patterns *patterns = calloc(1, sizeof *patterns);
    bool ok =
        patterns != NULL ? read_patterns(&reader, patterns) : error_memory(reterr, "the patterns");
    fclose(reader.file);
    if (ok)
        *ret = patterns;
    else
        patterns_free(patterns);
    return ok;
}

void patterns_free(struct patterns *patterns)
{
    if (patterns == NULL)
        return;
    for (size_t i = 0; i < patterns->n; i++) {
        labels_free(patterns->items[i].tokens);
        tensor_release(&patterns->items[i].weights);
    }
    free(patterns->items);
    free(patterns);
}

const struct pattern *patterns_at(const struct patterns *patterns, size_t i)
{
    return i < patterns->n ? &patterns->items[i] : NULL;
}

const struct pattern *patterns_find(const struct patterns *patterns, const char *name, size_t size)
{
    for (size_t i = 0; i < patterns->n; i++)
        if (text_equals(name, size, patterns->items[i].name))
            return &patterns->items[i];
    return NULL;
}
