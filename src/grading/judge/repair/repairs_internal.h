/* The repairs that could be tried on a learner's file: places of it, each with a text to put
 * there. */
#ifndef ATTN_JUDGE_REPAIR_REPAIRS_INTERNAL_H
#define ATTN_JUDGE_REPAIR_REPAIRS_INTERNAL_H

#include "base/text.h"
#include "judge/repair/c_source_internal.h"
#include "judge/repair/repair_rules_internal.h"

enum { REPAIR_HOLES = 4 };

/* Words of the source. */
struct c_span {
    unsigned first, last;
};

struct repair {
    const struct repair_rule *rule;
    unsigned function;                 /* of source->functions */
    bool is_copy;                      /* the place is the whole function, or a #define */
    size_t from, to;                   /* bytes of the source that the text replaces */
    const char *text;                  /* in the list's arena */
    struct c_span words;               /* the same place in words */
    unsigned line, line_too;           /* of the place; and of the other one, or 0 */
    bool fits;                         /* the name of the mistake: see repairs_hold_against() */
    bool is_refused;                   /* for find_line(): the compiler does */
    unsigned variant;                  /* its number in the written file; 0: it is not in there */
    struct c_span holes[REPAIR_HOLES]; /* what the rule's holes hold */
};

struct repairs {
    struct repair *items; /* the likelier ones first */
    size_t n, capacity;
    struct arena arena;
};

/* Lists the repairs of all functions, each text once at each place. False without memory. */
bool repairs_list(const struct c_source *source, struct repairs *ret, struct error *reterr);
void repairs_release(struct repairs *repairs); /* all zero bytes are allowed */
/* Puts those first that fit what was named, and leaves out those that do not where it is clear
 * which do. The others keep their order. */
void repairs_hold_against(struct repairs *repairs, const char *const *names, unsigned n_names);
/* Does the rule say what the mistake is? Another operator, index or number may repair a file in
 * another way than the learner meant. */
bool repair_names_mistake(const struct repair_rule *rule);
/* Adds what was wrong, in the words of the repair's rule. */
void repair_say(const struct c_source *source, const struct repair *repair, struct text *text);

/* Writes the file with these repairs in it, of which one is in force at a time: the one that
 * attn_variant numbers; with 0 all is as the learner wrote it. Numbers the repairs. `entry` is the
 * function that is called from outside; a crash in it, or a step beyond memory that it allocated,
 * counts as an answer of NaN, so that the next repair can be tried. False if the file lacks it, or
 * without memory. */
bool repairs_write(const struct c_source *source, const char *entry, struct repair *repairs,
                   size_t n, struct text *text);

#endif
