/* Pieces of a text: see split_internal.h. */
#include "files/split_internal.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <string.h>
#include <utf8proc.h>

#include "base/array.h"
#include "base/text.h"

#define REST_OF_WORDS "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
#define WORDS "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|"

/* The patterns of the models that attn knows, in the words of their tokenizer.json. All of them
 * match without going back far, so that a text takes time in proportion to its length. */
static const char *const known[] = {
    SPLIT_GPT2, SPLIT_DIGIT,           /* StarCoder, SmolLM, before GPT-2's */
    WORDS "\\p{N}{1,3}" REST_OF_WORDS, /* Llama 3 */
    WORDS "\\p{N}" REST_OF_WORDS,      /* Qwen2, Qwen3 */
};

void split_release(struct split *split)
{
    for (unsigned i = 0; i < split->n_steps; i++)
        pcre2_code_free(split->codes[i]);
    *split = (struct split){.n_steps = 0};
}

/* The same pattern for pcre2, whose own \s also includes U+180E, which is not white space. */
static void translate(const char *pattern, struct text *text)
{
    for (const char *at = pattern; *at != '\0'; at++) {
        if (at[0] == '\\' && (at[1] == 's' || at[1] == 'S'))
            text_put(text, *++at == 's' ? "\\p{White_Space}" : "\\P{White_Space}");
        else if (at[0] == '\\' && at[1] != '\0')
            text_add(text, at++, 2);
        else
            text_char(text, *at);
    }
}

static bool compile(const char *pattern, pcre2_code **ret, struct error *reterr)
{
    struct text text = {0};
    int problem;
    PCRE2_SIZE place;
    translate(pattern, &text);
    *ret = text.failed ? NULL
                       : pcre2_compile((PCRE2_SPTR)text_string(&text), text.size,
                                       PCRE2_UTF | PCRE2_UCP, &problem, &place, NULL);
    text_release(&text);
    return *ret != NULL || error_memory(reterr, "the pattern of a tokenizer");
}

bool split_add(struct split *split, const char *pattern, struct error *reterr)
{
    char shown[200];
    size_t at = 0;
    while (at < COUNT_OF(known) && strcmp(known[at], pattern) != 0)
        at++;
    if (at == COUNT_OF(known))
        return error_set(
            reterr, ERR_NAME,
            "it splits text by the pattern %s, and attn knows those of GPT-2, Llama 3, "
            "Qwen2 and SmolLM",
            error_quote(shown, sizeof shown, pattern, strlen(pattern)));
    if (split->n_steps == SPLIT_MAX_STEPS)
        return error_set(reterr, ERR_LIMIT, "it splits text in more than %d steps",
                         SPLIT_MAX_STEPS);
    if (!compile(known[at], &split->codes[split->n_steps], reterr))
        return false;
    split->patterns[split->n_steps++] = known[at];
    return true;
}

/* ---- cutting ---- */

struct cut {
    const struct split *split;
    pcre2_match_data *match;
    pcre2_match_context *limits;
    const char *text; /* text[0] is byte `begin` of the whole */
    size_t begin;
    split_each *each;
    void *context;
    struct error *reterr;
};

static bool cut_valid(struct cut *cut, unsigned step, size_t begin, size_t end);

/* Hands on the piece [begin, end), if there is one. */
static bool pass(struct cut *cut, unsigned step, size_t begin, size_t end)
{
    if (begin == end)
        return true;
    if (step < cut->split->n_steps)
        return cut_valid(cut, step, begin, end);
    return cut->each(cut->context, cut->text + begin, end - begin, cut->begin + begin, cut->reterr);
}

/* Cuts [begin, end), which is UTF-8, by `step` and the steps after it: a pattern sees nothing
 * before and after its piece. */
static bool cut_valid(struct cut *cut, unsigned step, size_t begin, size_t end)
{
    const PCRE2_SIZE *found = pcre2_get_ovector_pointer(cut->match);
    size_t size = end - begin, done = 0;
    while (done < size) {
        int n = pcre2_match(cut->split->codes[step], (PCRE2_SPTR)(cut->text + begin), size, done,
                            PCRE2_NO_UTF_CHECK, cut->match, cut->limits);
        if (n < 0 && n != PCRE2_ERROR_NOMATCH)
            return error_memory(cut->reterr, "cutting a text into words");
        size_t from = n > 0 ? found[0] : size, to = n > 0 ? found[1] : size;
        if (!pass(cut, step + 1, begin + done, begin + from) ||
            !pass(cut, step + 1, begin + from, begin + to))
            return false;
        done = to;
    }
    return true;
}

/* The end of the bytes from `at` on that are UTF-8 or, if `valid` is false, that are not. */
static size_t run_of(const char *text, size_t size, size_t at, bool valid)
{
    utf8proc_int32_t letter;
    while (at < size) {
        utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)text + at,
                                              (utf8proc_ssize_t)(size - at), &letter);
        if ((n > 0) != valid)
            break;
        at += n > 0 ? (size_t)n : 1;
    }
    return at;
}

static bool cut_all(struct cut *cut, size_t size)
{
    for (size_t at = 0; at < size;) {
        size_t valid_end = run_of(cut->text, size, at, true);
        if (!pass(cut, 0, at, valid_end))
            return false;
        at = run_of(cut->text, size, valid_end, false);
        if (!pass(cut, cut->split->n_steps, valid_end, at))
            return false;
    }
    return true;
}

bool split_run(const struct split *split, const char *text, size_t size, size_t begin,
               split_each *each, void *context, struct error *reterr)
{
    struct cut cut = {split,
                      pcre2_match_data_create(1, NULL),
                      pcre2_match_context_create(NULL),
                      text,
                      begin,
                      each,
                      context,
                      reterr};
    bool ok = cut.match != NULL && cut.limits != NULL;
    if (ok) {
        pcre2_set_match_limit(cut.limits, UINT32_MAX); /* the patterns are ours */
        ok = cut_all(&cut, size);
    } else {
        error_memory(reterr, "cutting a text into words");
    }
    pcre2_match_data_free(cut.match);
    pcre2_match_context_free(cut.limits);
    return ok;
}
