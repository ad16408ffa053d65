/* See sentence.h. */
#include "lang/syntax/sentence.h"

#include <ctype.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "lang/syntax/parser.h"

static bool is_letter(char c)
{
    return isalpha((unsigned char)c) || (unsigned char)c >= 0x80 || c == '\'';
}

static size_t word_size(const char *line, size_t size, size_t at)
{
    size_t end = at;
    while (end < size && (is_letter(line[end]) || (end > at && line[end] == '-')))
        end++;
    return end - at;
}

static size_t pass_blanks(const char *line, size_t size, size_t at)
{
    while (at < size && strchr(" \t\r\n", line[at]) != NULL && line[at] != '\0')
        at++;
    return at;
}

static bool is_one_of(const char *const *words, size_t n, const char *word, size_t size)
{
    char small[16];
    if (size >= sizeof small)
        return false;
    for (size_t i = 0; i < size; i++)
        small[i] = (char)tolower((unsigned char)word[i]);
    for (size_t i = 0; i < n; i++)
        if (text_equals(small, size, words[i]))
            return true;
    return false;
}

/* Words of formulas, and of the Python around them. */
static bool is_keyword(const char *word, size_t size)
{
    static const char *const words[] = {"for", "in",     "if",   "else", "and", "or",    "not",
                                        "as",  "lambda", "from", "def",  "del", "class", "import"};
    return is_one_of(words, COUNT_OF(words), word, size);
}

/* Two words with only blanks between them, which no formula has. */
static bool has_words(command_lookup *find_command, const char *line, size_t size)
{
    size_t at = pass_blanks(line, size, 0), first = word_size(line, size, at);
    if (find_command(line + at, first) != NULL)
        at += first;
    while (at < size) {
        size_t word = word_size(line, size, at);
        size_t next = pass_blanks(line, size, at + word), after = word_size(line, size, next);
        if (word > 0 && next > at + word && after > 0 && !is_keyword(line + at, word) &&
            !is_keyword(line + next, after))
            return true;
        at = word > 0 ? next : at + 1;
    }
    return false;
}

static bool can_run(command_lookup *find_command, const char *line, size_t size)
{
    struct arena arena = {0};
    struct statement *first;
    struct error ignored;
    bool ok = parser_parse_line(&arena, find_command, line, size, &first, &ignored);
    arena_release(&arena);
    return ok;
}

/* The sign at the end of a sentence, which stands after a word; else NUL. */
static char end_sign(const char *line, size_t size)
{
    while (size > 0 && strchr(" \t\r\n", line[size - 1]) != NULL)
        size--;
    return size > 1 && strchr(".?!", line[size - 1]) != NULL && is_letter(line[size - 2])
               ? line[size - 1]
               : '\0';
}

bool sentence_is(command_lookup *find_command, const char *line, size_t size)
{
    return (has_words(find_command, line, size) || end_sign(line, size) != '\0') &&
           !can_run(find_command, line, size);
}

bool sentence_asks(command_lookup *find_command, const char *line, size_t size)
{
    static const char *const words[] = {
        "what",  "what's",  "whats",  "how",      "how's", "why",   "when", "where",
        "which", "who",     "is",     "are",      "can",   "could", "do",   "does",
        "did",   "should",  "would",  "will",     "must",  "may",   "has",  "have",
        "am",    "explain", "define", "describe", "tell",
    };
    size_t at = pass_blanks(line, size, 0);
    bool asks = end_sign(line, size) == '?' ||
                is_one_of(words, COUNT_OF(words), line + at, word_size(line, size, at));
    return asks && sentence_is(find_command, line, size);
}
