/* Plain sentences for compilers' messages: see compiler_hints.h. */
#include "compile/compiler_hints.h"

#include <string.h>

#include "base/array.h"
#include "files/asset.h"
#include "files/yaml.h"

enum {
    MAX_PARTS = 2,     /* %1 and %2 */
    LONGEST_PART = 60, /* bytes of a name that are repeated */
};

/* ---- reading the file ---- */

/* Counts the pairs that were read so far, into those of headers or of names. */
struct pairs {
    struct compiler_hint_pair *items;
    size_t n;
};

static bool read_pair(struct yaml *yaml, yaml_value key, yaml_value value, void *context)
{
    struct pairs *pairs = context;
    struct compiler_hint_pair *pair = &pairs->items[pairs->n++];
    return yaml_read_text(yaml, key, &pair->key) && yaml_read_text(yaml, value, &pair->text);
}

static bool read_pairs(struct yaml *yaml, yaml_value map, void *ret)
{
    struct pairs *pairs = ret;
    pairs->items = arena_take(yaml->arena, (yaml_count(map) + 1) * sizeof *pairs->items);
    return pairs->items != NULL ? yaml_read_pairs(yaml, map, read_pair, pairs)
                                : error_memory(yaml->reterr, yaml->path);
}

struct hint_list {
    void *items;
    unsigned n;
};

static bool read_patterns(struct yaml *yaml, yaml_value list, void *ret)
{
    struct hint_list *patterns = ret;
    return yaml_read_list(yaml, list, yaml_read_text, sizeof(char *), &patterns->items,
                          &patterns->n);
}

static unsigned count_parts(const char *pattern)
{
    unsigned n = 0;
    for (; *pattern != '\0'; pattern++)
        n += *pattern == '%';
    return n;
}

/* Whether a sentence (NULL: there is none) names only what each pattern keeps. */
static bool check_sentence(struct yaml *yaml, const struct compiler_hint *hint,
                           const char *sentence)
{
    for (const char *at = sentence; at != NULL && (at = strchr(at, '%')) != NULL; at += 2) {
        if (at[1] == 'f' || at[1] == 'p')
            continue;
        if (at[1] != '1' && at[1] != '2')
            return yaml_fault(yaml, hint->line, "after %% stands 1, 2, f or p");
        for (unsigned i = 0; i < hint->n_when; i++)
            if (count_parts(hint->when[i]) < (unsigned)(at[1] - '0'))
                return yaml_fault(yaml, hint->line, "%%%c is said, and \"%s\" has no such %%",
                                  at[1], hint->when[i]);
    }
    return true;
}

static bool read_hint(struct yaml *yaml, yaml_value value, void *ret)
{
    struct compiler_hint *hint = ret;
    struct hint_list when = {NULL, 0};
    const struct yaml_field fields[] = {
        {"when", read_patterns, &when, true},
        {"say", yaml_read_text, &hint->say, true},
        {"is_name", yaml_read_flag, &hint->is_name, false},
        {"counter", yaml_read_text, &hint->counter, false},
        {"function", yaml_read_text, &hint->function, false},
    };
    hint->line = yaml_line(value);
    if (!yaml_read_fields(yaml, value, "a hint", fields, COUNT_OF(fields)))
        return false;
    hint->when = when.items;
    hint->n_when = when.n;
    for (unsigned i = 0; i < hint->n_when; i++) {
        unsigned n = count_parts(hint->when[i]);
        if (n > MAX_PARTS)
            return yaml_fault(yaml, hint->line, "\"%s\" has more than %d %%", hint->when[i],
                              MAX_PARTS);
        if (n == 0 && (hint->is_name || hint->counter != NULL || hint->function != NULL))
            return yaml_fault(yaml, hint->line, "\"%s\" has no %% for the name", hint->when[i]);
    }
    return check_sentence(yaml, hint, hint->say) && check_sentence(yaml, hint, hint->counter) &&
           check_sentence(yaml, hint, hint->function);
}

static bool read_hints(struct yaml *yaml, yaml_value list, void *ret)
{
    struct hint_list *hints = ret;
    return yaml_read_list(yaml, list, read_hint, sizeof(struct compiler_hint), &hints->items,
                          &hints->n);
}

bool compiler_hints_read(const char *path, const char *text, size_t size,
                         struct compiler_hints *ret, struct error *reterr)
{
    struct compiler_hints read = {.n_hints = 0};
    struct pairs headers = {NULL, 0}, names = {NULL, 0};
    struct hint_list hints = {NULL, 0};
    const struct yaml_field fields[] = {
        {"headers", read_pairs, &headers, true},
        {"names", read_pairs, &names, true},
        {"hints", read_hints, &hints, true},
    };
    struct yaml yaml;
    yaml_value root;
    if (!yaml_open(&yaml, path, text, size, &read.arena, &root, reterr)) {
        compiler_hints_release(&read);
        return false;
    }
    bool ok = yaml_read_fields(&yaml, root, "the hints", fields, COUNT_OF(fields));
    yaml_close(&yaml);
    if (!ok) {
        compiler_hints_release(&read);
        return false;
    }
    read.headers = headers.items;
    read.n_headers = headers.n;
    read.names = names.items;
    read.n_names = names.n;
    read.hints = hints.items;
    read.n_hints = hints.n;
    *ret = read;
    return true;
}

bool compiler_hints_open(const char *data_dir, struct compiler_hints *ret, struct error *reterr)
{
    struct asset file;
    bool ok = asset_read(&file, data_dir, "compiler-hints.yaml", reterr) &&
              compiler_hints_read(file.path, text_string(&file.text), file.text.size, ret, reterr);
    asset_release(&file);
    return ok;
}

void compiler_hints_release(struct compiler_hints *hints)
{
    arena_release(&hints->arena);
    *hints = (struct compiler_hints){.n_hints = 0};
}

/* ---- matching ---- */

struct part {
    const char *begin;
    size_t size;
};

static bool part_is(struct part part, const char *word)
{
    return strlen(word) == part.size && memcmp(word, part.begin, part.size) == 0;
}

/* Does text begin with the pattern up to its next wildcard? Returns where both go on. */
static bool literal_matches(const char **pattern, const char **text)
{
    while (**pattern != '\0' && **pattern != '%' && **pattern != '~') {
        if (**pattern != **text)
            return false;
        (*pattern)++;
        (*text)++;
    }
    return true;
}

/* Moves *text to the first place that goes on like the pattern. */
static bool find_literal(const char **pattern, const char **text)
{
    for (const char *at = *text;; at++) {
        const char *p = *pattern, *t = at;
        if (literal_matches(&p, &t) && (*p != '\0' || *t == '\0')) {
            *text = at;
            return true;
        }
        if (*at == '\0')
            return false;
    }
}

/* A wildcard stands for as little as what follows it allows, which suffices here. */
static bool matches(const char *pattern, const char *text, struct part parts[MAX_PARTS])
{
    size_t n = 0;
    while (literal_matches(&pattern, &text)) {
        if (*pattern == '\0')
            return *text == '\0';
        bool kept = *pattern++ == '%';
        const char *begin = text;
        if (*pattern == '\0')
            text += strlen(text);
        else if (!find_literal(&pattern, &text))
            return false;
        if (kept && n < MAX_PARTS)
            parts[n++] = (struct part){begin, (size_t)(text - begin)};
    }
    return false;
}

/* The first hint with a pattern for the message; NULL: none. */
static const struct compiler_hint *find_hint(const struct compiler_hints *hints,
                                             const char *message, struct part parts[MAX_PARTS])
{
    for (unsigned i = 0; i < hints->n_hints; i++)
        for (unsigned k = 0; k < hints->hints[i].n_when; k++) {
            parts[0] = parts[1] = (struct part){"", 0};
            if (matches(hints->hints[i].when[k], message, parts))
                return &hints->hints[i];
        }
    return NULL;
}

/* ---- saying ---- */

static bool has_word(const char *words, struct part word)
{
    for (size_t size; *words != '\0'; words += size + (words[size] == ' ')) {
        size = strcspn(words, " ");
        if (size == word.size && memcmp(words, word.begin, size) == 0)
            return true;
    }
    return false;
}

/* Explains a name of the C library, or a word of another language. */
static bool explain_name(const struct compiler_hints *hints, struct part name, struct text *text)
{
    for (size_t i = 0; i < hints->n_headers; i++) {
        if (has_word(hints->headers[i].text, name)) {
            text_format(text, "%.*s needs #include <%s> at the top of the file.", (int)name.size,
                        name.begin, hints->headers[i].key);
            return true;
        }
    }
    for (size_t i = 0; i < hints->n_names; i++) {
        if (part_is(name, hints->names[i].key)) {
            text_put(text, hints->names[i].text);
            return true;
        }
    }
    return false;
}

static void say(const char *sentence, const struct compiler_hint_context *context,
                const struct part *parts, struct text *text)
{
    for (const char *at = sentence; *at != '\0'; at++) {
        if (*at != '%') {
            text_char(text, *at);
            continue;
        }
        at++;
        if (*at == 'f') {
            text_put(text, context->function);
        } else if (*at == 'p') {
            text_put(text, context->prototype);
        } else {
            struct part part = parts[*at - '1'];
            bool fits = part.size <= LONGEST_PART;
            text_add(text, part.begin, fits ? part.size : LONGEST_PART);
            text_put(text, fits ? "" : "...");
        }
    }
}

bool compiler_hints_explain(const struct compiler_hints *hints, const char *message,
                            const struct compiler_hint_context *context, struct text *text)
{
    struct part parts[MAX_PARTS];
    const struct compiler_hint *hint = find_hint(hints, message, parts);
    if (hint == NULL)
        return false;
    if (hint->is_name && explain_name(hints, parts[0], text))
        return true;
    bool is_counter = parts[0].size == 1 && strchr("ijklrcdhnpqt", *parts[0].begin) != NULL;
    if (hint->function != NULL && part_is(parts[0], context->function))
        say(hint->function, context, parts, text);
    else if (hint->counter != NULL && is_counter)
        say(hint->counter, context, parts, text);
    else
        say(hint->say, context, parts, text);
    return true;
}
