/* Repairs that put a statement in, or make the same change at two places: see listing_internal.h.
 */
#include "judge/repair/listing_internal.h"

#include <string.h>

#include "base/array.h"

enum {
    MOST_LOOPS = 64,   /* of a function */
    MOST_OF_KIND = 20, /* repairs of a kind in a function */
    MOST_PLACES = 12,  /* that get the same change */
};

struct loop {
    unsigned first, open, close; /* `for`, and its ( ) */
    unsigned body, end;          /* the first and the last word of what it repeats */
};

struct special {
    struct listing *l;
    const struct c_source *source;
    const struct c_function *function;
    struct loop loops[MOST_LOOPS];
    unsigned n_loops, n_of_kind;
};

static bool is(const struct special *s, unsigned at, const char *spelling)
{
    return c_word_is(listing_word(s->l, at), spelling);
}

static size_t byte_at(const struct special *s, unsigned at)
{
    return (size_t)(listing_word(s->l, at)->begin - s->source->text);
}

static size_t byte_after(const struct special *s, unsigned at)
{
    return byte_at(s, at) + listing_word(s->l, at)->size;
}

static void find_loops(struct special *s)
{
    for (unsigned i = s->function->body; i < s->function->end && s->n_loops < MOST_LOOPS; i++) {
        if (!is(s, i, "for") || !is(s, i + 1, "("))
            continue;
        unsigned close = listing_word(s->l, i + 1)->partner;
        s->loops[s->n_loops++] =
            (struct loop){i, i + 1, close, close + 1, c_statement_end(s->source, close + 1)};
    }
}

/* The last word of an element `a[...]` that begins here, of an array of one of the two kinds, or
 * 0. */
static unsigned element_of_kinds(const struct special *s, unsigned at, enum c_kind one,
                                 enum c_kind other)
{
    const struct c_name *name =
        listing_word(s->l, at)->kind == WORD_NAME ? listing_name(s->l, at) : NULL;
    bool is_element =
        name != NULL && is(s, at + 1, "[") && (name->kind == one || name->kind == other);
    return is_element ? listing_word(s->l, at + 1)->partner : 0;
}

static unsigned element_or_flag_end(const struct special *s, unsigned at)
{
    return element_of_kinds(s, at, KIND_FLOATS, KIND_BOOLS);
}

static unsigned element_end(const struct special *s, unsigned at)
{
    return element_of_kinds(s, at, KIND_FLOATS, KIND_DOUBLES);
}

/* The word that declares the name. */
static unsigned declared_at(const struct special *s, const struct c_name *name)
{
    return (unsigned)(name->word - s->source->words);
}

/* Adds a text before the bytes at `place`, with $1 and $2 as the holes say. */
static void insert(struct special *s, enum repair_special special, const struct repair *like,
                   size_t place, const struct text *text)
{
    struct listed_edit edit = {place, place, text_string(text)};
    s->l->rule = &repair_specials[special];
    if (text->failed)
        s->l->failed = true;
    else if (s->n_of_kind++ < MOST_OF_KIND)
        listing_add_copy(s->l, like, &edit, 1);
}

static void put_span(const struct special *s, struct c_span span, struct text *text)
{
    struct part part = listing_text(s->l, span);
    text_add(text, part.begin, part.size);
}

/* ---- divisions ---- */

/* $1 /= $2; after a loop that adds $1 to $2. */
static void divide_after(struct special *s, const struct loop *loop, struct c_span element,
                         struct c_span sum)
{
    struct repair like = {.line = listing_word(s->l, loop->first)->line, .holes = {element, sum}};
    struct text text = {0};
    text_char(&text, ' ');
    put_span(s, (struct c_span){loop->first, loop->close}, &text);
    text_char(&text, ' ');
    put_span(s, element, &text);
    text_put(&text, " /= ");
    put_span(s, sum, &text);
    text_char(&text, ';');
    insert(s, REPAIR_DIVIDE_AFTER, &like, byte_after(s, loop->end), &text);
    text_release(&text);
}

/* Where the loop is all that a loop around it repeats, a second statement needs braces; that is
 * left out. */
static bool stands_in_block(const struct special *s, const struct loop *loop)
{
    return is(s, loop->first - 1, ";") || is(s, loop->first - 1, "{") ||
           is(s, loop->first - 1, "}");
}

static void list_divisions_after(struct special *s, const struct loop *loop)
{
    for (unsigned i = loop->body; i < loop->end; i++) {
        const struct c_name *sum =
            listing_word(s->l, i)->kind == WORD_NAME && (is(s, i + 1, "+=") || is(s, i + 1, "="))
                ? listing_name(s->l, i)
                : NULL;
        if (sum == NULL || sum->kind != KIND_FLOAT || sum->from > loop->first)
            continue;
        for (unsigned k = loop->body; k < loop->end; k++) {
            unsigned end = element_end(s, k);
            const struct c_name *array = end > 0 ? listing_name(s->l, k) : NULL;
            if (array != NULL && !array->constant && c_word_assigns(listing_word(s->l, end + 1)) &&
                listing_known(s->l, (struct c_span){k, end}, loop->close))
                divide_after(s, loop, (struct c_span){k, end}, (struct c_span){i, i});
        }
    }
}

static bool is_set_in(const struct special *s, const struct loop *loop, const struct c_name *array)
{
    for (unsigned i = loop->body; i < loop->end; i++) {
        unsigned end = element_end(s, i);
        if (end > 0 && listing_name(s->l, i) == array &&
            c_word_assigns(listing_word(s->l, end + 1)))
            return true;
    }
    return false;
}

/* $1 /= $2; as the first thing in a loop that reads $1, and does not set it. */
static void list_divisions_first(struct special *s, const struct loop *loop)
{
    if (!is(s, loop->body, "{"))
        return;
    for (unsigned k = loop->body; k < loop->end; k++) {
        unsigned end = element_end(s, k);
        const struct c_name *array = end > 0 ? listing_name(s->l, k) : NULL;
        if (array == NULL || array->constant || is_set_in(s, loop, array) ||
            !listing_known(s->l, (struct c_span){k, end}, loop->body + 1))
            continue;
        for (unsigned i = 0; i < s->function->n_names; i++) {
            const struct c_name *sum = &s->function->names[i];
            if (sum->kind != KIND_FLOAT || sum->from > loop->first || sum->to < loop->end)
                continue;
            struct c_span name = {declared_at(s, sum), declared_at(s, sum)};
            struct repair like = {.line = listing_word(s->l, loop->first)->line,
                                  .holes = {{k, end}, name}};
            struct text text = {0};
            text_char(&text, ' ');
            put_span(s, like.holes[0], &text);
            text_put(&text, " /= ");
            put_span(s, name, &text);
            text_put(&text, "; ");
            insert(s, REPAIR_DIVIDE_FIRST, &like, byte_after(s, loop->body), &text);
            text_release(&text);
        }
    }
}

/* ---- variables and arrays that are not set ---- */

/* $1 = $2; as the last thing in a loop, for a number from before it and one of its own. */
static void list_taken_over(struct special *s, const struct loop *loop)
{
    if (!is(s, loop->body, "{"))
        return;
    for (unsigned i = 0; i < s->function->n_names; i++)
        for (unsigned k = 0; k < s->function->n_names; k++) {
            const struct c_name *old = &s->function->names[i], *new = &s->function->names[k];
            if (old->kind != KIND_FLOAT || new->kind != KIND_FLOAT || old->from > loop->first ||
                old->to < loop->end || new->from < loop->body || new->to != loop->end)
                continue;
            unsigned left = declared_at(s, old);
            unsigned right = declared_at(s, new);
            struct repair like = {.line = listing_word(s->l, loop->end - 1)->line,
                                  .holes = {{left, left}, {right, right}}};
            struct text text = {0};
            text_char(&text, ' ');
            put_span(s, like.holes[0], &text);
            text_put(&text, " = ");
            put_span(s, like.holes[1], &text);
            text_put(&text, "; ");
            insert(s, REPAIR_TAKE_OVER, &like, byte_at(s, loop->end), &text);
            text_release(&text);
        }
}

/* $1 = what it began with; as the first thing in a loop. */
static void list_restarted(struct special *s, const struct loop *loop)
{
    if (!is(s, loop->body, "{"))
        return;
    for (unsigned i = s->function->n_params; i < s->function->n_names; i++) {
        const struct c_name *name = &s->function->names[i];
        unsigned at = declared_at(s, name);
        if (name->kind != KIND_FLOAT || name->from > loop->first || name->to < loop->end ||
            !is(s, at + 1, "="))
            continue;
        struct repair like = {.line = listing_word(s->l, loop->first)->line, .holes = {{at, at}}};
        struct text text = {0};
        text_char(&text, ' ');
        put_span(s, (struct c_span){at, name->from - 1}, &text);
        text_put(&text, "; ");
        insert(s, REPAIR_RESTART, &like, byte_after(s, loop->body), &text);
        text_release(&text);
    }
}

static bool is_size(const struct c_name *name)
{
    return name->kind == KIND_INT && !name->counts;
}

/* An array that is added to is set to 0 at the beginning, whichever two sizes it has. */
static void clear_array(struct special *s, unsigned at)
{
    for (unsigned i = 0; i < s->function->n_params; i++)
        for (unsigned k = i + 1; k < s->function->n_params; k++) {
            const struct c_word *rows = s->function->names[i].word;
            const struct c_word *cols = s->function->names[k].word;
            if (!is_size(&s->function->names[i]) || !is_size(&s->function->names[k]))
                continue;
            struct repair like = {.line = listing_word(s->l, at)->line, .holes = {{at, at}}};
            struct text text = {0};
            text_format(&text, " for (size_t attn_i = 0; attn_i < %.*s * %.*s; attn_i++) ",
                        (int)rows->size, rows->begin, (int)cols->size, cols->begin);
            put_span(s, like.holes[0], &text);
            text_put(&text, "[attn_i] = 0; ");
            insert(s, REPAIR_CLEAR, &like, byte_after(s, s->function->body), &text);
            text_release(&text);
        }
}

static void list_cleared(struct special *s)
{
    for (unsigned i = s->function->body; i < s->function->end; i++) {
        unsigned end = element_end(s, i);
        const struct c_name *array = end > 0 ? listing_name(s->l, i) : NULL;
        if (array != NULL && array < s->function->names + s->function->n_params &&
            !array->constant && is(s, end + 1, "+="))
            clear_array(s, i);
    }
}

/* if (...) $1 = ...; gets `else $1 = 0;`. */
static void list_otherwise(struct special *s)
{
    for (unsigned i = s->function->body; i < s->function->end; i++) {
        if (!is(s, i, "if") || !is(s, i + 1, "("))
            continue;
        unsigned first = listing_word(s->l, i + 1)->partner + 1,
                 end = c_statement_end(s->source, i);
        if (end <= first || c_statement_end(s->source, first) != end)
            continue; /* it has an else */
        for (unsigned k = first; k < end; k++) {
            unsigned last = element_end(s, k);
            if (last == 0 || !is(s, last + 1, "=") || listing_name(s->l, k)->constant)
                continue;
            struct repair like = {.line = listing_word(s->l, i)->line, .holes = {{k, last}}};
            struct text text = {0};
            text_put(&text, " else ");
            put_span(s, like.holes[0], &text);
            text_put(&text, " = 0;");
            insert(s, REPAIR_ELSE, &like, byte_after(s, end), &text);
            text_release(&text);
            break;
        }
    }
}

/* A row without a largest number, or without a sum, is left before one of its loops. */
static void list_skipped(struct special *s, const struct loop *loop)
{
    bool is_inner = false;
    for (unsigned i = 0; i < s->n_loops; i++)
        is_inner = is_inner || (s->loops[i].body < loop->first && s->loops[i].end >= loop->end);
    for (unsigned i = 0; is_inner && i < s->function->n_names; i++) {
        const struct c_name *name = &s->function->names[i];
        unsigned at = declared_at(s, name);
        bool infinite = is(s, at + 1, "=") && is(s, at + 2, "-");
        bool zero = is(s, at + 1, "=") && *listing_word(s->l, at + 2)->begin == '0';
        if (name->kind != KIND_FLOAT || i < s->function->n_params || name->from > loop->first ||
            name->to < loop->end || !(infinite || zero))
            continue;
        struct repair like = {.line = listing_word(s->l, loop->first)->line, .holes = {{at, at}}};
        struct text text = {0};
        text_put(&text, "if (");
        put_span(s, like.holes[0], &text);
        text_put(&text, infinite ? " <= -3e38f) continue; " : " == 0) continue; ");
        insert(s, REPAIR_SKIP, &like, byte_at(s, loop->first), &text);
        text_release(&text);
    }
}

/* ---- the same at two places ---- */

static bool around_same(const struct special *s, unsigned a, unsigned b)
{
    bool before = c_words_same(listing_word(s->l, a - 1), listing_word(s->l, b - 1)) &&
                  c_words_same(listing_word(s->l, a - 2), listing_word(s->l, b - 2));
    bool after = c_words_same(listing_word(s->l, a + 1), listing_word(s->l, b + 1)) &&
                 c_words_same(listing_word(s->l, a + 2), listing_word(s->l, b + 2));
    return before && after;
}

static unsigned statement_of(const struct special *s, unsigned at)
{
    while (at > s->function->body && !listing_word(s->l, at)->opens_statement)
        at--;
    return at;
}

static bool is_read_size(const struct special *s, unsigned at)
{
    const struct c_word *word = listing_word(s->l, at);
    const struct c_name *name = word->kind == WORD_NAME ? listing_name(s->l, at) : NULL;
    return name != NULL && is_size(name) && !word->is_target && !word->in_loop;
}

/* The places with this name that are like `first`: between the same words, or in one statement. */
static unsigned places_like(const struct special *s, unsigned first, bool in_statement,
                            unsigned places[MOST_PLACES])
{
    unsigned n = 0;
    for (unsigned i = s->function->body + 2; i + 2 < s->function->end && n < MOST_PLACES; i++) {
        if (!is_read_size(s, i) || listing_name(s->l, i) != listing_name(s->l, first))
            continue;
        bool like =
            in_statement ? statement_of(s, i) == statement_of(s, first) : around_same(s, i, first);
        if (like && i < first)
            return 0; /* it was listed with that one */
        if (like)
            places[n++] = i;
    }
    return n;
}

static void change_places(struct special *s, const unsigned *places, unsigned n)
{
    const struct c_name *old = listing_name(s->l, places[0]);
    struct listed_edit edits[MOST_PLACES];
    unsigned line = listing_word(s->l, places[0])->line;
    unsigned last = listing_word(s->l, places[n - 1])->line;
    s->l->rule = &repair_specials[REPAIR_TWICE];
    for (unsigned i = 0; i < s->function->n_names; i++) {
        const struct c_name *new = &s->function->names[i];
        struct text text = {0};
        if (new == old || !is_size(new) || new->from > places[0] || new->to < places[n - 1])
            continue;
        text_add(&text, new->word->begin, new->word->size);
        for (unsigned k = 0; k < n; k++)
            edits[k] = (struct listed_edit){byte_at(s, places[k]), byte_after(s, places[k]),
                                            text_string(&text)};
        struct repair like = {
            .line = line, .line_too = last != line ? last : 0, .holes = {{places[0], places[0]}}};
        if (text.failed)
            s->l->failed = true;
        else if (s->n_of_kind++ < MOST_OF_KIND)
            listing_add_copy(s->l, &like, edits, n);
        text_release(&text);
    }
}

static void list_twice(struct special *s)
{
    unsigned places[MOST_PLACES];
    for (unsigned i = s->function->body + 2; i + 2 < s->function->end; i++)
        for (unsigned in_statement = 0; is_read_size(s, i) && in_statement <= 1; in_statement++) {
            unsigned n = places_like(s, i, in_statement == 1, places);
            if (n >= 2)
                change_places(s, places, n);
        }
}

/* Is a[i * n + j] at these words, and the same element at least twice? */
static unsigned same_elements(const struct special *s, unsigned first, unsigned places[MOST_PLACES])
{
    unsigned end = element_or_flag_end(s, first), n = 0;
    if (end != first + 7 || !is(s, first + 3, "*") || !is(s, first + 5, "+"))
        return 0;
    struct part text = listing_text(s->l, (struct c_span){first, end});
    for (unsigned i = s->function->body; i < s->function->end && n < MOST_PLACES; i++) {
        unsigned last = element_or_flag_end(s, i);
        struct part other = last > 0 ? listing_text(s->l, (struct c_span){i, last}) : text;
        if (last == 0 || other.size != text.size || memcmp(other.begin, text.begin, text.size) != 0)
            continue;
        if (i < first)
            return 0; /* it was listed with that one */
        places[n++] = i;
    }
    return n;
}

/* a[i * n + j], wherever it stands, becomes a[j * m + i] for each size m. */
static void list_turned(struct special *s)
{
    unsigned places[MOST_PLACES];
    for (unsigned i = s->function->body; i < s->function->end; i++) {
        unsigned n = same_elements(s, i, places);
        for (unsigned k = 0; n >= 2 && k < s->function->n_names; k++) {
            const struct c_name *size = &s->function->names[k];
            struct listed_edit edits[MOST_PLACES];
            struct text text = {0};
            if (!is_size(size) || size->from > places[0] || size->to < places[n - 1])
                continue;
            put_span(s, (struct c_span){i + 6, i + 6}, &text);
            text_format(&text, " * %.*s + ", (int)size->word->size, size->word->begin);
            put_span(s, (struct c_span){i + 2, i + 2}, &text);
            for (unsigned p = 0; p < n; p++)
                edits[p] = (struct listed_edit){byte_at(s, places[p] + 2),
                                                byte_after(s, places[p] + 6), text_string(&text)};
            struct repair like = {.line = listing_word(s->l, places[0])->line,
                                  .line_too = listing_word(s->l, places[1])->line,
                                  .holes = {{i, i + 7}}};
            if (like.line_too == like.line)
                like.line_too = 0;
            s->l->rule = &repair_specials[REPAIR_TURNED];
            if (text.failed)
                s->l->failed = true;
            else if (s->n_of_kind++ < MOST_OF_KIND)
                listing_add_copy(s->l, &like, edits, n);
            text_release(&text);
        }
    }
}

void listing_add_specials(struct listing *l)
{
    static const struct {
        void (*list)(struct special *, const struct loop *);
        bool beside; /* it puts a statement beside the loop, and not into it */
    } of_loops[] = {{list_divisions_after, true},
                    {list_divisions_first, false},
                    {list_taken_over, false},
                    {list_restarted, false},
                    {list_skipped, true}};
    static void (*const of_functions[])(struct special *) = {list_cleared, list_otherwise,
                                                             list_twice, list_turned};
    struct special s = {.l = l, .source = l->source, .function = listing_function(l)};
    find_loops(&s);
    for (unsigned kind = 0; kind < COUNT_OF(of_loops); kind++) {
        s.n_of_kind = 0;
        for (unsigned i = 0; i < s.n_loops; i++)
            if (!of_loops[kind].beside || stands_in_block(&s, &s.loops[i]))
                of_loops[kind].list(&s, &s.loops[i]);
    }
    for (unsigned kind = 0; kind < COUNT_OF(of_functions); kind++) {
        s.n_of_kind = 0;
        of_functions[kind](&s);
    }
}
