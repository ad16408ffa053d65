/* What the line REPL and the screen's prompt share of readline: completion of the language's and
 * the course's words, and the history in a file. readline holds one line for the whole program, so
 * there is one of these at a time. */
#ifndef ATTN_UI_PANES_PROMPT_LINES_H
#define ATTN_UI_PANES_PROMPT_LINES_H

#include "course/player/tutor.h"

/* Sets completion up, and reads the history. more_words (or NULL) gives words that a line may begin
 * with besides the tutor's: i from 0 on, NULL behind the last. What keeps the history from being
 * kept is in problem, "" when all is well. */
void lines_open(struct tutor *tutor, const char *(*more_words)(size_t i), char problem[512]);
/* Keeps a line, of several rows perhaps, so that the arrow keys bring it back whole. */
void lines_remember(const char *line);

#endif
