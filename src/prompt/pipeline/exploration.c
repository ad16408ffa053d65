/* See exploration.h. */
#include "pipeline/exploration.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/suggestion.h"

const char *const exploration_words[] = {
    "heads=",    "mask=none",  "mask=causal", "mask=padding", "scale=on",  "scale=off",
    "at=E",      "at=Q",       "at=K",        "at=V",         "at=scores", "at=scaled",
    "at=masked", "at=weights", "at=context",  "temperature=", NULL,
};

const char exploration_example[] = "Hello shiny sun!";

static const char *const masks[PIPELINE_MASKS] = {
    [PIPELINE_NO_MASK] = "none", [PIPELINE_CAUSAL] = "causal", [PIPELINE_PADDING] = "padding"};

void exploration_init(struct exploration *exploration)
{
    *exploration = (struct exploration){
        .options = {.mask = PIPELINE_NO_MASK, .is_scaled = true, .temperature = 1, .n_heads = 1}};
}

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

static bool set_number(const char *name, const char *value, double low, double high, bool is_whole,
                       double *ret, struct error *reterr)
{
    char *end;
    double number = strtod(value, &end);
    bool ok = end != value && *end == '\0' && number >= low && number <= high &&
              (!is_whole || number == floor(number));
    if (!ok)
        return error_set(reterr, ERR_NAME, "%s=%s: takes a %snumber from %.6g to %.6g", name, value,
                         is_whole ? "whole " : "", low, high);
    *ret = number;
    return true;
}

static bool set_mask(struct exploration *exploration, const char *value, struct error *reterr)
{
    for (size_t i = 0; i < COUNT_OF(masks); i++)
        if (strcmp(value, masks[i]) == 0) {
            exploration->options.mask = (enum pipeline_mask)i;
            return true;
        }
    return unknown("mask", value, masks, COUNT_OF(masks), reterr);
}

static bool set_scale(struct exploration *exploration, const char *value, struct error *reterr)
{
    static const char *const values[] = {"on", "off"};
    for (size_t i = 0; i < COUNT_OF(values); i++)
        if (strcmp(value, values[i]) == 0) {
            exploration->options.is_scaled = i == 0;
            return true;
        }
    return unknown("scale", value, values, COUNT_OF(values), reterr);
}

bool exploration_set(struct exploration *exploration, const char *name, const char *value,
                     struct error *reterr)
{
    static const char *const names[] = {"heads", "mask", "scale", "temperature", "at"};
    struct pipeline_options *options = &exploration->options;
    double number = 0, most = PIPELINE_MAX_TEMPERATURE;
    size_t i = 0;
    bool ok;
    while (i < COUNT_OF(names) && strcmp(name, names[i]) != 0)
        i++;
    switch (i) {
    case 0:
        ok = set_number(name, value, 1, PIPELINE_MAX_HEADS, true, &number, reterr);
        if (ok)
            options->n_heads = (unsigned)number;
        break;
    case 1:
        ok = set_mask(exploration, value, reterr);
        break;
    case 2:
        ok = set_scale(exploration, value, reterr);
        break;
    case 3:
        ok = set_number(name, value, 1 / most, most, false, &options->temperature, reterr);
        break;
    case 4:
        if (strlen(value) >= sizeof exploration->at)
            return error_set(reterr, ERR_NAME, "at=%s: there is no such stage", value);
        snprintf(exploration->at, sizeof exploration->at, "%s", value);
        return true;
    default:
        return unknown("option", name, names, COUNT_OF(names), reterr);
    }
    exploration->has_options = exploration->has_options || ok;
    return ok;
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

void exploration_write(const char *sentence, const struct pipeline_options *options,
                       struct text *text)
{
    text_format(text, "\"%s\" heads=%u mask=%s scale=%s temperature=%.9g", sentence,
                options->n_heads, masks[options->mask], options->is_scaled ? "on" : "off",
                options->temperature);
}

void exploration_describe(const struct pipeline_options *options, struct text *text)
{
    static const char *const names[PIPELINE_MASKS] = {
        [PIPELINE_CAUSAL] = "causal", [PIPELINE_PADDING] = "last word hidden"};
    size_t begin = text->size;
    if (options->n_heads > 1)
        text_format(text, "%u heads", options->n_heads);
    if (options->mask != PIPELINE_NO_MASK)
        text_format(text, "%s%s", text->size > begin ? ", " : "", names[options->mask]);
    if (!options->is_scaled)
        text_format(text, "%snot scaled", text->size > begin ? ", " : "");
    if (options->temperature != 1)
        text_format(text, "%stemperature %.3g", text->size > begin ? ", " : "",
                    options->temperature);
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
