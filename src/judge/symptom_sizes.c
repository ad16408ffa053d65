/* One size for another: see symptom_sizes.h. */
#include "judge/symptom_sizes.h"

#include "base/array.h"

enum { OTHERS = 5, LEAST_EQUAL = 3 };

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
                                      unsigned other, const struct size_plan *plan)
{
    const struct sizes_question *question = asking->question;
    const struct fixture *like = asking->like;
    struct sizes sizes = sizes_of(asking, one, other, plan);
    struct case_runner runner = *question->runner;
    struct fixture *fixture;
    enum size_outcome worst = SIZES_NOT_DRAWN;
    if (!fixture_draw(like->exercise, like->source, like->repeat, question->seed, &sizes, false,
                      question->data_dir, &fixture, NULL))
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
        enum size_outcome outcome = outcome_with(asking, one, other, &equal_plans[i]);
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

static bool is_wrong_where_unequal(const struct asking_sizes *asking, unsigned one, unsigned other,
                                   struct size_mistake *ret)
{
    bool beyond_above = false, beyond_below = false;
    bool drawn_above = false, drawn_below = false;
    *ret = (struct size_mistake){.one = one, .other = other};
    for (size_t i = 0; i < COUNT_OF(unequal_plans); i++) {
        const struct size_plan *plan = &unequal_plans[i];
        enum size_outcome outcome = outcome_with(asking, one, other, plan);
        take_example(ret, plan, outcome);
        drawn_above = drawn_above || (outcome != SIZES_NOT_DRAWN && plan->one > plan->other);
        drawn_below = drawn_below || (outcome != SIZES_NOT_DRAWN && plan->one < plan->other);
        beyond_above = beyond_above || (outcome == SIZES_BEYOND && plan->one > plan->other);
        beyond_below = beyond_below || (outcome == SIZES_BEYOND && plan->one < plan->other);
    }
    ret->one_is_too_large = beyond_above && !beyond_below;
    if (beyond_below && !beyond_above)
        exchange(ret);
    /* Where one has to be the larger, both being equal is a case of its own. */
    return ret->one_value > 0 && drawn_above && drawn_below;
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
