/* The listing of repairs, as far as more than one file of it looks into it. */
#ifndef ATTN_JUDGE_REPAIR_LISTING_INTERNAL_H
#define ATTN_JUDGE_REPAIR_LISTING_INTERNAL_H

#include "judge/repair/repairs_internal.h"

enum { MOST_PARTS = 20 /* words of a pattern */ };

struct part {
    const char *begin;
    unsigned size;
};

struct listing {
    const struct c_source *source;
    unsigned function;
    const struct repair_rule *rule;
    struct part match[MOST_PARTS], put[MOST_PARTS];
    unsigned n_match, n_put;
    struct repairs *repairs;
    bool failed; /* no memory */
};

const struct c_function *listing_function(const struct listing *l);
const struct c_word *listing_word(const struct listing *l, unsigned at);
/* The variable at this place; also one that is declared here. */
const struct c_name *listing_name(const struct listing *l, unsigned at);
/* Are all variables of these words known at `at`, and the same ones? */
bool listing_known(const struct listing *l, struct c_span span, unsigned at);
struct part listing_text(const struct listing *l, struct c_span span);

/* A piece of the source that gets another text. */
struct listed_edit {
    size_t from, to; /* bytes of the source */
    const char *text;
};

/* Adds a repair by l->rule that is written as a copy of the function, or of the #define, with these
 * edits in it, in their order. Of *like the line, the holes and the words are taken. */
void listing_add_copy(struct listing *l, const struct repair *like, const struct listed_edit *edits,
                      unsigned n);

/* Adds the repairs of the function by l->rule; and those that set a sum to 0. */
void listing_apply(struct listing *l);
void listing_apply_reset(struct listing *l);
/* Lists what repair_specials are about, but for REPAIR_RESET. */
void listing_add_specials(struct listing *l);

#endif
