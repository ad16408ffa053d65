/* See completion.h. */
#include "shell/completion.h"

#include <glob.h>
#include <string.h>

#include "commands/completion.h"
#include "pipeline/exploration.h"
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

static void add_files(const char *word, size_t size, struct completions *completions)
{
    struct text pattern = {0};
    glob_t found;
    for (size_t i = 0; i < size; i++) {
        if (strchr("*?[\\", word[i]) != NULL) /* taken as it stands */
            text_char(&pattern, '\\');
        text_char(&pattern, word[i]);
    }
    text_char(&pattern, '*');
    if (!pattern.failed && glob(text_string(&pattern), GLOB_MARK, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            add(completions, found.gl_pathv[i]);
        globfree(&found);
    }
    text_release(&pattern);
}

/* After `explore` the options that the word before line[at] may become. False where there are none:
 * then *ret_start stays. */
static bool add_options(const char *line, size_t at, struct completions *completions,
                        size_t *ret_start)
{
    static const char word[] = "explore ";
    size_t start = at;
    if (strncmp(line + strspn(line, " "), word, sizeof word - 1) != 0)
        return false;
    while (start > 0 && line[start - 1] != ' ')
        start--;
    char option[EXPLORATION_WORD_BYTES];
    for (size_t i = 0; start < at && exploration_word(i, option); i++)
        if (strncmp(option, line + start, at - start) == 0)
            add(completions, option);
    if (completions->n > 0)
        *ret_start = start;
    return completions->n > 0;
}

void completions_find(struct tutor *tutor, bool in_screen, const char *line, size_t at,
                      struct completions *ret)
{
    size_t state = 0, start = at;
    const char *word;
    struct prompt_word first;
    text_clear(&ret->words);
    ret->n = ret->n_shared = 0;
    if (completion_names_file(line)) {
        while (start > 0 && strchr(" \t\n\"'", line[start - 1]) == NULL)
            start--;
        add_files(line + start, at - start, ret);
    } else if (!in_screen || !add_options(line, at, ret, &start)) {
        /* Words that only a line begins with; those of the language are found where it is asked. */
        for (size_t i = 0; at > 0 && prompt_word(i, &first); i++)
            if (first.kind != WORD_OF_LANGUAGE && (in_screen || first.kind != WORD_OF_SCREEN) &&
                strncmp(first.name, line, at) == 0)
                add(ret, first.name);
        if (ret->n > 0)
            start = 0;
        while (completion_next(tutor_session(tutor), line, at, &state, &start, &word))
            add(ret, word);
    }
    ret->start = start;
    /* Letters may follow a word's last letter only where they belong to the same character. */
    word = text_string(&ret->words);
    while (ret->n_shared > 0 && ((unsigned char)word[ret->n_shared] & 0xC0) == 0x80)
        ret->n_shared--;
    if (ret->words.failed)
        completions_release(ret);
}

void completions_release(struct completions *completions)
{
    text_release(&completions->words);
    *completions = (struct completions){0};
}
