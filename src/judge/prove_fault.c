/* A fault that a proof found: see prove_internal.h. */
#include <stdarg.h>
#include <stdio.h>

#include "judge/prove_internal.h"

void prove_fault(struct prove_report *report, const char *where, const char *format, ...)
{
    char text[900];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    doc_line(report->doc, STYLE_BAD, "%s: %s", where, text);
    report->n_faults++;
}

void prove_idea_fault(const struct exercise *exercise, const struct misconception *idea,
                      struct prove_report *report, const char *what)
{
    char where[600];
    snprintf(where, sizeof where, "%.500s:%u", exercise->path, idea->line);
    prove_fault(report, where, "misconception %s: %s", idea->id, what);
}
