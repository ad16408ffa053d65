/* See lesson_run_internal.h; the functions that keep pages are in player_internal.h. */
#include "course/player/player_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "course/lesson/page.h"
#include "commands/command.h"
#include "lang/syntax/lexer.h"

static const char page_mark[] = "# page "; /* a line of the log: this page was reached */

enum { MAX_NOTED_LINES = 64 }; /* of an offer: struct lesson_run has a bit for each */

void lesson_run_init(struct lesson_run *run, const struct lesson *lesson,
                     const struct settings *settings, const char *data_dir,
                     const volatile sig_atomic_t *stop)
{
    *run = (struct lesson_run){.lesson = lesson};
    session_init(&run->session, command_find, settings, data_dir, stop);
}

void lesson_run_release(struct lesson_run *run)
{
    for (size_t i = 0; run->kept != NULL && i < run->lesson->n_pages; i++) {
        page_record_release(&run->kept[i].page);
        code_record_release(&run->kept[i].offer);
        question_cells_release(&run->kept[i].cells);
        text_release(&run->kept[i].told);
    }
    free(run->kept);
    session_release(&run->session);
}

bool lesson_run_keep(struct lesson_run *run, struct error *reterr)
{
    run->kept = calloc(run->lesson->n_pages, sizeof *run->kept);
    if (run->kept == NULL)
        return error_memory(reterr, "a lesson");
    session_keep_past(&run->session);
    return true;
}

void lesson_run_restart(struct lesson_run *run)
{
    struct settings settings = run->session.settings;
    const char *data_dir = run->session.data_dir;
    const volatile sig_atomic_t *stop = run->session.graph.stop;
    session_release(&run->session);
    session_init(&run->session, command_find, &settings, data_dir, stop);
    run->reached = run->n_lines = run->picture_page = 0;
    run->n_drawings = 0;
    if (run->kept != NULL)
        session_keep_past(&run->session);
}

void lesson_run_log_line(struct lesson_run *run, const char *line, size_t size)
{
    if (run->log == NULL)
        return;
    text_add(run->log, line, size);
    if (size == 0 || line[size - 1] != '\n')
        text_char(run->log, '\n');
}

/* To be called after code of a page, or of its offer, has run. */
static void note_picture(struct lesson_run *run, size_t page)
{
    if (run->session.n_drawings != run->n_drawings)
        run->picture_page = page + 1;
    run->n_drawings = run->session.n_drawings;
}

static struct run_mark mark_of(const struct lesson_run *run)
{
    return (struct run_mark){run->session.past.n, run->picture_page};
}

static void reach(struct lesson_run *run, size_t page)
{
    note_picture(run, page);
    if (run->kept != NULL)
        run->kept[page].end = mark_of(run);
    run->reached = page + 1;
    run->n_lines = 0;
    run->typed = 0;
    run->offer_is_closed = false;
}

/* ---- lines of the lesson ---- */

/* Code of the lesson on its way into the session. */
struct code_walk {
    struct lesson_run *run;
    const struct lesson_text *code;
    bool shows;                 /* lines are added to out, with their output */
    struct code_record *record; /* gets the lines that worked; or NULL */
    bool told;                  /* a failed line was reported; later ones are not */
    bool worked;                /* the last line that ran */
    struct doc *out;
    struct page_lines *picture; /* in out, as code_record_show() sets it; or NULL */
    struct error *reterr;
};

/* Runs a line, which may not touch the learner's files. False when the walk has to stop. */
static bool run_line(struct code_walk *walk, const char *line, size_t size)
{
    struct lesson_run *run = walk->run;
    struct settings *settings = &run->session.settings;
    struct code_record own = {0}, *record = walk->record != NULL ? walk->record : &own;
    size_t n_before = record->n;
    struct error error;
    char text[sizeof error.text + 200];
    bool no_files = settings->no_files;
    settings->no_files = true;
    walk->worked = code_record_run(&run->session, line, size, record, &error);
    settings->no_files = no_files;
    if (walk->worked && !code_line_is_blank(line, size))
        lesson_run_log_line(run, line, size);
    if (walk->worked && walk->shows)
        code_record_show(&(struct code_record){.lines = record->lines + n_before, .n = 1},
                         settings->width_cols, walk->out, walk->picture);
    code_record_release(&own);
    if (walk->worked)
        return true;
    if (error_is_stop(&error))
        return error_set(walk->reterr, error.kind, "%s", error.text);
    if (!run->is_tolerant) {
        error_set(walk->reterr, error.kind, "%s", error.text);
        return lesson_place_error(run->lesson, code_line_number(walk->code, line), walk->reterr);
    }
    snprintf(text, sizeof text,
             "The lesson's code does not work here with your variables: %s. The page shows it with "
             "the lesson's own; lesson %s again starts it afresh.",
             error.text, run->lesson->id);
    if (!walk->told)
        doc_wrap(walk->out, STYLE_NOTE, text, settings->width_cols, 0);
    walk->told = true;
    return true;
}

/* ---- a page's code ---- */

/* Keeping unfinished work only makes sense in the learner's session, which goes on later. */
static bool stop_run(struct lesson_run *run)
{
    if (!run->is_tolerant)
        lesson_run_restart(run);
    return false;
}

bool lesson_run_page(struct lesson_run *run, size_t page, struct doc *out, struct error *reterr)
{
    const struct page *now = &run->lesson->pages[page];
    struct code_walk walk = {.run = run, .out = out, .reterr = reterr};
    const char *line;
    size_t size, n = 0; /* lines so far */
    if (page < run->reached)
        return true;
    for (size_t i = 0; i < now->n_parts; i++) {
        walk.code = &now->parts[i].source;
        if (now->parts[i].kind == PART_PROSE)
            continue;
        struct code_lines lines = code_lines_of(walk.code);
        for (; code_lines_next(&lines, &line, &size); n++) {
            if (n < run->n_lines)
                continue; /* it ran before the page was interrupted */
            if (!run_line(&walk, line, size))
                return stop_run(run);
            run->n_lines++;
        }
    }
    if (run->log != NULL)
        text_format(run->log, "%s%s\n", page_mark, now->name);
    run->n_runs++;
    reach(run, page);
    return true;
}

bool lesson_run_take_page(struct lesson_run *run, size_t page, unsigned look, struct error *reterr)
{
    unsigned line = 0;
    struct page_record record = {0};
    run->n_runs++;
    if (!page_take(&run->session, &run->lesson->pages[page], look, &record, &line, reterr)) {
        lesson_place_error(run->lesson, line, reterr);
        return stop_run(run);
    }
    page_record_release(&run->kept[page].page);
    run->kept[page].page = record;
    reach(run, page);
    return true;
}

/* ---- the lines that a page offers to type ---- */

/* The code that the last reached page offers, or NULL when nothing of it is asked for. */
static const struct lesson_text *open_offer(const struct lesson_run *run)
{
    if (run->reached == 0 || run->offer_is_closed)
        return NULL;
    const struct lesson_text *offer = &run->lesson->pages[run->reached - 1].offer;
    return offer->text != NULL ? offer : NULL;
}

/* The bit of a line in run->typed; 0 for a line that can't be noted as typed. */
static uint64_t line_bit(size_t line)
{
    return line < MAX_NOTED_LINES ? (uint64_t)1 << line : 0;
}

/* Keeps the output of the lines of the last reached page's offer. */
static void keep_offer(struct lesson_run *run, const struct code_record *record)
{
    struct kept_page *kept = &run->kept[run->reached - 1];
    code_record_release(&kept->offer);
    kept->offer = *record;
    kept->offer_cols = run->session.settings.width_cols;
    kept->has_offer = true;
    kept->closed = mark_of(run);
}

static bool close_offer(struct lesson_run *run, bool shows, struct doc *out,
                        struct page_lines *ret_picture, struct error *reterr)
{
    struct code_record record = {0};
    struct code_walk walk = {.run = run,
                             .code = open_offer(run),
                             .shows = shows,
                             .record = run->kept != NULL ? &record : NULL,
                             .out = out,
                             .picture = ret_picture,
                             .reterr = reterr};
    const char *line;
    size_t size;
    struct code_lines lines = code_lines_of(walk.code);
    for (size_t i = 0; code_lines_next(&lines, &line, &size); i++) {
        if ((run->typed & line_bit(i)) != 0 || code_line_is_blank(line, size))
            continue;
        walk.told = false; /* each line that fails is reported */
        if (!run_line(&walk, line, size)) {
            code_record_release(&record);
            return stop_run(run);
        }
        if (walk.worked)
            run->typed |= line_bit(i); /* when a later line is interrupted, this one has run */
    }
    if (run->offer_is_closed)
        return true;
    note_picture(run, run->reached - 1);
    run->offer_is_closed = true;
    if (run->kept != NULL && run->reached > 0)
        keep_offer(run, &record);
    return true;
}

bool lesson_run_show_offer(struct lesson_run *run, struct doc *out, struct page_lines *ret_picture,
                           struct error *reterr)
{
    return close_offer(run, true, out, ret_picture, reterr);
}

bool lesson_run_until(struct lesson_run *run, size_t page, struct doc *out, struct error *reterr)
{
    while (run->reached < page)
        if (!close_offer(run, false, out, NULL, reterr) ||
            !lesson_run_page(run, run->reached, out, reterr))
            return false;
    return run->reached > page || close_offer(run, false, out, NULL, reterr);
}

/* ---- pages that are kept ---- */

bool lesson_run_has(const struct lesson_run *run, size_t page, unsigned look)
{
    return page_record_fits(&run->kept[page].page, look, &run->session.settings);
}

bool lesson_run_has_offer(const struct lesson_run *run, size_t page)
{
    const struct kept_page *kept = &run->kept[page];
    return run->lesson->pages[page].offer.text == NULL ||
           (kept->has_offer &&
            code_record_fits(&kept->offer, kept->offer_cols, run->session.settings.width_cols));
}

/* The session becomes as it was at a mark, but for the room that it has to show something. */
static bool take_back(struct lesson_run *run, const struct run_mark *mark)
{
    struct settings now = run->session.settings;
    if (!session_take_back(&run->session, mark->past))
        return false;
    run->session.settings.width_cols = now.width_cols;
    run->session.settings.output_cols = now.output_cols;
    run->picture_page = mark->picture_page;
    run->n_drawings = run->session.n_drawings;
    run->n_lines = 0;
    run->typed = 0;
    return true;
}

bool lesson_run_go_back(struct lesson_run *run, size_t page)
{
    const struct kept_page *kept = &run->kept[page];
    bool is_closed = run->reached > page + 1 || (run->reached == page + 1 && run->offer_is_closed);
    if (run->reached <= page || !take_back(run, is_closed ? &kept->closed : &kept->end))
        return false;
    run->reached = page + 1;
    run->offer_is_closed = is_closed;
    return true;
}

bool lesson_run_go_to(struct lesson_run *run, size_t page, struct error *reterr)
{
    const struct run_mark start = {0};
    if (run->reached > page) {
        bool is_back = page > 0 ? lesson_run_go_back(run, page - 1) : take_back(run, &start);
        if (!is_back)
            lesson_run_restart(run);
        else if (page == 0)
            run->reached = 0;
    }
    return lesson_run_until(run, page, NULL, reterr);
}

/* The first line of the offer that was not typed yet, among its first `most` lines; or NULL. */
static const char *first_untyped(const struct lesson_run *run, size_t most, size_t *ret_size)
{
    const char *line;
    struct code_lines lines = code_lines_of(open_offer(run));
    for (size_t i = 0; i < most && code_lines_next(&lines, &line, ret_size); i++)
        if (!code_line_is_blank(line, *ret_size) && (run->typed & line_bit(i)) == 0)
            return line;
    return NULL;
}

bool lesson_run_is_offering(const struct lesson_run *run)
{
    size_t size;
    return first_untyped(run, SIZE_MAX, &size) != NULL;
}

const char *lesson_run_offered(const struct lesson_run *run, size_t *ret_size)
{
    return first_untyped(run, MAX_NOTED_LINES, ret_size);
}

/* ---- lines that were typed ---- */

static bool is_space(char c)
{
    return isspace((unsigned char)c) != 0;
}

/* The same but for blanks. */
static bool same_line(const char *a, size_t a_size, const char *b, size_t b_size)
{
    size_t i = 0, j = 0;
    for (;;) {
        while (i < a_size && is_space(a[i]))
            i++;
        while (j < b_size && is_space(b[j]))
            j++;
        if (i == a_size || j == b_size)
            return i == a_size && j == b_size;
        if (a[i++] != b[j++])
            return false;
    }
}

void lesson_run_note_typed(struct lesson_run *run, const char *line, size_t size)
{
    const char *offered;
    size_t n;
    struct code_lines lines = code_lines_of(open_offer(run));
    for (size_t i = 0; code_lines_next(&lines, &offered, &n); i++)
        if ((run->typed & line_bit(i)) == 0 && same_line(offered, n, line, size)) {
            run->typed |= line_bit(i);
            return; /* a line that is offered twice is to be typed twice */
        }
}

/* ---- logs ---- */

/* A line of a log may be a page's mark: that page was reached. */
static void replay_mark(struct lesson_run *run, const char *line, size_t size)
{
    char name[LESSON_PAGE_NAME_BYTES];
    size_t mark = sizeof page_mark - 1;
    while (size > 0 && is_space(line[size - 1]))
        size--;
    if (size <= mark || size - mark >= sizeof name || memcmp(line, page_mark, mark) != 0)
        return;
    memcpy(name, line + mark, size - mark);
    name[size - mark] = '\0';
    size_t page = lesson_page(run->lesson, name);
    if (page < run->lesson->n_pages && page >= run->reached)
        reach(run, page);
}

bool lesson_run_replay(struct lesson_run *run, const struct text *lines, struct doc *out,
                       struct error *reterr)
{
    struct session *session = &run->session;
    struct doc shown;
    struct error error = {0};
    bool ok = true, open;
    unsigned n_failed = 0;
    doc_init(&shown);
    session->settings.no_saves = true;
    for (size_t at = 0, length; ok && at < lines->size; at += length) {
        length = lexer_line(lines->bytes + at, lines->size - at, &open);
        replay_mark(run, lines->bytes + at, length);
        if (session_run(session, lines->bytes + at, length, &shown, &error)) {
            lesson_run_note_typed(run, lines->bytes + at, length);
        } else {
            ok = !error_is_stop(&error);
            n_failed++;
        }
        doc_clear(&shown);
    }
    session->settings.no_saves = false;
    doc_release(&shown);
    if (!ok)
        return error_set(reterr, error.kind, "%s", error.text);
    if (n_failed > 0)
        words_show(out, STYLE_NOTE, session->settings.width_cols,
                   "%u of the lines you typed before %s not work any more: %s", n_failed,
                   n_failed == 1 ? "does" : "do", error.text);
    return true;
}
