/* One size for another: see symptom_sizes.h. */
#include "judge/symptom_sizes.h"

#include <string.h>

#include "base/array.h"

enum { OTHERS = 5, LEAST_EQUAL = 3, ROUNDS = 3 };

/* Sizes of a case: of the two that are looked at, and of the others, which differ from them. The
 * later ones fit where one size has to divide another. */
struct size_plan {
    double one, other, others[OTHERS];
};

static const struct size_plan equal_plans[] = {
    {4, 4, {3, 5, 6, 2, 7}}, {3, 3, {5, 2, 7, 4, 6}}, {6, 6, {2, 4, 3, 5, 7}},
    {6, 6, {3, 2, 1, 5, 4}}, {8, 8, {4, 2, 3, 1, 5}}, {4, 4, {8, 2, 6, 1, 3}},
};
static const struct size_plan unequal_plans[] = {
    {5, 3, {4, 6, 2, 7, 8}},
    {3, 5, {4, 6, 2, 7, 8}},
    {6, 3, {2, 4, 1, 5, 8}},
    {3, 6, {2, 4, 1, 5, 8}},
};

struct asking_sizes {
    const struct sizes_question *question;
    const struct fixture *like; /* its sizes can be chosen */
    struct error *reterr;
};

static const struct prototype *prototype_of(const struct asking_sizes *asking)
{
    return &asking->like->exercise->prototype;
}

/* A case whose inputs are drawn as usual, for any sizes. */
static const struct fixture *case_of_any_size(const struct fixtures *cases)
{
    for (size_t i = 0; i < cases->n; i++) {
        const struct fixture *one = cases->items[i];
        if (!one->is_public && one->source->draw.n == 0 && one->memory_bytes == 0)
            return one;
    }
    return NULL;
}

static struct sizes sizes_of(const struct asking_sizes *asking, unsigned one, unsigned other,
                             const struct size_plan *plan)
{
    const struct prototype *prototype = prototype_of(asking);
    struct sizes sizes = {.n = 0};
    unsigned n_others = 0;
    for (unsigned i = 0; i < prototype->n_params; i++) {
        if (prototype->params[i].kind != PARAM_SIZE)
            continue;
        sizes.names[sizes.n] = prototype->params[i].name;
        sizes.values[sizes.n++] = i == one     ? plan->one
                                  : i == other ? plan->other
                                               : plan->others[n_others++ % OTHERS];
    }
    return sizes;
}

static enum size_outcome outcome_of(const struct case_run *run)
{
    if (run->verdict == VERDICT_OUT_OF_BOUNDS || run->verdict == VERDICT_CRASH)
        return SIZES_BEYOND;
    return run->verdict == VERDICT_PASS ? SIZES_RIGHT : SIZES_WRONG;
}

/* The worse of what comes out with the arrays at one end of their memory, and at the other. */
static enum size_outcome outcome_with(const struct asking_sizes *asking, unsigned one,
                                      unsigned other, const struct size_plan *plan, unsigned round)
{
    const struct sizes_question *question = asking->question;
    const struct fixture *like = asking->like;
    struct sizes sizes = sizes_of(asking, one, other, plan);
    struct case_runner runner = *question->runner;
    struct fixture *fixture;
    enum size_outcome worst = SIZES_NOT_DRAWN;
    if (!fixture_draw(like->exercise, like->source, like->repeat, question->seed + round, &sizes,
                      false, question->data_dir, &fixture, NULL))
        return SIZES_NOT_DRAWN;
    runner_plan_fit(&runner.plan, fixture);
    for (int at_end = 1; at_end >= 0 && asking->reterr->kind == ERR_NONE; at_end--) {
        struct case_run run;
        if (!case_runner_run(&runner, fixture, at_end != 0, &run, asking->reterr))
            break;
        worst = outcome_of(&run) > worst ? outcome_of(&run) : worst;
        case_run_release(&run);
    }
    case_runner_release(&runner);
    fixture_free(fixture);
    return worst;
}

static bool is_right_where_equal(const struct asking_sizes *asking, unsigned one, unsigned other)
{
    unsigned n_right = 0;
    for (size_t i = 0; i < COUNT_OF(equal_plans); i++) {
        enum size_outcome outcome = outcome_with(asking, one, other, &equal_plans[i], 0);
        if (outcome > SIZES_RIGHT)
            return false;
        n_right += outcome == SIZES_RIGHT;
    }
    return n_right >= LEAST_EQUAL;
}

/* Is the first plan, in which it goes wrong, an example? One that goes beyond an array is better.
 */
static void take_example(struct size_mistake *mistake, const struct size_plan *plan,
                         enum size_outcome outcome)
{
    bool beyond = outcome == SIZES_BEYOND;
    if (outcome <= SIZES_RIGHT || (mistake->one_value > 0 && (mistake->goes_beyond || !beyond)))
        return;
    mistake->one_value = plan->one;
    mistake->other_value = plan->other;
    mistake->goes_beyond = beyond;
}

/* Where the other one is too large: it comes first. */
static void exchange(struct size_mistake *mistake)
{
    struct size_mistake given = *mistake;
    mistake->one = given.other;
    mistake->other = given.one;
    mistake->one_value = given.other_value;
    mistake->other_value = given.one_value;
    mistake->one_is_too_large = true;
}

/* What goes wrong with the sizes of the plan, does it go right when only the two become equal, and
 * is it they and not the numbers that were drawn? */
static bool is_due_to_the_two(const struct asking_sizes *asking, unsigned one, unsigned other,
                              const struct size_plan *plan)
{
    struct size_plan larger = *plan, smaller = *plan;
    larger.other = plan->one;
    smaller.one = plan->other;
    for (unsigned round = 0; round < ROUNDS; round++)
        if (outcome_with(asking, one, other, &larger, round) > SIZES_RIGHT ||
            outcome_with(asking, one, other, &smaller, round) > SIZES_RIGHT ||
            outcome_with(asking, one, other, plan, round) <= SIZES_RIGHT)
            return false;
    return true;
}

static bool is_of_an_array(const struct asking_sizes *asking, unsigned param)
{
    const struct exercise *exercise = asking->like->exercise;
    const char *name = exercise->prototype.params[param].name;
    for (unsigned i = 0; i < exercise->n_arrays; i++)
        for (unsigned axis = 0; axis < exercise->arrays[i].shape.n; axis++)
            if (strcmp(exercise->arrays[i].shape.items[axis], name) == 0)
                return true;
    return false;
}

/* How it goes where one is larger than the other, or where it is smaller. */
struct size_side {
    bool drawn, right, wrong, beyond;
};

static void note_outcome(struct size_side *side, enum size_outcome outcome)
{
    side->drawn = side->drawn || outcome != SIZES_NOT_DRAWN;
    side->right = side->right || outcome == SIZES_RIGHT;
    side->wrong = side->wrong || outcome > SIZES_RIGHT;
    side->beyond = side->beyond || outcome == SIZES_BEYOND;
}

/* With one size for another it goes wrong on both sides, or always on one, where a loop ends too
 * soon. The latter is also so where one is the length of something that the other is cut into: it
 * tells nothing of a size that no array has. */
static bool are_sides_telling(const struct asking_sizes *asking, unsigned one, unsigned other,
                              const struct size_side *above, const struct size_side *below)
{
    /* Where one has to be the larger, both being equal is a case of its own. */
    if (!above->drawn || !below->drawn)
        return false;
    if (above->wrong && below->wrong)
        return true;
    const struct size_side *side = above->wrong ? above : below;
    return side->wrong && !side->right && is_of_an_array(asking, one) &&
           is_of_an_array(asking, other);
}

static bool is_wrong_where_unequal(const struct asking_sizes *asking, unsigned one, unsigned other,
                                   struct size_mistake *ret)
{
    struct size_side above = {0}, below = {0};
    *ret = (struct size_mistake){.one = one, .other = other};
    for (size_t i = 0; i < COUNT_OF(unequal_plans); i++) {
        const struct size_plan *plan = &unequal_plans[i];
        enum size_outcome outcome = outcome_with(asking, one, other, plan, 0);
        if (outcome > SIZES_RIGHT && !is_due_to_the_two(asking, one, other, plan))
            return false;
        take_example(ret, plan, outcome);
        note_outcome(plan->one > plan->other ? &above : &below, outcome);
    }
    ret->one_is_too_large = above.beyond && !below.beyond;
    bool is_telling = are_sides_telling(asking, one, other, &above, &below);
    if (below.beyond && !above.beyond)
        exchange(ret);
    return is_telling;
}

static bool is_size(const struct asking_sizes *asking, unsigned param)
{
    return prototype_of(asking)->params[param].kind == PARAM_SIZE;
}

bool find_size_mistake(const struct sizes_question *question, struct size_mistake *ret,
                       struct error *reterr)
{
    struct asking_sizes asking = {question, case_of_any_size(question->cases), reterr};
    if (asking.like == NULL)
        return false;
    unsigned n_params = prototype_of(&asking)->n_params;
    for (unsigned one = 0; one < n_params; one++)
        for (unsigned other = one + 1; other < n_params; other++)
            if (is_size(&asking, one) && is_size(&asking, other) &&
                is_right_where_equal(&asking, one, other) &&
                is_wrong_where_unequal(&asking, one, other, ret) && reterr->kind == ERR_NONE)
                return true;
    return false;
}
