/* What is seen of the exercise pane. See exercise_pane_internal.h. */
#include <limits.h>
#include <string.h>

#include "base/array.h"
#include "exercise/solutions.h"
#include "result/result.h"
#include "show/markdown.h"
#include "ui/panes/exercise/exercise_pane_internal.h"

enum {
    TEXT_MAX_COLS = 88, /* longer lines are hard to read */
    MARGIN_COLS = 1,
    FOOT_ROWS = 1, /* what is going on */
    SAYS_ROWS = 3, /* at most, for what is said */
    HEAD_ROWS = 2, /* of the result: when and what, and an empty row */
    STEP_MS = 100, /* of the moving sign */
};

/* ---- the lines of the task ---- */

size_t exercise_pane_text_cols(int cols)
{
    return cols > 2 * MARGIN_COLS ? (size_t)(cols - 2 * MARGIN_COLS) : 1;
}

static size_t text_cols(const struct exercise_pane *pane)
{
    return pane->width_cols < TEXT_MAX_COLS ? pane->width_cols : TEXT_MAX_COLS;
}

/* "Exercise 4 of 18   tried, 3 attempts   about 20 minutes" */
static void add_status(const struct exercise_pane *pane, struct doc *doc)
{
    const struct exercise *exercise = exercise_pane_current(pane);
    const struct exercise_progress *done = &pane->done;
    doc_add(doc, STYLE_TITLE, "Exercise %u", exercise->number);
    doc_add(doc, STYLE_QUIET, " of %zu   ", pane->exercises.n);
    if (done->passed)
        doc_add(doc, STYLE_GOOD, "%s solved", pane->ascii ? "ok" : "\xE2\x9C\x93");
    else
        doc_add(doc, done->n_attempts > 0 ? STYLE_NOTE : STYLE_QUIET, "%s",
                done->n_attempts > 0 ? "tried" : "new");
    if (done->n_attempts > 0)
        doc_add(doc, STYLE_QUIET, ", %u attempt%s", done->n_attempts,
                done->n_attempts == 1 ? "" : "s");
    doc_add(doc, STYLE_QUIET, "   about %u minutes", exercise->minutes);
    doc_end_line(doc);
}

static void add_solutions(const struct exercise_pane *pane, struct doc *page)
{
    struct error error;
    int n_left;
    doc_end_line(page);
    if (!solutions_show(pane->data_dir, exercise_pane_current(pane), INT_MAX, page, &n_left,
                        &error))
        doc_wrap(page, STYLE_BAD, error.text, text_cols(pane), 0);
}

void exercise_pane_compose(struct exercise_pane *pane)
{
    struct doc *page = &pane->page;
    size_t cols = text_cols(pane);
    enum verdict verdict;
    doc_clear(page);
    add_status(pane, page);
    if (pane->path[0] != '\0')
        doc_line(page, STYLE_NAME, "%s", pane->path);
    else
        doc_wrap(page, STYLE_NOTE,
                 "No files of yours are here yet: w makes the folder " LEARNER_FOLDER ".", cols, 0);
    /* The last attempt, where it was not in this run of the program. */
    if (!pane->done.passed && pane->results[pane->at].doc.n_lines == 0 &&
        verdict_from_name(pane->done.last_verdict, &verdict))
        doc_line(page, STYLE_QUIET, "last time: %s", verdict_sentence(verdict));
    doc_end_line(page);
    const struct show_options options = {
        .width_cols = cols, .digits = pane->digits, .ascii = pane->ascii, .colour = pane->colour};
    markdown_show(page, text_string(&pane->task), pane->task.size, &options);
    const struct strings *hints = &exercise_pane_current(pane)->hints;
    for (unsigned i = 0; i < hints->n && i < pane->done.n_hints; i++) {
        doc_end_line(page);
        doc_line(page, STYLE_TITLE, "Hint %u of %u", i + 1, hints->n);
        doc_wrap(page, STYLE_PLAIN, hints->items[i], cols, 2);
    }
    if (pane->shows_solutions)
        add_solutions(pane, page);
}

/* ---- the rows ---- */

/* What is said takes lines at the foot, cut to SAYS_ROWS. */
static void lay_out_says(const struct exercise_pane *pane, struct doc *doc)
{
    if (pane->says.size > 0)
        doc_wrap(doc, pane->says_style, text_string(&pane->says), text_cols(pane), 0);
}

static int says_rows(const struct exercise_pane *pane)
{
    struct doc doc;
    doc_init(&doc);
    lay_out_says(pane, &doc);
    int rows = doc.n_lines < SAYS_ROWS ? (int)doc.n_lines : SAYS_ROWS;
    doc_release(&doc);
    return rows;
}

size_t exercise_pane_text_rows(const struct exercise_pane *pane, bool in_result)
{
    int rows = in_result ? pane->result_rows - HEAD_ROWS - find_is_open(&pane->result_find)
                         : pane->rows - FOOT_ROWS - says_rows(pane);
    return rows > 0 ? (size_t)rows : 1;
}

/* ---- drawing ---- */

static const char *moving_sign(const struct exercise_pane *pane, bool ascii)
{
    static const char *const plain[] = {"-", "\\", "|", "/"};
    static const char *const dots[] = {
        "\xE2\xA0\x8B", "\xE2\xA0\x99", "\xE2\xA0\xB9", "\xE2\xA0\xB8", "\xE2\xA0\xBC",
        "\xE2\xA0\xB4", "\xE2\xA0\xA6", "\xE2\xA0\xA7", "\xE2\xA0\x87", "\xE2\xA0\x8F"};
    size_t step = (size_t)(pane->elapsed_ms / STEP_MS);
    return ascii ? plain[step % (COUNT_OF(plain))] : dots[step % (COUNT_OF(dots))];
}

static int draw_job(const struct exercise_pane *pane, struct area area, int row, bool ascii)
{
    int col = area_text(area, row, MARGIN_COLS, look_of(STYLE_NOTE), moving_sign(pane, ascii));
    const char *stage = pane->job != EXERCISE_PANE_GRADES ? "making the files"
                        : pane->early.n_lines > 0         ? "looking closer"
                                                          : "compiling and running";
    col = area_format(area, row, col + 1, look_of(STYLE_NOTE), "%s %.1f s", stage,
                      (double)pane->elapsed_ms / 1e3);
    return area_text(area, row, col + 3, look_of(STYLE_QUIET), "Escape stops it");
}

/* "✓ passed  12:04:33" */
static int draw_verdict(const struct exercise_pane_result *result, struct area area, int row,
                        bool ascii)
{
    static const struct {
        const char *sign, *plain, *word;
        enum style style;
    } verdicts[] = {[EXERCISE_PANE_UNGRADED] = {"!", "!", "not graded", STYLE_BAD},
                    [EXERCISE_PANE_PASSED] = {"\xE2\x9C\x93", "ok", "passed", STYLE_GOOD},
                    [EXERCISE_PANE_FAILED] = {"\xE2\x9C\x97", "x", "not right yet", STYLE_BAD}};
    struct canvas_look look = look_marked(verdicts[result->verdict].style, MARK_BOLD);
    int col = area_format(area, row, MARGIN_COLS, look, "%s %s",
                          ascii ? verdicts[result->verdict].plain : verdicts[result->verdict].sign,
                          verdicts[result->verdict].word);
    return area_text(area, row, col + 2, look_of(STYLE_QUIET), result->clock);
}

static void draw_foot(const struct exercise_pane *pane, struct area area, int row, bool ascii)
{
    const struct exercise_pane_result *result = &pane->results[pane->at];
    if (pane->job != EXERCISE_PANE_IDLE)
        draw_job(pane, area, row, ascii);
    else if (result->doc.n_lines > 0)
        draw_verdict(result, area, row, ascii);
    else if (pane->path[0] != '\0')
        area_text(area, row, MARGIN_COLS, look_of(STYLE_QUIET),
                  pane->watches ? "Each save is graded; Enter grades now."
                                : "Enter grades your file.");
    else
        area_text(area, row, MARGIN_COLS, look_of(STYLE_QUIET), "w makes your files.");
}

/* Signs in the margin tell which lines go on at the right, and whether there are more above and
 * below. */
static void draw_lines(const struct doc *doc, struct exercise_pane_scroll from,
                       const struct find *find, struct area area, bool ascii)
{
    struct area lines = area_part(area, 0, MARGIN_COLS, area.rows, area.cols - 2 * MARGIN_COLS);
    size_t seen = from.col + exercise_pane_text_cols(area.cols);
    int margin = area.cols - 1;
    area_doc(lines, doc, from.line, from.col);
    find_mark(find, doc, from.line, from.col, lines);
    for (int row = 0; row < area.rows && from.line + (size_t)row < doc->n_lines; row++)
        if (doc_line_width(doc, from.line + (size_t)row) > seen)
            area_text(area, row, margin, look_of(STYLE_NOTE), ascii ? ">" : "\xE2\x80\xBA");
    if (from.line > 0)
        area_text(area, 0, margin, look_of(STYLE_QUIET), ascii ? "^" : "\xE2\x86\x91");
    if (doc->n_lines > from.line + (size_t)area.rows)
        area_text(area, area.rows - 1, margin, look_of(STYLE_QUIET), ascii ? "v" : "\xE2\x86\x93");
}

/* Over the last row. */
static void draw_find(const struct find *find, const char *quiet, struct area area, bool focused)
{
    find_draw(find, area_part(area, area.rows - 1, MARGIN_COLS, 1, area.cols - MARGIN_COLS), quiet,
              "", "not found", focused);
}

static void draw_says(const struct exercise_pane *pane, struct area area)
{
    struct doc doc;
    doc_init(&doc);
    lay_out_says(pane, &doc);
    area_doc(area_part(area, 0, MARGIN_COLS, area.rows, area.cols - MARGIN_COLS), &doc, 0, 0);
    doc_release(&doc);
}

void exercise_task_draw(const void *state, struct area area, bool focused, bool ascii)
{
    const struct exercise_pane *pane = state;
    if (!pane->is_open)
        return;
    int said = says_rows(pane), above = area.rows - FOOT_ROWS - said;
    if (above > 0)
        draw_lines(&pane->page, pane->scroll, &pane->find, area_part(area, 0, 0, above, area.cols),
                   ascii);
    draw_says(pane, area_part(area, above, 0, said, area.cols));
    draw_foot(pane, area, area.rows - 1, ascii);
    draw_find(&pane->find, "words of this task", area, focused);
}

static void draw_no_result(const struct exercise_pane *pane, struct area area)
{
    static const char *const lines[] = {"Nothing has been graded yet.", "", "o opens your editor,",
                                        "each save is graded at once,", "and Enter grades now."};
    bool has_file = pane->path[0] != '\0';
    if (!has_file)
        area_text(area, HEAD_ROWS, MARGIN_COLS, look_of(STYLE_QUIET),
                  "w makes your files; then each save is graded here.");
    for (size_t i = 0; has_file && i < COUNT_OF(lines); i++)
        area_text(area, HEAD_ROWS + (int)i, MARGIN_COLS, look_of(STYLE_QUIET), lines[i]);
}

void exercise_result_draw(const void *state, struct area area, bool focused, bool ascii)
{
    const struct exercise_pane *pane = state;
    if (!pane->is_open)
        return;
    const struct exercise_pane_result *result = &pane->results[pane->at];
    if (pane->job != EXERCISE_PANE_IDLE)
        draw_job(pane, area, 0, ascii);
    else if (result->doc.n_lines > 0)
        draw_verdict(result, area, 0, ascii);
    const struct doc *lines = exercise_pane_result_lines(pane);
    if (lines->n_lines == 0)
        draw_no_result(pane, area);
    else if (area.rows > HEAD_ROWS)
        draw_lines(lines, pane->result_scroll, &pane->result_find,
                   area_part(area, HEAD_ROWS, 0,
                             area.rows - HEAD_ROWS - find_is_open(&pane->result_find), area.cols),
                   ascii);
    draw_find(&pane->result_find, "words of this result", area, focused);
}
