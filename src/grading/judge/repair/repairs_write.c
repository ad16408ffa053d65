/* The file with many repairs in it, one of which is in force at a time: see repairs_internal.h.
 *
 * A repair costs the compiler no more than the expression it stands in: that is written as
 * `(attn_variant == 7 ? (repaired) : (as it was))`, and a statement as `if (attn_variant == 7)
 * repaired; else as it was`. Such regions lie within one another or apart, like the brackets of the
 * file. The repairs of a region have neighbouring numbers, so that those of other regions cost one
 * comparison. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "judge/repair/repairs_internal.h"

enum region_kind { REGION_LOOP, REGION_STATEMENT, REGION_EXPRESSION };

/* Bytes of the source, and the repair that is made in it. */
struct region {
    size_t from, to;
    enum region_kind kind;
    struct repair *repair;
};

struct writing {
    const struct c_source *source;
    struct region *regions; /* [n], outer ones first */
    size_t n;
    struct text *text;
};

/* Memory comes from one block that each call begins again, with room behind each piece: what a
 * wrong repair writes too far must not break the repairs after it. */
static const char *const helpers =
    "#include <limits.h>\n"
    "#include <stddef.h>\n"
    "static unsigned char attn_block[1u << 25];\n"
    "static size_t attn_used;\n"
    "void *attn_malloc(size_t size)\n"
    "{\n"
    "    if (size > sizeof attn_block / 2 || attn_used + size + 8192 > sizeof attn_block)\n"
    "        return NULL;\n"
    "    unsigned char *piece = attn_block + 4096 + attn_used;\n"
    "    attn_used += (size + 4096 + 63) / 64 * 64;\n"
    "    __builtin_memset(piece, 0xff, size);\n"
    "    return piece;\n"
    "}\n"
    "void *attn_calloc(size_t n, size_t size)\n"
    "{\n"
    "    if (size > 0 && n > sizeof attn_block / size)\n"
    "        return NULL;\n"
    "    void *piece = attn_malloc(n * size);\n"
    "    return piece != NULL ? __builtin_memset(piece, 0, n * size) : NULL;\n"
    "}\n"
    "void *attn_realloc(void *old, size_t size)\n"
    "{\n"
    "    unsigned char *piece = attn_malloc(size), *from = old;\n"
    "    for (size_t i = 0; old != NULL && piece != NULL && i < size; i++)\n"
    "        piece[i] = from[i];\n"
    "    return piece;\n"
    "}\n"
    "void attn_free(void *piece) { (void)piece; }\n"
    "#define malloc(size) attn_malloc(size)\n"
    "#define calloc(n, size) attn_calloc(n, size)\n"
    "#define realloc(old, size) attn_realloc(old, size)\n"
    "#define free(piece) attn_free(piece)\n"
    "extern unsigned long attn_variant;\n"
    "static void *attn_back[5];\n"
    "static void attn_caught(int signal) { (void)signal; __builtin_longjmp(attn_back, 1); }\n"
    "#ifdef __GLIBC__\n"
    "extern void (*__sysv_signal(int signal, void (*handler)(int)))(int);\n"
    "static void attn_catch(void)\n"
    "{\n"
    "    __sysv_signal(11, attn_caught);\n"
    "    __sysv_signal(7, attn_caught);\n"
    "    __sysv_signal(8, attn_caught);\n"
    "    __sysv_signal(6, attn_caught);\n"
    "}\n"
    "#else\n"
    "static void attn_catch(void) { (void)attn_caught; }\n"
    "#endif\n";

/* ---- regions ---- */

static bool is(const struct c_source *source, unsigned at, const char *spelling)
{
    return c_word_is(&source->words[at], spelling);
}

static bool is_head(const struct c_source *source, unsigned open)
{
    return is(source, open - 1, "for") || is(source, open - 1, "if") ||
           is(source, open - 1, "while") || is(source, open - 1, "switch");
}

static bool begins_expression_after(const struct c_source *source, unsigned at)
{
    const struct c_word *word = &source->words[at];
    return c_word_assigns(word) || c_word_is(word, ";") || c_word_is(word, "{") ||
           c_word_is(word, "}") || c_word_is(word, "(") || c_word_is(word, "[") ||
           c_word_is(word, ",") || c_word_is(word, "return") || c_word_is(word, "else") ||
           c_word_is(word, "do") || (c_word_is(word, ")") && is_head(source, word->partner));
}

static bool is_declared(const struct c_function *function, const struct c_word *word)
{
    for (unsigned i = 0; i < function->n_names; i++)
        if (function->names[i].word == word)
            return true;
    return false;
}

/* The whole expression around some words; false if they belong to the target of an assignment. */
static bool find_expression(const struct c_source *source, const struct repair *repair,
                            struct c_span *ret)
{
    const struct c_function *function = &source->functions[repair->function];
    unsigned first = repair->words.first, last = repair->words.last;
    while (!begins_expression_after(source, first - 1)) {
        first--;
        if (is(source, first, ")") || is(source, first, "]"))
            first = source->words[first].partner;
    }
    for (unsigned i = first; i <= last; i++)
        if (is(source, i, ";") || c_word_assigns(&source->words[i]))
            return false;
    for (;; last++) {
        const struct c_word *after = &source->words[last + 1];
        if (c_word_is(after, ";") || c_word_is(after, ")") || c_word_is(after, "]") ||
            c_word_is(after, "}") || c_word_is(after, ","))
            break;
        if (c_word_assigns(after) || c_word_is(after, "{"))
            return false;
        if (after->partner > last)
            last = after->partner - 1;
    }
    if (c_word_is_type(&source->words[first]) ||
        (is(source, first - 1, "[") && is_declared(function, &source->words[first - 2])))
        return false;
    *ret = (struct c_span){first, last};
    return true;
}

/* The statement around some words, if it is a plain one. */
static bool find_statement(const struct c_source *source, const struct repair *repair,
                           struct c_span *ret)
{
    unsigned first = repair->words.first;
    while (first > 0 && !source->words[first].opens_statement)
        first--;
    const struct c_word *word = &source->words[first];
    unsigned end = c_statement_end(source, first);
    if (repair->words.last > end || c_word_is_type(word) || c_word_is(word, "for") ||
        c_word_is(word, "if") || c_word_is(word, "while") || c_word_is(word, "{") ||
        c_word_is(word, "do") || c_word_is(word, "return"))
        return false;
    *ret = (struct c_span){first, end};
    return true;
}

static bool find_region(const struct c_source *source, struct repair *repair, struct region *ret)
{
    struct c_span span = repair->words;
    *ret = (struct region){.kind = REGION_LOOP, .repair = repair};
    if (repair->rule != &repair_rule_reset) {
        ret->kind = REGION_EXPRESSION;
        if (!find_expression(source, repair, &span)) {
            ret->kind = REGION_STATEMENT;
            if (!find_statement(source, repair, &span))
                return false;
        }
    }
    const struct c_word *last = &source->words[span.last];
    ret->from = (size_t)(source->words[span.first].begin - source->text);
    ret->to = (size_t)(last->begin + last->size - source->text);
    return true;
}

static int outer_first(const void *a, const void *b)
{
    const struct region *left = a, *right = b;
    if (left->from != right->from)
        return left->from < right->from ? -1 : 1;
    if (left->to != right->to)
        return left->to > right->to ? -1 : 1;
    return (int)left->kind - (int)right->kind;
}

/* Is it the same piece of the file as the one before it? */
static bool goes_with(const struct region *region, const struct region *first)
{
    return region->from == first->from && region->to == first->to && region->kind == first->kind;
}

/* ---- writing ---- */

static void put_source(const struct writing *w, size_t from, size_t to)
{
    text_add(w->text, w->source->text + from, to - from);
}

static void put_repaired(const struct writing *w, const struct region *region)
{
    put_source(w, region->from, region->repair->from);
    text_format(w->text, " %s ", region->repair->text);
    put_source(w, region->repair->to, region->to);
}

/* Writes what goes before the piece as it was. */
static void open_piece(const struct writing *w, const struct region *first, size_t n)
{
    unsigned number = first->repair->variant;
    if (first->kind == REGION_LOOP) {
        text_put(w->text, "{ ");
        for (size_t i = 0; i < n; i++)
            text_format(w->text, "if (attn_variant == %u) { %s }\n", first[i].repair->variant,
                        first[i].repair->text);
        return;
    }
    bool is_statement = first->kind == REGION_STATEMENT;
    text_format(w->text,
                is_statement ? "if (attn_variant - %uu < %zuu) {\n"
                             : "(attn_variant - %uu < %zuu ? (\n",
                number, n);
    for (size_t i = 0; i < n; i++) {
        text_format(w->text, is_statement ? "if (attn_variant == %u) {" : "attn_variant == %u ? (",
                    first[i].repair->variant);
        put_repaired(w, &first[i]);
        text_put(w->text, is_statement ? "}\n" : "\n) : ");
    }
    if (is_statement) {
        text_put(w->text, "} else ");
    } else {
        text_put(w->text, "(");
        put_source(w, first->from, first->to);
        text_put(w->text, ")) : (");
    }
}

static void close_piece(const struct writing *w, const struct region *first)
{
    if (first->kind == REGION_LOOP)
        text_put(w->text, " }");
    else if (first->kind == REGION_EXPRESSION)
        text_put(w->text, "))");
}

/* Writes source bytes with the pieces in them, from region *next on. */
static void put_range(const struct writing *w, size_t from, size_t to, size_t *next)
{
    while (*next < w->n && w->regions[*next].from < to && w->regions[*next].to <= to) {
        const struct region *first = &w->regions[*next];
        size_t n = 1;
        while (*next + n < w->n && goes_with(first + n, first))
            n++;
        put_source(w, from, first->from);
        *next += n;
        open_piece(w, first, n);
        put_range(w, first->from, first->to, next);
        close_piece(w, first);
        from = first->to;
    }
    put_source(w, from, to);
}

static bool gives_nothing(const struct c_source *source, const struct c_function *f)
{
    bool is_void = false;
    for (unsigned i = f->first; i < f->name; i++) {
        is_void = is_void || is(source, i, "void");
        if (is(source, i, "*"))
            return false;
    }
    return is_void;
}

/* What a crash leaves behind must not pass as an answer. */
static void put_catch(const struct writing *w, const struct c_function *f)
{
    text_put(w->text, "\nattn_used = 0;\nattn_catch();\nif (__builtin_setjmp(attn_back)) {\n");
    for (unsigned i = 0; i < f->n_params; i++)
        if (f->names[i].kind == KIND_FLOATS && !f->names[i].constant)
            text_format(w->text, "%.*s[0] = __builtin_nanf(\"\");\n", (int)f->names[i].word->size,
                        f->names[i].word->begin);
    text_put(w->text,
             gives_nothing(w->source, f) ? "return;\n}\n" : "return __builtin_nanf(\"\");\n}\n");
}

static const struct c_function *function_named(const struct c_source *source, const char *name)
{
    for (unsigned i = 0; i < source->n_functions; i++)
        if (is(source, source->functions[i].name, name))
            return &source->functions[i];
    return NULL;
}

bool repairs_write(const struct c_source *source, const char *entry, struct repair *repairs,
                   size_t n, struct text *text)
{
    const struct c_function *f = function_named(source, entry);
    struct writing w = {.source = source, .text = text};
    size_t next = 0;
    w.regions = f != NULL ? calloc(n + 1, sizeof *w.regions) : NULL;
    if (w.regions == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        repairs[i].variant = 0;
        w.n += find_region(source, &repairs[i], &w.regions[w.n]);
    }
    qsort(w.regions, w.n, sizeof *w.regions, outer_first);
    for (size_t i = 0; i < w.n; i++)
        w.regions[i].repair->variant = (unsigned)i + 1;
    size_t body = (size_t)(source->words[f->body].begin + 1 - source->text);
    text_put(text, helpers);
    put_range(&w, 0, body, &next);
    put_catch(&w, f);
    put_range(&w, body, source->size, &next);
    text_char(text, '\n');
    free(w.regions);
    return true;
}
