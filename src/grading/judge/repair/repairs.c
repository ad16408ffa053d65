/* Repairs by the table's patterns: see listing_internal.h and repair_rules_internal.h. */
#include "judge/repair/listing_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum {
    MOST_REPAIRS = 6000, /* of a file */
    MOST_ELEMENTS = 12,  /* that ?Q and ?C stand for at one place */
};

struct matched {
    unsigned first, last;
    struct c_span holes[REPAIR_HOLES];
    unsigned n_holes;
};

const struct c_function *listing_function(const struct listing *l)
{
    return &l->source->functions[l->function];
}

const struct c_word *listing_word(const struct listing *l, unsigned at)
{
    return &l->source->words[at];
}

static unsigned split(const char *pattern, struct part parts[MOST_PARTS])
{
    unsigned n = 0;
    for (const char *at = pattern; *at != '\0' && n < MOST_PARTS;) {
        size_t size = strcspn(at, " ");
        parts[n++] = (struct part){at, (unsigned)size};
        at += size;
        at += strspn(at, " ");
    }
    return n;
}

/* ---- matching ---- */

static bool is_hole(const struct part *part)
{
    return part->size == 1 && isupper((unsigned char)*part->begin);
}

static bool is_array(enum c_kind kind)
{
    return kind == KIND_INTS || kind == KIND_FLOATS || kind == KIND_DOUBLES || kind == KIND_BOOLS;
}

static bool fits_name(char letter, const struct c_name *name)
{
    switch (letter) {
    case 'I':
        return name->kind == KIND_INT;
    case 'L':
        return name->kind == KIND_INT && name->counts;
    case 'S':
        return name->kind == KIND_INT && !name->counts;
    case 'F':
        return name->kind == KIND_FLOAT;
    case 'B':
        return name->kind == KIND_BOOL;
    default:
        return is_array(name->kind);
    }
}

const struct c_name *listing_name(const struct listing *l, unsigned at)
{
    const struct c_function *function = listing_function(l);
    for (unsigned i = 0; i < function->n_names; i++)
        if (function->names[i].word == listing_word(l, at))
            return &function->names[i];
    return c_name_at(l->source, function, at, listing_word(l, at));
}

static bool is_macro(const struct listing *l, unsigned at)
{
    const struct c_word *word = listing_word(l, at);
    bool upper = word->kind == WORD_NAME && word->size > 1;
    for (unsigned i = 0; upper && i < word->size; i++)
        upper = !islower((unsigned char)word->begin[i]);
    return upper && !c_word_is(word, "NULL") && !c_word_is(word, "INFINITY") &&
           !c_word_is(word + 1, "(") && listing_name(l, at) == NULL;
}

/* The last word of a name with what is behind it: [ ], ( ) and members. */
static unsigned postfix_end(const struct listing *l, unsigned at)
{
    for (;;) {
        const struct c_word *after = listing_word(l, at + 1);
        if (c_word_is(after, "[") || c_word_is(after, "("))
            at = after->partner;
        else if (c_word_is(after, ".") || c_word_is(after, "->"))
            at += 2;
        else
            return at;
    }
}

/* The last word of an operand that is a number, or 0. */
static unsigned operand_end(const struct listing *l, unsigned at)
{
    const struct c_word *word = listing_word(l, at), *before = word - 1;
    if (c_word_is(before, ".") || c_word_is(before, "->"))
        return 0;
    if (c_word_is(word, "(") && before->kind == WORD_NAME && !c_word_is(before, "return"))
        return 0; /* the arguments of a call, or a head */
    if (c_word_is(word, "("))
        return c_word_is_type(word + 1) ? operand_end(l, word->partner + 1) : word->partner;
    if (word->kind == WORD_NUMBER)
        return at;
    if (word->kind != WORD_NAME || c_word_is_type(word) || c_word_is(word, "sizeof"))
        return 0;
    unsigned end = postfix_end(l, at);
    const struct c_name *name = listing_name(l, at);
    return end == at && name != NULL && is_array(name->kind) ? 0 : end;
}

static bool ends_expression(const struct c_word *word)
{
    return c_word_is(word, ";") || c_word_is(word, "{") || c_word_is(word, "}") ||
           c_word_is(word, ")") || c_word_is(word, "]");
}

/* The last word of an expression before `stop`, or 0. */
static unsigned expression_end(const struct listing *l, unsigned at, const struct part *stop)
{
    for (unsigned i = at; i < listing_function(l)->end; i++) {
        const struct c_word *word = listing_word(l, i);
        if (stop->size == word->size && memcmp(stop->begin, word->begin, word->size) == 0)
            return i > at ? i - 1 : 0;
        if (ends_expression(word) || (c_word_is(word, ",") && *stop->begin != ','))
            return 0;
        if (word->partner > i)
            i = word->partner;
    }
    return 0;
}

static unsigned target_end(const struct listing *l, unsigned at)
{
    unsigned name = c_word_is(listing_word(l, at), "*") ? at + 1 : at;
    const struct c_word *word = listing_word(l, name);
    const struct c_name *known = word->kind == WORD_NAME ? listing_name(l, name) : NULL;
    unsigned end = word->kind == WORD_NAME && !c_word_is_type(word) ? postfix_end(l, name) : 0;
    bool is_pointer = known != NULL && is_array(known->kind) && end == at;
    return is_pointer ? 0 : end;
}

/* The last word that a hole takes from here on, or 0. */
static unsigned hole_end(const struct listing *l, unsigned part, unsigned at)
{
    const struct c_word *word = listing_word(l, at);
    const struct c_name *name = word->kind == WORD_NAME ? listing_name(l, at) : NULL;
    char letter = *l->match[part].begin;
    switch (letter) {
    case 'N':
        return word->kind == WORD_NUMBER ? at : 0;
    case 'M':
        return is_macro(l, at) ? at : 0;
    case 'P':
        return operand_end(l, at);
    case 'V':
        return target_end(l, at);
    case 'E':
        return part + 1 < l->n_match ? expression_end(l, at, &l->match[part + 1]) : 0;
    case 'Q':
        return name != NULL && is_array(name->kind) && c_word_is(word + 1, "[")
                   ? (word + 1)->partner
                   : 0;
    default:
        return name != NULL && fits_name(letter, name) ? at : 0;
    }
}

static bool is_step(const struct c_word *word)
{
    return c_word_is(word, "++") || c_word_is(word, "--");
}

/* The size of a thing is asked for, and not the thing. */
static bool is_measured(const struct c_word *word)
{
    return c_word_is(word - 1, "sizeof") ||
           ((c_word_is(word - 1, "*") || c_word_is(word - 1, "(")) &&
            c_word_is(word - 2, "sizeof"));
}

/* Does the statement around this word set a pointer or a whole number? */
static bool sets_no_float(const struct listing *l, unsigned at)
{
    unsigned first = at;
    while (first > listing_function(l)->body && !listing_word(l, first)->opens_statement)
        first--;
    const struct c_name *name = listing_name(l, first);
    if (name != NULL && c_word_is(listing_word(l, first + 1), "="))
        return name->kind != KIND_FLOAT;
    bool any = false;
    for (; first < at && c_word_is_type(listing_word(l, first)); first++)
        any = any || c_word_is(listing_word(l, first), "float") ||
              c_word_is(listing_word(l, first), "double");
    bool declares = first > 0 && c_word_is_type(listing_word(l, first - 1));
    return declares && (!any || c_word_is(listing_word(l, first), "*"));
}

/* Is the statement around this word only a call of a function? */
static bool is_in_call(const struct listing *l, unsigned at)
{
    while (at > listing_function(l)->body && !listing_word(l, at)->opens_statement)
        at--;
    return c_word_is(listing_word(l, at + 1), "(");
}

/* Does the variable stand within [ ] anywhere, in a pointer, or is it given to a function? Another
 * kind of number would not do there. */
static bool is_index(const struct listing *l, unsigned at)
{
    const struct c_name *name = listing_name(l, at);
    for (unsigned i = listing_function(l)->body; i < listing_function(l)->end; i++) {
        const struct c_word *word = listing_word(l, i);
        if (word->kind != WORD_NAME || listing_name(l, i) != name || word == name->word)
            continue;
        if (word->in_index || word->in_loop || c_word_is(word + 1, "%") || is_in_call(l, i) ||
            (!word->is_target && sets_no_float(l, i)))
            return true;
    }
    return false;
}

static bool stands_well(const struct listing *l, const struct matched *m)
{
    const struct c_word *word = listing_word(l, m->first), *after = listing_word(l, m->last + 1);
    unsigned where = l->rule->where;
    bool is_element = c_word_is(word + 1, "[") && m->last > m->first;
    bool is_set = word->is_target || (is_element && (c_word_assigns(after) || is_step(after)));
    if (is_measured(word) || c_word_is(word, "sizeof"))
        return false;
    if (where & WHERE_WHOLE &&
        (c_word_is(after, "*") || c_word_is(after, "/") || c_word_is(after, "%")))
        return false;
    if (where & WHERE_VALUE && word->in_head && c_word_is(word - 1, ";"))
        return false; /* what a loop counts with: another name makes it endless */
    if (where & WHERE_MACRO && !listing_function(l)->is_macro)
        return false;
    if (where & WHERE_KEPT && is_index(l, m->holes[0].first))
        return false;
    if (where & WHERE_READ && listing_word(l, m->holes[0].first)->is_target)
        return false;
    if (where & WHERE_FLOAT && sets_no_float(l, m->first))
        return false;
    if (where & WHERE_NO_LOOP && word->in_loop)
        return false;
    return !word->in_step && !(where & WHERE_BINARY && !word->binary) &&
           !(where & WHERE_UNARY && word->binary) && !(where & WHERE_INDEX && !word->in_index) &&
           !(where & WHERE_STATEMENT && !word->opens_statement) &&
           !(where & WHERE_HEAD && !word->in_head) && !(where & WHERE_VALUE && is_set) &&
           !(where & WHERE_CODE && (word->in_index || word->in_head));
}

static bool match_at(const struct listing *l, unsigned at, struct matched *ret)
{
    struct matched m = {.first = at};
    unsigned end = listing_function(l)->end;
    for (unsigned part = 0; part < l->n_match; part++, at++) {
        if (at >= end)
            return false;
        const struct part *want = &l->match[part];
        const struct c_word *word = listing_word(l, at);
        if (is_hole(want)) {
            unsigned last = hole_end(l, part, at);
            if (last == 0 || last >= end || m.n_holes == REPAIR_HOLES)
                return false;
            m.holes[m.n_holes++] = (struct c_span){at, last};
            at = last;
        } else if (want->size != word->size || memcmp(want->begin, word->begin, want->size) != 0) {
            return false;
        }
    }
    m.last = at - 1;
    *ret = m;
    return stands_well(l, &m);
}

/* ---- what is put there ---- */

static const char *begin_of(const struct listing *l, unsigned at)
{
    return listing_word(l, at)->begin;
}

static const char *end_of(const struct listing *l, unsigned at)
{
    return listing_word(l, at)->begin + listing_word(l, at)->size;
}

struct part listing_text(const struct listing *l, struct c_span span)
{
    const char *begin = begin_of(l, span.first);
    return (struct part){begin, (unsigned)(end_of(l, span.last) - begin)};
}

static bool same(struct part a, struct part b)
{
    return a.size == b.size && memcmp(a.begin, b.begin, a.size) == 0;
}

bool listing_known(const struct listing *l, struct c_span span, unsigned at)
{
    for (unsigned i = span.first; i <= span.last; i++) {
        const struct c_name *name =
            listing_word(l, i)->kind == WORD_NAME ? listing_name(l, i) : NULL;
        if (name != NULL &&
            c_name_at(l->source, listing_function(l), at, listing_word(l, i)) != name)
            return false;
    }
    return true;
}

struct choices {
    struct part items[64];
    unsigned n;
};

static void choose(struct choices *choices, struct part part)
{
    for (unsigned i = 0; i < choices->n; i++)
        if (same(choices->items[i], part))
            return;
    if (choices->n < COUNT_OF(choices->items))
        choices->items[choices->n++] = part;
}

static void choose_names(const struct listing *l, const struct matched *m, char letter,
                         struct choices *ret)
{
    const struct c_function *function = listing_function(l);
    const struct c_name *old = m->n_holes > 0 ? listing_name(l, m->holes[0].first) : NULL;
    for (unsigned i = 0; i < function->n_names; i++) {
        const struct c_name *name = &function->names[i];
        if (m->first < name->from || m->first > name->to || !fits_name(letter, name) ||
            c_name_at(l->source, function, m->first, name->word) != name)
            continue;
        if (letter == 'A' && old != NULL &&
            (old->kind != name->kind || (name->constant && !old->constant)))
            continue;
        if (m->n_holes > 0 && c_words_same(name->word, listing_word(l, m->holes[0].first)))
            continue;
        choose(ret, (struct part){name->word->begin, name->word->size});
    }
}

/* Elements of arrays of numbers, or what is asked for. */
static void choose_spans(const struct listing *l, const struct matched *m, bool conditions,
                         struct choices *ret)
{
    const struct c_function *function = listing_function(l);
    for (unsigned i = function->body; i < function->end && ret->n < MOST_ELEMENTS; i++) {
        const struct c_word *word = listing_word(l, i);
        struct c_span span = {i, i};
        const struct c_name *name = word->kind == WORD_NAME ? listing_name(l, i) : NULL;
        if (name != NULL && is_array(name->kind) && c_word_is(word + 1, "[") &&
            (name->kind == KIND_BOOLS) == conditions)
            span.last = (word + 1)->partner;
        else if (conditions && c_word_is(word, "if") && c_word_is(word + 1, "("))
            span = (struct c_span){i + 2, (word + 1)->partner - 1};
        else
            continue;
        bool apart = span.last < m->first || span.first > m->last;
        if (apart && listing_known(l, span, m->first))
            choose(ret, listing_text(l, span));
    }
}

static char *number_of(struct listing *l, long number)
{
    struct text text = {0};
    text_format(&text, "%ld", number);
    char *copy = text.failed ? NULL : arena_copy(&l->repairs->arena, text_string(&text), text.size);
    text_release(&text);
    return copy;
}

/* The whole numbers beside the one in the last hole. */
static void choose_numbers(struct listing *l, const struct matched *m, struct choices *ret)
{
    struct part part = listing_text(l, m->holes[m->n_holes - 1]);
    long number = 0;
    for (unsigned i = 0; i < part.size; i++) {
        if (!isdigit((unsigned char)part.begin[i]) || part.size > 4)
            return;
        number = number * 10 + (part.begin[i] - '0');
    }
    for (long step = -1; step <= 1; step += 2) {
        char *copy = number + step >= 0 ? number_of(l, number + step) : NULL;
        if (copy != NULL)
            choose(ret, (struct part){copy, (unsigned)strlen(copy)});
    }
}

static void choose_for(struct listing *l, const struct matched *m, char letter, struct choices *ret)
{
    ret->n = 0;
    if (letter == 'Q' || letter == 'C')
        choose_spans(l, m, letter == 'C', ret);
    else if (letter == 'N')
        choose_numbers(l, m, ret);
    else
        choose_names(l, m, letter, ret);
}

/* Leaves out the words that stay as they are at both ends. Brackets go in pairs; those around
 * arguments stay, since a list of arguments is not an expression. */
static void trim(const struct listing *l, struct matched *m, const char **text, size_t *size)
{
    unsigned n_open = 0;
    while (*size > 0 && (*text)[*size - 1] == ' ')
        (*size)--;
    for (; m->first < m->last; m->first++) {
        const struct c_word *word = listing_word(l, m->first);
        bool opens = c_word_is(word, "(") || c_word_is(word, "[");
        if ((opens && word->partner != m->last) ||
            (c_word_is(word, "(") && !c_word_is(word - 1, "if")) || *size <= word->size ||
            memcmp(*text, word->begin, word->size) != 0 || (*text)[word->size] != ' ')
            break;
        n_open += opens;
        *text += word->size + 1;
        *size -= word->size + 1;
    }
    for (; m->first < m->last; m->last--) {
        const struct c_word *word = listing_word(l, m->last);
        bool closes = c_word_is(word, ")") || c_word_is(word, "]");
        if ((closes && n_open == 0) || *size <= word->size ||
            memcmp(*text + *size - word->size, word->begin, word->size) != 0 ||
            (*text)[*size - word->size - 1] != ' ')
            break;
        n_open -= closes;
        *size -= word->size;
        while (*size > 0 && (*text)[*size - 1] == ' ')
            (*size)--;
    }
}

static bool is_listed(const struct repairs *repairs, size_t from, size_t to, const char *text,
                      size_t size)
{
    for (size_t i = 0; i < repairs->n; i++)
        if (repairs->items[i].from == from && repairs->items[i].to == to &&
            text_equals(text, size, repairs->items[i].text))
            return true;
    return false;
}

static void add_item(struct listing *l, const struct repair *like, size_t from, size_t to,
                     const char *text, size_t size)
{
    struct repairs *repairs = l->repairs;
    if (repairs->n >= MOST_REPAIRS || is_listed(repairs, from, to, text, size))
        return;
    struct repair *items =
        array_grow(repairs->items, repairs->n, &repairs->capacity, sizeof *items);
    char *copy = items != NULL ? arena_copy(&repairs->arena, text, size) : NULL;
    repairs->items = items != NULL ? items : repairs->items;
    l->failed = l->failed || copy == NULL;
    if (copy == NULL)
        return;
    struct repair *added = &repairs->items[repairs->n++];
    *added = *like;
    added->rule = l->rule;
    added->function = l->function;
    added->from = from;
    added->to = to;
    added->text = copy;
}

void listing_add_copy(struct listing *l, const struct repair *like, const struct listed_edit *edits,
                      unsigned n)
{
    const struct c_function *function = listing_function(l);
    const char *source = l->source->text;
    size_t from = (size_t)(begin_of(l, function->first) - source), at = from;
    size_t to = (size_t)(end_of(l, function->end) - source);
    struct repair repair = *like;
    struct text text = {0};
    for (unsigned i = 0; i < n; i++) {
        text_add(&text, source + at, edits[i].from - at);
        text_format(&text, " %s ", edits[i].text);
        at = edits[i].to;
    }
    text_add(&text, source + at, to - at);
    repair.is_copy = true;
    repair.words = (struct c_span){function->first, function->end};
    if (text.failed)
        l->failed = true;
    else
        add_item(l, &repair, from, to, text_string(&text), text.size);
    text_release(&text);
}

static void add_repair(struct listing *l, const struct matched *untrimmed, const char *text,
                       size_t size)
{
    struct matched trimmed = *untrimmed, *m = &trimmed;
    bool is_copy = l->rule->where & WHERE_COPY || listing_function(l)->is_macro;
    if (l->rule != &repair_specials[REPAIR_RESET] && !is_copy)
        trim(l, m, &text, &size);
    size_t from = (size_t)(begin_of(l, m->first) - l->source->text);
    size_t to = (size_t)(end_of(l, m->last) - l->source->text);
    struct repair repair = {.words = {m->first, m->last}, .line = listing_word(l, m->first)->line};
    memcpy(repair.holes, m->holes, sizeof repair.holes);
    if (is_copy)
        listing_add_copy(l, &repair, &(struct listed_edit){from, to, text}, 1);
    else
        add_item(l, &repair, from, to, text, size);
}

/* Writes the parts of `put` from `part` on, once for each choice of names. */
static void put_parts(struct listing *l, const struct matched *m, unsigned part, struct text *text)
{
    struct choices choices;
    size_t before = text->size;
    if (l->failed || l->repairs->n >= MOST_REPAIRS)
        return;
    if (part == l->n_put) {
        l->failed = l->failed || text->failed;
        add_repair(l, m, text_string(text), text->size);
        return;
    }
    const struct part *put = &l->put[part];
    if (*put->begin == '?' && put->size == 2) {
        choose_for(l, m, put->begin[1], &choices);
        for (unsigned i = 0; i < choices.n; i++) {
            text_add(text, choices.items[i].begin, choices.items[i].size);
            text_char(text, ' ');
            put_parts(l, m, part + 1, text);
            text_shrink(text, before);
        }
        return;
    }
    if (*put->begin == '$' && put->size == 2) {
        struct part hole = listing_text(l, m->holes[put->begin[1] - '1']);
        text_add(text, hole.begin, hole.size);
    } else {
        text_add(text, put->begin, put->size);
    }
    text_char(text, ' ');
    put_parts(l, m, part + 1, text);
    text_shrink(text, before);
}

/* ---- rules ---- */

void listing_apply(struct listing *l)
{
    const struct c_function *function = listing_function(l);
    struct matched matched;
    l->n_match = split(l->rule->match, l->match);
    l->n_put = split(l->rule->put, l->put);
    if (function->is_macro && strchr(l->rule->put, '?') != NULL)
        return; /* the names known there depend on where it is used */
    for (unsigned i = function->body + 1; i < function->end && !l->failed; i++) {
        struct text text = {0};
        if (match_at(l, i, &matched))
            put_parts(l, &matched, 0, &text);
        text_release(&text);
    }
}

static bool is_loop(const struct c_word *word)
{
    return c_word_is(word, "for") || (c_word_is(word, "while") && c_word_is(word + 1, "("));
}

/* Where the start is missing: at the declaration, if it gives no value, else before the loop. */
static unsigned line_of_start(const struct listing *l, const struct matched *m, unsigned loop)
{
    const struct c_name *name =
        m->holes[0].first == m->holes[0].last ? listing_name(l, m->holes[0].first) : NULL;
    bool is_bare = name != NULL && !c_word_is(name->word + 1, "=") &&
                   name >= listing_function(l)->names + listing_function(l)->n_params;
    return is_bare ? name->word->line : listing_word(l, loop)->line;
}

/* V = 0 before a loop around V += ... in which V is the same throughout. */
static void reset_before(struct listing *l, const struct matched *m, unsigned loop, unsigned end)
{
    struct matched whole = *m;
    struct text text = {0};
    struct part target = listing_text(l, m->holes[0]);
    whole.first = loop;
    whole.last = end;
    text_add(&text, target.begin, target.size);
    text_put(&text, " = 0;");
    size_t n = l->repairs->n;
    if (text.failed)
        l->failed = true;
    else
        add_repair(l, &whole, text_string(&text), text.size);
    if (l->repairs->n > n)
        l->repairs->items[n].line = line_of_start(l, m, loop);
    text_release(&text);
}

void listing_apply_reset(struct listing *l)
{
    const struct c_function *function = listing_function(l);
    struct matched matched;
    l->rule = &repair_specials[REPAIR_RESET];
    l->n_match = split(l->rule->match, l->match);
    for (unsigned i = function->body + 1; i < function->end; i++) {
        if (!match_at(l, i, &matched))
            continue;
        for (unsigned loop = i; loop > function->body; loop--)
            if (is_loop(listing_word(l, loop)) && c_statement_end(l->source, loop) > i &&
                listing_known(l, matched.holes[0], loop))
                reset_before(l, &matched, loop, c_statement_end(l->source, loop));
    }
}
