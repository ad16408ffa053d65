/* What a branch changes, as it is typed: see film.h. */
#include "train/film.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

enum { WORD_BYTES = 64 };

static bool read_lr(const char *word, struct film_change *change)
{
    char *end;
    change->lr = strtod(word, &end);
    return end != word && *end == '\0' && change->lr > 0 && isfinite(change->lr);
}

static bool read_seed(const char *word, struct film_change *change)
{
    char *end;
    change->has_seed = true;
    change->seed = strtoull(word, &end, 10);
    return text_is_digit(word[0]) && *end == '\0' && change->seed <= UINT32_MAX;
}

static bool read_task(const char *word, struct film_change *change)
{
    return snprintf(change->task, sizeof change->task, "%s", word) < (int)sizeof change->task;
}

static const struct part {
    const char *name, *wants;
    bool (*read)(const char *word, struct film_change *change);
} parts[] = {
    {"lr", "a number above 0, as 1e-2", read_lr},
    {"seed", "a whole number, as 5", read_seed},
    {"task", "the name of a task, as fixed", read_task},
};

/* The next word, without the blanks and signs between words. Returns what follows it. */
static const char *next_word(const char *text, char word[WORD_BYTES])
{
    static const char between[] = " \t,=";
    text += strspn(text, between);
    size_t size = strcspn(text, between);
    snprintf(word, WORD_BYTES, "%.*s", (int)size, text);
    return text + size;
}

static const struct part *find_part(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        if (strcmp(parts[i].name, name) == 0)
            return &parts[i];
    return NULL;
}

bool film_change_parse(const char *text, struct film_change *ret, struct error *reterr)
{
    struct film_change change = {.lr = 0};
    char name[WORD_BYTES], word[WORD_BYTES];
    for (text = next_word(text, name); name[0] != '\0'; text = next_word(text, name)) {
        const struct part *part = find_part(name);
        if (part == NULL)
            return error_set(reterr, ERR_SYNTAX, "%s: it takes lr 1e-2, seed 5 or task fixed",
                             name);
        text = next_word(text, word);
        if (word[0] == '\0' || !part->read(word, &change))
            return error_set(reterr, ERR_SYNTAX, "%s %s: it must be %s", name, word, part->wants);
    }
    *ret = change;
    return true;
}
