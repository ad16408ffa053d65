/* The file with many repairs in it, one of which is in force at a time: see repairs_internal.h.
 *
 * A repair costs the compiler no more than the expression it stands in: that is written as
 * `(attn_variant == 7 ? (repaired) : (as it was))`, and a statement as `if (attn_variant == 7)
 * repaired; else as it was`. Such regions lie within one another or apart, like the brackets of the
 * file. The repairs of a region have neighbouring numbers, so that those of other regions cost one
 * comparison.
 *
 * A change of something else, such as the type of a variable, is written as a copy of the whole
 * function, which is called in its place; one of a #define, as a copy of each function that uses
 * it. */
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

/* Memory comes from one block that each call begins again, with room around each piece: a repair
 * that writes too far must not break the repairs after it. The room is filled with bytes of 0xff,
 * which read as NaN; a call that changes them has failed. */
static const char *const helpers =
    "#include <limits.h>\n"
    "#include <stddef.h>\n"
    "static unsigned char attn_block[1u << 25];\n"
    "static struct { unsigned char *at; size_t size; } attn_pieces[64];\n"
    "static size_t attn_used, attn_n_pieces;\n"
    "void *attn_malloc(size_t size)\n"
    "{\n"
    "    if (size > sizeof attn_block / 2 || attn_used + size + 8192 > sizeof attn_block)\n"
    "        return NULL;\n"
    "    unsigned char *piece = attn_block + 4096 + attn_used;\n"
    "    attn_used += (size + 4096 + 63) / 64 * 64;\n"
    "    __builtin_memset(piece - 64, 0xff, size + 1088);\n"
    "    if (attn_n_pieces < 64) {\n"
    "        attn_pieces[attn_n_pieces].at = piece;\n"
    "        attn_pieces[attn_n_pieces++].size = size;\n"
    "    }\n"
    "    return piece;\n"
    "}\n"
    "static int attn_is_broken(void)\n"
    "{\n"
    "    for (size_t i = 0; i < attn_n_pieces; i++) {\n"
    "        const unsigned char *at = attn_pieces[i].at, *end = at + attn_pieces[i].size;\n"
    "        for (size_t k = 1; k <= 64; k++)\n"
    "            if (at[-(ptrdiff_t)k] != 0xff)\n"
    "                return 1;\n"
    "        for (size_t k = 0; k < 1024; k++)\n"
    "            if (end[k] != 0xff)\n"
    "                return 1;\n"
    "    }\n"
    "    return 0;\n"
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
    if (repair->rule != &repair_specials[REPAIR_RESET]) {
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

/* ---- copies ---- */

static bool uses(const struct c_source *source, const struct c_function *f,
                 const struct c_word *name)
{
    for (unsigned i = f->body; i < f->end; i++)
        if (c_words_same(&source->words[i], name))
            return true;
    return false;
}

static size_t byte_of(const struct c_source *source, unsigned at)
{
    return (size_t)(source->words[at].begin - source->text);
}

/* Does the repair make a copy of this function? */
static bool is_copied(const struct c_source *source, const struct repair *repair,
                      const struct c_function *f)
{
    const struct c_function *changed = &source->functions[repair->function];
    if (!repair->is_copy)
        return false;
    return changed == f ||
           (changed->is_macro && !f->is_macro && uses(source, f, &source->words[changed->name]));
}

/* A function's text under another name. */
static void put_renamed(const struct writing *w, const struct c_function *f, const char *text,
                        size_t size, unsigned variant)
{
    size_t before = byte_of(w->source, f->name) - byte_of(w->source, f->first);
    text_add(w->text, text, before);
    text_format(w->text, "attn_%u_", variant);
    text_add(w->text, text + before, size - before);
    text_char(w->text, '\n');
}

static void put_copy(const struct writing *w, const struct c_function *f,
                     const struct repair *repair)
{
    const struct c_function *changed = &w->source->functions[repair->function];
    const struct c_word *name = &w->source->words[changed->name];
    size_t from = byte_of(w->source, f->first), to = byte_of(w->source, f->end) + 1;
    text_format(w->text, "\n/* attn_variant == %u */\n", repair->variant);
    if (!changed->is_macro) {
        put_renamed(w, f, repair->text, strlen(repair->text), repair->variant);
        return;
    }
    text_format(w->text, "#pragma push_macro(\"%.*s\")\n#undef %.*s\n%s\n", (int)name->size,
                name->begin, (int)name->size, name->begin, repair->text);
    put_renamed(w, f, w->source->text + from, to - from, repair->variant);
    text_format(w->text, "#pragma pop_macro(\"%.*s\")\n", (int)name->size, name->begin);
}

static void put_arguments(const struct writing *w, const struct c_function *f)
{
    for (unsigned i = 0; i < f->n_params; i++)
        text_format(w->text, "%s%.*s", i > 0 ? ", " : "", (int)f->names[i].word->size,
                    f->names[i].word->begin);
}

/* At the beginning of a function: calls the copy that is in force. */
static void put_choice(const struct writing *w, const struct c_function *f,
                       const struct repair *repairs, size_t n)
{
    const struct c_word *name = &w->source->words[f->name];
    bool is_void = gives_nothing(w->source, f), any = false;
    for (size_t i = 0; i < n; i++) {
        if (!is_copied(w->source, &repairs[i], f))
            continue;
        text_format(w->text, "%s\ncase %u: %sattn_%u_%.*s(", any ? "" : "\nswitch (attn_variant) {",
                    repairs[i].variant, is_void ? "" : "return ", repairs[i].variant,
                    (int)name->size, name->begin);
        put_arguments(w, f);
        text_put(w->text, is_void ? "); return;" : ");");
        any = true;
    }
    if (any)
        text_put(w->text, "\n}\n");
}

/* ---- the function that is called from outside ---- */

static void put_nan(const struct writing *w, const struct c_function *f)
{
    for (unsigned i = 0; i < f->n_params; i++)
        if (f->names[i].kind == KIND_FLOATS && !f->names[i].constant)
            text_format(w->text, "%.*s[0] = __builtin_nanf(\"\");\n", (int)f->names[i].word->size,
                        f->names[i].word->begin);
    text_put(w->text,
             gives_nothing(w->source, f) ? "return;\n}\n" : "return __builtin_nanf(\"\");\n}\n");
}

/* The function itself has another name by now. What a crash leaves behind must not pass as an
 * answer. */
static void put_entry(const struct writing *w, const struct c_function *f)
{
    const struct c_word *name = &w->source->words[f->name];
    bool is_void = gives_nothing(w->source, f);
    text_char(w->text, '\n');
    put_source(w, byte_of(w->source, f->first), byte_of(w->source, f->close) + 1);
    text_put(w->text, "\n{\nattn_used = attn_n_pieces = 0;\nattn_catch();\n"
                      "if (__builtin_setjmp(attn_back)) {\n");
    put_nan(w, f);
    text_format(w->text, "%sattn_entry_%.*s(",
                is_void ? "" : "__auto_type attn_answer = ", (int)name->size, name->begin);
    put_arguments(w, f);
    text_put(w->text, ");\nif (attn_is_broken()) {\n");
    put_nan(w, f);
    text_put(w->text, is_void ? "}\n" : "return attn_answer;\n}\n");
}

static const struct c_function *function_named(const struct c_source *source, const char *name)
{
    for (unsigned i = 0; i < source->n_functions; i++)
        if (!source->functions[i].is_macro && is(source, source->functions[i].name, name))
            return &source->functions[i];
    return NULL;
}

/* The functions of the file with their copies. */
static void put_functions(const struct writing *w, const struct c_function *entry,
                          const struct repair *repairs, size_t n)
{
    const struct c_source *source = w->source;
    size_t at = 0, next = 0;
    for (unsigned i = 0; i < source->n_functions; i++) {
        const struct c_function *f = &source->functions[i];
        if (f->is_macro)
            continue;
        put_range(w, at, byte_of(source, f->first), &next);
        for (size_t k = 0; k < n; k++)
            if (is_copied(source, &repairs[k], f))
                put_copy(w, f, &repairs[k]);
        put_range(w, byte_of(source, f->first), byte_of(source, f->name), &next);
        if (f == entry)
            text_put(w->text, "attn_entry_");
        at = byte_of(source, f->body) + 1;
        put_range(w, byte_of(source, f->name), at, &next);
        put_choice(w, f, repairs, n);
    }
    put_range(w, at, source->size, &next);
}

bool repairs_write(const struct c_source *source, const char *entry, struct repair *repairs,
                   size_t n, struct text *text)
{
    const struct c_function *f = function_named(source, entry);
    struct writing w = {.source = source, .text = text};
    w.regions = f != NULL ? calloc(n + 1, sizeof *w.regions) : NULL;
    if (w.regions == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        repairs[i].variant = 0;
        w.n += !repairs[i].is_copy && find_region(source, &repairs[i], &w.regions[w.n]);
    }
    qsort(w.regions, w.n, sizeof *w.regions, outer_first);
    for (size_t i = 0; i < w.n; i++)
        w.regions[i].repair->variant = (unsigned)i + 1;
    for (size_t i = 0, number = w.n; i < n; i++)
        if (repairs[i].is_copy)
            repairs[i].variant = (unsigned)++number;
    text_put(text, helpers);
    put_functions(&w, f, repairs, n);
    put_entry(&w, f);
    free(w.regions);
    return true;
}
