/* Telling stories: see story.h. A rule is said by choosing, binding, and saying what the choice
 * says; a try that gets stuck, or too long, is given up and another one begins. */
#include "task/story.h"

#include <string.h>

#include "tensor/random.h"

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
    unsigned line;   /* of the choice that could not be told */
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

/* What is bound in a choice is bound until its end. */
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
        "stories: no story could be told in %d tries; the last was given up at line %u "
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
