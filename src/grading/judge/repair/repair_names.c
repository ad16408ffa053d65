/* Which repairs fit which name of a mistake. */
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "judge/repair/repairs_internal.h"

/* A name that has `part` in it means a change by one of these rows of the table of repairs. Rows
 * that give the same numbers in some cases are listed too: a wrong size under a root is not a
 * missing root, but a search by numbers can't always tell them apart. */
struct fitting {
    const char *part, *rows;
    bool only; /* it can be no other row */
};

/* The first that fits a name counts. */
static const struct fitting fittings[] = {
    {"without-fraction", "truncated integer-division", true},
    {"truncated", "truncated integer-division", true},
    {"cut-to-whole", "truncated integer-division", true},
    {"whole-numbers", "truncated integer-division root-left-out", true},
    {"integer-division", "truncated integer-division root-left-out", true},
    {"no-root", "root-left-out scale-left-out other-size another-number integer-division truncated",
     true},
    {"root-left-out",
     "root-left-out scale-left-out other-size another-number integer-division truncated", true},
    {"edge-dropped", "comparison comparison-turned off-by-one", true},
    {"key-from-query", "another-array arguments-exchanged another-element", true},
    {"hidden-is", "fill another-number start-value", true},
    {"zero-for-hidden", "fill another-number start-value statement-too-many", true},
    {"big-number", "fill another-number start-value", true},
    {"sum-not-reset", "not-reset start-value added-for-set another-element not-cleared other-row",
     true},
    {"not-cleared", "not-cleared not-reset added-for-set start-value memory-size other-size", true},
    {"minimum", "maximum-is-minimum comparison-turned comparison operands-swapped", true},
    {"twice",
     "statement-too-many division-too-many factor-too-many exponential-too-many term-too-many "
     "root-too-many",
     true},
    {"state-kept", "state-kept not-reset", true},
    {"maximum-not-reset", "not-reset start-value", false},
    {"name-for-name",
     "another-array another-index other-size another-number another-element arguments-exchanged",
     false},
    {"absolute", "another-condition condition-too-many sign condition-turned another-number",
     false},
    {"relu", "condition-too-many start-value", false},
    {"square", "factor-too-many another-number", false},
    {"product-of-sizes", "factor-too-many other-size", false},
    {"uninitialised",
     "not-reset not-cleared not-written memory-size start-value length-forgotten added-for-set",
     false},
    {"not-written", "only-some memory-size off-by-one not-written", false},
    {"nothing-visible", "nothing-visible condition-left-out", false},
    {"normalised", "not-normalised division-left-out another-number", false},
    {"divided", "not-normalised division-left-out another-number", false},
    {"scale", "scale-left-out factor-left-out division-left-out root-left-out other-size", false},
    {"left-out", "off-by-one comparison condition-left-out", false},
    {"without-last", "off-by-one comparison", false},
    {"without-first", "off-by-one start-value", false},
    {"by-columns", "transposed other-size another-index", false},
    {"transposed", "transposed other-size another-index", false},
    {"other-size", "another-index length-forgotten memory-size", false},
    {"wrong-stride", "other-size length-forgotten another-index", false},
    {"only-last-row", "not-kept not-reset start-value", false},
};

static bool has_word(const char *words, const char *word)
{
    size_t size = strlen(word);
    for (const char *at = words; (at = strstr(at, word)) != NULL; at += size)
        if ((at == words || at[-1] == ' ') && (at[size] == ' ' || at[size] == '\0'))
            return true;
    return false;
}

bool repair_names_mistake(const struct repair_rule *rule)
{
    static const char unsure[] =
        "off-by-one other-row other-size times-for-divide times-for-plus plus-for-times "
        "divide-for-times minus-for-divide plus-for-minus minus-for-plus operands-swapped "
        "statement-too-many another-array another-condition another-element another-index "
        "another-number another-part";
    return !has_word(unsure, rule->id);
}

static const struct fitting *fitting_of(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(fittings); i++)
        if (strstr(name, fittings[i].part) != NULL)
            return &fittings[i];
    return NULL;
}

/* 0: it fits a name. 1: nobody knows. 2: it fits none, and each name is known. */
static unsigned rank_of(const struct repair *repair, const char *const *names, unsigned n_names)
{
    bool all_known = n_names > 0;
    for (unsigned i = 0; i < n_names; i++) {
        const struct fitting *fitting = fitting_of(names[i]);
        if (strcmp(names[i], repair->rule->id) == 0 ||
            (fitting != NULL && has_word(fitting->rows, repair->rule->id)))
            return 0;
        all_known = all_known && fitting != NULL && fitting->only;
    }
    return all_known ? 2 : 1;
}

void repairs_hold_against(struct repairs *repairs, const char *const *names, unsigned n_names)
{
    size_t n_fit = 0, n = 0;
    for (size_t i = 0; i < repairs->n; i++) {
        struct repair repair = repairs->items[i];
        unsigned rank = rank_of(&repair, names, n_names);
        if (rank == 2)
            continue;
        repair.fits = rank == 0;
        repairs->items[n++] = repair;
        if (!repair.fits)
            continue;
        memmove(repairs->items + n_fit + 1, repairs->items + n_fit,
                (n - 1 - n_fit) * sizeof repair);
        repairs->items[n_fit++] = repair;
    }
    repairs->n = n;
}
