/* See glossary_internal.h. */
#include "course/manual/glossary_internal.h"

#include <string.h>
#include <strings.h>
#include <ctype.h>
#include <stdlib.h>

#include "base/array.h"
#include "files/asset.h"
#include "files/yaml.h"

/* ---- glossary ---- */

static bool read_entry(struct yaml *yaml, yaml_value value, void *ret)
{
    struct glossary_entry *entry = ret;
    const struct yaml_field fields[] = {
        {"name", yaml_read_text, &entry->name, true},
        {"also", yaml_read_text, &entry->also, false},
        {"text", yaml_read_text, &entry->text, true},
        {"example", yaml_read_text, &entry->example, false},
        {"lesson", yaml_read_text, &entry->lesson, false},
    };
    entry->line = yaml_line(value);
    return yaml_read_fields(yaml, value, "an entry", fields, COUNT_OF(fields));
}

static bool read_list(struct yaml *yaml, yaml_value value, void *ret)
{
    struct glossary_list *list = ret;
    void *entries = NULL;
    if (!yaml_read_list(yaml, value, read_entry, sizeof *list->entries, &entries, &list->n))
        return false;
    list->entries = entries;
    return true;
}

static bool read_terms(struct yaml *yaml, yaml_value value, void *ret)
{
    struct glossary_list *list = ret;
    if (!read_list(yaml, value, ret))
        return false;
    for (unsigned i = 1; i < list->n; i++) {
        const struct glossary_entry *entry = &list->entries[i];
        int order = strcasecmp(list->entries[i - 1].name, entry->name);
        if (order >= 0)
            return yaml_fault(yaml, entry->line, "%s %s %s", entry->name,
                              order == 0 ? "stands twice:" : "belongs before",
                              list->entries[i - 1].name);
    }
    return true;
}

bool glossary_read(const char *path, const char *text, size_t size, struct glossary *ret,
                   struct error *reterr)
{
    struct glossary read = {.terms = {NULL, 0}};
    const struct yaml_field fields[] = {
        {"terms", read_terms, &read.terms, true},
        {"operators", read_list, &read.operators, true},
        {"topics", read_list, &read.topics, true},
    };
    struct yaml yaml;
    yaml_value root;
    bool ok = yaml_open(&yaml, path, text, size, &read.arena, &root, reterr);
    if (ok) {
        ok = yaml_read_fields(&yaml, root, "the glossary", fields, COUNT_OF(fields));
        yaml_close(&yaml);
    }
    if (!ok) {
        glossary_release(&read);
        return false;
    }
    *ret = read;
    return true;
}

bool glossary_open(const char *data_dir, struct glossary *ret, struct error *reterr)
{
    struct asset file;
    bool ok = asset_read(&file, data_dir, "glossary.yaml", reterr) &&
              glossary_read(file.path, text_string(&file.text), file.text.size, ret, reterr);
    asset_release(&file);
    return ok;
}

void glossary_release(struct glossary *glossary)
{
    arena_release(&glossary->arena);
    *glossary = (struct glossary){.terms = {NULL, 0}};
}

/* ---- wording ---- */

/* ---- words ---- */

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 128;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void add_letter(struct wording_word *word, char c)
{
    if (word->size + 1 < WORDING_BYTES)
        word->text[word->size++] = (char)((unsigned char)c < 128 ? tolower((unsigned char)c) : c);
    word->text[word->size] = '\0';
}

/* Letters from *at on; an apostrophe among them is left out: don't, what's. */
static void read_letters(const char *text, size_t size, size_t *at, struct wording_word *ret)
{
    while (*at < size) {
        bool joins = text[*at] == '\'' && *at + 1 < size && is_letter(text[*at + 1]);
        if (!is_letter(text[*at]) && !joins)
            break;
        if (!joins)
            add_letter(ret, text[*at]);
        (*at)++;
    }
}

/* The end of the signs that begin at `at`. */
static size_t end_of_signs(const char *text, size_t size, size_t at)
{
    while (at < size && !is_letter(text[at]) && !is_blank(text[at]))
        at++;
    return at;
}

bool wording_next(const char *text, size_t size, size_t *at, struct wording_word *ret)
{
    while (*at < size) {
        size_t begin = *at;
        *ret = (struct wording_word){.begin = begin};
        if (is_blank(text[begin])) {
            (*at)++;
            continue;
        }
        if (text[begin] == '.' && begin + 1 < size && is_letter(text[begin + 1])) {
            add_letter(ret, '.');
            (*at)++;
        }
        read_letters(text, size, at, ret);
        ret->end = *at;
        if (ret->size > 0)
            return true;
        size_t end = end_of_signs(text, size, begin);
        bool stands_alone =
            (begin == 0 || is_blank(text[begin - 1])) && (end == size || is_blank(text[end]));
        if (!stands_alone) {
            (*at)++; /* a bracket, or the mark at the end of a sentence */
            continue;
        }
        while (*at < end)
            add_letter(ret, text[(*at)++]);
        ret->end = end;
        ret->is_symbol = true;
        return true;
    }
    return false;
}

static bool ends_with(const struct wording_word *word, const char *ending, size_t at_least)
{
    size_t size = strlen(ending);
    return word->size >= at_least && word->size > size &&
           memcmp(word->text + word->size - size, ending, size) == 0;
}

static void cut(struct wording_word *word, size_t n)
{
    word->size -= n;
    word->text[word->size] = '\0';
}

static bool has_vowel(const struct wording_word *word, size_t size)
{
    return strcspn(word->text, "aeiouy") < size;
}

/* "stopp" to "stop", but "mull" and "pass" stay. */
static void undouble(struct wording_word *word)
{
    char last = word->text[word->size - 1];
    if (word->size > 3 && word->text[word->size - 2] == last && strchr("aeiouylsz", last) == NULL)
        cut(word, 1);
}

static void cut_plural(struct wording_word *word)
{
    if (ends_with(word, "ies", 5) || ends_with(word, "ied", 5)) {
        cut(word, 3);
        add_letter(word, 'y');
    } else if (ends_with(word, "s", 4) && !ends_with(word, "ss", 0) && !ends_with(word, "us", 0) &&
               !ends_with(word, "is", 0)) {
        cut(word, 1);
    }
}

static void cut_verb(struct wording_word *word)
{
    size_t n = ends_with(word, "ing", 6) ? 3 : ends_with(word, "ed", 5) ? 2 : 0;
    if (n == 0 || !has_vowel(word, word->size - n))
        return;
    cut(word, n);
    undouble(word);
}

void wording_stem(struct wording_word *word)
{
    if (word->is_symbol || strpbrk(word->text, "_.0123456789") != NULL)
        return;
    cut_plural(word);
    if (ends_with(word, "ly", 6) && !ends_with(word, "ply", 0)) /* wrongly, but not multiply */
        cut(word, 2);
    cut_verb(word);
    if (ends_with(word, "ion", 7) && strchr("st", word->text[word->size - 4]) != NULL)
        cut(word, 3);
    if (ends_with(word, "e", 4))
        cut(word, 1);
    else if (ends_with(word, "y", 4))
        word->text[word->size - 1] = 'i';
}

/* ---- assets/search.yaml ---- */

static bool add_drop(struct wording *wording, const struct wording_word *word)
{
    char **drop = array_grow(wording->drop, wording->n_drop, &wording->drop_capacity, sizeof *drop);
    if (drop == NULL)
        return false;
    wording->drop = drop;
    char *copy = arena_copy(&wording->arena, word->text, word->size);
    if (copy != NULL)
        drop[wording->n_drop++] = copy;
    return copy != NULL;
}

static bool read_drop(struct yaml *yaml, yaml_value value, void *ret)
{
    struct wording *wording = ret;
    struct wording_word word;
    char *text;
    size_t at = 0;
    if (!yaml_read_text(yaml, value, &text))
        return false;
    while (wording_next(text, strlen(text), &at, &word))
        if (!add_drop(wording, &word))
            return error_memory(yaml->reterr, yaml->path);
    return true;
}

static bool add_pair(struct wording *wording, const char *from, const char *to)
{
    struct wording_pair *same =
        array_grow(wording->same, wording->n_same, &wording->same_capacity, sizeof *same);
    if (same == NULL)
        return false;
    wording->same = same;
    same[wording->n_same++] = (struct wording_pair){from, to};
    return true;
}

enum { MAX_SAME = 24 }; /* words of one row */

/* The stems of a row, at most MAX_SAME. */
struct stems {
    const char *at[MAX_SAME];
    size_t n;
};

/* Adds the stems of the words of a value. */
static bool add_stems(struct yaml *yaml, yaml_value value, struct wording *wording,
                      struct stems *stems)
{
    struct wording_word word;
    char *text;
    size_t before = stems->n;
    if (!yaml_read_text(yaml, value, &text))
        return false;
    for (size_t at = 0; wording_next(text, strlen(text), &at, &word);) {
        if (stems->n == MAX_SAME)
            return yaml_fault(yaml, yaml_line(value), "a row has at most %d words", MAX_SAME);
        wording_stem(&word);
        const char *copy = arena_copy(&wording->arena, word.text, word.size);
        if (copy == NULL)
            return error_memory(yaml->reterr, yaml->path);
        stems->at[stems->n++] = copy;
    }
    return stems->n > before || yaml_fault(yaml, yaml_line(value), "there is no word in it");
}

/* A row: who writes one of its key's words may mean each other word of the row. */
static bool read_same_row(struct yaml *yaml, yaml_value key, yaml_value value, void *context)
{
    struct wording *wording = context;
    struct stems stems = {.n = 0};
    if (!add_stems(yaml, key, wording, &stems))
        return false;
    size_t n_from = stems.n;
    if (!add_stems(yaml, value, wording, &stems))
        return false;
    for (size_t i = 0; i < n_from; i++)
        for (size_t j = 0; j < stems.n; j++)
            if (i != j && !add_pair(wording, stems.at[i], stems.at[j]))
                return error_memory(yaml->reterr, yaml->path);
    return true;
}

static bool read_same(struct yaml *yaml, yaml_value map, void *ret)
{
    return yaml_read_pairs(yaml, map, read_same_row, ret);
}

static int compare_words(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

bool wording_read(const char *path, const char *text, size_t size, struct wording *ret,
                  struct error *reterr)
{
    struct wording read = {.n_drop = 0};
    struct arena scratch = {0};
    const struct yaml_field fields[] = {
        {"drop", read_drop, &read, true},
        {"same", read_same, &read, true},
    };
    struct yaml yaml;
    yaml_value root;
    bool ok = yaml_open(&yaml, path, text, size, &scratch, &root, reterr);
    if (ok) {
        ok = yaml_read_fields(&yaml, root, "the words of questions", fields, COUNT_OF(fields));
        yaml_close(&yaml);
    }
    arena_release(&scratch);
    if (!ok) {
        wording_release(&read);
        return false;
    }
    if (read.n_drop > 0)
        qsort(read.drop, read.n_drop, sizeof *read.drop, compare_words);
    *ret = read;
    return true;
}

bool wording_open(const char *data_dir, struct wording *ret, struct error *reterr)
{
    struct asset file;
    bool ok = asset_read(&file, data_dir, "search.yaml", reterr) &&
              wording_read(file.path, text_string(&file.text), file.text.size, ret, reterr);
    asset_release(&file);
    return ok;
}

void wording_release(struct wording *wording)
{
    free(wording->drop);
    free(wording->same);
    arena_release(&wording->arena);
    *wording = (struct wording){.n_drop = 0};
}

bool wording_drops(const struct wording *wording, const char *word)
{
    return wording->n_drop > 0 && bsearch(&word, wording->drop, wording->n_drop,
                                          sizeof *wording->drop, compare_words) != NULL;
}
