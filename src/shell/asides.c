/* See asides.h. */
#include "shell/asides.h"

#include <stdio.h>
#include <string.h>

#include "course/player/tutor.h"

static const struct {
    const char *word, *usage, *summary;
} asides[ASIDE_COUNT] = {
    [ASIDE_EXERCISES] = {"exercises", "exercises",
                         "Lists the exercises in C, with what is solved."},
    [ASIDE_WORKSPACE] = {"workspace", "workspace, workspace DIR",
                         "Makes a folder with the exercises' starters, for your editor."},
    [ASIDE_EXERCISE] = {"exercise", "exercise, exercise ID", "What an exercise asks for."},
    [ASIDE_CHECK] = {"check", "check, check FILE, check ID",
                     "Grades one exercise: the one you saved last, where none is named."},
    [ASIDE_EXPLORE] = {"explore", "explore, explore SENTENCE, explore NAME",
                       "Opens the explorer, on a sentence or on a tensor of yours."},
    [ASIDE_HOME] = {"home", "home", "Goes to the list of all there is."},
    [ASIDE_THEME] = {"theme", "theme dark, theme light, theme contrast",
                     "The colours of the screen; they stay for the next time."},
    [ASIDE_PALETTE] = {"palette", "palette viridis, palette cividis, palette grey",
                       "The colours of heatmaps; they stay for the next time."},
};

static size_t n_words(bool in_screen)
{
    return in_screen ? ASIDE_COUNT : ASIDE_EXPLORE;
}

const char *aside_word(size_t i)
{
    return i < n_words(false) ? asides[i].word : NULL;
}

const char *aside_screen_word(size_t i)
{
    return i < n_words(true) ? asides[i].word : NULL;
}

bool aside_usage(size_t i, bool in_screen, const char **ret_usage, const char **ret_summary)
{
    if (i >= n_words(in_screen))
        return false;
    *ret_usage = asides[i].usage;
    *ret_summary = asides[i].summary;
    return true;
}

/* The number of a word, or n_words(). */
static size_t find(const char *word, bool in_screen)
{
    size_t i = 0, n = n_words(in_screen);
    while (i < n && (word == NULL || strcmp(word, asides[i].word) != 0))
        i++;
    return i;
}

static const char blanks[] = " \t\r\n";

/* Cuts the line at blanks, as far as there is room for words. False where it is too long. */
static bool split(const char *line, struct aside_line *ret)
{
    char *rest = NULL;
    ret->n = 0;
    if (snprintf(ret->copy, sizeof ret->copy, "%s", line) >= (int)sizeof ret->copy)
        return false;
    char *word = strtok_r(ret->copy, blanks, &rest);
    for (; word != NULL && ret->n <= ASIDE_MAX_WORDS; word = strtok_r(NULL, blanks, &rest))
        ret->words[ret->n++] = word;
    ret->words[ret->n] = NULL;
    ret->n += word != NULL; /* there are more */
    return ret->n > 0;
}

static void find_rest(const char *line, struct aside_line *ret)
{
    const char *rest = line + strspn(line, blanks);
    rest += strcspn(rest, blanks);
    rest += strspn(rest, blanks);
    size_t size = strlen(rest);
    while (size > 0 && strchr(blanks, rest[size - 1]) != NULL)
        size--;
    bool quoted = size >= 2 && (rest[0] == '"' || rest[0] == '\'') && rest[size - 1] == rest[0];
    ret->rest = rest + quoted;
    ret->rest_size = size - 2 * (size_t)quoted;
}

/* A word with an operator behind it is a name in a formula. */
static bool is_formula(const struct aside_line *line)
{
    return line->rest[0] == '=' || tutor_goes_on_as_formula(line->rest, strlen(line->rest));
}

bool aside_read(const char *line, bool in_screen, struct aside_line *ret)
{
    if (!split(line, ret))
        return false;
    size_t i = find(ret->words[0], in_screen);
    ret->aside = (enum aside)i;
    find_rest(line, ret);
    return i < n_words(in_screen) && !is_formula(ret) &&
           (ret->n <= ASIDE_MAX_WORDS || i == ASIDE_EXPLORE);
}

static bool asks_for_help(const char *line, int most, struct aside_line *ret)
{
    return split(line, ret) && strcmp(ret->words[0], "help") == 0 && ret->n <= most;
}

bool aside_help(const char *line, bool in_screen, size_t width_cols, struct doc *out)
{
    struct aside_line asked;
    const char *usage, *summary;
    if (!asks_for_help(line, 2, &asked) ||
        !aside_usage(find(asked.words[1], in_screen), in_screen, &usage, &summary))
        return false;
    doc_line(out, STYLE_TITLE, "%s", usage);
    doc_wrap(out, STYLE_PLAIN, summary, width_cols, 2);
    return true;
}

static void list(const char *heading, size_t begin, size_t end, struct doc *out)
{
    doc_line(out, STYLE_TITLE, "%s", heading);
    doc_add(out, STYLE_NAME, "  ");
    for (size_t i = begin; i < end; i++)
        doc_add(out, STYLE_NAME, "%s%s", i > begin ? " " : "", asides[i].word);
    doc_end_line(out);
}

void aside_list(const char *line, bool in_screen, struct doc *out)
{
    struct aside_line asked;
    if (!asks_for_help(line, 1, &asked))
        return;
    list("exercises in C", 0, ASIDE_EXPLORE, out);
    if (in_screen)
        list("the screen", ASIDE_EXPLORE, ASIDE_COUNT, out);
}
