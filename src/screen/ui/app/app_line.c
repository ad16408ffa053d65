/* See app_internal.h: lines that are run, and where their results are shown. */
#include "ui/app/app_internal.h"

#include <string.h>

#include "base/size.h"

enum {
    LINE_MIN_COLS = 20,
    ROWS_OF_LINE = 2, /* a line as it was typed, and the prompt after its output */
};

/* The learner's place, to see whether a line turned the page. */
struct lesson_position {
    unsigned n_opened; /* of the tutor */
    bool is_open;
    size_t page;
    bool finished;
    bool is_review;
};

static struct lesson_position position_of(const struct app *app)
{
    const struct player *player = app->tutor.player;
    return (struct lesson_position){
        app->tutor.n_opened, player != NULL, player != NULL ? player->page : 0,
        player != NULL && player->finished, player != NULL && player->is_review};
}

/* The page that a line led to; whoever turns pages at the prompt stays there. */
static void show_page(struct app *app, bool from_lesson, bool same_lesson, bool from_review,
                      const struct doc *shown)
{
    bool stays = !from_lesson && same_lesson && app->view == VIEW_LESSON;
    app_show_view(app, VIEW_LESSON);
    if (same_lesson || from_review) /* the output before the page, which came by itself */
        lesson_pane_put_above(&app->lesson, shown);
    if (stays)
        app->focus = PANE_PROMPT;
}

/* Lines [first, end). */
static void copy_lines(const struct doc *from, size_t first, size_t end, struct doc *out)
{
    for (size_t line = first; line < end && line < from->n_lines; line++) {
        const struct span *spans;
        size_t n = doc_line_spans(from, line, &spans);
        for (size_t i = 0; i < n; i++)
            doc_put_span(out, from->text.bytes + spans[i].begin, spans[i].end - spans[i].begin,
                         spans[i]);
        doc_end_line(out);
    }
    out->failed = out->failed || from->failed;
}

/* The output of a line at the prompt; a picture that the lesson shows in a pane of its own stands
 * there only. */
static void add_to_prompt(struct app *app, const struct doc *shown, unsigned n_drawings)
{
    const struct player *player = app->tutor.player;
    struct doc rest;
    if (player == NULL || app->view != VIEW_LESSON ||
        player->learner.session.n_drawings == n_drawings ||
        player->typed_picture.end <= player->typed_picture.first) {
        prompt_add(&app->prompt, shown);
        return;
    }
    struct page_lines picture = player->typed_picture;
    app_follow_drawings(app);
    app_lay_out(app);
    if (app->layout.panes[PANE_PICTURE].rows == 0) {
        prompt_add(&app->prompt, shown);
        return;
    }
    doc_init(&rest);
    copy_lines(shown, 0, picture.first, &rest);
    doc_line(&rest, STYLE_QUIET, "(the picture is %s)",
             app->layout.divider_col >= 0 ? "on the right" : "above");
    copy_lines(shown, picture.end, shown->n_lines, &rest);
    prompt_add(&app->prompt, &rest);
    doc_release(&rest);
}

/* A line's output is shown in the pane that the line came from; that of a line that turned the
 * page, in the lesson's. n_drawings: of the learner's session before it. */
static void show_result(struct app *app, bool from_lesson, struct lesson_position before,
                        unsigned n_drawings, const struct doc *shown)
{
    struct lesson_position now = position_of(app);
    bool turned = before.n_opened != now.n_opened || before.is_open != now.is_open ||
                  before.page != now.page || before.finished != now.finished;
    if (turned && now.is_open && !now.finished) {
        show_page(app, from_lesson, now.n_opened == before.n_opened, before.is_review, shown);
        return;
    }
    if (turned && !now.is_open) { /* the lesson was closed: nothing of it may stay */
        lesson_pane_leave(&app->lesson);
        if (app->view == VIEW_LESSON)
            app_show_view(app, VIEW_HOME);
        if (!from_lesson)
            app->focus = PANE_PROMPT;
    }
    if (now.is_open && (from_lesson || turned))
        lesson_pane_say(&app->lesson, shown);
    else
        add_to_prompt(app, shown, n_drawings);
}

/* Output that is read from its beginning: why, whose first line names the number. */
static bool is_read_from_above(const char *line)
{
    static const char why[] = "why ";
    return strncmp(line + strspn(line, " "), why, sizeof why - 1) == 0;
}

/* The explorer lets go of the session before it may end, and Ctrl-C stops the computation. */
static void around_computing(void *context, bool begins)
{
    struct app *app = context;
    if (begins)
        app_stop_following(app);
    terminal_watch_interrupt(app->terminal, begins);
    if (!begins)
        app_follow(app);
}

bool app_run_line(struct app *app, const char *line, bool from_lesson)
{
    const struct shell shell = {.tutor = &app->tutor,
                                .in_screen = true,
                                .run_command = app_run_command,
                                .around_computing = around_computing,
                                .context = app};
    struct doc shown;
    struct error error;
    struct lesson_position before = position_of(app);
    const struct player *player = app->tutor.player;
    unsigned n_drawings = player != NULL ? player->learner.session.n_drawings : 0;
    size_t n_before = app->prompt.transcript.n_lines;
    doc_init(&shown);
    /* Lines that a pane runs are laid out for its width. */
    size_t cols = from_lesson ? lesson_pane_text_cols(&app->lesson)
                              : (size_t)app->layout.panes[PANE_PROMPT].cols;
    if (cols >= LINE_MIN_COLS)
        tutor_set_width(&app->tutor, cols);
    enum shell_result result = shell_run_line(&shell, line, strlen(line), &shown, &error);
    if (result == SHELL_GAVE_OUTPUT)
        show_result(app, from_lesson, before, n_drawings, &shown);
    else if (result == SHELL_FAILED && from_lesson)
        lesson_pane_say_error(&app->lesson, &error);
    else if (result == SHELL_FAILED) {
        prompt_add(&app->prompt, &shown); /* what it had printed, and the calls of Python */
        prompt_add_error(&app->prompt, &error, line);
    }
    doc_release(&shown);
    if (result == SHELL_RAN_COMMAND)
        return true;
    size_t n_now = app->prompt.transcript.n_lines;
    if (result == SHELL_GAVE_OUTPUT && !from_lesson && is_read_from_above(line))
        prompt_show_beginning(&app->prompt, n_now > n_before ? n_now - n_before + 1 : 0);
    app->prompt_rows =
        (int)size_min(n_now > n_before ? n_now - n_before : 0, CANVAS_MAX_ROWS) + ROWS_OF_LINE;
    app->quits = app->quits || tutor_session(&app->tutor)->wants_quit;
    return result != SHELL_FAILED;
}

void app_open_lesson(struct app *app, const char *name)
{
    struct text line = {0};
    text_format(&line, "lesson %s", name);
    app_run_line(app, text_string(&line), false);
    text_release(&line);
    if (app->tutor.player != NULL)
        app_show_view(app, VIEW_LESSON);
}

void app_go_on(struct app *app)
{
    const struct player *player = app->tutor.player;
    bool is_open =
        player != NULL && !player->finished && (!player->is_review || player->warms_up_for != NULL);
    if (!is_open)
        app_run_line(app, "lesson", false);
    if (app->tutor.player != NULL)
        app_show_view(app, VIEW_LESSON);
}

void app_put_in_prompt(struct app *app, const char *text)
{
    app->focus = PANE_PROMPT;
    prompt_put(&app->prompt, text);
}
