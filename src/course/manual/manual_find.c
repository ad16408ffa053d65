/* See manual.h: the index, and how well entries answer a question.
 *
 *     score = kind * (0.55 words + 0.45 name), and 1 more where the question is one of its names
 *
 * words, from 0 to 1: each word of the question gives an entry as many points as the best place
 * where the entry has it: most in a name, least in a lesson's sentences; fewer for a word that only
 * means the same, begins so or is spelt nearly so. Rare words count more (inverse document
 * frequency: Sparck Jones 1972, "A statistical interpretation of term specificity").
 *
 * name, from 0 to 1: of the entry's names the one for which covered^2 * reached is largest, where
 * `covered` is the share of the name that the question has, and `reached` the share of the question
 * that the name has. So "start over" answers "how do I start a lesson over", while an entry that
 * has one of the words in a long name does not. Words that say nothing by themselves ("over",
 * "many") count here only, and less than others.
 *
 * kind: what is explained goes before what is only mentioned, a term before commands and keys.
 *
 * Where even the best entry has too few of the question's words, nothing fits, and that is said. */
#include "course/manual/manual.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/suggestion.h"

enum {
    MAX_WORDS = 16, /* of a question; more are not looked at */
    MAX_SAME = 16,  /* words for one of them; more are not looked for in sentences */
};

enum place { PLACE_TEXT, PLACE_WHERE, PLACE_SUMMARY, PLACE_TITLE, PLACE_ALSO, PLACE_NAME };

/* The weight of a word by its place, and by the kind of match. */
static const double place_worth[] = {
    [PLACE_TEXT] = 0.30,  [PLACE_WHERE] = 0.35, [PLACE_SUMMARY] = 0.42,
    [PLACE_TITLE] = 0.55, [PLACE_ALSO] = 0.90,  [PLACE_NAME] = 1.00,
};
static const double page_worth = 0.22; /* of a sentence of a lesson */
static const double worth_same = 0.75, worth_part = 0.6, worth_spelt = 0.5;
/* The question is one of its names: added to the rest. */
static const double worth_whole_name = 1.0;
static const double share_of_words = 0.55, share_of_name = 0.45;
/* A word that says nothing on its own, as a part of a name. */
static const double weight_of_weak = 0.3;
/* The share of the question's words that the best entry must have; those that lie somewhere on a
 * lesson's page count less. */
static const double least_found = 0.45, page_found = 0.6;
/* All words of a question of three or more in one sentence of a page. */
static const double worth_sentence = 0.3;
/* A word that begins like the typed one: more, the more of it was typed. */
static const double worth_begins = 0.45, worth_typed = 0.4;
/* An entry that has less than this share of the best one's points is not an answer. */
static const double least_share = 0.34;
static const double near_enough = 0.3; /* of pairs of letters, if no entry has exactly that name */

/* An explanation goes before a mention. */
static const double kind_worth[MANUAL_KINDS] = {
    [MANUAL_WORD] = 0.88,    [MANUAL_FUNCTION] = 0.90, [MANUAL_KEY] = 0.80,
    [MANUAL_OPERATOR] = 1.0, [MANUAL_TERM] = 1.0,      [MANUAL_TOPIC] = 1.0,
    [MANUAL_LESSON] = 0.82,  [MANUAL_STEP] = 0.76,     [MANUAL_PAGE] = 0.8,
};

struct manual_posting {
    const char *stem;
    uint32_t entry;
    uint32_t name; /* the number of the name that it is a word of, from 1; 0: of none */
    enum place place;
    float weight; /* in the name */
};

struct manual_name {
    uint32_t entry;
    double weight; /* of all its words */
};

/* ---- the index ---- */

/* Adds a posting, whose stem is copied. */
static void add_posting(struct manual *manual, const struct wording_word *word,
                        struct manual_posting posting)
{
    struct manual_posting *postings = array_grow(manual->postings, manual->n_postings,
                                                 &manual->postings_capacity, sizeof *postings);
    posting.stem = arena_copy(&manual->arena, word->text, word->size);
    manual->failed = manual->failed || postings == NULL || posting.stem == NULL;
    if (postings != NULL)
        manual->postings = postings;
    if (!manual->failed)
        postings[manual->n_postings++] = posting;
}

/* The part of a name like masked_fill that begins at *at, as a stem; false after the last. */
static bool next_part(const struct wording_word *word, size_t *at, struct wording_word *ret)
{
    while (*at < word->size && word->text[*at] == '_')
        (*at)++;
    size_t size = strcspn(word->text + *at, "_");
    if (size == 0)
        return false;
    *ret = (struct wording_word){.size = size};
    memcpy(ret->text, word->text + *at, size);
    *at += size;
    wording_stem(ret);
    return true;
}

static bool has_parts(const struct wording_word *word)
{
    return !word->is_symbol && strchr(word->text, '_') != NULL;
}

static void index_text(struct manual *manual, size_t entry, enum place place, const char *text)
{
    struct wording_word word;
    size_t size = strlen(text);
    const struct manual_posting posting = {.entry = (uint32_t)entry, .place = place};
    for (size_t at = 0; wording_next(text, size, &at, &word);) {
        if ((place == PLACE_TEXT || place == PLACE_SUMMARY) &&
            (word.is_symbol || wording_drops(&manual->wording, word.text)))
            continue;
        wording_stem(&word);
        add_posting(manual, &word, posting);
    }
}

/* One name of an entry: its words, and the parts of a word such as masked_fill. */
static void index_name(struct manual *manual, size_t entry, enum place place, const char *name,
                       size_t size)
{
    struct manual_name *names =
        array_grow(manual->names, manual->n_names, &manual->names_capacity, sizeof *names);
    manual->failed = manual->failed || names == NULL;
    if (names == NULL)
        return;
    manual->names = names;
    names[manual->n_names++] = (struct manual_name){.entry = (uint32_t)entry};
    struct manual_posting posting = {
        .entry = (uint32_t)entry, .name = (uint32_t)manual->n_names, .place = place};
    struct wording_word word, part;
    for (size_t at = 0; wording_next(name, size, &at, &word);) {
        bool is_weak = wording_drops(&manual->wording, word.text);
        posting.weight = (float)(is_weak ? weight_of_weak : 1);
        names[manual->n_names - 1].weight += (double)posting.weight;
        for (size_t from = 0; has_parts(&word) && next_part(&word, &from, &part);)
            add_posting(manual, &part,
                        (struct manual_posting){.entry = (uint32_t)entry, .place = place});
        wording_stem(&word);
        add_posting(manual, &word, posting);
    }
}

/* The size of the first name of a list with commas between them: "@, *" are two. */
static size_t first_name_size(const char *list)
{
    const char *comma = strstr(list, ", ");
    return comma != NULL ? (size_t)(comma - list) : strlen(list);
}

static void index_names(struct manual *manual, size_t entry, enum place place, const char *list)
{
    while (*list != '\0') {
        size_t size = first_name_size(list);
        index_name(manual, entry, place, list, size);
        list += size + (list[size] != '\0' ? 2 : 0);
    }
}

static int compare_postings(const void *a, const void *b)
{
    const struct manual_posting *left = a, *right = b;
    int order = strcmp(left->stem, right->stem);
    if (order == 0)
        order = (left->entry > right->entry) - (left->entry < right->entry);
    if (order == 0)
        order = (left->name > right->name) - (left->name < right->name);
    return order != 0 ? order : (int)right->place - (int)left->place;
}

/* Of each word of each name of an entry, and of its other texts, keeps the best place only. */
static void drop_repeated(struct manual *manual)
{
    struct manual_posting *postings = manual->postings;
    size_t n = 0;
    for (size_t i = 0; i < manual->n_postings; i++)
        if (n == 0 || postings[n - 1].entry != postings[i].entry ||
            postings[n - 1].name != postings[i].name ||
            strcmp(postings[n - 1].stem, postings[i].stem) != 0)
            postings[n++] = postings[i];
    manual->n_postings = n;
}

bool manual_index(struct manual *manual, struct error *reterr)
{
    manual->n_postings = manual->n_names = 0;
    for (size_t i = 0; i < manual->n && !manual->failed; i++) {
        const struct manual_entry *entry = &manual->entries[i];
        bool is_key = entry->kind == MANUAL_KEY;
        bool is_short = entry->kind == MANUAL_FUNCTION || entry->kind == MANUAL_WORD;
        if (entry->name[0] != '\0')
            index_name(manual, i, PLACE_NAME, entry->name, strlen(entry->name));
        index_names(manual, i, PLACE_ALSO, entry->also);
        index_text(manual, i, is_key ? PLACE_NAME : PLACE_TITLE, entry->title);
        if (is_key) /* learners know it by its keys, and by the effect that its help describes */
            index_name(manual, i, PLACE_TITLE, entry->text, strlen(entry->text));
        else
            index_text(manual, i, is_short ? PLACE_SUMMARY : PLACE_TEXT, entry->text);
        index_text(manual, i, PLACE_WHERE, entry->where);
    }
    if (manual->failed)
        return error_memory(reterr, "help");
    if (manual->n_postings > 0)
        qsort(manual->postings, manual->n_postings, sizeof *manual->postings, compare_postings);
    drop_repeated(manual);
    return true;
}

/* The first posting whose stem is not before this one. */
static size_t lower_bound(const struct manual *manual, const char *stem)
{
    size_t begin = 0, end = manual->n_postings;
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        if (strcmp(manual->postings[middle].stem, stem) < 0)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

/* ---- a question ---- */

struct question {
    struct wording_word words[MAX_WORDS]; /* stems */
    bool is_weak[MAX_WORDS];              /* it says nothing on its own */
    const char
        *same[MAX_WORDS][MAX_SAME]; /* words of the same meaning for each, from the wording */
    size_t n_same[MAX_WORDS];
    size_t n, n_strong; /* of them, those that are not weak */
    bool last_is_open;  /* the last word may still be typed on */
};

static void read_words(const struct wording *wording, const char *text, struct question *ret)
{
    struct wording_word word;
    size_t size = strlen(text);
    *ret = (struct question){.n = 0};
    for (size_t at = 0; ret->n < MAX_WORDS && wording_next(text, size, &at, &word);) {
        bool is_weak = wording_drops(wording, word.text);
        ret->n_strong += !is_weak;
        ret->is_weak[ret->n] = is_weak;
        ret->last_is_open = word.end == size && !word.is_symbol;
        wording_stem(&word);
        ret->words[ret->n++] = word;
    }
    if (ret->n_strong > 0)
        return;
    for (size_t i = 0; i < ret->n; i++)
        ret->is_weak[i] = false; /* "what is it": better than nothing */
    ret->n_strong = ret->n;
}

/* Word i of a question: the words of the same meaning. */
static void find_same(const struct wording *wording, struct question *question, size_t i)
{
    for (size_t j = 0; j < wording->n_same && question->n_same[i] < MAX_SAME; j++)
        if (strcmp(wording->same[j].from, question->words[i].text) == 0)
            question->same[i][question->n_same[i]++] = wording->same[j].to;
}

static struct question question_of(const struct wording *wording, const char *text)
{
    struct question question;
    read_words(wording, text, &question);
    for (size_t i = 0; i < question.n; i++)
        find_same(wording, &question, i);
    return question;
}

/* An entry's points for one word of the question, and for all words so far. */
struct entry_points {
    double word, total;       /* by the places of the word */
    double word_found, found; /* wherever it is */
    double name;              /* of the name that fits best */
    bool has_name;            /* the question has all words of one of its names */
};

struct name_points {
    double word_covered, covered; /* of the weight of its words */
    double word_reached, reached; /* of the weight of the question's */
};

struct points {
    struct entry_points *entries; /* [manual->n] */
    struct name_points *names;    /* [manual->n_names] */
};

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static void give_points(const struct manual *manual, const struct manual_posting *posting,
                        bool is_weak, double worth, struct points *points)
{
    struct entry_points *entry = &points->entries[posting->entry];
    bool is_page = manual->entries[posting->entry].kind == MANUAL_PAGE;
    double at = is_page && posting->place == PLACE_TEXT ? page_worth : place_worth[posting->place];
    if (!is_weak) {
        entry->word = larger(entry->word, worth * at);
        entry->word_found = larger(entry->word_found, worth * (is_page ? page_found : 1));
    }
    if (posting->name > 0) {
        struct name_points *name = &points->names[posting->name - 1];
        name->word_covered = larger(name->word_covered, worth * (double)posting->weight);
        name->word_reached = larger(name->word_reached, worth);
    }
}

/* Gives points for a stem, and for longer ones that begin so. Returns whether it is there. */
static bool look_up(const struct manual *manual, const char *stem, bool is_weak, double worth,
                    struct points *points)
{
    bool found = false;
    for (size_t i = lower_bound(manual, stem);
         i < manual->n_postings && strcmp(manual->postings[i].stem, stem) == 0; i++) {
        give_points(manual, &manual->postings[i], is_weak, worth, points);
        found = true;
    }
    return found;
}

/* Longer words that begin so; of a word that is complete, only little longer ones. */
static bool look_up_beginning(const struct manual *manual, const struct wording_word *word,
                              bool is_open, struct points *points)
{
    const double least_typed = is_open ? 0 : 0.6;
    bool found = false;
    for (size_t i = lower_bound(manual, word->text);
         i < manual->n_postings && strncmp(manual->postings[i].stem, word->text, word->size) == 0;
         i++) {
        double share = (double)word->size / (double)strlen(manual->postings[i].stem);
        if (share < least_typed)
            continue;
        give_points(manual, &manual->postings[i], false, worth_begins + share * worth_typed,
                    points);
        found = true;
    }
    return found;
}

/* The stem of a name or title that is spelt nearly so; "" for none. */
static void spell(const struct manual *manual, const struct wording_word *word,
                  struct suggestion *suggestion)
{
    enum { MOST_MISSING = 2 }; /* letters: "overfit" is not a slip of "over" */
    const char *last = "";
    suggestion_init(suggestion, word->text, word->size);
    for (size_t i = 0; i < manual->n_postings; i++) {
        const struct manual_posting *posting = &manual->postings[i];
        if (posting->place < PLACE_TITLE || strcmp(posting->stem, last) == 0)
            continue;
        last = posting->stem;
        size_t size = strlen(last);
        if (size > word->size + MOST_MISSING || word->size > size + MOST_MISSING)
            continue;
        suggestion_try(suggestion, posting->stem);
    }
}

/* Gives points for word i of the question, in all the ways in which an entry may have it. */
static void look_up_word(const struct manual *manual, const struct question *question, size_t i,
                         struct points *points)
{
    enum { MIN_BEGINNING = 3, MIN_OPEN = 2, MIN_SPELT = 4 }; /* letters */
    const struct wording_word *word = &question->words[i];
    bool is_open = question->last_is_open && i + 1 == question->n;
    struct wording_word part;
    bool found = look_up(manual, word->text, question->is_weak[i], 1, points);
    if (question->is_weak[i])
        return;
    for (size_t j = 0; j < question->n_same[i]; j++)
        found = look_up(manual, question->same[i][j], false, worth_same, points) || found;
    for (size_t from = 0; has_parts(word) && next_part(word, &from, &part);)
        found = look_up(manual, part.text, false, worth_part, points) || found;
    if (!word->is_symbol && word->size >= (is_open ? (size_t)MIN_OPEN : (size_t)MIN_BEGINNING) &&
        (is_open || !found))
        found = look_up_beginning(manual, word, is_open, points) || found;
    if (!found && !word->is_symbol && word->size >= MIN_SPELT) {
        struct suggestion suggestion;
        spell(manual, word, &suggestion);
        if (suggestion.best[0] != '\0')
            (void)look_up(manual, suggestion.best, false, worth_spelt, points);
    }
}

/* How many entries have the word itself. */
static size_t count_entries(const struct manual *manual, const char *stem)
{
    size_t n = 0, begin = lower_bound(manual, stem);
    for (size_t i = begin; i < manual->n_postings && strcmp(manual->postings[i].stem, stem) == 0;
         i++)
        n += i == begin || manual->postings[i - 1].entry != manual->postings[i].entry;
    return n;
}

/* The weight of a word: a rarer one counts more, and one that no entry has counts half as much,
 * since then it distinguishes nothing. */
static double rarity_of(const struct manual *manual, const char *stem, const struct points *points)
{
    size_t n_with = count_entries(manual, stem);
    for (size_t i = 0; n_with == 0 && i < manual->n; i++)
        n_with += points->entries[i].word > 0;
    double rarity = log((double)(manual->n + 1) / (double)(n_with + 1)) + 0.3;
    return n_with > 0 ? rarity : rarity / 2;
}

/* Adds the points of word i. Returns its weight: 0 for a weak word. */
static double add_word_points(const struct manual *manual, const struct question *question,
                              size_t at, struct points *points)
{
    double rarity = question->is_weak[at] ? 0 : rarity_of(manual, question->words[at].text, points);
    for (size_t i = 0; i < manual->n; i++) {
        struct entry_points *entry = &points->entries[i];
        entry->total += rarity * entry->word;
        entry->found += rarity * entry->word_found;
        entry->word = entry->word_found = 0;
    }
    for (size_t i = 0; i < manual->n_names; i++) {
        struct name_points *name = &points->names[i];
        name->covered += name->word_covered;
        name->reached += rarity * name->word_reached;
        name->word_covered = name->word_reached = 0;
    }
    return rarity;
}

/* ---- names ---- */

/* The question without blanks at its ends and the mark behind it. */
static size_t bare_size(const char **question)
{
    *question += strspn(*question, " ");
    size_t size = strlen(*question);
    while (size > 1 && strchr(" ?", (*question)[size - 1]) != NULL)
        size--;
    return size;
}

/* Whether one of the names in a list with commas is the question, capitals or not. */
static bool is_in_list(const char *list, const char *question, size_t size)
{
    while (*list != '\0') {
        list += strspn(list, " ");
        size_t length = first_name_size(list);
        if (length == size && strncasecmp(list, question, size) == 0)
            return true;
        list += length + (list[length] != '\0');
    }
    return false;
}

/* Whether the question is an entry's name. */
static bool is_called(const struct manual_entry *entry, const char *question, size_t size)
{
    if (size > 0 && strlen(entry->name) == size && strncasecmp(entry->name, question, size) == 0)
        return true;
    if (entry->kind != MANUAL_KEY)
        return is_in_list(entry->also, question, size);
    for (const char *at = entry->title; *at != '\0'; at += strspn(at, " ")) {
        size_t length = strcspn(at, " "); /* a capital makes another key */
        if (length == size && strncmp(at, question, size) == 0)
            return true;
        at += length;
    }
    return false;
}

/* ---- ranking ---- */

/* Inserts a result among those found; the last one is dropped if there are too many. */
static void insert(struct manual_results *results, struct manual_result result)
{
    size_t at = results->n;
    if (at == MANUAL_MAX_RESULTS && results->items[--at].score >= result.score)
        return;
    results->n = at + 1;
    for (; at > 0 && results->items[at - 1].score < result.score; at--)
        results->items[at] = results->items[at - 1];
    results->items[at] = result;
}

static double score_of(const struct manual *manual, const struct points *points, size_t i,
                       double of, const char *asked, size_t asked_size)
{
    const struct manual_entry *entry = &manual->entries[i];
    const struct entry_points *has = &points->entries[i];
    double words = of > 0 ? has->total / of : 0;
    double score = kind_worth[entry->kind] * (share_of_words * words + share_of_name * has->name);
    return is_called(entry, asked, asked_size) ? score + worth_whole_name : score;
}

/* How well a word of a text matches word i of the question: 2 for the word itself, 1 for one of the
 * same meaning. */
static size_t worth_of_word(const struct question *question, size_t i, const char *stem)
{
    if (strcmp(stem, question->words[i].text) == 0)
        return 2;
    for (size_t j = 0; j < question->n_same[i]; j++)
        if (strcmp(question->same[i][j], stem) == 0)
            return 1;
    return 0;
}

/* How much of the question a line of text has; *ret_all: each of its words. */
static size_t count_hits(const struct question *question, const char *line, size_t size,
                         bool *ret_all)
{
    struct wording_word word;
    size_t worth[MAX_WORDS] = {0}, hits = 0;
    for (size_t at = 0; wording_next(line, size, &at, &word);) {
        wording_stem(&word);
        for (size_t i = 0; i < question->n; i++) {
            if (question->is_weak[i])
                continue;
            size_t own = worth_of_word(question, i, word.text);
            worth[i] = own > worth[i] ? own : worth[i];
        }
    }
    *ret_all = true;
    for (size_t i = 0; i < question->n; i++) {
        hits += worth[i];
        *ret_all = *ret_all && (worth[i] > 0 || question->is_weak[i]);
    }
    return hits;
}

/* The sentence of a page that has most words of the question. If it has all of them, the page is
 * the answer. */
static void choose_sentence(const struct manual *manual, const struct question *question,
                            struct manual_result *result)
{
    const char *text = manual->entries[result->entry].text;
    size_t best = 0;
    bool has_all = false;
    for (size_t at = 0; text[at] != '\0';) {
        bool all;
        size_t size = strcspn(text + at, "\n");
        size_t hits = count_hits(question, text + at, size, &all);
        if (hits > best) {
            best = hits;
            result->begin = at;
            result->size = size;
            has_all = all;
        }
        at += size + (text[at + size] == '\n');
    }
    result->score += has_all && question->n_strong > 2 ? worth_sentence : 0;
}

/* Chooses sentences, and sorts the pages by them. */
static void place_pages(const struct manual *manual, const struct question *question,
                        struct manual_results *results)
{
    struct manual_results placed = {.n = 0};
    for (size_t i = 0; i < results->n; i++) {
        struct manual_result result = results->items[i];
        if (manual->entries[result.entry].kind == MANUAL_PAGE)
            choose_sentence(manual, question, &result);
        insert(&placed, result);
    }
    *results = placed;
}

/* Removes results with too few points, and pages beside a better one of the same step. */
static void keep_the_best(const struct manual *manual, struct manual_results *results)
{
    size_t n = 0;
    double best = results->n > 0 ? results->items[0].score : 0;
    best -= best > worth_whole_name ? worth_whole_name : 0;
    for (size_t i = 0; i < results->n; i++) {
        const struct manual_entry *entry = &manual->entries[results->items[i].entry];
        bool is_repeated = false;
        for (size_t j = 0; j < n && entry->kind == MANUAL_PAGE; j++) {
            const struct manual_entry *better = &manual->entries[results->items[j].entry];
            is_repeated = is_repeated ||
                          (better->kind == MANUAL_PAGE && strcmp(better->title, entry->title) == 0);
        }
        if (results->items[i].score >= least_share * best && !is_repeated)
            results->items[n++] = results->items[i];
    }
    results->n = n;
}

/* Looks all words up. Returns how much they count together. */
static double look_up_all(const struct manual *manual, const struct question *question,
                          struct points *points)
{
    double of = 0;
    for (size_t i = 0; i < question->n; i++) {
        look_up_word(manual, question, i, points);
        of += add_word_points(manual, question, i, points);
    }
    for (size_t i = 0; i < manual->n_names; i++) {
        const struct name_points *name = &points->names[i];
        struct entry_points *entry = &points->entries[manual->names[i].entry];
        double weight = manual->names[i].weight;
        double covered = weight > 0 ? name->covered / weight : 0;
        covered = covered < 1 ? covered : 1;
        double fits = of > 0 ? covered * covered * name->reached / of : 0;
        entry->name = larger(entry->name, fits);
        entry->has_name = entry->has_name || (covered >= 1 && name->reached > 0);
    }
    return of;
}

/* Whether the best result has enough of the question, or is a term that the question names. */
static bool fits(const struct manual *manual, const struct points *points,
                 const struct manual_results *results, double of)
{
    const struct manual_result *best = &results->items[0];
    const struct entry_points *has = &points->entries[best->entry];
    enum manual_kind kind = manual->entries[best->entry].kind;
    bool is_term = kind == MANUAL_TERM || kind == MANUAL_OPERATOR;
    return best->score > worth_whole_name || (is_term && has->has_name) ||
           (of > 0 && has->found >= least_found * of);
}

static void keep_the_nearest(struct manual_results *results)
{
    results->n = results->n < MANUAL_NEAREST ? results->n : MANUAL_NEAREST;
    results->only_near = results->n > 0;
}

/* ---- names that are nearly the question ---- */

/* The share of pairs of letters that two words have in common (Dice 1945). */
static double likeness(const char *a, size_t a_size, const char *b, size_t b_size)
{
    size_t common = 0;
    if (a_size < 2 || b_size < 2)
        return 0;
    for (size_t i = 0; i + 1 < a_size; i++) {
        bool is_repeated = i > 0 && a[i - 1] == a[i] && a[i] == a[i + 1]; /* "zzz" */
        for (size_t j = 0; j + 1 < b_size && !is_repeated; j++)
            if (a[i] == b[j] && a[i + 1] == b[j + 1]) {
                common++;
                break;
            }
    }
    return 2.0 * (double)common / (double)(a_size + b_size - 2);
}

static void find_nearest(const struct manual *manual, const struct question *question,
                         struct points *points, struct manual_results *results)
{
    for (size_t i = 0; i < manual->n_postings; i++) {
        const struct manual_posting *posting = &manual->postings[i];
        for (size_t j = 0; posting->place >= PLACE_ALSO && j < question->n; j++) {
            const struct wording_word *word = &question->words[j];
            if (question->is_weak[j])
                continue;
            double like = likeness(word->text, word->size, posting->stem, strlen(posting->stem));
            struct entry_points *entry = &points->entries[posting->entry];
            entry->total = larger(entry->total, like);
        }
    }
    for (size_t i = 0; i < manual->n; i++)
        if (points->entries[i].total >= near_enough)
            insert(results, (struct manual_result){.entry = i, .score = points->entries[i].total});
    keep_the_nearest(results);
}

bool manual_find(const struct manual *manual, const char *text, struct manual_results *ret,
                 struct error *reterr)
{
    struct question question = question_of(&manual->wording, text);
    struct points points = {.entries = calloc(manual->n + 1, sizeof *points.entries),
                            .names = calloc(manual->n_names + 1, sizeof *points.names)};
    bool ok = points.entries != NULL && points.names != NULL;
    if (ok) {
        ret->n = 0;
        ret->only_near = false;
        double of = look_up_all(manual, &question, &points);
        const char *asked = text;
        size_t asked_size = bare_size(&asked);
        for (size_t i = 0; i < manual->n; i++) {
            double score = score_of(manual, &points, i, of, asked, asked_size);
            if (score > 0)
                insert(ret, (struct manual_result){.entry = i, .score = score});
        }
        place_pages(manual, &question, ret);
        keep_the_best(manual, ret);
        if (ret->n == 0)
            find_nearest(manual, &question, &points, ret);
        else if (!fits(manual, &points, ret, of))
            keep_the_nearest(ret);
    }
    free(points.entries);
    free(points.names);
    return ok || error_memory(reterr, "help");
}

bool manual_text_answers(const struct wording *wording, const char *question, const char *text)
{
    struct question asked = question_of(wording, question);
    for (size_t i = 0; i < asked.n; i++) {
        const struct wording_word *stem = &asked.words[i];
        struct wording_word word;
        bool found = asked.is_weak[i];
        for (size_t at = 0; !found && wording_next(text, strlen(text), &at, &word);) {
            wording_stem(&word);
            found = strncmp(word.text, stem->text, stem->size) == 0;
            for (size_t j = 0; !found && j < wording->n_same; j++)
                found = strcmp(wording->same[j].from, stem->text) == 0 &&
                        strcmp(wording->same[j].to, word.text) == 0;
        }
        if (!found)
            return false;
    }
    return true;
}
