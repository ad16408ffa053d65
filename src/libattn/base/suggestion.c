/* Levenshtein distance with exchanged neighbours counted as one slip; letter case is half a slip.
 * Source: Damerau 1964. */
#include "base/suggestion.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 40, SLIP = 2 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static size_t exchange_cost(char a, char b)
{
    return a == b ? 0 : lower(a) == lower(b) ? 1 : SLIP;
}

static size_t distance(const char *a, size_t a_size, const char *b, size_t b_size)
{
    size_t rows[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= a_size; i++)
        rows[i][0] = i * SLIP;
    for (size_t j = 0; j <= b_size; j++)
        rows[0][j] = j * SLIP;
    for (size_t i = 1; i <= a_size; i++)
        for (size_t j = 1; j <= b_size; j++) {
            size_t cost = rows[i - 1][j - 1] + exchange_cost(a[i - 1], b[j - 1]);
            cost = least(cost, least(rows[i - 1][j], rows[i][j - 1]) + SLIP);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                cost = least(cost, rows[i - 2][j - 2] + SLIP);
            rows[i][j] = cost;
        }
    return rows[a_size][b_size];
}

void suggestion_init(struct suggestion *suggestion, const char *word, size_t size)
{
    *suggestion = (struct suggestion){.word = word, .size = size};
    /* a third of the letters may be wrong, but one slip is always forgiven */
    suggestion->distance = (size < 3 ? 1 : size < 6 ? 1 : size / 3) * SLIP + 1;
}

void suggestion_try(struct suggestion *suggestion, const char *name)
{
    size_t size = strlen(name);
    if (size > LONGEST || suggestion->size > LONGEST || suggestion->size == 0)
        return;
    size_t d = distance(suggestion->word, suggestion->size, name, size);
    bool all_wrong = d >= SLIP * least(size, suggestion->size);
    if (d < suggestion->distance && !all_wrong) {
        suggestion->distance = d;
        suggestion->is_part = false;
        snprintf(suggestion->best, sizeof suggestion->best, "%s", name);
    }
}

/* Where the word stands in name, in any letter case; its size where it does not. */
static size_t find_part(const char *name, size_t size, const char *word, size_t word_size)
{
    for (size_t at = 0; at + word_size <= size; at++) {
        size_t n = 0;
        while (n < word_size && lower(name[at + n]) == lower(word[n]))
            n++;
        if (n == word_size)
            return at;
    }
    return size;
}

void suggestion_try_part(struct suggestion *suggestion, const char *name)
{
    enum { SHORTEST = 4 }; /* letters that say enough */
    size_t size = strlen(name);
    suggestion_try(suggestion, name);
    if (suggestion->size < SHORTEST || (suggestion->best[0] != '\0' && !suggestion->is_part))
        return;
    size_t at = find_part(name, size, suggestion->word, suggestion->size);
    if (at == size)
        return;
    size_t best_size = strlen(suggestion->best);
    bool begins = at == 0, best_begins = find_part(suggestion->best, best_size, suggestion->word,
                                                   suggestion->size) == 0;
    if (suggestion->best[0] == '\0' || (begins && !best_begins) ||
        (begins == best_begins && size < best_size)) {
        snprintf(suggestion->best, sizeof suggestion->best, "%s", name);
        suggestion->is_part = true;
    }
}
