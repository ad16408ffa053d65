/* Words, functions and names of a C file: see c_source_internal.h. */
#include "judge/repair/c_source_internal.h"

#include <ctype.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "exercise/c_tokens.h"

enum { MOST_WORDS = 8000, MOST_NAMES = 200, MOST_FUNCTIONS = 40, MOST_DEPTH = 200 };

/* ---- words ---- */

static const char *const long_signs[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
                                         "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                         "*=",  "/=",  "%=",  "&=", "|=", "^="};

static const char *const types[] = {"const",   "static",   "unsigned",   "signed",    "long",
                                    "short",   "int",      "size_t",     "float",     "double",
                                    "bool",    "_Bool",    "char",       "void",      "register",
                                    "inline",  "restrict", "__restrict", "ptrdiff_t", "uint32_t",
                                    "int32_t", "uint64_t", "int64_t",    "ssize_t"};

bool c_word_is(const struct c_word *word, const char *spelling)
{
    return text_equals(word->begin, word->size, spelling);
}

bool c_words_same(const struct c_word *a, const struct c_word *b)
{
    return a->size == b->size && memcmp(a->begin, b->begin, a->size) == 0;
}

bool c_word_is_type(const struct c_word *word)
{
    for (size_t i = 0; i < COUNT_OF(types); i++)
        if (c_word_is(word, types[i]))
            return true;
    return false;
}

static unsigned sign_length(const char *at, const char *end)
{
    for (size_t i = 0; i < COUNT_OF(long_signs); i++) {
        size_t length = strlen(long_signs[i]);
        if ((size_t)(end - at) >= length && memcmp(at, long_signs[i], length) == 0)
            return (unsigned)length;
    }
    return 1;
}

static bool goes_on(const char *at, const char *begin)
{
    bool exponent = (*at == '-' || *at == '+') && (at[-1] == 'e' || at[-1] == 'E') &&
                    !(begin[0] == '0' && (begin[1] == 'x' || begin[1] == 'X'));
    return isalnum((unsigned char)*at) || *at == '.' || *at == '_' || exponent;
}

/* The end of a number, with its point and its exponent. */
static unsigned number_length(const char *begin, const char *end)
{
    const char *at = begin + 1;
    while (at < end && goes_on(at, begin))
        at++;
    return (unsigned)(at - begin);
}

static const char *directive_end(const char *at, const char *end)
{
    while (at < end && !(*at == '\n' && at[-1] != '\\' && !(at[-1] == '\r' && at[-2] == '\\')))
        at++;
    return at;
}

static bool begins_line(const char *text, const char *at)
{
    while (at > text && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    return at == text || at[-1] == '\n';
}

/* The next word; with no directive within the bytes that are scanned, if `skips`. */
static bool next_word(struct c_scan *scan, const char *text, bool skips, struct c_word *ret)
{
    struct c_token token;
    while (c_next_token(scan, &token)) {
        const char *skip_to = NULL;
        struct c_word word = {.begin = token.begin,
                              .size = (unsigned)token.size,
                              .line = token.line,
                              .kind = WORD_SIGN};
        if (skips && *token.begin == '#' && begins_line(text, token.begin)) {
            skip_to = directive_end(token.begin, scan->end);
        } else if (c_token_is_quoted(&token)) {
            word.kind = WORD_QUOTED;
        } else if (isdigit((unsigned char)*token.begin) ||
                   (*token.begin == '.' && token.begin + 1 < scan->end &&
                    isdigit((unsigned char)token.begin[1]))) {
            word.kind = WORD_NUMBER;
            word.size = number_length(token.begin, scan->end);
        } else if (c_token_is_name(&token)) {
            word.kind = WORD_NAME;
        } else {
            word.size = sign_length(token.begin, scan->end);
        }
        if (skip_to == NULL)
            skip_to = word.begin + word.size;
        for (; scan->at < skip_to; scan->at++)
            scan->line += *scan->at == '\n';
        if (skips && *token.begin == '#')
            continue;
        *ret = word;
        return true;
    }
    return false;
}

/* The words of a directive, and an empty one after them. */
static void read_directive(struct c_source *source, const char *from, const char *to, unsigned line)
{
    struct c_scan scan = c_scan_of(from, (size_t)(to - from));
    unsigned before = source->n_words;
    scan.line = line;
    while (source->n_words + 1 < MOST_WORDS &&
           next_word(&scan, source->text, false, &source->words[source->n_words]))
        source->n_words++;
    if (source->n_words < before + 4 || !c_word_is(&source->words[before + 1], "define") ||
        source->words[before + 2].kind != WORD_NAME)
        source->n_words = before;
    else
        source->words[source->n_words++] = (struct c_word){to, 0, line, .kind = WORD_SIGN};
}

static void read_directives(struct c_source *source)
{
    const char *end = source->text + source->size;
    unsigned line = 1;
    for (const char *at = source->text; at < end; at++) {
        line += *at == '\n';
        const char *begin = at + (*at == '\n');
        begin += strspn(begin, " \t");
        if ((at > source->text && *at != '\n') || begin >= end || *begin != '#')
            continue;
        read_directive(source, begin, directive_end(begin, end), line);
    }
}

static bool read_words(struct c_source *source)
{
    struct c_scan scan = c_scan_of(source->text, source->size);
    source->words = arena_take(&source->arena, (MOST_WORDS + 1) * sizeof *source->words);
    if (source->words == NULL)
        return false;
    while (source->n_words < MOST_WORDS &&
           next_word(&scan, source->text, true, &source->words[source->n_words]))
        source->n_words++;
    if (source->n_words == MOST_WORDS)
        source->n_words = 0;
    source->n_code = source->n_words;
    read_directives(source);
    return true;
}

/* ---- what each word is ---- */

static bool is_open(const struct c_word *word)
{
    return c_word_is(word, "(") || c_word_is(word, "[") || c_word_is(word, "{");
}

static bool is_close(const struct c_word *word)
{
    return c_word_is(word, ")") || c_word_is(word, "]") || c_word_is(word, "}");
}

static bool go_together(const struct c_word *open, const struct c_word *close)
{
    return (c_word_is(open, "(") && c_word_is(close, ")")) ||
           (c_word_is(open, "[") && c_word_is(close, "]")) ||
           (c_word_is(open, "{") && c_word_is(close, "}"));
}

/* False if the brackets do not fit. */
static bool match_brackets(struct c_source *source)
{
    unsigned open[MOST_DEPTH], n_open = 0;
    for (unsigned i = 0; i < source->n_words; i++) {
        struct c_word *word = &source->words[i];
        if (is_open(word)) {
            if (n_open == MOST_DEPTH)
                return false;
            open[n_open++] = i;
        } else if (is_close(word)) {
            if (n_open == 0 || !go_together(&source->words[open[n_open - 1]], word))
                return false;
            word->partner = open[--n_open];
            source->words[word->partner].partner = i;
        }
    }
    return n_open == 0;
}

static bool is_head(const struct c_source *source, unsigned open)
{
    const struct c_word *before = open > 0 ? &source->words[open - 1] : NULL;
    return before != NULL && (c_word_is(before, "for") || c_word_is(before, "if") ||
                              c_word_is(before, "while") || c_word_is(before, "switch"));
}

static bool is_operand_end(const struct c_word *word)
{
    return word->kind != WORD_SIGN ? !c_word_is(word, "return") && !c_word_is(word, "else") &&
                                         !c_word_is(word, "sizeof")
                                   : c_word_is(word, ")") || c_word_is(word, "]");
}

static bool is_cast(const struct c_source *source, unsigned open)
{
    return c_word_is(&source->words[open], "(") && open + 1 < source->n_words &&
           c_word_is_type(&source->words[open + 1]);
}

static void mark_within(struct c_source *source, unsigned open)
{
    const struct c_word *bracket = &source->words[open];
    bool is_for = open > 0 && c_word_is(&source->words[open - 1], "for");
    bool is_while = open > 0 && c_word_is(&source->words[open - 1], "while");
    unsigned n_semicolons = 0;
    for (unsigned i = open + 1; i < bracket->partner; i++) {
        struct c_word *word = &source->words[i];
        n_semicolons += c_word_is(word, ";");
        word->in_index = word->in_index || c_word_is(bracket, "[");
        word->in_head = word->in_head || is_head(source, open);
        word->in_loop = word->in_loop || is_for || is_while;
        word->in_step = word->in_step || (is_for && n_semicolons >= 2);
    }
}

static bool ends_head(const struct c_source *source, const struct c_word *word)
{
    return c_word_is(word, ")") && is_head(source, word->partner);
}

static void mark_words(struct c_source *source)
{
    for (unsigned i = 0; i < source->n_words; i++)
        if (is_open(&source->words[i]) && !c_word_is(&source->words[i], "{"))
            mark_within(source, i);
    for (unsigned i = 1; i + 1 < source->n_words; i++) {
        struct c_word *word = &source->words[i];
        const struct c_word *before = &source->words[i - 1];
        bool after_cast = c_word_is(before, ")") && is_cast(source, before->partner);
        word->binary = word->kind == WORD_SIGN && !is_open(word) && is_operand_end(before) &&
                       !after_cast && !ends_head(source, before) && !c_word_is_type(before);
        word->opens_statement =
            !word->in_head &&
            (c_word_is(before, ";") || c_word_is(before, "{") || c_word_is(before, "}") ||
             c_word_is(before, "else") || c_word_is(before, "do") || ends_head(source, before));
    }
}

bool c_word_assigns(const struct c_word *word)
{
    return word->kind == WORD_SIGN && word->begin[word->size - 1] == '=' &&
           !c_word_is(word, "==") && !c_word_is(word, "<=") && !c_word_is(word, ">=") &&
           !c_word_is(word, "!=");
}

static bool is_step(const struct c_word *word)
{
    return c_word_is(word, "++") || c_word_is(word, "--");
}

static void mark_targets(struct c_source *source)
{
    for (unsigned i = 1; i + 1 < source->n_words; i++) {
        const struct c_word *before = &source->words[i - 1], *after = &source->words[i + 1];
        bool address = c_word_is(before, "&") && !before->binary;
        source->words[i].is_target =
            source->words[i].kind == WORD_NAME &&
            (c_word_assigns(after) || is_step(after) || is_step(before) || address);
    }
}

unsigned c_statement_end(const struct c_source *source, unsigned at)
{
    if (at >= source->n_words)
        return at;
    const struct c_word *word = &source->words[at];
    if (c_word_is(word, "{"))
        return word->partner;
    if (at + 1 < source->n_words && is_head(source, at + 1)) {
        unsigned end = c_statement_end(source, source->words[at + 1].partner + 1);
        bool goes_on_else = c_word_is(word, "if") && end + 1 < source->n_words &&
                            c_word_is(&source->words[end + 1], "else");
        return goes_on_else ? c_statement_end(source, end + 2) : end;
    }
    for (unsigned i = at; i < source->n_words; i++) {
        if (c_word_is(&source->words[i], ";"))
            return i;
        if (is_open(&source->words[i]))
            i = source->words[i].partner;
    }
    return at;
}

/* ---- names ---- */

struct declaring {
    struct c_source *source;
    struct c_function *function;
    enum c_kind base;
    bool constant;
};

static enum c_kind base_of(const struct c_word *word, enum c_kind so_far)
{
    if (c_word_is(word, "float"))
        return KIND_FLOAT;
    if (c_word_is(word, "double"))
        return KIND_DOUBLES; /* which differs from float where it is an array */
    if (c_word_is(word, "bool") || c_word_is(word, "_Bool"))
        return KIND_BOOL;
    if (c_word_is(word, "void") || c_word_is(word, "char"))
        return KIND_OTHER;
    return so_far;
}

static enum c_kind kind_with(enum c_kind base, unsigned n_stars)
{
    if (base == KIND_OTHER || n_stars > 1)
        return KIND_OTHER;
    if (base == KIND_DOUBLES)
        return n_stars == 1 ? KIND_DOUBLES : KIND_FLOAT;
    if (n_stars == 0)
        return base;
    return base == KIND_FLOAT ? KIND_FLOATS : base == KIND_BOOL ? KIND_BOOLS : KIND_INTS;
}

/* Reads the words of a type; returns the position after them. */
static unsigned read_type(struct declaring *declaring, unsigned at)
{
    declaring->base = KIND_INT;
    declaring->constant = false;
    for (; c_word_is_type(&declaring->source->words[at]); at++) {
        declaring->base = base_of(&declaring->source->words[at], declaring->base);
        declaring->constant =
            declaring->constant || c_word_is(&declaring->source->words[at], "const");
    }
    return at;
}

/* Reads one declared name with its stars; returns the position after it and its brackets, or 0. */
static unsigned read_name(struct declaring *declaring, unsigned at, unsigned to)
{
    struct c_source *source = declaring->source;
    struct c_function *function = declaring->function;
    unsigned n_stars = 0;
    for (; c_word_is(&source->words[at], "*") || c_word_is_type(&source->words[at]); at++)
        n_stars += c_word_is(&source->words[at], "*");
    struct c_word *word = &source->words[at];
    if (word->kind != WORD_NAME || function->n_names == MOST_NAMES)
        return 0;
    word->is_target = true;
    for (at++; at < to && c_word_is(&source->words[at], "["); at = source->words[at].partner + 1)
        n_stars++;
    function->names[function->n_names++] =
        (struct c_name){.word = word,
                        .kind = kind_with(declaring->base, n_stars),
                        .constant = declaring->constant,
                        .from = at,
                        .to = to};
    return at;
}

/* False where they are too strange; then the function is left alone. */
static bool read_params(struct declaring *declaring)
{
    const struct c_source *source = declaring->source;
    struct c_function *function = declaring->function;
    bool none = function->close == function->open + 1 ||
                (function->close == function->open + 2 &&
                 c_word_is(&source->words[function->open + 1], "void"));
    for (unsigned i = function->open + 1; !none && i < function->close; i++) {
        unsigned at = read_type(declaring, i);
        if (at == i) /* a type of the learner's own, such as `struct shape` */
            declaring->base = KIND_OTHER;
        while (at == i && source->words[i].kind == WORD_NAME &&
               (source->words[i + 1].kind == WORD_NAME || c_word_is(&source->words[i + 1], "*")))
            at = ++i;
        i = read_name(declaring, at, function->end);
        if (i == 0 || i > function->close)
            return false;
    }
    function->n_params = function->n_names;
    return true;
}

/* A name is known after its own initial value. */
static void read_declaration(struct declaring *declaring, unsigned at, unsigned to)
{
    const struct c_source *source = declaring->source;
    at = read_type(declaring, at);
    for (;;) {
        at = read_name(declaring, at, to);
        if (at == 0)
            return;
        struct c_name *name = &declaring->function->names[declaring->function->n_names - 1];
        for (; !c_word_is(&source->words[at], ",") && !c_word_is(&source->words[at], ";"); at++) {
            if (is_open(&source->words[at]))
                at = source->words[at].partner;
            if (at >= to)
                return;
        }
        name->from = at;
        if (c_word_is(&source->words[at], ";"))
            return;
        at++;
    }
}

static void read_body(struct declaring *declaring)
{
    const struct c_source *source = declaring->source;
    const struct c_function *function = declaring->function;
    unsigned blocks[MOST_DEPTH], n_blocks = 0;
    for (unsigned i = function->body; i < function->end; i++) {
        const struct c_word *word = &source->words[i];
        if (c_word_is(word, "{"))
            blocks[n_blocks++] = i;
        else if (c_word_is(word, "}"))
            n_blocks--;
        else if (n_blocks > 0 && word->opens_statement && c_word_is_type(word))
            read_declaration(declaring, i, source->words[blocks[n_blocks - 1]].partner);
        else if (c_word_is(word, "for") && c_word_is_type(&source->words[i + 2]))
            read_declaration(declaring, i + 2, c_statement_end(source, i));
    }
}

static void mark_counting(const struct c_source *source, struct c_function *function)
{
    for (unsigned i = function->open; i < function->end; i++) {
        const struct c_word *after = &source->words[i + 1], *before = &source->words[i - 1];
        bool changes = is_step(after) || is_step(before) || c_word_is(after, "+=");
        for (unsigned k = function->n_names; changes && k-- > 0;) {
            struct c_name *name = &function->names[k];
            if (name->kind == KIND_INT && i >= name->from && i <= name->to &&
                c_words_same(name->word, &source->words[i])) {
                name->counts = true;
                break;
            }
        }
    }
}

const struct c_name *c_name_at(const struct c_source *source, const struct c_function *function,
                               unsigned at, const struct c_word *word)
{
    (void)source;
    const struct c_name *found = NULL;
    for (unsigned i = 0; i < function->n_names; i++) {
        const struct c_name *name = &function->names[i];
        if (at >= name->from && at <= name->to && c_words_same(name->word, word))
            found = name;
    }
    return found;
}

/* ---- functions ---- */

static bool add_function(struct c_source *source, unsigned first, unsigned body)
{
    struct c_function *function = &source->functions[source->n_functions];
    unsigned close = body - 1, open = source->words[close].partner;
    *function = (struct c_function){.first = first,
                                    .name = open - 1,
                                    .open = open,
                                    .close = close,
                                    .body = body,
                                    .end = source->words[body].partner};
    function->names = arena_take(&source->arena, MOST_NAMES * sizeof *function->names);
    if (function->names == NULL)
        return false;
    struct declaring declaring = {.source = source, .function = function};
    if (!read_params(&declaring))
        return true;
    read_body(&declaring);
    mark_counting(source, function);
    source->n_functions++;
    return true;
}

static bool read_functions(struct c_source *source)
{
    unsigned first = 0;
    source->functions = arena_take(&source->arena, MOST_FUNCTIONS * sizeof *source->functions);
    if (source->functions == NULL)
        return false;
    for (unsigned i = 0; i < source->n_code && source->n_functions < MOST_FUNCTIONS; i++) {
        const struct c_word *word = &source->words[i];
        if (c_word_is(word, "{") && i > first + 2 && c_word_is(word - 1, ")") &&
            (word - 1)->partner > first &&
            source->words[(word - 1)->partner - 1].kind == WORD_NAME &&
            !add_function(source, first, i))
            return false;
        if (is_open(word))
            i = word->partner;
        if (c_word_is(word, ";") || c_word_is(word, "{"))
            first = i + 1;
    }
    return true;
}

/* A directive from word `first` to the empty word `end`, with the parameters of `like`. */
static bool add_macro(struct c_source *source, const struct c_function *like, unsigned first,
                      unsigned end)
{
    const struct c_word *name = &source->words[first + 2], *after = name + 1;
    bool has_params = c_word_is(after, "(") && after->begin == name->begin + name->size;
    struct c_function macro = {.first = first,
                               .name = first + 2,
                               .open = first + 2,
                               .close = first + 2,
                               .body = has_params ? after->partner : first + 2,
                               .end = end,
                               .n_names = like->n_params,
                               .n_params = like->n_params,
                               .is_macro = true};
    macro.names = arena_take(&source->arena, (like->n_params + 1) * sizeof *macro.names);
    if (macro.names == NULL)
        return false;
    for (unsigned i = 0; i < macro.n_names; i++) {
        macro.names[i] = like->names[i];
        macro.names[i].from = macro.body;
        macro.names[i].to = end;
    }
    source->functions[source->n_functions++] = macro;
    return true;
}

static bool read_macros(struct c_source *source)
{
    unsigned n = source->n_functions;
    for (unsigned i = source->n_code; n > 0 && i < source->n_words; i++) {
        unsigned end = i;
        while (source->words[end].size > 0)
            end++;
        if (source->n_functions < MOST_FUNCTIONS &&
            !add_macro(source, &source->functions[n - 1], i, end))
            return false;
        i = end;
    }
    return true;
}

bool c_source_read(const char *text, size_t size, struct c_source *ret, struct error *reterr)
{
    struct c_source source = {.text = text, .size = size};
    bool ok = read_words(&source);
    if (ok && match_brackets(&source)) {
        mark_words(&source);
        mark_targets(&source);
        ok = read_functions(&source) && read_macros(&source);
    }
    if (!ok) {
        c_source_release(&source);
        return error_memory(reterr, "a learner's file");
    }
    *ret = source;
    return true;
}

void c_source_release(struct c_source *source)
{
    arena_release(&source->arena);
    *source = (struct c_source){0};
}
