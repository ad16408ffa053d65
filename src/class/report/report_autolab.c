/* The autolab format: a text for people, and a last line of JSON with a score for each problem. See
 * report.h. */
#include <string.h>

#include "report/report_internal.h"

static bool set_score(json_t *scores, const struct result *result)
{
    const char *problem = result_word(result->exercise);
    return problem[0] == '\0' || !result_counts(result) ||
           json_object_set_new(scores, problem, json_real(result->score)) == 0;
}

static json_t *scores_json(const struct results *results)
{
    json_t *scores = json_object();
    for (size_t i = 0; i < results->n; i++) {
        if (!set_score(scores, &results->items[i])) {
            json_decref(scores);
            return NULL;
        }
    }
    return scores;
}

bool report_write_autolab(const struct results *results, struct text *text, struct error *reterr)
{
    return report_write_text(results, text, reterr) &&
           report_add_json(text, json_pack("{s:o}", "scores", scores_json(results)), 0, reterr);
}
