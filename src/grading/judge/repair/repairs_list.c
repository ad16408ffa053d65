/* The list of repairs, and what is said of one: see repairs_internal.h. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "judge/repair/listing_internal.h"

enum { MOST_SAID = 40 /* bytes of the learner's spelling in a sentence */ };

bool repairs_list(const struct c_source *source, struct repairs *ret, struct error *reterr)
{
    struct repairs repairs = {0};
    struct listing l = {.source = source, .repairs = &repairs};
    for (size_t rule = 0; rule < n_repair_rules && !l.failed; rule++) {
        for (l.function = 0; l.function < source->n_functions && !l.failed; l.function++) {
            l.rule = &repair_rules[rule];
            listing_apply(&l);
        }
        for (l.function = 0; rule == 0 && l.function < source->n_functions; l.function++)
            if (!listing_function(&l)->is_macro)
                listing_apply_reset(&l);
    }
    for (l.function = 0; l.function < source->n_functions && !l.failed; l.function++)
        if (!listing_function(&l)->is_macro)
            listing_add_specials(&l);
    if (l.failed) {
        repairs_release(&repairs);
        return error_memory(reterr, "repairs");
    }
    *ret = repairs;
    return true;
}

void repairs_release(struct repairs *repairs)
{
    free(repairs->items);
    arena_release(&repairs->arena);
    *repairs = (struct repairs){0};
}

static void say_span(const struct c_source *source, struct c_span span, struct text *text)
{
    const struct c_word *first = &source->words[span.first], *last = &source->words[span.last];
    size_t size = (size_t)(last->begin + last->size - first->begin);
    bool space = false;
    for (size_t i = 0; i < size && i < MOST_SAID; i++) {
        bool is_space = isspace((unsigned char)first->begin[i]);
        if (!(is_space && space))
            text_char(text, is_space ? ' ' : first->begin[i]);
        space = is_space;
    }
    if (size > MOST_SAID)
        text_put(text, " ...");
}

void repair_say(const struct c_source *source, const struct repair *repair, struct text *text)
{
    for (const char *at = repair->rule->say; *at != '\0'; at++) {
        if (*at == '$' && text_is_digit(at[1]))
            say_span(source, repair->holes[*++at - '1'], text);
        else
            text_char(text, *at);
    }
}
