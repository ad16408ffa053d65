/* What the cases have in common that are right, or wrong: see tell_where.h. */
#include "judge/why/tell_where.h"

#include <string.h>

enum { FEW = 2, LEAST = 2, MOST_CLAIMS = 3 };

struct told {
    const struct exercise *exercise;
    const struct answered_case *answered;
    size_t n, n_right, n_wrong;
    bool hides_drawn;
    struct text *text;
};

static bool is_right(const struct answered_case *answered)
{
    return fixture_compare(answered->fixture, answered->answer).verdict == VERDICT_PASS;
}

/* ---- arrays ---- */

static bool always_right(const struct told *told, unsigned array)
{
    for (size_t i = 0; i < told->n; i++)
        if (fixture_compare_array(told->answered[i].fixture, told->answered[i].answer, array)
                .verdict != VERDICT_PASS)
            return false;
    return true;
}

static unsigned count_arrays(const struct told *told, bool right)
{
    unsigned n = 0;
    for (unsigned i = 0; i < told->exercise->n_arrays; i++)
        n += told->exercise->arrays[i].role != ROLE_IN && always_right(told, i) == right;
    return n;
}

/* "d_query and d_value are right" */
static void tell_these_arrays(const struct told *told, bool right)
{
    unsigned n = count_arrays(told, right), at = 0;
    for (unsigned i = 0; i < told->exercise->n_arrays; i++) {
        if (told->exercise->arrays[i].role == ROLE_IN || always_right(told, i) != right)
            continue;
        text_format(told->text, "%s%s",
                    at == 0       ? ""
                    : at + 1 == n ? " and "
                                  : ", ",
                    told->exercise->arrays[i].name);
        at++;
    }
    text_format(told->text, " %s %s", n == 1 ? "is" : "are", right ? "right" : "wrong");
}

static void tell_arrays(const struct told *told)
{
    if (count_arrays(told, true) == 0 || count_arrays(told, false) == 0)
        return;
    tell_these_arrays(told, true);
    text_put(told->text, "; ");
    tell_these_arrays(told, false);
    text_put(told->text, ".");
}

/* ---- sizes ----
 *
 * Only cases whose numbers are all drawn at random tell what a size does; those with numbers of
 * their own may be right for another reason, and can only speak against a claim. */

enum relation { IS_ONE, IS_TRUE, IS_FALSE, EQUAL, LESS, MORE, N_RELATIONS };

/* A claim about the by-value parameters of a case. */
struct claim {
    enum relation relation;
    unsigned a, b;           /* of the prototype; b where two are compared */
    size_t n_right, n_wrong; /* cases in which it holds */
    size_t n_plain;          /* of these, drawn at random */
};

static bool is_two(enum relation relation)
{
    return relation >= EQUAL;
}

static bool is_plain(const struct answered_case *answered)
{
    return answered->fixture->source->draw.n == 0;
}

static bool fits(const struct exercise *exercise, const struct claim *claim)
{
    const struct param *params = exercise->prototype.params;
    bool is_truth = claim->relation == IS_TRUE || claim->relation == IS_FALSE;
    enum param_kind kind = is_truth ? PARAM_BOOL : PARAM_SIZE;
    if (!is_two(claim->relation))
        return params[claim->a].kind == kind && claim->b == 0;
    return params[claim->a].kind == kind && params[claim->b].kind == kind && claim->a < claim->b;
}

static bool holds(const struct claim *claim, const struct fixture *fixture)
{
    double a = fixture->scalars[claim->a], b = fixture->scalars[claim->b];
    switch (claim->relation) {
    case IS_ONE:
        return a == 1;
    case IS_TRUE:
        return a != 0;
    case IS_FALSE:
        return a == 0;
    case EQUAL:
        return a == b;
    case LESS:
        return a < b;
    default:
        return a > b;
    }
}

static void count(const struct told *told, struct claim *claim)
{
    claim->n_right = claim->n_wrong = claim->n_plain = 0;
    for (size_t i = 0; i < told->n; i++) {
        if (!holds(claim, told->answered[i].fixture))
            continue;
        claim->n_plain += is_plain(&told->answered[i]);
        if (is_right(&told->answered[i]))
            claim->n_right++;
        else
            claim->n_wrong++;
    }
}

/* How many cases that were drawn at random are right, or wrong? */
static size_t count_plain(const struct told *told, bool right)
{
    size_t n = 0;
    for (size_t i = 0; i < told->n; i++)
        n += is_plain(&told->answered[i]) && is_right(&told->answered[i]) == right;
    return n;
}

/* Does it hold for right cases alone (or wrong ones)? What compares two sizes must hold for all of
 * these, since there are many pairs and one of them may fit by chance. */
static bool is_telling(const struct told *told, const struct claim *claim, bool right)
{
    size_t with = right ? claim->n_right : claim->n_wrong;
    if ((right ? claim->n_wrong : claim->n_right) > 0 || with < LEAST || claim->n_plain == 0)
        return false;
    return !is_two(claim->relation) ||
           (claim->n_plain >= LEAST && claim->n_plain == count_plain(told, right));
}

static void write_claim(const struct told *told, const struct claim *claim)
{
    static const char *const signs[N_RELATIONS] = {
        [IS_ONE] = "= 1", [IS_TRUE] = "true", [IS_FALSE] = "false",
        [EQUAL] = "=",    [LESS] = "<",       [MORE] = ">"};
    const struct param *params = told->exercise->prototype.params;
    text_format(told->text, "%s %s", params[claim->a].name, signs[claim->relation]);
    if (is_two(claim->relation))
        text_format(told->text, " %s", params[claim->b].name);
}

/* "Right in all cases with d_k = 1 and with n_q = 1." Returns how many claims. */
static size_t tell_claims(const struct told *told, bool right)
{
    unsigned n_params = told->exercise->prototype.n_params;
    size_t n = 0;
    struct claim claim;
    for (int relation = 0; relation < N_RELATIONS; relation++)
        for (claim.a = 0; claim.a < n_params; claim.a++)
            for (claim.b = 0; claim.b < n_params; claim.b++) {
                claim.relation = (enum relation)relation;
                if (n == MOST_CLAIMS || !fits(told->exercise, &claim))
                    continue;
                count(told, &claim);
                if (!is_telling(told, &claim, right))
                    continue;
                text_put(told->text, n > 0 ? " and with " : told->text->size > 0 ? " " : "");
                if (n == 0)
                    text_put(told->text,
                             right ? "Right in all cases with " : "Wrong in all cases with ");
                write_claim(told, &claim);
                n++;
            }
    if (n > 0)
        text_put(told->text, ".");
    return n;
}

/* ---- cases by their names ---- */

/* Can the learner see all these cases? */
static bool are_seen(const struct told *told, bool right)
{
    for (size_t i = 0; i < told->n; i++) {
        const struct fixture *fixture = told->answered[i].fixture;
        bool is_seen = fixture->source->stage == NULL && (fixture->is_public || !told->hides_drawn);
        if (is_right(&told->answered[i]) == right && !is_seen)
            return false;
    }
    return true;
}

static void tell_few(const struct told *told, bool right)
{
    bool is_first = true;
    if (!are_seen(told, right))
        return;
    text_put(told->text, told->text->size > 0 ? " Only " : "Only ");
    for (size_t i = 0; i < told->n; i++) {
        if (is_right(&told->answered[i]) != right)
            continue;
        text_format(told->text, "%s\"%s\"", is_first ? "" : " and ",
                    told->answered[i].fixture->name);
        is_first = false;
    }
    text_format(told->text, (right ? told->n_right : told->n_wrong) == 1 ? " is %s." : " are %s.",
                right ? "right" : "wrong");
}

/* The last probe that is right, and the first that is not: their names say what they are about. */
static void tell_probes(const struct told *told)
{
    const struct fixture *right = NULL, *wrong = NULL;
    for (size_t i = 0; i < told->n; i++) {
        const struct fixture *fixture = told->answered[i].fixture;
        if (fixture->source->stage == NULL)
            continue;
        if (is_right(&told->answered[i]))
            right = fixture;
        else if (wrong == NULL)
            wrong = fixture;
    }
    if (wrong != NULL && right != NULL)
        text_format(told->text, "%sRight for these inputs: %s. Wrong for these: %s.",
                    told->text->size > 0 ? " " : "", right->source->name, wrong->source->name);
}

void tell_where(const struct exercise *exercise, const struct answered_case *answered,
                size_t n_answered, bool hides_drawn, struct text *text)
{
    struct told told = {exercise, answered, n_answered, 0, 0, hides_drawn, text};
    for (size_t i = 0; i < n_answered; i++)
        told.n_right += is_right(&answered[i]);
    told.n_wrong = n_answered - told.n_right;
    tell_arrays(&told);
    if (told.n_right == 0 || told.n_wrong == 0)
        return;
    if (told.n_wrong <= FEW && told.n_right > FEW) {
        tell_few(&told, false);
    } else {
        tell_claims(&told, true);
        tell_claims(&told, false);
        if (told.n_right <= FEW)
            tell_few(&told, true);
        else
            tell_probes(&told);
    }
}
