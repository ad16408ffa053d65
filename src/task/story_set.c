/* See story_set.h. */
#include "task/story_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/size.h"
#include "base/suggestion.h"
#include "tensor/random.h"

/* ---- keeping stories ---- */

static bool grow(void **items, size_t n, size_t *capacity, size_t item_size)
{
    while (n > *capacity) {
        void *larger = array_grow(*items, *capacity, capacity, item_size);
        if (larger == NULL)
            return false;
        *items = larger;
    }
    return true;
}

/* Room for n stories; the two arrays that grow begin empty. */
static bool make_set(size_t n, struct story_set *set, struct error *reterr)
{
    *set = (struct story_set){0};
    if (n >= UINT32_MAX)
        return error_set(reterr, ERR_LIMIT, "stories: %zu are too many", n);
    set->begin = calloc(n + 1, sizeof *set->begin);
    set->first_question = calloc(n + 1, sizeof *set->first_question);
    if (set->begin != NULL && set->first_question != NULL)
        return true;
    story_set_release(set);
    return error_memory(reterr, "stories");
}

static bool add_story(struct story_set *set, const struct story *story, struct error *reterr)
{
    size_t begin = set->begin[set->n], first = set->first_question[set->n];
    void *tokens = set->tokens, *questions = set->questions;
    bool ok = grow(&tokens, begin + story->n_tokens, &set->token_capacity, sizeof *set->tokens) &&
              grow(&questions, first + story->n_questions, &set->question_capacity,
                   sizeof *set->questions);
    set->tokens = tokens;
    set->questions = questions;
    if (!ok)
        return error_memory(reterr, "stories");
    memcpy(set->tokens + begin, story->tokens, story->n_tokens * sizeof *set->tokens);
    if (story->n_questions > 0)
        memcpy(set->questions + first, story->questions,
               story->n_questions * sizeof *set->questions);
    set->n++;
    set->begin[set->n] = begin + story->n_tokens;
    set->first_question[set->n] = first + story->n_questions;
    return true;
}

void story_set_release(struct story_set *set)
{
    free(set->tokens);
    free(set->begin);
    free(set->questions);
    free(set->first_question);
    *set = (struct story_set){0};
}

bool story_set_draw(const struct grammar *grammar, enum split split, uint64_t seed, size_t n,
                    struct story_set *ret, struct error *reterr)
{
    struct random random;
    struct story story;
    struct story_set set;
    bool ok = make_set(n, &set, reterr);
    batch_seed(&random, split, seed, 0);
    while (ok && set.n < n)
        ok = story_draw(grammar, split, &random, &story, reterr) && add_story(&set, &story, reterr);
    if (ok)
        *ret = set;
    else
        story_set_release(&set);
    return ok;
}

/* ---- batches ---- */

/* Stories are sorted by length among so many batches: whole lengths, and still other neighbours in
 * each pass. */
enum { BATCHES_SORTED = 50 };

static void shuffle(struct random *random, size_t n, size_t item_size, uint32_t *items)
{
    uint32_t *room = items + n * item_size; /* one item more */
    size_t bytes = item_size * sizeof *items;
    for (size_t i = n; i > 1; i--) {
        size_t at = random_below(random, (uint32_t)i);
        memcpy(room, items + at * item_size, bytes);
        memmove(items + at * item_size, items + (i - 1) * item_size, bytes);
        memcpy(items + (i - 1) * item_size, room, bytes);
    }
}

static size_t length_of(const struct story_set *set, uint32_t story)
{
    return set->begin[story + 1] - set->begin[story];
}

/* Stable, by counting, so that it is the same on every machine. room has n items too. */
static void sort_by_length(const struct story_set *set, size_t n, uint32_t *stories, uint32_t *room)
{
    size_t starts[GRAMMAR_MOST_TOKENS + 2] = {0};
    for (size_t i = 0; i < n; i++)
        starts[length_of(set, stories[i]) + 1]++;
    for (size_t length = 1; length <= GRAMMAR_MOST_TOKENS + 1; length++)
        starts[length] += starts[length - 1];
    for (size_t i = 0; i < n; i++)
        room[starts[length_of(set, stories[i])]++] = stories[i];
    memcpy(stories, room, n * sizeof *stories);
}

bool story_order_draw(const struct story_set *set, size_t batch_size, uint64_t seed, uint64_t pass,
                      struct story_order *ret, struct error *reterr)
{
    struct random random;
    if (batch_size == 0 || batch_size > set->n)
        return error_set(reterr, ERR_RANGE, "stories: batches of %zu need as many stories, not %zu",
                         batch_size, set->n);
    size_t most_sorted = batch_size * BATCHES_SORTED;
    uint32_t *stories = malloc((set->n + size_max(batch_size, 1)) * sizeof *stories);
    uint32_t *room = malloc(size_min(set->n, most_sorted) * sizeof *room);
    if (stories == NULL || room == NULL) {
        free(stories);
        free(room);
        return error_memory(reterr, "stories");
    }
    for (size_t i = 0; i < set->n; i++)
        stories[i] = (uint32_t)i;
    batch_seed(&random, SPLIT_TRAINING, seed, pass + 1); /* 0 drew the stories */
    shuffle(&random, set->n, 1, stories);
    struct story_order order = {stories, set->n / batch_size, batch_size};
    size_t n = order.n_batches * batch_size;
    for (size_t i = 0; i < n; i += most_sorted)
        sort_by_length(set, size_min(most_sorted, n - i), stories + i, room);
    free(room);
    shuffle(&random, order.n_batches, batch_size, stories);
    *ret = order;
    return true;
}

void story_order_release(struct story_order *order)
{
    free(order->stories);
    *order = (struct story_order){0};
}

bool story_order_batch(const struct story_set *set, const struct story_order *order, size_t at,
                       struct batch *ret, struct error *reterr)
{
    const uint32_t *stories = order->stories + at * order->batch_size;
    size_t width = 0;
    for (size_t row = 0; row < order->batch_size; row++)
        width = size_max(width, length_of(set, stories[row]) - 1);
    if (!batch_make(order->batch_size, width, ret, reterr))
        return false;
    for (size_t row = 0; row < order->batch_size; row++) { /* TOKEN_PAD is 0, as all inputs are */
        const int32_t *tokens = set->tokens + set->begin[stories[row]];
        size_t n = length_of(set, stories[row]) - 1;
        memcpy(ret->inputs + row * width, tokens, n * sizeof *tokens);
        memcpy(ret->targets + row * width, tokens + 1, n * sizeof *tokens);
    }
    return true;
}

/* ---- questions ---- */

void story_exam_release(struct story_exam *exam)
{
    story_set_release(&exam->set);
    free(exam->asked);
    *exam = (struct story_exam){0};
}

static bool make_exam(size_t n, struct story_exam *exam, struct error *reterr)
{
    *exam = (struct story_exam){0};
    if (!make_set(n, &exam->set, reterr))
        return false;
    exam->asked = calloc(n + 1, sizeof *exam->asked);
    if (exam->asked != NULL)
        return true;
    story_exam_release(exam);
    return error_memory(reterr, "stories");
}

/* Adds the story, of which questions[question] is asked. */
static bool add_asked(struct story_exam *exam, const struct story *story, unsigned question,
                      struct error *reterr)
{
    struct story_asked asked = {exam->set.n, exam->set.first_question[exam->set.n] + question};
    if (!add_story(&exam->set, story, reterr))
        return false;
    exam->asked[exam->n++] = asked;
    return true;
}

static bool find_kind(const struct grammar *grammar, const char *kind, unsigned *ret,
                      struct error *reterr)
{
    char shown[40];
    struct suggestion suggestion;
    suggestion_init(&suggestion, kind, strlen(kind));
    for (unsigned i = 0; i < grammar->n_kinds; i++) {
        if (strcmp(grammar->kinds[i], kind) == 0) {
            *ret = i;
            return true;
        }
        suggestion_try_part(&suggestion, grammar->kinds[i]);
    }
    error_quote(shown, sizeof shown, kind, strlen(kind));
    return error_set(reterr, ERR_NAME, "stories: there are no questions of the kind '%s'%s%s",
                     shown, suggestion.best[0] != '\0' ? "; did you mean " : "", suggestion.best);
}

/* One of the story's questions of the kind, drawn; n_questions where there is none. */
static unsigned draw_question(const struct grammar *grammar, const struct story *story,
                              unsigned kind, struct random *random)
{
    unsigned found[STORY_MOST_QUESTIONS], n = 0;
    for (unsigned i = 0; i < story->n_questions; i++)
        if (grammar->questions[story->questions[i].form].kind == kind)
            found[n++] = i;
    return n > 0 ? found[random_below(random, n)] : story->n_questions;
}

bool story_exam_draw(const struct grammar *grammar, enum split split, const char *kind,
                     uint64_t seed, size_t n, struct story_exam *ret, struct error *reterr)
{
    enum { TRIES_EACH = 1000 };
    struct random random;
    struct story story;
    struct story_exam exam;
    unsigned wanted = 0;
    if (!find_kind(grammar, kind, &wanted, reterr) || !make_exam(n, &exam, reterr))
        return false;
    batch_seed(&random, split, seed, UINT64_MAX - wanted);
    bool ok = true;
    for (size_t i = 0; ok && exam.n < n; i++) {
        ok = i < TRIES_EACH * n ? story_draw(grammar, split, &random, &story, reterr)
                                : error_set(reterr, ERR_RANGE,
                                            "stories: questions of the kind %s hardly come", kind);
        unsigned question = ok ? draw_question(grammar, &story, wanted, &random) : 0;
        if (ok && question < story.n_questions)
            ok = add_asked(&exam, &story, question, reterr);
    }
    if (ok)
        *ret = exam;
    else
        story_exam_release(&exam);
    return ok;
}

bool story_exam_draw_twins(const struct grammar *grammar, enum split split, uint64_t seed, size_t n,
                           struct story_exam *ret, struct error *reterr)
{
    struct random random;
    struct story twins[2];
    struct story_exam exam;
    unsigned question;
    if (n > UINT32_MAX / 4)
        return error_set(reterr, ERR_LIMIT, "stories: %zu are too many", n);
    bool ok = make_exam(2 * n, &exam, reterr);
    batch_seed(&random, split, seed, UINT64_MAX / 2);
    while (ok && exam.n < 2 * n)
        ok = story_draw_twins(grammar, split, &random, twins, &question, reterr) &&
             add_asked(&exam, &twins[0], question, reterr) &&
             add_asked(&exam, &twins[1], question, reterr);
    if (ok)
        *ret = exam;
    else
        story_exam_release(&exam);
    return ok;
}
