/* See completion.h. */
#include "shell/completion.h"

#include <glob.h>
#include <string.h>

#include "lang/commands/completion.h"
#include "shell/prompt_word.h"

static void add(struct completions *completions, const char *word)
{
    const char *first = text_string(&completions->words);
    size_t shared = strlen(word);
    if (completions->n > 0)
        for (shared = 0; shared < completions->n_shared && word[shared] == first[shared];)
            shared++;
    completions->n_shared = shared;
    text_put(&completions->words, word);
    text_char(&completions->words, '\0');
    completions->n++;
}

bool completion_names_file(const char *line)
{
    line += strspn(line, " ");
    return strncmp(line, "load ", 5) == 0 || strncmp(line, "save ", 5) == 0;
}

/* What the shell's pattern of a file name takes as it stands. */
static void put_pattern(struct text *pattern, const char *word, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (strchr("*?[\\", word[i]) != NULL)
            text_char(pattern, '\\');
        text_char(pattern, word[i]);
    }
    text_char(pattern, '*');
}

static void add_files(const char *word, size_t size, struct completions *completions)
{
    struct text pattern = {0};
    glob_t found;
    put_pattern(&pattern, word, size);
    if (!pattern.failed && glob(text_string(&pattern), GLOB_MARK, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            add(completions, found.gl_pathv[i]);
        globfree(&found);
    }
    text_release(&pattern);
}

/* Words that only a line begins with; those of the language are found where it is asked. */
static void add_first_words(bool in_screen, const char *line, size_t at,
                            struct completions *completions)
{
    struct prompt_word word;
    for (size_t i = 0; prompt_word(i, &word); i++)
        if (word.kind != WORD_OF_LANGUAGE && (in_screen || word.kind != WORD_OF_SCREEN) &&
            strncmp(word.name, line, at) == 0)
            add(completions, word.name);
}

/* Letters may follow a word's last letter only where they belong to the same character. */
static void end_shared_at_character(struct completions *completions)
{
    const char *word = text_string(&completions->words);
    while (completions->n_shared > 0 && ((unsigned char)word[completions->n_shared] & 0xC0) == 0x80)
        completions->n_shared--;
}

void completions_find(struct tutor *tutor, bool in_screen, const char *line, size_t at,
                      struct completions *ret)
{
    size_t state = 0, start = at;
    const char *word;
    text_clear(&ret->words);
    ret->n = ret->n_shared = 0;
    if (completion_names_file(line)) {
        while (start > 0 && strchr(" \t\n\"'", line[start - 1]) == NULL)
            start--;
        add_files(line + start, at - start, ret);
    } else {
        if (at > 0)
            add_first_words(in_screen, line, at, ret);
        if (ret->n > 0)
            start = 0;
        while (completion_next(tutor_session(tutor), line, at, &state, &start, &word))
            add(ret, word);
    }
    ret->start = start;
    end_shared_at_character(ret);
    if (ret->words.failed)
        completions_release(ret);
}

void completions_release(struct completions *completions)
{
    text_release(&completions->words);
    *completions = (struct completions){0};
}
