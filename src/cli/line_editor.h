/* readline for the line REPL: the completion and the history that the screen's prompt has too. */
#ifndef ATTN_CLI_LINE_EDITOR_H
#define ATTN_CLI_LINE_EDITOR_H

#include "course/player/tutor.h"

/* Sets readline up. There is one for the whole program; tutor lives as long as it is used. */
void line_editor_open(struct tutor *tutor);

#endif
