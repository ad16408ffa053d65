/* How a stage may go wrong, as people write it in C: a loop that ends too early or starts too late,
 * rows read with another size's stride, an array read turned round, a sum that is not set back, a
 * factor with the wrong size in it, a number cut to a whole one, a score that is too large for exp,
 * and the exercise's own misconceptions. What a stage is tried with follows from its formula, so
 * that an exercise need not say anything. */
#ifndef ATTN_JUDGE_STAGE_MISTAKES_H
#define ATTN_JUDGE_STAGE_MISTAKES_H

#include "exercise/fixture.h"

struct stage_mistake {
    const struct misconception *idea; /* or NULL: what follows */
    struct stage_change change;       /* its context is set by stage_mistake_answer() */
    const struct mistake_kind *kind;
    unsigned axis, param; /* of the array; of the prototype: a size that is taken for another */
};

struct stage_mistakes {
    struct stage_mistake *items;
    size_t n, capacity;
};

/* Lists the mistakes of stage number `stage` of the fixture's exercise, from which it borrows; the
 * misconceptions among them only with_ideas. Any of the exercise's fixtures will do: it tells how
 * many axes the arrays have. */
bool stage_mistakes_list(const struct fixture *fixture, unsigned stage, bool with_ideas,
                         struct stage_mistakes *ret, struct error *reterr);
void stage_mistakes_release(struct stage_mistakes *mistakes);

/* What comes out with this mistake: as fixture_answer_under(). */
bool stage_mistake_answer(const struct stage_mistake *mistake, struct fixture *fixture,
                          struct answer *ret, struct error *reterr);

#endif
