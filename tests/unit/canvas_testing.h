/* What tests of panes share: what is drawn on a canvas, read back as rows of text. */
#ifndef ATTN_TESTS_CANVAS_TESTING_H
#define ATTN_TESTS_CANVAS_TESTING_H

#include "testing.h"

#include <stdio.h>
#include <string.h>

#include "ui/terminal/canvas.h"

struct seen {
    struct canvas canvas;
    char row[CANVAS_MAX_COLS * 4]; /* the row that was read last */
};

/* A row of the canvas without blanks at its end. */
static const char *seen_row(struct seen *seen, int row)
{
    char *at = seen->row;
    for (int col = 0; col < seen->canvas.cols; col++) {
        const char *bytes = seen->canvas.cells[row * seen->canvas.cols + col].bytes;
        memcpy(at, bytes, strlen(bytes));
        at += strlen(bytes);
    }
    while (at > seen->row && at[-1] == ' ')
        at--;
    *at = '\0';
    return seen->row;
}

/* The first row that holds a text, or -1. */
static int seen_find(struct seen *seen, const char *part)
{
    for (int row = 0; row < seen->canvas.rows; row++)
        if (strstr(seen_row(seen, row), part) != NULL)
            return row;
    return -1;
}

static void seen_check(const char *file, int line, struct seen *seen, const char *part, bool wanted)
{
    if ((seen_find(seen, part) >= 0) == wanted)
        return;
    for (int row = 0; row < seen->canvas.rows; row++)
        print_error("|%s\n", seen_row(seen, row));
    print_error("%s: %s\n", wanted ? "not shown" : "shown", part);
    _fail(file, line);
}

/* Nothing but ASCII is drawn. */
static void seen_check_ascii(struct seen *seen)
{
    for (int row = 0; row < seen->canvas.rows; row++)
        for (const char *c = seen_row(seen, row); *c != '\0'; c++)
            if ((unsigned char)*c >= 0x80)
                fail_msg("not ASCII: %s", seen_row(seen, row));
}

#endif
