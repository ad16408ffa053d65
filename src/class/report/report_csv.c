/* The csv format (RFC 4180, lines end in a newline): see report.h. */
#include <string.h>

#include "report/report_internal.h"

void report_csv_field(struct text *text, const char *bytes, size_t size)
{
    struct text safe = {0};
    result_safe_text(&safe, bytes, size, true);
    if (size > 0 && strchr("=+-@\t\r\n", bytes[0]) != NULL)
        text_put(text, "\"'");
    else
        text_char(text, '"');
    for (size_t i = 0; i < safe.size; i++)
        text_repeat(text, (char[]){safe.bytes[i], '\0'}, safe.bytes[i] == '"' ? 2 : 1);
    text_char(text, '"');
    text->failed = text->failed || safe.failed;
    text_release(&safe);
}

static void add_word(struct text *text, const char *word)
{
    report_csv_field(text, result_word(word), strlen(result_word(word)));
    text_char(text, ',');
}

static void add_ideas(struct text *text, const struct result *result)
{
    struct text ideas = {0};
    report_ideas(result, ";", &ideas);
    text->failed = text->failed || ideas.failed;
    report_csv_field(text, text_string(&ideas), ideas.size);
    text_char(text, ',');
    text_release(&ideas);
}

/* Empty if it is not known. */
static void add_measure(struct text *text, double number, const char *end)
{
    if (number > 0)
        text_format(text, "%.3f", number);
    text_put(text, end);
}

static void add_row(struct text *text, const struct result *result, const char *isolation)
{
    add_word(text, result->file);
    add_word(text, result->student);
    add_word(text, result->exercise);
    add_word(text, verdict_name(result->verdict));
    add_word(text, result->detail);
    bool counts = result_counts(result);
    if (result->verdict != VERDICT_UNCLEAR)
        text_format(text, "%.15g", counts ? result->score : 0);
    text_format(text, ",%.15g,%.3f,", counts ? result->max_score : 0, result->time_ms);
    add_ideas(text, result);
    text_format(text, "%s,", isolation);
    add_word(text, result->duplicate_of);
    add_measure(text, result->cpu_ms, ",");
    add_measure(text, result->memory_kib, ",");
    struct text doubt = {0};
    report_doubt(result, &doubt);
    report_csv_field(text, text_string(&doubt), doubt.size);
    text_char(text, '\n');
    text->failed = text->failed || doubt.failed;
    text_release(&doubt);
}

bool report_write_csv(const struct results *results, struct text *text, struct error *reterr)
{
    text_put(text, "file,student,exercise,verdict,detail,score,max_score,time_ms,misconceptions,"
                   "isolation,duplicate_of,cpu_ms,memory_kib,unclear\n");
    for (size_t i = 0; i < results->n; i++)
        add_row(text, &results->items[i], results_isolation(results));
    return report_check(text, reterr);
}
