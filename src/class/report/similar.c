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
    LEAST_ALONE = 40, /* of few works: what they are measured by says less */
    SAMPLE_PAIRS = 5000,
    MARK_DIGITS = 8,
    USUAL_PART = 20, /* one pair in this many shares more than the usual share */
    SKETCH_MARKS = 3,
    ROUNDS = 32,    /* two that share three fifths have the same sketch in 7 of these, as a mean */
    NEIGHBOURS = 6, /* that a work is compared with in each round */
    PAIRS_KEPT = 50,
};
#define USUAL_TOO_MUCH 0.9
#define DISTANCE 0.4 /* the part between the usual share and the whole that may differ */

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

/* ---- as text ---- */

void source_marks_write(const struct source_marks *marks, struct text *text)
{
    for (size_t i = 0; i < marks->n; i++)
        text_format(text, "%08lx", (unsigned long)marks->items[i]);
}

static bool read_mark(const char *text, uint32_t *ret)
{
    uint32_t mark = 0;
    for (int i = 0; i < MARK_DIGITS; i++) {
        const char *digits = "0123456789abcdef", *found = strchr(digits, text[i]);
        if (text[i] == '\0' || found == NULL)
            return false;
        mark = mark << 4 | (uint32_t)(found - digits);
    }
    *ret = mark;
    return true;
}

bool source_marks_read(const char *text, struct source_marks *ret, struct error *reterr)
{
    size_t n = strlen(text) / MARK_DIGITS;
    struct source_marks marks = {.items = calloc(n + 1, sizeof *marks.items), .n = n};
    bool ok = marks.items != NULL || error_memory(reterr, "a source");
    for (size_t i = 0; ok && i < n; i++)
        ok = read_mark(text + i * MARK_DIGITS, &marks.items[i]);
    if (ok && text[n * MARK_DIGITS] == '\0') {
        sort_marks(&marks);
        *ret = marks;
        return true;
    }
    bool is_memory = marks.items == NULL;
    source_marks_release(&marks);
    return is_memory ? false
                     : error_set(reterr, ERR_FILE, "marks must be numbers of 8 hexadecimal digits");
}

/* ---- what is usual ---- */

static int compare_shares(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* What 19 of 20 pairs stay below. All pairs, or so many that a fixed sequence picks (Knuth's MMIX
 * generator), so that each run says the same. */
static double usual_in_class(const struct marked_work *works, size_t n, double *shares)
{
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
    size_t above = n_shares / USUAL_PART > 0 ? n_shares / USUAL_PART : 1;
    qsort(shares, n_shares, sizeof *shares, compare_shares);
    return shares[n_shares - 1 - above];
}

/* The most that two have in common of which one knows nothing of the other. */
static double usual_by_solutions(const struct marked_work *works, size_t n,
                                 const struct source_marks *solutions, size_t n_solutions)
{
    double usual = n_solutions > 0 ? 0 : 1;
    for (size_t i = 0; i < n_solutions; i++) {
        for (size_t j = 0; j < n; j++)
            usual = fmax(usual, source_marks_share(&solutions[i], &works[j].marks));
        for (size_t j = 0; j < i; j++)
            usual = fmax(usual, source_marks_share(&solutions[i], &solutions[j]));
    }
    return usual;
}

/* The share from which on two works are worth a look; over 1: none are. */
static double least_share(double usual)
{
    return usual >= USUAL_TOO_MUCH ? 2 : 1 - (1 - usual) * DISTANCE;
}

/* ---- pairs ---- */

struct pair {
    size_t a, b;
    double share;
};

struct search {
    const char *exercise;
    const struct marked_work *works;
    size_t n;
    double least;
    struct pair *pairs;
    size_t n_pairs, pairs_capacity;
};

/* The least of a work's marks, in an order of all marks that chance picks. Of two works the first
 * one is the same as often as their share says (Broder: On the resemblance and containment of
 * documents, 1997). */
struct sketch {
    uint32_t least[SKETCH_MARKS];
    size_t work;
};

/* Another order of the marks for each round; no two marks become the same. */
static uint32_t place_of(uint32_t mark, uint32_t round)
{
    mark = (mark ^ round * 0x9e3779b9u) * 0x85ebca6bu;
    mark = (mark ^ mark >> 13) * 0xc2b2ae35u;
    return mark ^ mark >> 16;
}

static struct sketch sketch_of(const struct marked_work *work, size_t number, uint32_t round)
{
    struct sketch sketch = {.work = number};
    for (int i = 0; i < SKETCH_MARKS; i++)
        sketch.least[i] = UINT32_MAX;
    for (size_t i = 0; i < work->marks.n; i++) {
        uint32_t place = place_of(work->marks.items[i], round);
        for (int j = 0; j < SKETCH_MARKS; j++) {
            uint32_t before = sketch.least[j];
            sketch.least[j] = place < before ? place : before;
            place = place < before ? before : place;
        }
    }
    return sketch;
}

static int compare_sketches(const void *a, const void *b)
{
    const struct sketch *left = a, *right = b;
    for (int i = 0; i < SKETCH_MARKS; i++)
        if (left->least[i] != right->least[i])
            return left->least[i] < right->least[i] ? -1 : 1;
    return (left->work > right->work) - (left->work < right->work);
}

static bool add_pair(struct search *search, size_t a, size_t b, double share)
{
    struct pair *pairs =
        array_grow(search->pairs, search->n_pairs, &search->pairs_capacity, sizeof *pairs);
    if (pairs == NULL)
        return false;
    search->pairs = pairs;
    pairs[search->n_pairs++] = (struct pair){a < b ? a : b, a < b ? b : a, share};
    return true;
}

/* Compares each work with the next ones in the order of their sketches. */
static bool compare_neighbours(struct search *search, const struct sketch *sketches)
{
    const struct marked_work *works = search->works;
    for (size_t i = 0; i < search->n; i++) {
        size_t end = i + 1 + NEIGHBOURS < search->n ? i + 1 + NEIGHBOURS : search->n;
        for (size_t j = i + 1; j < end && sketches[j].least[0] == sketches[i].least[0]; j++) {
            size_t a = sketches[i].work, b = sketches[j].work;
            double share = source_marks_share(&works[a].marks, &works[b].marks);
            bool is_news = !works[a].is_known || !works[b].is_known;
            if (share >= search->least && is_news && strcmp(works[a].who, works[b].who) != 0 &&
                !add_pair(search, a, b, share))
                return false;
        }
    }
    return true;
}

/* The most similar first. */
static int compare_pairs(const void *a, const void *b)
{
    const struct pair *left = a, *right = b;
    if (left->share < right->share || left->share > right->share)
        return left->share > right->share ? -1 : 1;
    if (left->a != right->a)
        return left->a < right->a ? -1 : 1;
    return (left->b > right->b) - (left->b < right->b);
}

/* In order, each once. */
static void sort_pairs(struct search *search)
{
    size_t kept = 0;
    if (search->n_pairs > 1)
        qsort(search->pairs, search->n_pairs, sizeof *search->pairs, compare_pairs);
    for (size_t i = 0; i < search->n_pairs; i++)
        if (kept == 0 || compare_pairs(&search->pairs[kept - 1], &search->pairs[i]) != 0)
            search->pairs[kept++] = search->pairs[i];
    search->n_pairs = kept;
}

static bool report_pairs(const struct search *search, struct likenesses *ret, struct error *reterr)
{
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
    struct sketch *sketches = calloc(search->n + 1, sizeof *sketches);
    bool ok = sketches != NULL;
    for (uint32_t round = 0; ok && round < ROUNDS; round++) {
        for (size_t i = 0; i < search->n; i++)
            sketches[i] = sketch_of(&search->works[i], i, round);
        qsort(sketches, search->n, sizeof *sketches, compare_sketches);
        ok = compare_neighbours(search, sketches);
        sort_pairs(search);
    }
    ok = ok ? report_pairs(search, ret, reterr) : error_memory(reterr, "the comparison");
    free(sketches);
    free(search->pairs);
    return ok;
}

/* Those that were handed in, or the known ones, with at least that many marks. Returns their
 * number. */
static size_t copy_longer(const struct marked_work *works, size_t n, bool are_known, size_t least,
                          struct marked_work *ret)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (works[i].is_known == are_known && works[i].marks.n >= least)
            ret[kept++] = works[i];
    return kept;
}

bool similar_find(const char *exercise, const struct marked_work *works, size_t n,
                  const struct source_marks *solutions, size_t n_solutions, struct likenesses *ret,
                  struct error *reterr)
{
    struct marked_work *enough = calloc(n + 1, sizeof *enough);
    double *shares = calloc(SAMPLE_PAIRS, sizeof *shares);
    size_t own = 0, known = 0;
    bool ok = enough != NULL && shares != NULL;
    own = ok ? copy_longer(works, n, false, LEAST_MARKS, enough) : 0;
    bool are_few = own < SIMILAR_ENOUGH_WORKS;
    size_t least = are_few ? LEAST_ALONE : LEAST_MARKS;
    if (ok) {
        own = copy_longer(works, n, false, least, enough);
        known = copy_longer(works, n, true, least, enough + own);
    }
    struct search search = {.exercise = exercise, .works = enough, .n = own + known};
    if (own > 0 && search.n > 1)
        search.least = least_share(are_few ? usual_by_solutions(enough, own, solutions, n_solutions)
                                           : usual_in_class(enough, own, shares));
    if (!ok)
        error_memory(reterr, "the comparison");
    else if (own > 0 && search.n > 1 && search.least <= 1)
        ok = search_pairs(&search, ret, reterr);
    free(enough);
    free(shares);
    return ok;
}
