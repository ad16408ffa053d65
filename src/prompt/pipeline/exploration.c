/* See exploration.h. */
#include "pipeline/exploration.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/suggestion.h"
#include "base/text.h"

const char exploration_example[] = "Hello shiny sun!";

/* ---- the options, a row each ---- */

static double get_heads(const struct pipeline_options *options)
{
    return options->n_heads;
}

static void put_heads(struct pipeline_options *options, double value)
{
    options->n_heads = (unsigned)value;
}

static double get_mask(const struct pipeline_options *options)
{
    return options->mask;
}

static void put_mask(struct pipeline_options *options, double value)
{
    options->mask = (enum pipeline_mask)value;
}

static double get_unscaled(const struct pipeline_options *options)
{
    return !options->is_scaled;
}

static void put_unscaled(struct pipeline_options *options, double value)
{
    options->is_scaled = value == 0;
}

static double get_temperature(const struct pipeline_options *options)
{
    return options->temperature;
}

static void put_temperature(struct pipeline_options *options, double value)
{
    options->temperature = value;
}

enum { WORDS_MAX = 4 };

/* A number within limits, or one of some words, which counts as its index. The default is not
 * described. */
static const struct option {
    const char *name;
    const char *words[WORDS_MAX]; /* ends with NULL; none for a number */
    const char
        *described[WORDS_MAX]; /* for a person: of a number a format in [0], else of each word */
    double low, high, usual;
    bool is_whole;
    double (*get)(const struct pipeline_options *options);
    void (*put)(struct pipeline_options *options, double value);
} options_known[] = {
    {.name = "heads",
     .described = {"%.0f heads"},
     .low = 1,
     .high = PIPELINE_MAX_HEADS,
     .usual = 1,
     .is_whole = true,
     .get = get_heads,
     .put = put_heads},
    {.name = "mask",
     .words = {[PIPELINE_NO_MASK] = "none",
               [PIPELINE_CAUSAL] = "causal",
               [PIPELINE_PADDING] = "padding"},
     .described = {[PIPELINE_CAUSAL] = "causal", [PIPELINE_PADDING] = "last word hidden"},
     .usual = PIPELINE_NO_MASK,
     .get = get_mask,
     .put = put_mask},
    {.name = "scale",
     .words = {"on", "off"},
     .described = {NULL, "not scaled"},
     .get = get_unscaled,
     .put = put_unscaled},
    {.name = "temperature",
     .described = {"temperature %.3g"},
     .low = 1.0 / PIPELINE_MAX_TEMPERATURE,
     .high = PIPELINE_MAX_TEMPERATURE,
     .usual = 1,
     .get = get_temperature,
     .put = put_temperature},
};
_Static_assert((int)PIPELINE_MASKS < (int)WORDS_MAX, "a NULL after the words of masks");

static const char *const stages[] = {"E",      "Q",      "K",       "V",      "scores",
                                     "scaled", "masked", "weights", "context"};

bool exploration_word(size_t i, char word[EXPLORATION_WORD_BYTES])
{
    for (size_t k = 0; k < COUNT_OF(options_known); k++) {
        const struct option *option = &options_known[k];
        size_t n = 0;
        while (option->words[n] != NULL)
            n++;
        if (i < n || (n == 0 && i == 0)) {
            snprintf(word, EXPLORATION_WORD_BYTES, "%s=%s", option->name,
                     n > 0 ? option->words[i] : "");
            return true;
        }
        i -= n > 0 ? n : 1;
    }
    if (i < COUNT_OF(stages))
        snprintf(word, EXPLORATION_WORD_BYTES, "at=%s", stages[i]);
    return i < COUNT_OF(stages);
}

void exploration_init(struct exploration *exploration)
{
    *exploration = (struct exploration){.is_sentence = false};
    for (size_t k = 0; k < COUNT_OF(options_known); k++)
        options_known[k].put(&exploration->options, options_known[k].usual);
}

/* ---- reading ---- */

/* Fails: a word is not among the n that there are, of which the nearest is told. */
static bool unknown(const char *what, const char *word, const char *const *known, size_t n,
                    struct error *reterr)
{
    struct suggestion nearest;
    char list[160] = "";
    size_t size = 0;
    suggestion_init(&nearest, word, strlen(word));
    for (size_t i = 0; i < n; i++) {
        suggestion_try(&nearest, known[i]);
        if (size < sizeof list)
            size += (size_t)snprintf(list + size, sizeof list - size, "%s%s",
                                     i == 0       ? ""
                                     : i + 1 == n ? " and "
                                                  : ", ",
                                     known[i]);
    }
    if (nearest.best[0] != '\0')
        return error_set(reterr, ERR_NAME, "%s: there is no such %s; did you mean %s?", word, what,
                         nearest.best);
    return error_set(reterr, ERR_NAME, "%s: there is no such %s; there are %s", word, what, list);
}

static bool read_number(const struct option *option, const char *value, double *ret,
                        struct error *reterr)
{
    double number;
    bool ok = text_decimal(value, &number) && number >= option->low && number <= option->high &&
              (!option->is_whole || number == floor(number));
    if (!ok)
        return error_set(reterr, ERR_NAME, "%s=%s: takes a %snumber from %.6g to %.6g",
                         option->name, value, option->is_whole ? "whole " : "", option->low,
                         option->high);
    *ret = number;
    return true;
}

static bool read_word(const struct option *option, const char *value, double *ret,
                      struct error *reterr)
{
    size_t n = 0;
    for (; option->words[n] != NULL; n++)
        if (strcmp(value, option->words[n]) == 0) {
            *ret = (double)n;
            return true;
        }
    return unknown(option->name, value, option->words, n, reterr);
}

bool exploration_set(struct exploration *exploration, const char *name, const char *value,
                     struct error *reterr)
{
    const char *names[COUNT_OF(options_known) + 1];
    for (size_t i = 0; i < COUNT_OF(options_known); i++) {
        const struct option *option = &options_known[i];
        double number;
        names[i] = option->name;
        if (strcmp(name, option->name) != 0)
            continue;
        if (!(option->words[0] != NULL ? read_word : read_number)(option, value, &number, reterr))
            return false;
        option->put(&exploration->options, number);
        exploration->has_options = true;
        return true;
    }
    names[COUNT_OF(options_known)] = "at";
    if (strcmp(name, "at") != 0)
        return unknown("option", name, names, COUNT_OF(names), reterr);
    if (strlen(value) >= sizeof exploration->at)
        return error_set(reterr, ERR_NAME, "at=%s: there is no such stage", value);
    snprintf(exploration->at, sizeof exploration->at, "%s", value);
    return true;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Where the last word of line[0..size) begins. */
static size_t last_word(const char *line, size_t size)
{
    while (size > 0 && !is_blank(line[size - 1]))
        size--;
    return size;
}

/* "heads=4": letters, a sign, something. */
static bool is_option(const char *word, size_t size)
{
    size_t letters = 0;
    while (letters < size && word[letters] >= 'a' && word[letters] <= 'z')
        letters++;
    return letters > 0 && letters + 1 < size && word[letters] == '=';
}

/* After the last of the quotes that a line begins with; 0: it begins with none. */
static size_t end_of_quotes(const char *line, size_t size)
{
    size_t first = 0;
    while (first < size && is_blank(line[first]))
        first++;
    if (first == size || (line[first] != '"' && line[first] != '\''))
        return 0;
    size_t last = size - 1;
    while (last > first && line[last] != line[first])
        last--;
    return last > first ? last + 1 : 0;
}

bool exploration_read(const char *line, size_t size, struct exploration *exploration,
                      struct error *reterr)
{
    struct exploration read = *exploration;
    struct {
        const char *word;
        size_t size;
    } options[16];
    size_t n = 0, quoted_to = end_of_quotes(line, size);
    for (;;) {
        while (size > 0 && is_blank(line[size - 1]))
            size--;
        size_t at = last_word(line, size);
        if (n == COUNT_OF(options) || at < quoted_to || !is_option(line + at, size - at))
            break;
        options[n].word = line + at;
        options[n++].size = size - at;
        size = at;
    }
    while (size > 0 && is_blank(*line)) {
        line++;
        size--;
    }
    bool quoted = size >= 2 && (line[0] == '"' || line[0] == '\'') && line[size - 1] == line[0];
    if (size >= sizeof read.what)
        return error_set(reterr, ERR_LIMIT, "explore: it is over %zu letters; shorten it",
                         sizeof read.what - 1);
    if (size > 0) {
        read.is_sentence = quoted;
        snprintf(read.what, sizeof read.what, "%.*s", (int)(size - (quoted ? 2 : 0)),
                 line + quoted);
    }
    while (n-- > 0) { /* as they were written, the first one first */
        char word[64];
        if (options[n].size >= sizeof word)
            return error_set(reterr, ERR_NAME, "%.40s...: there is no such option",
                             options[n].word);
        snprintf(word, sizeof word, "%.*s", (int)options[n].size, options[n].word);
        char *value = strchr(word, '=');
        *value = '\0';
        if (!exploration_set(&read, word, value + 1, reterr))
            return false;
    }
    *exploration = read;
    return true;
}

/* ---- writing ---- */

void exploration_write(const char *sentence, const struct pipeline_options *options,
                       struct text *text)
{
    text_format(text, "\"%s\"", sentence);
    for (size_t k = 0; k < COUNT_OF(options_known); k++) {
        const struct option *option = &options_known[k];
        double value = option->get(options);
        if (option->words[0] != NULL)
            text_format(text, " %s=%s", option->name, option->words[(size_t)value]);
        else
            text_format(text, " %s=%.9g", option->name, value);
    }
}

void exploration_describe(const struct pipeline_options *options, struct text *text)
{
    size_t begin = text->size;
    for (size_t k = 0; k < COUNT_OF(options_known); k++) {
        const struct option *option = &options_known[k];
        double value = option->get(options);
        if (value == option->usual)
            continue;
        text_put(text, text->size > begin ? ", " : "");
        if (option->words[0] != NULL)
            text_put(text, option->described[(size_t)value]);
        else
            text_format(text, option->described[0], value);
    }
}

size_t exploration_stage(const struct pipeline *pipeline, const char *name, struct error *reterr)
{
    const char *names[PIPELINE_MAX_STAGES];
    size_t n = pipeline->n_stages, found = pipeline_find_name(pipeline, name), n_found = 0;
    if (found < n)
        return found;
    for (size_t i = 0; i < n; i++) {
        names[i] = pipeline->stages[i].name;
        if (name[0] != '\0' && strncmp(names[i], name, strlen(name)) == 0) {
            found = i;
            n_found++;
        }
    }
    if (n_found == 1)
        return found;
    if (strcmp(name, "masked") == 0)
        error_set(reterr, ERR_NAME, "masked: without a mask there is no such stage");
    else
        unknown("stage", name, names, n, reterr);
    return n;
}
