/* How long a lesson takes, estimated from the text to read, the lines to type and the questions to
 * answer. */
#include "course/lesson/lesson_minutes.h"

#include <string.h>

#include "course/lesson/page.h"

enum {
    WORDS_A_MINUTE = 150,
    LINE_S = 15,           /* a line that is typed */
    EXERCISE_MINUTES = 20, /* one exercise in C */
};

/* From reading the question to its answer, hints and second tries included. */
static const unsigned question_s[QUESTION_KINDS] = {
    [QUESTION_NUMBER] = 80,  [QUESTION_CHOICE] = 60,     [QUESTION_MATRIX] = 110,
    [QUESTION_ORDER] = 80,   [QUESTION_FORMULA] = 130,   [QUESTION_CELL] = 80,
    [QUESTION_MASK] = 110,   [QUESTION_CHANGE] = 130,    [QUESTION_PREDICT] = 30,
    [QUESTION_EXERCISE] = 0, [QUESTION_REFLECTION] = 120};

static unsigned count_words(const char *text)
{
    unsigned n = 0;
    for (const char *at = text + strspn(text, " \t\r\n"); *at != '\0'; n++) {
        at += strcspn(at, " \t\r\n");
        at += strspn(at, " \t\r\n");
    }
    return n;
}

static unsigned count_lines(const struct lesson_text *code)
{
    const char *line;
    size_t size;
    unsigned n = 0;
    struct code_lines lines = code_lines_of(code);
    while (code_lines_next(&lines, &line, &size))
        n += !code_line_is_blank(line, size);
    return n;
}

struct lesson_minutes lesson_minutes(const struct lesson *lesson)
{
    unsigned n_words = 0, seconds = 0, n_exercises = 0;
    for (size_t i = 0; i < lesson->n_pages; i++) {
        const struct page *page = &lesson->pages[i];
        for (size_t k = 0; k < page->n_parts; k++)
            if (page->parts[k].kind == PART_PROSE)
                n_words += count_words(page->parts[k].source.text);
        if (page->offer.text != NULL)
            seconds += LINE_S * count_lines(&page->offer);
        if (page->question == NULL)
            continue;
        seconds += question_s[page->question->kind];
        if (page->question->because.text != NULL)
            n_words += count_words(page->question->because.text);
        n_exercises += page->question->kind == QUESTION_EXERCISE;
    }
    seconds += n_words * 60 / WORDS_A_MINUTE;
    return (struct lesson_minutes){(seconds + 59) / 60, n_exercises * EXERCISE_MINUTES};
}

unsigned lesson_longest_way(const struct lesson *lesson, bool counts_lines, unsigned *ret_line)
{
    unsigned longest = 0, now = 0;
    for (size_t i = 0; i < lesson->n_pages; i++) {
        const struct page *page = &lesson->pages[i];
        if (page->question != NULL)
            now = 0;
        else
            now += counts_lines && page->offer.text != NULL ? count_lines(&page->offer) + 1 : 1;
        if (now > longest) {
            longest = now;
            *ret_line = page->line;
        }
    }
    return longest;
}
