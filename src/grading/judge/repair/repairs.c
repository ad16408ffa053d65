/* Repairs by the table's patterns: see repairs_internal.h and repair_rules_internal.h. */
#include "judge/repair/repairs_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum {
    MOST_PARTS = 16,     /* words of a pattern */
    MOST_REPAIRS = 6000, /* of a file */
    MOST_ELEMENTS = 12,  /* that ?Q and ?C stand for at one place */
    MOST_SAID = 40,      /* bytes of the learner's spelling in a sentence */
};

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

struct matched {
    unsigned first, last;
    struct c_span holes[REPAIR_HOLES];
    unsigned n_holes;
};

static const struct c_function *function_of(const struct listing *l)
{
    return &l->source->functions[l->function];
}

static const struct c_word *word_at(const struct listing *l, unsigned at)
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

/* The variable at this place; also one that is declared here. */
static const struct c_name *name_here(const struct listing *l, unsigned at)
{
    const struct c_function *function = function_of(l);
    for (unsigned i = 0; i < function->n_names; i++)
        if (function->names[i].word == word_at(l, at))
            return &function->names[i];
    return c_name_at(l->source, function, at, word_at(l, at));
}

static bool is_macro(const struct listing *l, unsigned at)
{
    const struct c_word *word = word_at(l, at);
    bool upper = word->kind == WORD_NAME && word->size > 1;
    for (unsigned i = 0; upper && i < word->size; i++)
        upper = !islower((unsigned char)word->begin[i]);
    return upper && !c_word_is(word, "NULL") && !c_word_is(word, "INFINITY") &&
           !c_word_is(word + 1, "(") && name_here(l, at) == NULL;
}

/* The last word of a name with what is behind it: [ ], ( ) and members. */
static unsigned postfix_end(const struct listing *l, unsigned at)
{
    for (;;) {
        const struct c_word *after = word_at(l, at + 1);
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
    const struct c_word *word = word_at(l, at), *before = word - 1;
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
    const struct c_name *name = name_here(l, at);
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
    for (unsigned i = at; i < function_of(l)->end; i++) {
        const struct c_word *word = word_at(l, i);
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
    unsigned name = c_word_is(word_at(l, at), "*") ? at + 1 : at;
    const struct c_word *word = word_at(l, name);
    const struct c_name *known = word->kind == WORD_NAME ? name_here(l, name) : NULL;
    unsigned end = word->kind == WORD_NAME && !c_word_is_type(word) ? postfix_end(l, name) : 0;
    bool is_pointer = known != NULL && is_array(known->kind) && end == at;
    return is_pointer ? 0 : end;
}

/* The last word that a hole takes from here on, or 0. */
static unsigned hole_end(const struct listing *l, unsigned part, unsigned at)
{
    const struct c_word *word = word_at(l, at);
    const struct c_name *name = word->kind == WORD_NAME ? name_here(l, at) : NULL;
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
    while (first > function_of(l)->body && !word_at(l, first)->opens_statement)
        first--;
    const struct c_name *name = name_here(l, first);
    if (name != NULL && c_word_is(word_at(l, first + 1), "="))
        return name->kind != KIND_FLOAT;
    bool any = false;
    for (; first < at && c_word_is_type(word_at(l, first)); first++)
        any =
            any || c_word_is(word_at(l, first), "float") || c_word_is(word_at(l, first), "double");
    bool declares = first > 0 && c_word_is_type(word_at(l, first - 1));
    return declares && (!any || c_word_is(word_at(l, first), "*"));
}

static bool stands_well(const struct listing *l, const struct matched *m)
{
    const struct c_word *word = word_at(l, m->first), *after = word_at(l, m->last + 1);
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
    if (where & WHERE_READ && word_at(l, m->holes[0].first)->is_target)
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
    unsigned end = function_of(l)->end;
    for (unsigned part = 0; part < l->n_match; part++, at++) {
        if (at >= end)
            return false;
        const struct part *want = &l->match[part];
        const struct c_word *word = word_at(l, at);
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
    return word_at(l, at)->begin;
}

static const char *end_of(const struct listing *l, unsigned at)
{
    return word_at(l, at)->begin + word_at(l, at)->size;
}

static struct part text_of(const struct listing *l, struct c_span span)
{
    const char *begin = begin_of(l, span.first);
    return (struct part){begin, (unsigned)(end_of(l, span.last) - begin)};
}

static bool same(struct part a, struct part b)
{
    return a.size == b.size && memcmp(a.begin, b.begin, a.size) == 0;
}

/* Are all variables of these words known at `at`, and the same ones? */
static bool known_at(const struct listing *l, struct c_span span, unsigned at)
{
    for (unsigned i = span.first; i <= span.last; i++) {
        const struct c_name *name = word_at(l, i)->kind == WORD_NAME ? name_here(l, i) : NULL;
        if (name != NULL && c_name_at(l->source, function_of(l), at, word_at(l, i)) != name)
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
    const struct c_function *function = function_of(l);
    const struct c_name *old = m->n_holes > 0 ? name_here(l, m->holes[0].first) : NULL;
    for (unsigned i = 0; i < function->n_names; i++) {
        const struct c_name *name = &function->names[i];
        if (m->first < name->from || m->first > name->to || !fits_name(letter, name) ||
            c_name_at(l->source, function, m->first, name->word) != name)
            continue;
        if (letter == 'A' && old != NULL &&
            (old->kind != name->kind || (name->constant && !old->constant)))
            continue;
        if (m->n_holes > 0 && c_words_same(name->word, word_at(l, m->holes[0].first)))
            continue;
        choose(ret, (struct part){name->word->begin, name->word->size});
    }
}

/* Elements of arrays of numbers, or what is asked for. */
static void choose_spans(const struct listing *l, const struct matched *m, bool conditions,
                         struct choices *ret)
{
    const struct c_function *function = function_of(l);
    for (unsigned i = function->body; i < function->end && ret->n < MOST_ELEMENTS; i++) {
        const struct c_word *word = word_at(l, i);
        struct c_span span = {i, i};
        const struct c_name *name = word->kind == WORD_NAME ? name_here(l, i) : NULL;
        if (name != NULL && is_array(name->kind) && c_word_is(word + 1, "[") &&
            (name->kind == KIND_BOOLS) == conditions)
            span.last = (word + 1)->partner;
        else if (conditions && c_word_is(word, "if") && c_word_is(word + 1, "("))
            span = (struct c_span){i + 2, (word + 1)->partner - 1};
        else
            continue;
        bool apart = span.last < m->first || span.first > m->last;
        if (apart && known_at(l, span, m->first))
            choose(ret, text_of(l, span));
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
    struct part part = text_of(l, m->holes[m->n_holes - 1]);
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
        const struct c_word *word = word_at(l, m->first);
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
        const struct c_word *word = word_at(l, m->last);
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

static void add_repair(struct listing *l, const struct matched *untrimmed, const char *text,
                       size_t size)
{
    struct matched trimmed = *untrimmed, *m = &trimmed;
    if (l->rule != &repair_rule_reset)
        trim(l, m, &text, &size);
    struct repairs *repairs = l->repairs;
    const char *source = l->source->text;
    size_t from = (size_t)(begin_of(l, m->first) - source);
    size_t to = (size_t)(end_of(l, m->last) - source);
    for (size_t i = 0; i < repairs->n; i++)
        if (repairs->items[i].from == from && repairs->items[i].to == to &&
            text_equals(text, size, repairs->items[i].text))
            return;
    struct repair *items =
        array_grow(repairs->items, repairs->n, &repairs->capacity, sizeof *items);
    char *copy = items != NULL ? arena_copy(&repairs->arena, text, size) : NULL;
    repairs->items = items != NULL ? items : repairs->items;
    l->failed = l->failed || copy == NULL;
    if (copy == NULL)
        return;
    struct repair *added = &repairs->items[repairs->n++];
    *added = (struct repair){.rule = l->rule,
                             .function = l->function,
                             .from = from,
                             .to = to,
                             .text = copy,
                             .words = {m->first, m->last},
                             .line = word_at(l, m->first)->line};
    memcpy(added->holes, m->holes, sizeof added->holes);
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
        struct part hole = text_of(l, m->holes[put->begin[1] - '1']);
        text_add(text, hole.begin, hole.size);
    } else {
        text_add(text, put->begin, put->size);
    }
    text_char(text, ' ');
    put_parts(l, m, part + 1, text);
    text_shrink(text, before);
}

/* ---- the list ---- */

static void apply_rule(struct listing *l)
{
    const struct c_function *function = function_of(l);
    struct matched matched;
    l->n_match = split(l->rule->match, l->match);
    l->n_put = split(l->rule->put, l->put);
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

/* V = 0 before a loop around V += ... in which V is the same throughout. */
static void reset_before(struct listing *l, const struct matched *m, unsigned loop, unsigned end)
{
    struct matched whole = *m;
    struct text text = {0};
    struct part target = text_of(l, m->holes[0]);
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
        l->repairs->items[n].line = word_at(l, m->first)->line;
    text_release(&text);
}

static void apply_reset(struct listing *l)
{
    const struct c_function *function = function_of(l);
    struct matched matched;
    l->rule = &repair_rule_reset;
    l->n_match = split(l->rule->match, l->match);
    for (unsigned i = function->body + 1; i < function->end; i++) {
        if (!match_at(l, i, &matched))
            continue;
        for (unsigned loop = i; loop > function->body; loop--)
            if (is_loop(word_at(l, loop)) && c_statement_end(l->source, loop) > i &&
                known_at(l, matched.holes[0], loop))
                reset_before(l, &matched, loop, c_statement_end(l->source, loop));
    }
}

bool repairs_list(const struct c_source *source, struct repairs *ret, struct error *reterr)
{
    struct repairs repairs = {0};
    struct listing l = {.source = source, .repairs = &repairs};
    for (size_t rule = 0; rule < n_repair_rules && !l.failed; rule++) {
        for (l.function = 0; l.function < source->n_functions && !l.failed; l.function++) {
            l.rule = &repair_rules[rule];
            apply_rule(&l);
        }
        for (l.function = 0; rule == 0 && l.function < source->n_functions; l.function++)
            apply_reset(&l);
    }
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
