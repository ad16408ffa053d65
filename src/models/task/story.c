/* Telling stories: see story.h. A rule is said by choosing, binding, and saying what the choice
 * says; a try that gets stuck, or too long, is given up and another one begins. */
#include "task/story.h"

#include <string.h>
#include <stdlib.h>

#include "tensor/random.h"
#include "base/array.h"
#include "base/size.h"
#include "base/suggestion.h"

/* ---- story ---- */

enum {
    STORY_TRIES = 1000,
    BIND_TRIES = 200,
    MOST_DRAWN = 128, /* words of a story that are drawn */
    NOWHERE = -1,
};

/* A word of a class. */
struct entity {
    unsigned class, row;
};

struct bound {
    struct entity entity;
    int begin; /* the next place when it was bound */
};

struct teller {
    const struct grammar *grammar;
    enum split split;
    struct random *random;
    struct story *story;
    struct bound bound[GRAMMAR_MOST_NAMES];
    struct entity drawn[MOST_DRAWN]; /* in the story so far */
    unsigned n_drawn;
    int mark_place[MARK_COUNT];
    struct entity mark_entity[MARK_COUNT];
    bool mark_has_entity[MARK_COUNT];
    int forced;      /* the choice of the rule `twins` the first time, or -1 */
    bool told_twins; /* that choice was made */
    unsigned line;   /* of the choice that failed */
};

static const struct word_class *class_of(const struct teller *teller, struct entity entity)
{
    return &teller->grammar->classes[entity.class];
}

/* The form of a word, or -1. column counts over all of the grammar. */
static int32_t token_of(const struct teller *teller, struct entity entity, unsigned column)
{
    const struct word_class *class = class_of(teller, entity);
    int at = class->column_of[column];
    return at < 0 ? -1 : class->tokens[entity.row * class->n_columns + (unsigned)at];
}

static int32_t form_token(const struct teller *teller, const struct word_form *form)
{
    return token_of(teller, teller->bound[form->name].entity, form->column);
}

static bool all_hold(const struct teller *teller, const struct word_condition *conditions,
                     unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        int32_t a = form_token(teller, &conditions[i].a), b = form_token(teller, &conditions[i].b);
        if ((a == b) != conditions[i].wants_same)
            return false;
    }
    return true;
}

/* ---- binding ---- */

static bool is_same_entity(struct entity a, struct entity b)
{
    return a.class == b.class && a.row == b.row;
}

static bool is_pair_of(const struct held_pairs *held, struct entity a, struct entity b)
{
    return held->classes[0] == a.class && held->classes[1] == b.class;
}

/* Of two classes, those whose places leave the same rest. Of one class these would be groups whose
 * words never meet: a model need not tell them apart, and does not learn to. */
static bool is_held_out(const struct held_pairs *held, struct entity a, struct entity b)
{
    return a.class == b.class ? (a.row + b.row) % held->one_in == 1
                              : a.row % held->one_in == b.row % held->one_in;
}

/* Whether pairs of these classes are held out, and this is one of them. */
static bool is_pair(const struct grammar *grammar, struct entity a, struct entity b,
                    bool *ret_is_held)
{
    bool found = false;
    *ret_is_held = false;
    for (unsigned i = 0; i < grammar->n_held; i++) {
        const struct held_pairs *held = &grammar->held[i];
        if (is_pair_of(held, a, b) || is_pair_of(held, b, a)) {
            found = true;
            *ret_is_held |= is_held_out(held, a, b);
        }
    }
    return found;
}

/* May the words from `begin` on, which were drawn together, stand in this story? */
static bool fits_with(const struct teller *teller, unsigned begin, unsigned i, unsigned k)
{
    bool is_held, together = k >= begin;
    struct entity a = teller->drawn[i], b = teller->drawn[k];
    if (is_same_entity(a, b) && (together || !class_of(teller, a)->again))
        return false;
    if (!is_pair(teller->grammar, a, b, &is_held))
        return true;
    return teller->split == SPLIT_TRAINING ? !is_held : is_held || !together;
}

static bool fits(const struct teller *teller, unsigned begin)
{
    for (unsigned i = begin; i < teller->n_drawn; i++)
        for (unsigned k = 0; k < i; k++)
            if (!fits_with(teller, begin, i, k))
                return false;
    return true;
}

static bool try_to_bind(struct teller *teller, const struct grammar_choice *choice)
{
    const struct grammar *grammar = teller->grammar;
    unsigned begin = teller->n_drawn;
    for (unsigned i = 0; i < choice->n_bindings; i++) {
        const struct word_binding *binding = &choice->bindings[i];
        struct bound *bound = &teller->bound[binding->name];
        bound->begin = (int)teller->story->n_tokens;
        if (binding->is_same) {
            bound->entity = teller->bound[binding->from].entity;
            continue;
        }
        if (teller->n_drawn == MOST_DRAWN)
            return false;
        bound->entity.class = binding->from;
        bound->entity.row = random_below(teller->random, grammar->classes[binding->from].n_rows);
        teller->drawn[teller->n_drawn++] = bound->entity;
    }
    if (fits(teller, begin) && all_hold(teller, choice->where, choice->n_where))
        return true;
    teller->n_drawn = begin;
    return false;
}

/* Drawn words are drawn again until all conditions hold. Others are bound once: a second try would
 * find the same. */
static bool bind(struct teller *teller, const struct grammar_choice *choice)
{
    teller->line = choice->line;
    for (unsigned i = 0; i < BIND_TRIES; i++)
        if (try_to_bind(teller, choice))
            return true;
    return false;
}

/* ---- questions ---- */

/* The last place up to `until` where the word stands that is bound to a name. */
static int place_of_name(const struct teller *teller, unsigned name, int until)
{
    int32_t token = token_of(teller, teller->bound[name].entity, 0);
    while (until >= 0 && teller->story->tokens[until] != token)
        until--;
    return until;
}

/* Marks count from where the referent was bound. */
static int marked_place(const struct teller *teller, enum story_mark mark, unsigned about)
{
    int place = teller->mark_place[mark];
    return place >= teller->bound[about].begin ? place : NOWHERE;
}

/* An attractor is one only where its own form is another one than the answer. */
static int attractor_place(const struct teller *teller, const struct grammar_question *question,
                           const struct grammar_item *item, int32_t answer)
{
    int place = marked_place(teller, MARK_ATTRACTOR, question->about);
    if (place == NOWHERE || item->kind != ITEM_FORM || !teller->mark_has_entity[MARK_ATTRACTOR])
        return NOWHERE;
    int32_t own = token_of(teller, teller->mark_entity[MARK_ATTRACTOR], item->form.column);
    return own >= 0 && own != answer ? place : NOWHERE;
}

/* The places that a question needs, and its attractor. False: one that it needs is not there. */
static bool find_places(const struct teller *teller, const struct grammar_item *item,
                        int32_t answer, int places[MARK_COUNT])
{
    const struct grammar_question *question = &teller->grammar->questions[item->question];
    for (int mark = 0; mark < MARK_COUNT; mark++) {
        places[mark] = question->needs[mark]
                           ? marked_place(teller, (enum story_mark)mark, question->about)
                           : NOWHERE;
        if (question->needs[mark] && places[mark] == NOWHERE)
            return false;
    }
    places[MARK_ATTRACTOR] = attractor_place(teller, question, item, answer);
    return places[MARK_ATTRACTOR] != NOWHERE || !question->needs[MARK_ATTRACTOR];
}

static void ask(struct teller *teller, const struct grammar_item *item, int32_t answer)
{
    struct story *story = teller->story;
    const struct grammar_question *question = &teller->grammar->questions[item->question];
    int query = (int)story->n_tokens - 1, other = NOWHERE, places[MARK_COUNT];
    if (story->n_questions == STORY_MOST_QUESTIONS || !find_places(teller, item, answer, places))
        return;
    if (question->other >= 0)
        other = place_of_name(teller, (unsigned)question->other, query);
    story->questions[story->n_questions++] = (struct story_question){
        .form = (unsigned)item->question,
        .answer = answer,
        .rival = form_token(teller, &question->rival),
        .query = (int16_t)query,
        .referent = (int16_t)place_of_name(teller, question->about, query),
        .alternative = (int16_t)other,
        .pronoun = (int16_t)places[MARK_PRONOUN],
        .cue = (int16_t)places[MARK_CUE],
        .attractor = (int16_t)places[MARK_ATTRACTOR],
    };
}

/* ---- saying ---- */

static void set_mark(struct teller *teller, const struct grammar_item *item)
{
    teller->mark_place[item->mark] = (int)teller->story->n_tokens;
    teller->mark_has_entity[item->mark] = item->kind == ITEM_FORM;
    if (item->kind == ITEM_FORM)
        teller->mark_entity[item->mark] = teller->bound[item->form.name].entity;
}

/* False: the story is too long. */
static bool say_word(struct teller *teller, const struct grammar_item *item)
{
    struct story *story = teller->story;
    int32_t token = item->kind == ITEM_WORD ? item->token : form_token(teller, &item->form);
    if (story->n_tokens + 1 >= teller->grammar->longest) /* the end comes after it */
        return false;
    if (item->question >= 0)
        ask(teller, item, token);
    if (item->mark >= 0)
        set_mark(teller, item);
    story->tokens[story->n_tokens++] = token;
    return true;
}

static const struct grammar_choice *choose(struct teller *teller, const struct grammar_rule *rule)
{
    uint32_t total = 0;
    for (unsigned i = 0; i < rule->n_choices; i++)
        if (all_hold(teller, rule->choices[i].when, rule->choices[i].n_when))
            total += rule->choices[i].weight;
    teller->line = rule->line;
    if (total == 0)
        return NULL;
    uint32_t drawn = random_below(teller->random, total);
    for (const struct grammar_choice *choice = rule->choices;; choice++) {
        if (!all_hold(teller, choice->when, choice->n_when))
            continue;
        if (drawn < choice->weight)
            return choice;
        drawn -= choice->weight;
    }
}

/* The first time, the twins' rule chooses what is forced; a number is drawn all the same. */
static const struct grammar_choice *choose_twin(struct teller *teller, unsigned rule,
                                                const struct grammar_choice *choice)
{
    if ((int)rule != teller->grammar->twins || teller->told_twins || choice == NULL)
        return choice;
    teller->told_twins = true;
    return teller->forced < 0 ? choice : &teller->grammar->rules[rule].choices[teller->forced];
}

static bool say_rule(struct teller *teller, unsigned rule);

static bool say_items(struct teller *teller, const struct grammar_choice *choice)
{
    for (unsigned i = 0; i < choice->n_items; i++) {
        const struct grammar_item *item = &choice->items[i];
        if (item->kind == ITEM_RULE ? !say_rule(teller, item->rule) : !say_word(teller, item))
            return false;
    }
    return true;
}

/* A name bound in a choice is bound until the choice ends. */
static bool say_rule(struct teller *teller, unsigned rule)
{
    struct bound before[GRAMMAR_MOST_NAMES];
    const struct grammar_choice *choice = choose(teller, &teller->grammar->rules[rule]);
    choice = choose_twin(teller, rule, choice);
    if (choice == NULL)
        return false;
    if (choice->n_bindings == 0)
        return say_items(teller, choice);
    memcpy(before, teller->bound, teller->grammar->n_names * sizeof *before);
    bool ok = bind(teller, choice) && say_items(teller, choice);
    memcpy(teller->bound, before, teller->grammar->n_names * sizeof *before);
    return ok;
}

static void put_token(struct story *story, int32_t token)
{
    story->tokens[story->n_tokens++] = token;
}

static bool tell(struct teller *teller)
{
    teller->n_drawn = 0;
    teller->told_twins = false;
    for (int mark = 0; mark < MARK_COUNT; mark++)
        teller->mark_place[mark] = NOWHERE;
    teller->story->n_tokens = teller->story->n_questions = 0;
    put_token(teller->story, TOKEN_START);
    if (!say_rule(teller, teller->grammar->story))
        return false;
    put_token(teller->story, TOKEN_END);
    return true;
}

static bool check_split(enum split split, struct error *reterr)
{
    return split != SPLIT_UNTRAINED ||
           error_set(reterr, ERR_RANGE,
                     "stories: all of their lengths are trained; take those that are held out");
}

static bool none_told(const struct teller *teller, struct error *reterr)
{
    return error_set(
        reterr, ERR_RANGE,
        "stories: no story could be made in %d tries; the last was given up at line %u "
        "of the grammar, where it was too long or could bind no words",
        STORY_TRIES, teller->line);
}

bool story_draw(const struct grammar *grammar, enum split split, struct random *random,
                struct story *ret, struct error *reterr)
{
    struct teller teller = {
        .grammar = grammar, .split = split, .random = random, .story = ret, .forced = -1};
    if (!check_split(split, reterr))
        return false;
    for (unsigned i = 0; i < STORY_TRIES; i++)
        if (tell(&teller))
            return true;
    return none_told(&teller, reterr);
}

/* ---- twins ---- */

/* Are both the same up to the question, but for its cue? */
static bool same_but_for_cue(const struct story twins[2], unsigned question)
{
    const struct story_question *a = &twins[0].questions[question];
    const struct story_question *b = &twins[1].questions[question];
    if (a->form != b->form || a->query != b->query || a->cue != b->cue || a->cue < 0 ||
        a->answer == b->answer)
        return false;
    for (int i = 0; i <= a->query; i++) {
        int32_t one = twins[0].tokens[i], other = twins[1].tokens[i];
        bool is_cue = one == twins[0].tokens[a->cue] && other == twins[1].tokens[b->cue];
        if (one != other && !is_cue)
            return false;
    }
    return twins[0].tokens[a->cue] != twins[1].tokens[b->cue];
}

static bool are_twins(const struct story twins[2], unsigned *ret_question)
{
    for (unsigned i = 0; i < twins[0].n_questions && i < twins[1].n_questions; i++)
        if (same_but_for_cue(twins, i)) {
            *ret_question = i;
            return true;
        }
    return false;
}

bool story_draw_twins(const struct grammar *grammar, enum split split, struct random *random,
                      struct story ret[2], unsigned *ret_question, struct error *reterr)
{
    enum { TWIN_TRIES = 10 * STORY_TRIES };
    struct random again;
    struct teller one = {
        .grammar = grammar, .split = split, .random = random, .story = &ret[0], .forced = 0};
    struct teller other = one;
    other.story = &ret[1];
    other.random = &again;
    other.forced = 1;
    if (!check_split(split, reterr))
        return false;
    for (unsigned i = 0; grammar->twins >= 0 && i < TWIN_TRIES; i++) {
        again = *random;
        if (tell(&one) && one.told_twins && tell(&other) && are_twins(ret, ret_question))
            return true;
    }
    return error_set(
        reterr, ERR_RANGE,
        "stories: no two stories differ in the cue of a question alone; `twins` in the "
        "grammar names the rule that chooses it");
}

/* ---- what is shown ---- */

void story_show(const struct grammar *grammar, const int32_t *tokens, size_t n, struct text *out)
{
    bool first = true;
    for (size_t i = 0; i < n; i++) {
        if (tokens[i] < TOKEN_FIRST_WORD || tokens[i] >= (int32_t)grammar->n_tokens)
            continue;
        text_format(out, "%s%s", first ? "" : " ", grammar->words[tokens[i]]);
        first = false;
    }
}

/* ---- story set ---- */

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

/* Stories are sorted by length among this many batches: whole lengths, and still other neighbours
 * in each pass. */
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

/* One of the story's questions of the kind, drawn; n_questions if it has no such question. */
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
                                            "stories: questions of the kind %s are too rare", kind);
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
