/* Works that look alike: see similar.h. */
#include "report/similar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

enum {
    RUN_TOKENS = 12,  /* what a mark stands for */
    WINDOW_MARKS = 5, /* so a run of 16 tokens in both is always found */
    LEAST_MARKS = 16, /* fewer say too little */
    LEAST_ALONE = 40, /* where there are too few works to tell what is usual */
    SAMPLE_PAIRS = 5000,
    LEAST_PAIRS = 10,
    USUAL_PART = 20,   /* one pair of so many shares more than what is usual */
    COMMON_WORKS = 10, /* a mark in more works, or in over a tenth of them, starts no comparison */
    MOST_WORKS = 200,
    PAIRS_KEPT = 50,
};
#define USUAL_UNKNOWN 0.8 /* taken for the usual share where there are too few works */
#define USUAL_TOO_MUCH 0.9
#define DISTANCE 0.4 /* of the way from what is usual to the same, so much may differ */

/* ---- tokens ---- */

static const char *const keywords[] = {
    "break",  "case",   "char",   "const",  "continue", "default", "do",       "double", "else",
    "enum",   "float",  "for",    "goto",   "if",       "int",     "long",     "return", "short",
    "signed", "sizeof", "size_t", "static", "struct",   "switch",  "unsigned", "void",   "while"};

static bool is_letter(char c)
{
    return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_' || (unsigned char)c >= 0x80;
}

/* The end of blanks and comments from at on. */
static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end) {
        if (strchr(" \t\r\n\f\v\\", *at) != NULL) {
            at++;
        } else if (end - at > 1 && at[0] == '/' && at[1] == '/') {
            while (at < end && *at != '\n')
                at++;
        } else if (end - at > 1 && at[0] == '/' && at[1] == '*') {
            for (at += 2; at < end && !(end - at > 1 && at[0] == '*' && at[1] == '/');)
                at++;
            at += end - at > 1 ? 2 : end - at;
        } else {
            break;
        }
    }
    return at;
}

static const char *token_end(const char *at, const char *end)
{
    char quote = *at;
    if (quote == '"' || quote == '\'') {
        for (at++; at < end && *at != quote && *at != '\n'; at++)
            at += *at == '\\' && at + 1 < end;
        return at < end ? at + 1 : end;
    }
    if (!is_letter(quote) && !text_is_digit(quote))
        return at + 1;
    while (at < end &&
           (is_letter(*at) || text_is_digit(*at) || (*at == '.' && text_is_digit(quote))))
        at++;
    return at;
}

/* All names are the same, and so are all numbers and all texts. */
static uint32_t token_code(const char *token, size_t size)
{
    if (text_is_digit(token[0]))
        return 256;
    if (!is_letter(token[0]))
        return (unsigned char)token[0];
    for (size_t i = 0; i < COUNT_OF(keywords); i++)
        if (text_equals(token, size, keywords[i]))
            return 258 + (uint32_t)i;
    return 257;
}

/* The hashes of all runs of tokens; a source has fewer tokens than bytes. NULL without memory. */
static uint32_t *hash_runs(const char *source, size_t size, size_t *ret_n)
{
    uint32_t run[RUN_TOKENS] = {0};
    uint32_t *hashes = calloc(size + 1, sizeof *hashes);
    const char *end = source + size;
    size_t n_tokens = 0;
    *ret_n = 0;
    for (const char *at = skip_blanks(source, end); hashes != NULL && at < end;) {
        const char *next = token_end(at, end);
        memmove(run, run + 1, sizeof run - sizeof *run);
        run[RUN_TOKENS - 1] = token_code(at, (size_t)(next - at));
        uint32_t hash = 2166136261u; /* FNV-1a, a token at a time, and mixed */
        for (int i = 0; i < RUN_TOKENS; i++)
            hash = (hash ^ run[i]) * 16777619u;
        hash ^= hash >> 15;
        hash *= 0x2c1b3c6du;
        if (++n_tokens >= RUN_TOKENS)
            hashes[(*ret_n)++] = hash ^ hash >> 12;
        at = skip_blanks(next, end);
    }
    return hashes;
}

/* ---- marks ---- */

static int compare_marks(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

static void sort_marks(struct source_marks *marks)
{
    size_t kept = 0;
    if (marks->n > 1)
        qsort(marks->items, marks->n, sizeof *marks->items, compare_marks);
    for (size_t i = 0; i < marks->n; i++)
        if (kept == 0 || marks->items[kept - 1] != marks->items[i])
            marks->items[kept++] = marks->items[i];
    marks->n = kept;
}

static bool has_mark(const struct source_marks *marks, uint32_t mark)
{
    return marks != NULL && marks->n > 0 &&
           bsearch(&mark, marks->items, marks->n, sizeof mark, compare_marks) != NULL;
}

bool source_marks_all(const char *source, size_t size, struct source_marks *ret,
                      struct error *reterr)
{
    *ret = (struct source_marks){.items = hash_runs(source, size, &ret->n), .n = ret->n};
    if (ret->items == NULL)
        return error_memory(reterr, "a source");
    sort_marks(ret);
    return true;
}

bool source_marks_make(const char *source, size_t size, const struct source_marks *starter,
                       struct source_marks *ret, struct error *reterr)
{
    size_t n, kept = 0;
    uint32_t *hashes = hash_runs(source, size, &n);
    if (hashes == NULL)
        return error_memory(reterr, "a source");
    for (size_t i = 0; i + WINDOW_MARKS <= n; i++) {
        uint32_t least = hashes[i]; /* of a window; it is written where it has been read */
        for (size_t j = i + 1; j < i + WINDOW_MARKS; j++)
            least = hashes[j] < least ? hashes[j] : least;
        if (!has_mark(starter, least) && (kept == 0 || hashes[kept - 1] != least) && kept <= i)
            hashes[kept++] = least;
    }
    *ret = (struct source_marks){.items = hashes, .n = kept};
    sort_marks(ret);
    return true;
}

void source_marks_release(struct source_marks *marks)
{
    free(marks->items);
    *marks = (struct source_marks){.n = 0};
}

double source_marks_share(const struct source_marks *a, const struct source_marks *b)
{
    size_t i = 0, j = 0, both = 0;
    while (i < a->n && j < b->n) {
        uint32_t left = a->items[i], right = b->items[j];
        both += left == right;
        i += left <= right;
        j += right <= left;
    }
    size_t all = a->n + b->n - both;
    return all > 0 ? (double)both / (double)all : 0;
}

/* ---- what is usual ---- */

static int compare_shares(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* The share from which on two works are worth a look; over 1: none are. All pairs, or so many that
 * a fixed sequence picks (Knuth's MMIX generator), so that each run says the same. */
static double least_share(const struct marked_work *works, size_t n, double *shares)
{
    double usual = USUAL_UNKNOWN;
    size_t n_shares = 0;
    if (n <= 100) {
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < i; j++)
                shares[n_shares++] = source_marks_share(&works[i].marks, &works[j].marks);
    }
    for (uint64_t state = 1; n > 100 && n_shares < SAMPLE_PAIRS;) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        size_t i = (size_t)(state >> 33) % n;
        state = state * 6364136223846793005u + 1442695040888963407u;
        size_t j = (size_t)(state >> 33) % n;
        if (i != j)
            shares[n_shares++] = source_marks_share(&works[i].marks, &works[j].marks);
    }
    if (n_shares >= LEAST_PAIRS) {
        size_t above = n_shares / USUAL_PART > 0 ? n_shares / USUAL_PART : 1;
        qsort(shares, n_shares, sizeof *shares, compare_shares);
        usual = shares[n_shares - 1 - above];
    }
    return usual >= USUAL_TOO_MUCH ? 2 : 1 - (1 - usual) * DISTANCE;
}

/* ---- pairs ---- */

/* That a work has a mark. */
struct posting {
    uint32_t mark, work;
    size_t end; /* of the postings of this mark; 0: too many have it */
};

struct pair {
    size_t a, b;
    double share;
};

struct search {
    const char *exercise;
    const struct marked_work *works;
    size_t n;
    struct posting *postings;
    size_t *places; /* [of all marks, work after work]: the posting */
    unsigned *counts;
    size_t *touched;
    double least;
    struct pair *pairs;
    size_t n_pairs, pairs_capacity;
};

static int compare_postings(const void *a, const void *b)
{
    const struct posting *left = a, *right = b;
    if (left->mark != right->mark)
        return left->mark < right->mark ? -1 : 1;
    return (left->work > right->work) - (left->work < right->work);
}

/* firsts[work]: where its marks begin among the places; they come in the order of the marks. */
static void index_marks(struct search *search, size_t n_postings, size_t *firsts)
{
    size_t n = 0, most = search->n / 10 > COMMON_WORKS ? search->n / 10 : COMMON_WORKS;
    most = most < MOST_WORKS ? most : MOST_WORKS;
    for (size_t i = 0; i < search->n; i++) {
        firsts[i] = n;
        for (size_t j = 0; j < search->works[i].marks.n; j++)
            search->postings[n++] =
                (struct posting){.mark = search->works[i].marks.items[j], .work = (uint32_t)i};
    }
    if (n > 1)
        qsort(search->postings, n, sizeof *search->postings, compare_postings);
    for (size_t i = 0, end = 0; i < n_postings; i = end) {
        while (end < n && search->postings[end].mark == search->postings[i].mark)
            end++;
        for (size_t j = i; j < end; j++) {
            search->postings[j].end = end - i <= most ? end : 0;
            search->places[firsts[search->postings[j].work]++] = j;
        }
    }
    for (size_t i = 0; i < search->n; i++)
        firsts[i] -= search->works[i].marks.n;
}

static bool add_pair(struct search *search, size_t a, size_t b, double share)
{
    struct pair *pairs =
        array_grow(search->pairs, search->n_pairs, &search->pairs_capacity, sizeof *pairs);
    if (pairs == NULL)
        return false;
    search->pairs = pairs;
    pairs[search->n_pairs++] = (struct pair){a, b, share};
    return true;
}

/* Compares a work with those after it that have some of its rare marks. */
static bool compare_work(struct search *search, size_t a, size_t first)
{
    const struct marked_work *works = search->works;
    size_t n_touched = 0;
    bool ok = true;
    for (size_t i = 0; i < works[a].marks.n; i++) {
        size_t at = search->places[first + i];
        for (size_t j = at + 1; j < search->postings[at].end; j++) {
            size_t b = search->postings[j].work;
            if (search->counts[b]++ == 0)
                search->touched[n_touched++] = b;
        }
    }
    for (size_t i = 0; i < n_touched; i++) {
        size_t b = search->touched[i];
        search->counts[b] = 0;
        double share = source_marks_share(&works[a].marks, &works[b].marks);
        if (ok && share >= search->least && strcmp(works[a].who, works[b].who) != 0)
            ok = add_pair(search, a, b, share);
    }
    return ok;
}

/* The most alike first. */
static int compare_pairs(const void *a, const void *b)
{
    const struct pair *left = a, *right = b;
    if (left->share < right->share || left->share > right->share)
        return left->share > right->share ? -1 : 1;
    if (left->a != right->a)
        return left->a < right->a ? -1 : 1;
    return (left->b > right->b) - (left->b < right->b);
}

static bool report_pairs(struct search *search, struct likenesses *ret, struct error *reterr)
{
    if (search->n_pairs > 1)
        qsort(search->pairs, search->n_pairs, sizeof *search->pairs, compare_pairs);
    for (size_t i = 0; i < search->n_pairs && i < PAIRS_KEPT; i++) {
        const struct pair *pair = &search->pairs[i];
        if (!likenesses_add(ret, search->exercise, search->works[pair->a].who,
                            search->works[pair->b].who, floor(pair->share * 1000) / 1000, reterr))
            return false;
    }
    return true;
}

static bool search_pairs(struct search *search, struct likenesses *ret, struct error *reterr)
{
    size_t n_marks = 0;
    for (size_t i = 0; i < search->n; i++)
        n_marks += search->works[i].marks.n;
    size_t *firsts = calloc(search->n + 1, sizeof *firsts);
    search->postings = calloc(n_marks + 1, sizeof *search->postings);
    search->places = calloc(n_marks + 1, sizeof *search->places);
    search->counts = calloc(search->n + 1, sizeof *search->counts);
    search->touched = calloc(search->n + 1, sizeof *search->touched);
    bool ok = firsts != NULL && search->postings != NULL && search->places != NULL &&
              search->counts != NULL && search->touched != NULL;
    if (ok)
        index_marks(search, n_marks, firsts);
    for (size_t i = 0; ok && i < search->n; i++)
        ok = compare_work(search, i, firsts[i]);
    ok = ok ? report_pairs(search, ret, reterr) : error_memory(reterr, "the comparison");
    free(firsts);
    free(search->postings);
    free(search->places);
    free(search->counts);
    free(search->touched);
    free(search->pairs);
    return ok;
}

bool similar_find(const char *exercise, const struct marked_work *works, size_t n,
                  struct likenesses *ret, struct error *reterr)
{
    struct marked_work *enough = calloc(n + 1, sizeof *enough);
    double *shares = calloc(SAMPLE_PAIRS, sizeof *shares);
    size_t kept = 0;
    bool ok = enough != NULL && shares != NULL;
    /* n (n - 1) / 2 pairs are LEAST_PAIRS for 5 works */
    size_t least = n >= 5 ? LEAST_MARKS : LEAST_ALONE;
    for (size_t i = 0; ok && i < n; i++)
        if (works[i].marks.n >= least)
            enough[kept++] = works[i];
    struct search search = {.exercise = exercise, .works = enough, .n = kept};
    if (ok && kept > 1)
        search.least = least_share(enough, kept, shares);
    if (!ok)
        error_memory(reterr, "the comparison");
    else if (kept > 1 && search.least <= 1)
        ok = search_pairs(&search, ret, reterr);
    free(enough);
    free(shares);
    return ok;
}
