/* course/player/player.h: a learner in a lesson, with all that one may type. */
#include "course_testing.h"
#include "lang_testing.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "course/lesson/page.h"
#include "course/player/player.h"
#include "graph/node.h"
#include "show/backend.h"

/* The pages of course_lesson, by number from 1 on. */
enum { START = 1, ALIKE, ROW, OFFER, FILL, FORMULA, ORDER, GUESS, PICK, SELF, IN_C, TAIL, END };
static const char *const page_names[] = {
    "",         "start/1", "how-alike", "which-row",    "the-weights/1", "fill-in",  "the-formula",
    "in-order", "a-guess", "a-pick",    "for-yourself", "in-c",          "offers/1", "offers/2"};

struct desk {
    struct place place;
    struct settings settings;
    volatile sig_atomic_t stop;
    struct player *player;
    struct text shown; /* what came last, as plain text */
};

/* ---- opening and typing ---- */

static struct lesson *read_lesson(const struct desk *desk)
{
    struct lesson *lesson;
    struct error error;
    if (!lesson_read(desk->place.lesson, &lesson, &error))
        fail_msg("%s", error.text);
    return lesson;
}

static bool try_open(struct desk *desk, struct progress *progress, bool from_start,
                     struct player **ret, struct error *reterr)
{
    struct doc out;
    doc_init(&out);
    bool ok = player_open(read_lesson(desk),
                          &(struct player_setup){.progress = progress,
                                                 .settings = &desk->settings,
                                                 .data_dir = testing_data_dir(),
                                                 .stop = &desk->stop},
                          from_start, ret, &out, reterr);
    text_clear(&desk->shown);
    if (!out.failed)
        doc_check_lines(&out, ok ? desk->settings.width_cols : 0, false, &desk->shown);
    if (!ok)
        assert_int_equal(out.n_lines + out.n_spans, 0);
    doc_release(&out);
    return ok;
}

static struct player *open_player(struct desk *desk, struct progress *progress, bool from_start)
{
    struct player *player;
    struct error error = {0};
    if (!try_open(desk, progress, from_start, &player, &error))
        fail_msg("%s", error.text);
    return player;
}

/* Closes the lesson and opens it again where it stopped. */
static void reopen(struct desk *desk)
{
    player_close(desk->player);
    place_reopen(&desk->place, true);
    desk->player = open_player(desk, desk->place.progress, false);
}

static int desk_setup(void **state)
{
    struct desk *desk = calloc(1, sizeof *desk);
    assert_non_null(desk);
    place_open(&desk->place);
    desk->settings = (struct settings){.digits = 4, .width_cols = 80, .echo = true};
    desk->player = open_player(desk, desk->place.progress, false);
    *state = desk;
    return 0;
}

static int desk_teardown(void **state)
{
    struct desk *desk = *state;
    player_close(desk->player);
    place_close(&desk->place);
    text_release(&desk->shown);
    free(desk);
    return 0;
}

/* What a line typed in a lesson does; a word of the course first. */
static bool act(struct player *player, const char *line, struct doc *out, struct error *reterr)
{
    if (strcmp(line, "next") == 0)
        return player_next(player, out, reterr);
    if (strcmp(line, "back") == 0)
        return player_back(player, out, reterr);
    if (strcmp(line, "hint") == 0)
        return player_hint(player, out, reterr);
    if (strcmp(line, "skip") == 0)
        return player_skip(player, out, reterr);
    if (strcmp(line, "show") == 0)
        return player_show(player, out, reterr);
    if (strncmp(line, "answer ", 7) == 0)
        return player_answer(player, line + 7, out, reterr);
    if (strncmp(line, "jump ", 5) == 0)
        return player_jump(player, line + 5, out, reterr);
    return player_line(player, line, strlen(line), out, reterr);
}

static bool try_with(struct desk *desk, struct player *player, const char *line,
                     struct error *reterr)
{
    struct doc out;
    doc_init(&out);
    doc_line(&out, STYLE_PLAIN, "above");
    bool ok = act(player, line, &out, reterr);
    text_clear(&desk->shown);
    if (!ok)
        assert_int_equal(out.n_lines, 1);
    doc_check_lines(&out, desk->settings.width_cols, desk->settings.ascii, &desk->shown);
    doc_release(&out);
    assert_memory_equal(text_string(&desk->shown), "above\n", 6);
    return ok;
}

static void do_with(struct desk *desk, struct player *player, const char *line)
{
    struct error error = {0};
    if (!try_with(desk, player, line, &error))
        fail_msg("%s: %s", line, error.text);
}

static void type(struct desk *desk, const char *line)
{
    do_with(desk, desk->player, line);
}

static void says(struct desk *desk, const char *line, const char *part)
{
    type(desk, line);
    if (strstr(text_string(&desk->shown), part) == NULL)
        fail_msg("%s: '%s' is not in\n%s", line, part, text_string(&desk->shown));
}

static void says_not(struct desk *desk, const char *line, const char *part)
{
    type(desk, line);
    if (strstr(text_string(&desk->shown), part) != NULL)
        fail_msg("%s: '%s' is in\n%s", line, part, text_string(&desk->shown));
}

static void at_name(const struct desk *desk, const char *page)
{
    assert_string_equal(player_page(desk->player)->name, page);
}

static void at(const struct desk *desk, size_t page)
{
    at_name(desk, page_names[page]);
    assert_int_equal(desk->player->page + 1, page);
}

/* All of a player that matters to its learner. */
static void describe(const struct player *player, struct text *text)
{
    const struct question_state *state = &player->state;
    text_format(text, "page %zu of %zu, %s, review %d, finished %d, reached %zu\n", player->page,
                player->lesson->n_pages, player_page(player)->name, player->is_review,
                player->finished, player->learner.reached);
    text_format(text, "right %d told %d wrong %u hints %u cells %llx\n", state->right, state->told,
                state->n_wrong, state->n_hints, (unsigned long long)state->cells);
    session_describe(&player->learner.session, text);
}

/* The line fails so, and nothing happened. */
static struct error refuses(struct desk *desk, const char *line, enum error_kind kind,
                            const char *part)
{
    struct error error = {0};
    struct text before = {0}, after = {0};
    long events = place_number(&desk->place, "SELECT count(*) FROM events");
    describe(desk->player, &before);
    bool ok = try_with(desk, desk->player, line, &error);
    if (ok)
        fail_msg("%s should fail, and shows\n%s", line, text_string(&desk->shown));
    assert_error(ok, error, kind);
    assert_says(error, part);
    describe(desk->player, &after);
    assert_string_equal(text_string(&after), text_string(&before));
    assert_int_equal(place_number(&desk->place, "SELECT count(*) FROM events"), events);
    text_release(&before);
    text_release(&after);
    return error;
}

/* What answers the question of each page, or NULL. */
static const char *right_answer(size_t page)
{
    static const char *const answers[] = {
        [ALIKE] = "answer 4",     [ROW] = "answer 1 3",
        [FILL] = "answer scores", [FORMULA] = "answer softmax(Q @ K.T / sqrt(d_k))",
        [ORDER] = "answer 2 1 3", [GUESS] = "answer 1",
        [PICK] = "answer 1",      [SELF] = "answer all of it",
        [IN_C] = "skip",          [END] = NULL,
    };
    return answers[page];
}

/* Answers rightly until the page with this number is there. */
static void go_to(struct desk *desk, size_t page)
{
    while (desk->player->page + 1 < page) {
        const char *answer = right_answer(desk->player->page + 1);
        size_t before = desk->player->page;
        if (player_is_asking(desk->player) && answer != NULL)
            type(desk, answer);
        if (desk->player->page == before)
            type(desk, "next");
    }
    at(desk, page);
}

static float number_named(const struct session *session, const char *name, size_t i)
{
    const struct value *value = names_get(&session->names, name, strlen(name));
    if (value == NULL || value->kind != VALUE_NODE)
        fail_msg("%s stands for no tensor", name);
    return tensor_at_position(&value->as.node->value, i);
}

/* The lesson's numbers are the same in both sessions. */
static void same_numbers(const struct desk *desk, const char *name)
{
    for (size_t i = 0; i < 2; i++)
        assert_close(number_named(&desk->player->learner.session, name, i),
                     number_named(&desk->player->reference.session, name, i), 0);
}

/* ---- pages ---- */

static void test_player__the_lesson_from_its_first_page_to_its_last(void **state)
{
    struct desk *desk = *state;
    struct text place = {0};
    assert_non_null(
        strstr(text_string(&desk->shown), "-- Every kind of question, page 1 of 13 --"));
    assert_non_null(strstr(text_string(&desk->shown), "Two words, two numbers each."));
    assert_non_null(strstr(text_string(&desk->shown), "next goes on."));
    says(desk, "next", "attn> scores = Q @ K.T\n");
    assert_non_null(strstr(text_string(&desk->shown), "The largest is 4, and chance gave 0.4963."));
    assert_null(strstr(text_string(&desk->shown), "d_k"));
    player_place(desk->player, &place);
    assert_string_equal(text_string(&place), "every 2/13");
    text_release(&place);
    go_to(desk, END);
    says(desk, "show", "next ends the lesson.");
    assert_false(desk->player->finished);
    says(desk, "next", "You have finished Every kind of question.");
    assert_non_null(strstr(text_string(&desk->shown), "5 of 5 questions right: 5 at once."));
    assert_non_null(strstr(text_string(&desk->shown), "  - turn pages\n"));
    assert_true(desk->player->finished);
    refuses(desk, "next", ERR_NAME, "the lesson is over");
    refuses(desk, "skip", ERR_NAME, "the lesson is over");
    refuses(desk, "answer 4", ERR_NAME, "nothing is asked here");
    refuses(desk, "hint", ERR_NAME, "nothing is asked here");
    says(desk, "scores", "one");
    assert_int_equal(place_number(&desk->place, "SELECT finished_s > 0 FROM plays"), 1);
}

/* Behind the end one can look back, and go on again. */
static void test_player__back_from_the_end(void **state)
{
    struct desk *desk = *state;
    go_to(desk, END);
    type(desk, "next");
    says(desk, "back", "That was all.");
    at(desk, END);
    assert_false(desk->player->finished);
    type(desk, "back");
    at(desk, TAIL);
    type(desk, "next");
    type(desk, "next");
    assert_true(desk->player->finished);
    type(desk, "jump the-scores");
    at(desk, ALIKE);
    assert_false(desk->player->finished);
    type(desk, "next");
    reopen(desk); /* it is finished all the same */
    at(desk, START);
}

static void test_player__next_waits_for_an_answer(void **state)
{
    struct desk *desk = *state;
    for (size_t page = ALIKE; page <= IN_C; page++) {
        go_to(desk, page);
        if (player_page(desk->player)->question != NULL)
            refuses(desk, "next", ERR_NAME,
                    page == IN_C ? "not solved yet" : "waits for an answer");
    }
}

static void test_player__code_is_run_once_and_pages_stay_the_same(void **state)
{
    struct desk *desk = *state;
    struct text shown[END + 1] = {0}, before = {0}, after = {0};
    go_to(desk, END);
    describe(desk->player, &before);
    for (size_t page = END; page > START; page--) {
        type(desk, page == END ? "show" : "back");
        if (page < END)
            at(desk, page);
        text_put(&shown[page], text_string(&desk->shown));
    }
    type(desk, "back");
    at(desk, START);
    refuses(desk, "back", ERR_NAME, "first page");
    for (size_t page = START + 1; page <= END; page++) {
        type(desk, player_is_asking(desk->player) ? "skip" : "next");
        at(desk, page);
        assert_string_equal(text_string(&desk->shown), text_string(&shown[page]));
        type(desk, "show");
        assert_string_equal(text_string(&desk->shown), text_string(&shown[page]));
        text_release(&shown[page]);
    }
    describe(desk->player, &after);
    assert_string_equal(text_string(&after), text_string(&before));
    same_numbers(desk, "noise");
    same_numbers(desk, "chance");
    same_numbers(desk, "more");
    same_numbers(desk, "last");
    text_release(&before);
    text_release(&after);
}

static void test_player__jumping_runs_what_lies_before(void **state)
{
    struct desk *desk = *state;
    struct text jumped = {0}, walked = {0};
    go_to(desk, GUESS);
    session_describe(&desk->player->learner.session, &walked);
    player_close(desk->player);
    desk->player = open_player(desk, desk->place.progress, true);
    says(desk, "jump the-end", "How large is the sum");
    at(desk, GUESS);
    session_describe(&desk->player->learner.session, &jumped);
    assert_string_equal(text_string(&jumped), text_string(&walked));
    refuses(desk, "jump nowhere", ERR_NAME, "it has no step called nowhere");
    refuses(desk, "jump ", ERR_NAME, "it has no step called");
    type(desk, "jump the-scores");
    at(desk, ALIKE);
    type(desk, "jump the-end");
    text_clear(&jumped);
    session_describe(&desk->player->learner.session, &jumped);
    assert_string_equal(text_string(&jumped), text_string(&walked));
    reopen(desk);
    at(desk, GUESS);
    text_clear(&jumped);
    session_describe(&desk->player->learner.session, &jumped);
    assert_string_equal(text_string(&jumped), text_string(&walked));
    text_release(&jumped);
    text_release(&walked);
}

/* ---- questions ---- */

static void test_player__a_number(void **state)
{
    struct desk *desk = *state;
    go_to(desk, ALIKE);
    says(desk, "show", "Type the number, or answer FORMULA. Or hint, or skip.");
    says(desk, "5", "You added. What does a dot product of [0, 2] do first?");
    assert_int_equal(desk->player->state.n_wrong, 1);
    says(desk, "17", "Not yet.");
    struct error error = refuses(desk, "answer 1 +", ERR_SYNTAX, "");
    assert_true(error.begin <= 3 && error.end > 0);
    error = refuses(desk, "answer   1 + four", ERR_NAME, "four");
    assert_int_equal(error.begin, 6);
    assert_int_equal(error.end, 10);
    error = refuses(desk, "answer : 1 + four", ERR_NAME, "four");
    assert_int_equal(error.begin, 6);
    assert_int_equal(error.end, 10);
    refuses(desk, "answer scores", ERR_SHAPE, "a single number is asked for");
    refuses(desk, "answer  ", ERR_SYNTAX, "your answer follows it");
    refuses(desk, "answer \"4\"", ERR_TYPE, "");
    says(desk, "x = 4", "x = 4");    /* runs */
    says(desk, "scores[1, 1]", "4"); /* is looked at */
    assert_true(player_is_asking(desk->player));
    says(desk, " 4.0 \r\n", "Right.\n"); /* but not at once */
    assert_non_null(
        strstr(text_string(&desk->shown), "Each pair is multiplied, then added up to 4."));
    assert_non_null(strstr(text_string(&desk->shown), "next goes on."));
    refuses(desk, "answer 4", ERR_NAME, "nothing is asked here");
    refuses(desk, "hint", ERR_NAME, "nothing is asked here");
    says(desk, "4", "4");
    assert_int_equal(place_number(&desk->place, "SELECT count(*) FROM events WHERE kind = 'wrong'"),
                     2);
    assert_int_equal(place_number(&desk->place, "SELECT number FROM events WHERE detail = '5'"), 2);
    type(desk, "next");
    type(desk, "back");
    says(desk, "show", "next goes on.");
}

/* The learner's variables may stand in an answer. */
static void test_player__answers_see_the_learners_variables(void **state)
{
    struct desk *desk = *state;
    go_to(desk, ALIKE);
    type(desk, "mine = 2 * Q[1, 1]");
    says(desk, "answer mine", "Right, at once.");
}

static void test_player__bare_values_against_lines(void **state)
{
    struct desk *desk = *state;
    static const struct {
        size_t page;
        const char *line;
        bool is_answer;
    } trials[] = {
        {ALIKE, "4", true},
        {ALIKE, "-4", true},
        {ALIKE, "  +4.000e0  ", true},
        {ALIKE, ".5", true},
        {ALIKE, "2 + 2", false},
        {ALIKE, "0x4", false},
        {ALIKE, "4; 4", false},
        {ALIKE, "4 # x", false},
        {ALIKE, "1 3", false},
        {ALIKE, "-inf", true},
        {ROW, "1 3", true},
        {ROW, "3,1", true},
        {ROW, "2", true},
        {ROW, "[1, 3]", false},
        {ROW, "-1", false},
        {FILL, "1", true},
        {FILL, "0.5", true},
        {FILL, "scores", false},
        {FORMULA, "0.5", false},
        {FORMULA, "Q", false},
        {ORDER, "3 2 1", true},
        {ORDER, "[2, 1, 3]", false},
        {GUESS, "0.3", true},
        {GUESS, "1 2", false},
        {PICK, "1", true},
        {PICK, "0.5", false},
        {SELF, "1", false},
        {IN_C, "1", false},
    };
    for (size_t i = 0; i < COUNT_OF(trials); i++) {
        struct error error;
        desk->player->attempt = (struct attempt){0};
        go_to(desk, trials[i].page);
        struct question_state before = desk->player->state;
        bool ok = try_with(desk, desk->player, trials[i].line, &error);
        const struct question_state *after = &desk->player->state;
        bool judged = after->right != before.right || after->n_wrong != before.n_wrong ||
                      after->cells != before.cells;
        if (judged != trials[i].is_answer)
            fail_msg("page %zu: %s %s", trials[i].page, trials[i].line,
                     ok ? text_string(&desk->shown) : error.text);
        desk->player->state = before;
    }
}

/* Zero bytes are nothing that one can answer with. */
static void test_player__zero_bytes_are_refused(void **state)
{
    struct desk *desk = *state;
    struct doc out;
    struct error error;
    doc_init(&out);
    go_to(desk, ALIKE);
    assert_error(player_line(desk->player, "4\0x", 3, &out, &error), error, ERR_SYNTAX);
    go_to(desk, ROW);
    assert_error(player_line(desk->player, "1 3\0", 4, &out, &error), error, ERR_SYNTAX);
    assert_true(player_is_asking(desk->player));
    assert_int_equal(out.n_lines, 0);
    doc_release(&out);
}

static void test_player__a_choice(void **state)
{
    struct desk *desk = *state;
    go_to(desk, ROW);
    says(desk, "2", "What does a row of Q @ K.T belong to?");
    says(desk, "1", "That is right, but not all of it.");
    refuses(desk, "4", ERR_RANGE, "numbered 1 to 3");
    refuses(desk, "0", ERR_RANGE, "numbered 1 to 3");
    refuses(desk, "1 1", ERR_RANGE, "twice");
    refuses(desk, "answer one", ERR_NAME, "one");
    says(desk, "hint", "Hint 1 of 1\nLook at Q first.");
    says(desk, "3 1", "Right.\nRow by query, column by key.");
}

static void test_player__a_matrix_cell_by_cell(void **state)
{
    struct desk *desk = *state;
    go_to(desk, FILL);
    says(desk, "show", "Type the number for the cell [one, two];");
    assert_non_null(strstr(text_string(&desk->shown), "[?]"));
    says(desk, "2", "That is one too many.");
    says(desk, "17", "Not yet.");
    says(desk, "1", "Right.");
    assert_non_null(strstr(text_string(&desk->shown), "the cell [two, two];"));
    assert_int_equal(desk->player->state.cells, 1);
    type(desk, "back");
    type(desk, "next");
    assert_int_equal(desk->player->state.cells, 1);
    assert_non_null(strstr(text_string(&desk->shown), "the cell [two, two];"));
    reopen(desk);
    assert_int_equal(desk->player->state.cells, 1);
    assert_int_equal(desk->player->state.n_wrong, 2);
    says(desk, "answer 2 + 2", "Right.\n");
    assert_true(desk->player->state.right);
    assert_null(strstr(text_string(&desk->shown), "?"));
    assert_non_null(strstr(text_string(&desk->shown), "As above."));
    reopen(desk);
    assert_true(desk->player->state.right);
    assert_null(strstr(text_string(&desk->shown), "?"));
}

static void test_player__a_matrix_whole(void **state)
{
    struct desk *desk = *state;
    go_to(desk, FILL);
    says(desk, "answer scores + 1", "That is one too many.");
    says(desk, "answer [[9, 1], [9, 3]]", "1 of the 2 cells is wrong");
    refuses(desk, "answer [1, 2]", ERR_SHAPE, "a matrix of 2x2 is asked for");
    refuses(desk, "answer nowhere", ERR_NAME, "nowhere");
    says(desk, "hint", "Multiply and add.");
    says(desk, "hint", "As above."); /* the worked answer */
    assert_null(strstr(text_string(&desk->shown), "?"));
    assert_true(desk->player->state.told);
}

static void test_player__a_formula(void **state)
{
    struct desk *desk = *state;
    go_to(desk, FORMULA);
    says(desk, "softmax(Q @ K.T)", "one"); /* tried, not answered */
    assert_int_equal(desk->player->state.n_wrong, 0);
    says(desk, "answer softmax(Q @ K.T)", "The scale is missing.");
    says(desk, "answer weights", "Not yet.");
    refuses(desk, "answer softmax(", ERR_SYNTAX, "");
    says(desk, "answer softmax(Q @ K.T / sqrt(d_k))", "Right.");
}

/* On the screen, where the prompt stands beside the question: a formula that is tried and is the
 * answer is said to be it, in whatever way it is written, and the empty line hands it in; after any
 * other line the empty one does nothing. */
static void test_player__a_right_formula_that_is_tried(void **state)
{
    struct desk *desk = *state;
    static const char said[] = "That is the answer to the question";
    go_to(desk, FORMULA);
    says(desk, "softmax(Q @ K.T / sqrt(d_k))", "answer alone hands it in");
    desk->player->in_pane = true;
    says_not(desk, "softmax(Q @ K.T)", said);
    says_not(desk, "", "Scores, scaled, softmax.");
    says(desk, "softmax(Q @ K.T / d_k ** 0.5)", said);
    assert_non_null(strstr(text_string(&desk->shown), "Enter on the empty line hands it in.)"));
    says_not(desk, "1 + 1", said);
    says_not(desk, "", "Scores, scaled, softmax."); /* another line came between */
    assert_true(player_is_asking(desk->player));
    says(desk, "softmax(Q @ K.T / sqrt(d_k))", said);
    says(desk, "  ", "Scores, scaled, softmax.");
    assert_false(player_is_asking(desk->player));
    assert_int_equal(desk->player->state.n_wrong, 0);
}

/* To try things one needs values for the names that the formula is about. */
static void test_player__names_without_a_value_are_told(void **state)
{
    struct desk *desk = *state;
    go_to(desk, FORMULA);
    says(desk, "show", "you can try things first");
    says_not(desk, "show", "values of your own");
    type(desk, "del d_k");
    says(desk, "show", "give d_k a value of your own.");
    type(desk, "del K");
    says(desk, "show", "give d_k and K values of your own.");
    type(desk, "d_k = 2");
    says(desk, "show", "give K a value of your own.");
}

static void test_player__an_order(void **state)
{
    struct desk *desk = *state;
    go_to(desk, ORDER);
    says(desk, "1 2 3", "Softmax of what?");
    says(desk, "2 3 1", "1 of 3 stands right.");
    says(desk, "321", "0 of 3 stand right.");
    refuses(desk, "2 1", ERR_RANGE, "all 3 numbers");
    says(desk, "hint", "The context comes last.");
    says(desk, "hint", " 2: scores\n");
    assert_true(desk->player->state.told);
}

static void test_player__guesses_are_never_wrong(void **state)
{
    struct desk *desk = *state;
    go_to(desk, GUESS);
    says(desk, "show", "Guess: type a number. Or skip.");
    refuses(desk, "hint", ERR_NAME, "any answer will do");
    refuses(desk, "answer weights", ERR_SHAPE, "a single number");
    says(desk, "17", "You guessed 17. It is *1*\n");
    assert_non_null(strstr(text_string(&desk->shown), "Softmax divides by the sum."));
    go_to(desk, PICK);
    refuses(desk, "3", ERR_RANGE, "numbered 1 to 2");
    says(desk, "1", "You guessed 1. It is");
    assert_non_null(strstr(text_string(&desk->shown), "2: Down"));
    assert_int_equal(place_number(&desk->place, "SELECT count(*) FROM reviews"), 0);
}

static void test_player__a_right_guess_is_ticked(void **state)
{
    struct desk *desk = *state;
    go_to(desk, GUESS);
    says(desk, "1", "You guessed it.\nIt is *1*\n");
    go_to(desk, PICK);
    says(desk, "2", "You guessed it.");
    assert_null(strstr(text_string(&desk->shown), "You guessed 2"));
}

/* What was typed is shown as it was, though Markdown would take some of it away. */
static void test_player__a_guess_by_formula_is_quoted_whole(void **state)
{
    struct desk *desk = *state;
    go_to(desk, GUESS);
    says(desk, "answer 2*3*4", "You guessed `2*3*4`. It is *1*\n");
    go_to(desk, PICK);
    says(desk, "hint", "Look down.");
    says(desk, "hint", "The answer:");
    assert_non_null(strstr(text_string(&desk->shown), "It falls."));
}

/* The answer of a matrix is headed as any other. */
static void test_player__a_matrix_is_told_with_its_heading(void **state)
{
    struct desk *desk = *state;
    go_to(desk, FILL);
    while (player_is_asking(desk->player))
        says(desk, "hint", "");
    assert_non_null(strstr(text_string(&desk->shown), "The answer:\n"));
}

static void test_player__a_text_for_oneself(void **state)
{
    struct desk *desk = *state;
    go_to(desk, SELF);
    refuses(desk, "answer ", ERR_SYNTAX, "your answer follows it");
    refuses(desk, "hint", ERR_NAME, "any answer will do");
    says(desk, "answer 1 + *not* a formula; \"", "Kept, for you alone.");
    assert_int_equal(place_number(&desk->place,
                                  "SELECT count(*) FROM events WHERE kind = 'reflection' AND"
                                  " detail = '1 + *not* a formula; \"'"),
                     1);
}

static void solve(struct desk *desk)
{
    struct error error;
    assert_true(
        progress_exercise_attempt(desk->place.progress, "softmax-rows", "pass", "", 1, &error));
}

static void test_player__an_exercise_counts_when_it_is_solved(void **state)
{
    struct desk *desk = *state;
    go_to(desk, IN_C);
    says(desk, "show", "check softmax-rows grades it");
    refuses(desk, "answer 3", ERR_NAME, "not solved yet");
    refuses(desk, "hint", ERR_NAME, "attn hint gives");
    refuses(desk, "next", ERR_NAME, "not solved yet");
    solve(desk);
    says(desk, "next", "You have solved softmax-rows.");
    at(desk, TAIL);
    says(desk, "back", "next goes on.");
    assert_int_equal(
        place_number(&desk->place, "SELECT count(*) FROM events WHERE question = 'in-c'"), 1);
}

/* Somebody solves it elsewhere and comes back: that took no longer than it did. */
static void test_player__an_exercise_solved_meanwhile(void **state)
{
    struct desk *desk = *state;
    go_to(desk, IN_C);
    solve(desk);
    reopen(desk);
    at(desk, IN_C);
    assert_non_null(strstr(text_string(&desk->shown), "You have solved softmax-rows."));
    assert_int_equal(
        place_number(&desk->place, "SELECT took_ms < 60000 FROM events WHERE question = 'in-c'"),
        1);
    type(desk, "next");
    at(desk, TAIL);
}

static void test_player__hints_lead_to_the_worked_answer(void **state)
{
    struct desk *desk = *state;
    go_to(desk, ALIKE);
    says(desk, "hint", "Hint 1 of 2\nRow two, column two.");
    reopen(desk);
    assert_int_equal(desk->player->state.n_hints, 1);
    says(desk, "hint", "Hint 2 of 2\nIt is above 2.");
    assert_non_null(
        strstr(text_string(&desk->shown), "Or hint once more for the answer, or skip."));
    says(desk, "hint", "The answer: *4*");
    assert_non_null(strstr(text_string(&desk->shown), "Each pair is multiplied"));
    assert_non_null(strstr(text_string(&desk->shown), "next goes on."));
    refuses(desk, "hint", ERR_NAME, "nothing is asked here");
    reopen(desk);
    assert_true(desk->player->state.told);
    type(desk, "next");
    assert_int_equal(place_number(&desk->place, "SELECT count(*) FROM reviews"), 1);
}

static void test_player__skipping(void **state)
{
    struct desk *desk = *state;
    go_to(desk, ALIKE);
    says(desk, "skip", "Skipped: it was *4*"); /* pages after it build on it */
    at(desk, ROW);
    says(desk, "skip", "Skipped: it was");
    type(desk, "back");
    assert_true(player_is_asking(desk->player)); /* it can still be answered */
    says(desk, "1 3", "Right");
    type(desk, "skip"); /* like next where nothing is asked */
    at(desk, OFFER);
    assert_int_equal(place_number(&desk->place, "SELECT count(*) FROM events"), 3);
    while (!desk->player->finished)
        type(desk, "skip");
    assert_non_null(strstr(text_string(&desk->shown),
                           "1 of 5 questions right: 1 with a hint. 4 shown or skipped."));
    refuses(desk, "answer 4", ERR_NAME, "nothing is asked here");
}

/* ---- what is offered to type ---- */

static void test_player__an_offer_typed(void **state)
{
    struct desk *desk = *state;
    go_to(desk, OFFER);
    says(desk, "show",
         "Now you:\n    weights = softmax(scores)\n\n    chance = rand(2)  # caf\xC3\xA9\n");
    assert_non_null(strstr(text_string(&desk->shown), "Type it, or anything else; next runs it"));
    says_not(desk, "weights=softmax( scores )", "next goes on.");
    says_not(desk, "chance = rand(2)  # caf\xC3\xA9", "next goes on.");
    says(desk, "heat weights", "next goes on.");
    says_not(desk, "heat weights", "next goes on."); /* said once */
    says_not(desk, "next", "attn> weights");
    at(desk, FILL);
    same_numbers(desk, "chance");
    same_numbers(desk, "more");
}

static void test_player__an_offer_half_typed(void **state)
{
    struct desk *desk = *state;
    go_to(desk, OFFER);
    type(desk, "chance = rand(2)  # caf\xC3\xA9\n");
    says(desk, "next", "attn> weights = softmax(scores)\n");
    assert_null(strstr(text_string(&desk->shown), "attn> chance"));
    assert_non_null(strstr(text_string(&desk->shown), "attn> heat weights"));
    type(desk, "next");
    same_numbers(desk, "chance");
    same_numbers(desk, "more");
}

static void test_player__an_offer_not_typed(void **state)
{
    struct desk *desk = *state;
    go_to(desk, OFFER);
    says(desk, "next", "attn> weights = softmax(scores)\n");
    assert_non_null(strstr(text_string(&desk->shown), "attn> chance = rand(2)"));
    assert_non_null(strstr(text_string(&desk->shown), "next goes on."));
    at(desk, OFFER); /* what it gives is looked at first */
    says(desk, "next", "The scores, once more.");
    at(desk, FILL);
    same_numbers(desk, "more");
    says(desk, "back", "next goes on."); /* it is run already */
    says_not(desk, "next", "attn> weights");
    same_numbers(desk, "more");
}

static void test_player__an_offer_typed_differently(void **state)
{
    struct desk *desk = *state;
    go_to(desk, OFFER);
    type(desk, "weights = softmax(scores * 2)");
    refuses(desk, "chance = rand(2) +", ERR_SYNTAX, "");
    says(desk, "next", "attn> weights = softmax(scores)\n");
    type(desk, "next");
    same_numbers(desk, "weights");
}

/* Leaving the page, or attn, does not run again what was typed. */
static void test_player__an_offer_half_typed_stays_so(void **state)
{
    struct desk *desk = *state;
    go_to(desk, OFFER);
    type(desk, "weights = softmax(scores)");
    type(desk, "chance = rand(2)  # caf\xC3\xA9");
    type(desk, "back");
    type(desk, "next");
    reopen(desk);
    at(desk, OFFER);
    type(desk, "back");
    type(desk, "next");
    says(desk, "next", "attn> heat weights");
    assert_null(strstr(text_string(&desk->shown), "attn> chance"));
    type(desk, "next");
    same_numbers(desk, "chance");
    same_numbers(desk, "more");
}

static void test_player__jumping_over_an_offer_half_typed(void **state)
{
    struct desk *desk = *state;
    go_to(desk, OFFER);
    type(desk, "chance = rand(2)  # caf\xC3\xA9");
    type(desk, "jump the-end");
    same_numbers(desk, "chance");
    same_numbers(desk, "last");
}

/* ---- what a learner may do to the lesson's names ---- */

static void test_player__the_lesson_goes_on_whatever_becomes_of_its_names(void **state)
{
    static const char *const deeds[] = {
        "Q = 7",           "Q = [[1, 2, 3]]", "reset",     "del Q, K, scores",
        "scores = \"no\"", "Q(x) = x",        "rand(100)", "manual_seed(3)",
        "set digits 2",    "softmax(x) = 0",  "d_k = 0",   "K = K.T; scores = scores[0]",
    };
    struct desk *desk = *state;
    for (size_t i = 0; i < COUNT_OF(deeds); i++) {
        struct error error;
        struct text before = {0}, after = {0};
        player_close(desk->player);
        desk->player = open_player(desk, desk->place.progress, true);
        go_to(desk, ALIKE);
        if (!try_with(desk, desk->player, deeds[i], &error))
            print_message("%s: %s\n", deeds[i], error.text);
        says(desk, "hint", "Row two");
        says(desk, "hint", "It is above 2.");
        says(desk, "5", "a dot product of [0, 2]");
        says(desk, "4", "Right.");
        go_to(desk, OFFER);
        type(desk, "next");
        says(desk, "next", "The scores, once more.");
        says(desk, "1", "Right.");
        says(desk, "4", "As above.");
        go_to(desk, FORMULA);
        (void)try_with(desk, desk->player, right_answer(FORMULA), &error);
        if (player_is_asking(desk->player))
            type(desk, "skip"); /* it is tried on the learner's values first */
        go_to(desk, GUESS);
        says(desk, "show", "attn> last = weights[0] + rand(2)\nlast  (2,)");
        says(desk, "answer 1", "It is *1*\n");
        go_to(desk, TAIL);
        describe(desk->player, &before);
        reopen(desk);
        describe(desk->player, &after);
        assert_string_equal(text_string(&after), text_string(&before));
        assert_null(strstr(text_string(&desk->shown), "do not work any more"));
        assert_null(strstr(text_string(&desk->shown), "does not work any more"));
        text_release(&before);
        text_release(&after);
    }
}

static void test_player__what_does_not_fit_is_told(void **state)
{
    struct desk *desk = *state;
    go_to(desk, OFFER);
    type(desk, "del scores");
    says(desk, "next", "The lesson's code does not work here with your variables: scores:");
    assert_non_null(strstr(text_string(&desk->shown), "lesson every again"));
    assert_non_null(strstr(text_string(&desk->shown), "next goes on."));
    type(desk, "next"); /* and does not ask for it any more */
    at(desk, FILL);
    refuses(desk, "answer scores", ERR_NAME, "scores");
    says(desk, "1", "Right.");
}

/* ---- closing and opening again ---- */

static void compare_reopened(struct desk *desk)
{
    struct text before = {0}, after = {0}, page = {0};
    type(desk, "show");
    text_put(&page, text_string(&desk->shown) + 6);
    describe(desk->player, &before);
    reopen(desk);
    describe(desk->player, &after);
    assert_string_equal(text_string(&after), text_string(&before));
    assert_string_equal(text_string(&desk->shown), text_string(&page));
    text_release(&before);
    text_release(&after);
    text_release(&page);
}

static void test_player__opening_again_is_as_if_it_never_closed(void **state)
{
    static const char *const lines[] = {
        "a = 1",
        "b = rand(3)",
        "rand(2)",
        "f(x) = x + a",
        "whatif Q[\"one\", 0] = 5",
        "keep",
        "whatif scores[\"one\", \"one\"] = 9",
        "set digits 3",
        "del a",
        "words = [\"\xC3\xA9t\xC3\xA9\", \"x\"]",
        "for i in range(3): b = b + i",
        "b[0] = 7",
        "undo",
        "m = [[1, 2],\n  # a comment inside\n  [3, 4]]",
        "c = 3 # page in-order",
        "# page in-order",
        "dropout(ones(4), 0.5)",
    };
    struct desk *desk = *state;
    go_to(desk, ALIKE);
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        struct error error;
        if (!try_with(desk, desk->player, lines[i], &error))
            fail_msg("%s: %s", lines[i], error.text);
        compare_reopened(desk);
    }
    for (size_t page = ALIKE; page <= TAIL; page++) {
        go_to(desk, page);
        compare_reopened(desk);
        type(desk, "z = rand(1)");
        compare_reopened(desk);
    }
    type(desk, "reset; long_name_of_a_variable = rand(2)");
    compare_reopened(desk);
    type(desk, "reset");
    compare_reopened(desk);
}

/* On the first page the script is short: what follows a reset may be longer. */
static void test_player__a_reset_with_more_behind_it(void **state)
{
    struct desk *desk = *state;
    type(desk, "a = 1");
    type(desk, "reset; a_much_longer_name = 17; and_another_one = 18");
    compare_reopened(desk);
    assert_close(number_named(&desk->player->learner.session, "and_another_one", 0), 18, 0);
}

static void test_player__a_file_that_is_loaded_need_not_stay(void **state)
{
    struct desk *desk = *state;
    char line[160], path[128];
    place_write(&desk->place, "mine.attn", "loaded = rand(2)\nprint = 3\n");
    snprintf(path, sizeof path, "%s/mine.attn", desk->place.folder);
    snprintf(line, sizeof line, "a = 2; load \"%s\"", path);
    type(desk, line);
    assert_int_equal(unlink(path), 0);
    compare_reopened(desk);
    place_write(&desk->place, "mine.attn", "loaded = 5\n");
    snprintf(line, sizeof line, "reset; load \"%s\"", path);
    type(desk, line);
    assert_int_equal(unlink(path), 0);
    reopen(desk);
    assert_close(number_named(&desk->player->learner.session, "loaded", 0), 5, 0);
    assert_null(names_get(&desk->player->learner.session.names, "a", 1));
}

static void test_player__from_the_start_forgets(void **state)
{
    struct desk *desk = *state;
    go_to(desk, FILL);
    type(desk, "mine = 3");
    player_close(desk->player);
    desk->player = open_player(desk, desk->place.progress, true);
    at(desk, START);
    assert_int_equal(desk->player->learner.session.names.n_variables, 0);
    go_to(desk, ALIKE);
    assert_true(player_is_asking(desk->player));
    reopen(desk);
    at(desk, ALIKE);
}

/* Two players on one lesson with one file: each writes its own lines, the last to turn says where
 * the attempt is. */
static void test_player__two_at_once(void **state)
{
    struct desk *desk = *state;
    struct progress *other_progress = progress_open(desk->place.file);
    go_to(desk, ROW);
    struct player *other = open_player(desk, other_progress, false);
    assert_int_equal(other->page + 1, ROW);
    type(desk, "mine = 1");
    do_with(desk, other, "yours = 2");
    type(desk, "mine = mine + 10");
    do_with(desk, other, "answer 1 3");
    do_with(desk, other, "next");
    type(desk, "skip");
    type(desk, "next"); /* the offer is run here too */
    type(desk, "next");
    at(desk, FILL);
    do_with(desk, other, "yours = 3");
    struct text wanted = {0}, found = {0};
    describe(other, &wanted);
    player_close(other);
    progress_close(other_progress);
    struct player *again = open_player(desk, desk->place.progress, false);
    describe(again, &found);
    assert_string_equal(text_string(&found), text_string(&wanted));
    assert_close(number_named(&again->learner.session, "yours", 0), 3, 0);
    player_close(again);
    type(desk, "mine = mine + 100");
    text_clear(&wanted);
    text_clear(&found);
    describe(desk->player, &wanted);
    reopen(desk);
    describe(desk->player, &found);
    assert_string_equal(text_string(&found), text_string(&wanted));
    assert_close(number_named(&desk->player->learner.session, "mine", 0), 111, 0);
    text_release(&wanted);
    text_release(&found);
}

static void test_player__two_at_once_and_one_finishes(void **state)
{
    struct desk *desk = *state;
    struct progress *other_progress = progress_open(desk->place.file);
    go_to(desk, ROW);
    struct player *other = open_player(desk, other_progress, false);
    go_to(desk, END);
    type(desk, "next");
    do_with(desk, other, "answer 2");
    do_with(desk, other, "answer 1 3");
    do_with(desk, other, "next");
    do_with(desk, other, "x = 1");
    assert_int_equal(other->page + 1, OFFER);
    player_close(other);
    progress_close(other_progress);
    reopen(desk);
    at(desk, START);
}

/* ---- nothing can be remembered ---- */

/* A lesson is played to its end, and *ret_told is how often a problem was told. */
static void play_through(struct desk *desk, const char *problem, unsigned *ret_told)
{
    *ret_told = 0;
    while (!desk->player->finished) {
        const char *answer = right_answer(desk->player->page + 1);
        if (player_is_asking(desk->player)) {
            type(desk, answer);
            *ret_told += strstr(text_string(&desk->shown), problem) != NULL;
        }
        if (answer == NULL || strcmp(answer, "skip") != 0) {
            type(desk, "next");
            *ret_told += strstr(text_string(&desk->shown), problem) != NULL;
        }
        type(desk, "a = 1");
        *ret_told += strstr(text_string(&desk->shown), problem) != NULL;
    }
    assert_non_null(strstr(text_string(&desk->shown), "a = 1"));
}

static void test_player__without_a_file_the_lesson_goes_on(void **state)
{
    struct desk *desk = *state;
    unsigned n_told;
    player_close(desk->player);
    place_reopen(&desk->place, false);
    desk->player = open_player(desk, desk->place.progress, false);
    play_through(desk, "remember", &n_told);
    assert_int_equal(n_told, 0); /* who opened the progress has told it */
    player_close(desk->player);
    desk->player = open_player(desk, desk->place.progress, false);
    at(desk, START);
}

static void test_player__on_a_full_disk_the_lesson_goes_on(void **state)
{
    struct desk *desk = *state;
    unsigned n_told;
    go_to(desk, ALIKE);
    place_fill_disk(&desk->place);
    desk->stop = 0;
    struct text filler = {0};
    text_put(&filler, "filler = \"");
    text_repeat(&filler, "full ", 4000);
    text_put(&filler, "\"");
    type(desk, text_string(&filler));
    bool told = strstr(text_string(&desk->shown), desk->place.file) != NULL;
    play_through(desk, desk->place.file, &n_told);
    place_free_disk();
    assert_int_equal(n_told + told, 1);
    text_release(&filler);
    reopen(desk); /* as far as there was room */
    assert_int_equal(
        place_number(&desk->place, "SELECT integrity_check = 'ok' FROM pragma_integrity_check"), 1);
}

/* When there is room again, what was not written is. */
static void test_player__what_found_no_room_is_written_later(void **state)
{
    struct desk *desk = *state;
    go_to(desk, ALIKE);
    place_fill_disk(&desk->place);
    struct text filler = {0};
    text_put(&filler, "filler = \"");
    text_repeat(&filler, "full ", 4000);
    text_put(&filler, "\"");
    says(desk, text_string(&filler), desk->place.file);
    says_not(desk, "b = 3", desk->place.file);
    place_free_disk();
    type(desk, "c = 4");
    compare_reopened(desk);
    assert_close(number_named(&desk->player->learner.session, "b", 0), 3, 0);
    text_release(&filler);
}

static void test_player__a_file_that_may_only_be_read(void **state)
{
    struct desk *desk = *state;
    unsigned n_told;
    go_to(desk, FILL);
    type(desk, "mine = 5");
    type(desk, "1");
    player_close(desk->player);
    progress_close(desk->place.progress);
    assert_int_equal(chmod(desk->place.file, 0444), 0);
    assert_int_equal(chmod(desk->place.folder, 0555), 0);
    bool is_root = geteuid() == 0;
    if (is_root)
        assert_int_equal(seteuid(65534), 0);
    desk->place.progress = progress_open(desk->place.file);
    assert_non_null(desk->place.progress);
    assert_non_null(progress_problem(desk->place.progress));
    desk->player = open_player(desk, desk->place.progress, false);
    at(desk, FILL);
    assert_int_equal(desk->player->state.cells, 1);
    assert_close(number_named(&desk->player->learner.session, "mine", 0), 5, 0);
    type(desk, "4");
    play_through(desk, "written", &n_told);
    assert_int_equal(n_told, 0); /* who opened the progress has told it */
    if (is_root)
        assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod(desk->place.folder, 0755), 0);
    assert_int_equal(chmod(desk->place.file, 0644), 0);
}

/* ---- a lesson that changed since ---- */

static void change_lesson(struct desk *desk, const char *old, const char *new)
{
    char *text = text_with(course_lesson, old, new);
    place_write(&desk->place, "lessons/02-every.md", text);
    free(text);
}

static void test_player__a_page_that_is_gone(void **state)
{
    struct desk *desk = *state;
    go_to(desk, ROW);
    change_lesson(desk, "### Which row\n", "### Which rows\n");
    reopen(desk);
    at(desk, ALIKE); /* the last one before it that there is */
    assert_non_null(strstr(text_string(&desk->shown), "The page where you stopped is gone"));
    assert_true(desk->player->state.right);
    go_to(desk, ALIKE);
    type(desk, "next");
    at_name(desk, "which-rows");
    compare_reopened(desk);
}

/* Answers of questions that the lesson has no more are no answers of those it has. */
static void test_player__questions_that_are_gone_are_not_counted(void **state)
{
    struct desk *desk = *state;
    go_to(desk, END);
    const char *choice = strstr(course_lesson, "### Which row\n");
    const char *weights = strstr(course_lesson, "## The weights\n");
    char *text = calloc(1, strlen(course_lesson) + 1);
    assert_non_null(text);
    memcpy(text, course_lesson, (size_t)(choice - course_lesson));
    strcat(text, weights); /* NOLINT: it is shorter */
    place_write(&desk->place, "lessons/02-every.md", text);
    free(text);
    reopen(desk);
    at_name(desk, "offers/2");
    says(desk, "next", "4 of 4 questions right: 4 at once.");
}

static void test_player__code_that_changed_runs_from_where_the_play_is(void **state)
{
    struct desk *desk = *state;
    go_to(desk, ROW);
    change_lesson(desk, "noise = rand(2)\n", "noise = rand(2) + 5\n");
    reopen(desk);
    at(desk, ROW);
    go_to(desk, END);
    assert_true(number_named(&desk->player->reference.session, "noise", 0) > 5);
    assert_true(number_named(&desk->player->learner.session, "noise", 0) < 1); /* as it was run */
}

/* Pages that are new, in front of the learner or behind. */
static void test_player__pages_that_are_new(void **state)
{
    struct desk *desk = *state;
    go_to(desk, ROW);
    type(desk, "mine = 2");
    change_lesson(desk, "## The weights\n",
                  "## New\n\n```attn type\nnew = 5\n```\n\n```attn\nnewer = new + 1\n```\n\n"
                  "## The weights\n");
    reopen(desk);
    at(desk, ROW);
    type(desk, "answer 1 3");
    type(desk, "next");
    type(desk, "next");
    type(desk, "next");
    at_name(desk, "new/2");
    type(desk, "next");
    change_lesson(desk, "## The weights\n",
                  "## New\n\n```attn type\nnew = 5\n```\n\n```attn\nnewer = new + 1\n```\n\n"
                  "## Also new\n\n```attn type\nalso = newer + 1\n```\n\n## The weights\n");
    reopen(desk);
    at_name(desk, "the-weights/1");
    assert_close(number_named(&desk->player->reference.session, "also", 0), 7, 0);
    compare_reopened(desk);
    says(desk, "next", "attn> weights");
    type(desk, "next");
    at_name(desk, "fill-in");
    same_numbers(desk, "more");
}

/* A fault of the lesson itself is said with its place, and the learner is where they were. */
static void test_player__a_lesson_with_a_fault(void **state)
{
    struct desk *desk = *state;
    struct text blame = {0};
    change_lesson(desk, "more = chance + rand(2)\n", "more = chance + rand(3)\n");
    text_format(&blame, "%s:89: ", desk->place.lesson);
    player_close(desk->player);
    desk->player = open_player(desk, desk->place.progress, true);
    go_to(desk, OFFER);
    type(desk, "next");
    struct error error;
    assert_error(try_with(desk, desk->player, "next", &error), error, ERR_SHAPE);
    assert_says(error, text_string(&blame));
    at(desk, OFFER);
    says(desk, "scores", "one");
    assert_error(try_with(desk, desk->player, "next", &error), error, ERR_SHAPE);
    says(desk, "back", "Which are right?");
    says(desk, "show", "next goes on.");
    text_release(&blame);
}

static void test_player__a_fault_in_what_is_said(void **state)
{
    struct desk *desk = *state;
    change_lesson(desk, "It is above `= scores[0, 0]`.", "It is above `= nowhere`.");
    player_close(desk->player);
    desk->player = open_player(desk, desk->place.progress, true);
    go_to(desk, ALIKE);
    type(desk, "hint");
    refuses(desk, "hint", ERR_NAME, "02-every.md:42: ");
    refuses(desk, "hint", ERR_NAME, "nowhere");
    says(desk, "4", "Right.");
}

/* ---- review ---- */

static bool try_review(struct desk *desk, const char *question, struct player **ret,
                       struct error *reterr)
{
    struct doc out;
    doc_init(&out);
    bool ok = player_review(read_lesson(desk), question, NULL,
                            &(struct player_setup){.progress = desk->place.progress,
                                                   .settings = &desk->settings,
                                                   .data_dir = testing_data_dir(),
                                                   .stop = &desk->stop},
                            ret, &out, reterr);
    text_clear(&desk->shown);
    doc_to_plain(&out, &desk->shown);
    if (!ok)
        assert_int_equal(out.n_lines, 0);
    doc_release(&out);
    return ok;
}

static void review(struct desk *desk, const char *question)
{
    struct error error;
    struct player *player;
    if (!try_review(desk, question, &player, &error))
        fail_msg("%s: %s", question, error.text);
    player_close(desk->player);
    desk->player = player;
}

static void test_player__review_asks_one_question(void **state)
{
    struct desk *desk = *state;
    go_to(desk, GUESS);
    player_close(desk->player);
    desk->player = NULL;
    review(desk, "fill-in");
    assert_non_null(strstr(text_string(&desk->shown), "-- review: Every kind of question --"));
    assert_true(player_is_asking(desk->player));
    refuses(desk, "back", ERR_NAME, "first page");
    refuses(desk, "next", ERR_NAME, "waits for an answer");
    same_numbers(desk, "more");
    says(desk, "1", "Right.");
    says(desk, "4", "Right, at once.");
    type(desk, "mine = 3");
    type(desk, "next");
    assert_true(desk->player->finished);
    refuses(desk, "back", ERR_NAME, "");
    assert_int_equal(place_number(&desk->place, "SELECT count(*) FROM events WHERE is_review"), 2);
    assert_int_equal(place_number(&desk->place, "SELECT count(*) FROM plays"), 1);
    reopen(desk); /* the lesson itself is where it was */
    at(desk, GUESS);
    assert_null(names_get(&desk->player->learner.session.names, "mine", 4));
}

static void test_player__review_of_every_kind(void **state)
{
    struct desk *desk = *state;
    for (size_t page = ALIKE; page <= IN_C; page++) {
        if (page == OFFER)
            continue;
        review(desk, page_names[page]);
        assert_true(player_is_asking(desk->player));
        if (page != IN_C)
            type(desk, right_answer(page));
        type(desk, page == IN_C ? "skip" : "next");
        assert_true(desk->player->finished);
    }
}

/* What the lesson runs on the way to the question touches no file; the learner may. */
static void test_player__review_writes_no_file(void **state)
{
    struct desk *desk = *state;
    char line[200], code[300], path[128];
    snprintf(path, sizeof path, "%s/saved.npy", desk->place.folder);
    snprintf(line, sizeof line, "save(\"%s\", ones(2))", path);
    snprintf(code, sizeof code, "d_k = 2\n%s\n", line);
    change_lesson(desk, "d_k = 2\n", code);
    struct error error;
    struct player *player;
    bool ok = try_review(desk, "fill-in", &player, &error);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_error(ok, error, ERR_FILE); /* the lesson's own session says it, with the place */
    assert_says(error, "02-every.md:");
    place_write(&desk->place, "lessons/02-every.md", course_lesson);
    review(desk, "how-alike");
    type(desk, line);
    assert_int_equal(access(path, F_OK), 0);
}

static void test_player__review_says_where_the_question_is_from(void **state)
{
    struct desk *desk = *state;
    review(desk, "fill-in");
    assert_non_null(strstr(text_string(&desk->shown),
                           "From the step \"The weights\"; lesson every#the-weights opens it."));
    change_lesson(desk, "## The scores\n", "");
    review(desk, "how-alike");
    assert_non_null(strstr(text_string(&desk->shown), "lesson every opens it."));
}

static void test_player__review_of_what_is_gone(void **state)
{
    struct desk *desk = *state;
    struct error error;
    struct player *player;
    assert_error(try_review(desk, "nowhere", &player, &error), error, ERR_NAME);
    assert_says(error, "has no question nowhere any more");
    assert_error(try_review(desk, "start/1", &player, &error), error, ERR_NAME);
}

/* ---- in a pane ---- */

static void shows_option(struct desk *desk, size_t option, size_t width_cols, const char *wanted)
{
    struct doc out;
    struct error error = {0};
    doc_init(&out);
    if (!player_show_option(desk->player, option, width_cols, &out, &error))
        fail_msg("option %zu: %s", option, error.text);
    text_clear(&desk->shown);
    doc_check_lines(&out, width_cols, false, &desk->shown);
    assert_string_equal(text_string(&desk->shown), wanted);
    doc_release(&out);
}

/* The pane shows the lesson's title, the options and how to answer. All else comes. */
static void test_player__a_page_in_a_pane(void **state)
{
    struct desk *desk = *state;
    desk->player->in_pane = true;
    says(desk, "show", "above\nEvery kind of question\n\xE2\x95\x90");
    assert_non_null(strstr(text_string(&desk->shown), "each.\n"));
    assert_null(strstr(text_string(&desk->shown), "next goes on")); /* there is a key */
    go_to(desk, ROW);
    type(desk, "show");
    assert_string_equal(text_string(&desk->shown), "above\n"
                                                   "\xE2\x96\xBA Which row\n\nWhich are right?\n");
    says_not(desk, "2", "Type the number");
    says_not(desk, "hint", "Or hint");
    says_not(desk, "1 3", "next goes on.");
    says(desk, "show", "2. Rows are keys."); /* nothing waits any more: the page is whole again */
    says_not(desk, "show", "-- Every kind");
    go_to(desk, FILL);
    says_not(desk, "show", "Type the number for the cell");
    says_not(desk, "show", "[?]");
    says_not(desk, "1", "[?]");
    says(desk, "answer scores", "two    0    4\n");
    says(desk, "show", "two    0    4\n");
    go_to(desk, ORDER);
    says_not(desk, "show", "softmax");
    go_to(desk, GUESS);
    says_not(desk, "show", "Guess:");
    go_to(desk, PICK);
    says_not(desk, "show", "Down");
    go_to(desk, SELF);
    says_not(desk, "show", "Type answer");
    go_to(desk, IN_C);
    says_not(desk, "show", "in your editor");
    review(desk, "which-row");
    desk->player->in_pane = true;
    says(desk, "show", "-- review: Every kind of question --");
    says_not(desk, "show", "Rows are");
}

/* A matrix to point into and a mask to draw are the pane's while they wait; the matrix in which one
 * pointed comes with the reply. */
static void test_player__matrices_of_a_pane(void **state)
{
    struct desk *desk = *state;
    place_write(&desk->place, "lessons/02-every.md", kinds_lesson);
    player_close(desk->player);
    desk->player = open_player(desk, desk->place.progress, true);
    desk->player->in_pane = true;
    type(desk, "next");
    type(desk, "show");
    assert_non_null(strstr(text_string(&desk->shown), "Which cell is no dot product?\n"));
    assert_null(strstr(text_string(&desk->shown), "shiny  0.7842"));
    type(desk, "1, 1");
    assert_non_null(strstr(text_string(&desk->shown), "shiny  0.7842   [0.2]  1.2487\n"));
    type(desk, "next");
    type(desk, "show");
    assert_non_null(strstr(text_string(&desk->shown), "Draw it.\n"));
    assert_null(strstr(text_string(&desk->shown), "?      ?    ?\n"));
}

/* Where one number finds a place, the example of a change has one, too. */
static void test_player__example_of_a_change(void **state)
{
    static const char lesson[] =
        "---\nid: kinds\ntitle: Changes\nobjectives:\n  - change\n---\n\n# Changes\n\n"
        "## Two\n\n```attn\nX = [[1, 2], [3, 4]]\nids = [0, 1, 2]\n```\n\n"
        "### A row\n\nMore.\n\n<details><summary>Answer</summary>\n\n```yaml\n"
        "kind: change\nchange: ids\nholds: sum(ids) > 5\nanswer: ids[0] = 7\n"
        "because: Seven.\nhints:\n  - Up.\n```\n\n</details>\n\n"
        "### A matrix\n\nMore.\n\n<details><summary>Answer</summary>\n\n```yaml\n"
        "kind: change\nchange: X\nholds: sum(X) > 20\nanswer: X[0, 0] = 50\n"
        "because: Fifty.\nhints:\n  - Up.\n```\n\n</details>\n";
    struct desk *desk = *state;
    place_write(&desk->place, "lessons/02-every.md", lesson);
    player_close(desk->player);
    desk->player = open_player(desk, desk->place.progress, true);
    type(desk, "next");
    says(desk, "show", "such as answer ids[0] = 2.");
    type(desk, "answer ids[1] = 9");
    type(desk, "next");
    says(desk, "show", "such as answer X[0, 1] = 2.");
}

static void test_player__options_in_a_pane(void **state)
{
    struct desk *desk = *state;
    struct doc out;
    struct error error;
    doc_init(&out);
    assert_error(player_show_option(desk->player, 0, 80, &out, &error), error, ERR_NAME);
    go_to(desk, ROW);
    shows_option(desk, 0, 80, "Rows are queries.\n");
    shows_option(desk, 2, 80, "Columns are keys.\n");
    assert_error(player_show_option(desk->player, 3, 80, &out, &error), error, ERR_NAME);
    assert_int_equal(out.n_lines, 0);
    go_to(desk, ORDER); /* as in the file, whatever the learner's order is */
    shows_option(desk, 1, 80, "scores\n");
    doc_release(&out);
}

/* Computed numbers, emphasis, code, lines that go on, a list in an option, a width of its own. */
static void test_player__options_are_shown_as_on_the_page(void **state)
{
    struct desk *desk = *state;
    change_lesson(desk,
                  "1. Rows are queries.\n"
                  "2. Rows are keys.\n"
                  "3. Columns are keys.\n",
                  "1. The largest is `= max(scores)`, *not* `Q @ K`.\n"
                  "2. Rows are keys, and this goes on\n"
                  "   in a second line, of `= sum(scores)`.\n"
                  "3. Columns:\n"
                  "   - of keys\n"
                  "\n"
                  "Think of `= scores[1]` first.\n");
    player_close(desk->player);
    desk->player = open_player(desk, desk->place.progress, true);
    go_to(desk, ROW);
    says(desk, "show", "1. The largest is 4, *not* `Q @ K`.");
    shows_option(desk, 0, 80, "The largest is 4, *not* `Q @ K`.\n");
    shows_option(desk, 1, 80, "Rows are keys, and this goes on in a second line, of 7.\n");
    shows_option(desk, 1, 28, "Rows are keys, and this goes\non in a second line, of 7.\n");
    shows_option(desk, 2, 80, "Columns:\n\xE2\x80\xA2 of keys\n");
    desk->player->in_pane = true;
    says_not(desk, "show", "of keys");
    says(desk, "show", "Which are right?\n\nThink of [0, 4] first.\n");
    type(desk, "a = scores");
    type(desk, "scores = 0"); /* of the learner's session; options are the lesson's */
    shows_option(desk, 0, 80, "The largest is 4, *not* `Q @ K`.\n");
}

/* Options that stand by themselves, behind code, leave no empty lines. */
static void test_player__options_behind_code(void **state)
{
    struct desk *desk = *state;
    change_lesson(desk, "Which are right?\n", "Which are right?\n\n```attn\n1 + 1\n```\n");
    player_close(desk->player);
    desk->player = open_player(desk, desk->place.progress, true);
    go_to(desk, ROW);
    desk->player->in_pane = true;
    says(desk, "show", "Which are right?\n\nattn> 1 + 1\n2\n");
    assert_string_equal(strstr(text_string(&desk->shown), "attn> 1"), "attn> 1 + 1\n2\n");
}

static void test_player__a_fault_in_an_option(void **state)
{
    struct desk *desk = *state;
    struct doc out;
    struct error error;
    doc_init(&out);
    change_lesson(desk, "2. Rows are keys.\n", "2. Rows are\n   `= nowhere`.\n");
    player_close(desk->player);
    desk->player = open_player(desk, desk->place.progress, true);
    go_to(desk, ALIKE);
    type(desk, "4");
    desk->player->in_pane = true;
    type(desk, "next"); /* the page itself comes without its options */
    assert_error(player_show_option(desk->player, 1, 80, &out, &error), error, ERR_NAME);
    const char *place = strstr(course_lesson, "2. Rows are keys.");
    unsigned line = 2; /* the second line of the option, from 1 */
    for (const char *c = course_lesson; c < place; c++)
        line += *c == '\n';
    char wanted[40];
    snprintf(wanted, sizeof wanted, "02-every.md:%u: ", line);
    assert_says(error, wanted);
    assert_int_equal(out.n_lines, 0);
    doc_release(&out);
}

/* ---- interrupted, and without memory ---- */

/* Ctrl-C at any time: nothing happens, and the next try is as if it had not been. */
static void test_player__interrupted(void **state)
{
    struct desk *desk = *state;
    static const char *const words[] = {
        "next", "back", "show", "jump the-end", "jump the-scores", "a = scores + 1"};
    struct error error;
    struct text unhurt = {0}, now = {0};
    go_to(desk, END);
    describe(desk->player, &unhurt);
    player_close(desk->player);
    desk->player = open_player(desk, desk->place.progress, true);
    for (size_t page = START; page < END; page++) {
        go_to(desk, page);
        for (size_t i = 0; i < COUNT_OF(words); i++) {
            desk->stop = 1;
            if (!try_with(desk, desk->player, words[i], &error) && error.kind != ERR_NAME)
                assert_int_equal(error.kind, ERR_INTERRUPTED);
            desk->stop = 0;
            if (desk->player->page + 1 != page)
                break; /* a page without code */
        }
        if (desk->player->page + 1 > page)
            continue;
        go_to(desk, page);
        if (!player_is_asking(desk->player) || page == IN_C)
            continue;
        desk->stop = 1;
        if (!try_with(desk, desk->player, right_answer(page), &error))
            assert_int_equal(error.kind, ERR_INTERRUPTED);
        desk->stop = 0;
        if (player_is_asking(desk->player))
            says(desk, right_answer(page), "next goes on.");
    }
    go_to(desk, END);
    describe(desk->player, &now);
    assert_string_equal(text_string(&now), text_string(&unhurt));
    text_release(&unhurt);
    text_release(&now);
}

/* A page that could not be shown leaves the question before it as it was. */
static void test_player__a_question_outlives_an_interrupted_way_back(void **state)
{
    struct desk *desk = *state;
    struct error error;
    go_to(desk, FILL);
    type(desk, "1");
    go_to(desk, FILL);
    lesson_run_restart(&desk->player->reference);
    desk->stop = 1;
    assert_error(try_with(desk, desk->player, "back", &error), error, ERR_INTERRUPTED);
    desk->stop = 0;
    at(desk, FILL);
    says(desk, "hint", "the cell [two, two];");
    lesson_run_restart(&desk->player->reference);
    desk->stop = 1;
    assert_false(try_with(desk, desk->player, "jump the-scores", &error));
    desk->stop = 0;
    says(desk, "4", "Right.");
}

/* Adds the page, and those of its step before it. */
static void put_step(struct desk *desk, struct text *out)
{
    struct doc before, page;
    struct page_lines picture;
    struct error error;
    doc_init(&before);
    doc_init(&page);
    if (!player_show_step(desk->player, &before, &picture, &page, &error))
        fail_msg("%s", error.text);
    doc_to_plain(&before, out);
    doc_to_plain(&page, out);
    doc_release(&before);
    doc_release(&page);
}

/* Turning pages, there and back, runs each page once, whatever is shown of the pages before. */
static void test_player__no_page_runs_twice(void **state)
{
    struct desk *desk = *state;
    struct lesson_run *run = &desk->player->reference;
    struct text kept = {0}, ran = {0};
    desk->player->in_pane = true;
    put_step(desk, &kept); /* it was opened for lines, which need no page without its options */
    run->n_runs = 1;
    for (size_t page = START; page <= END; page++) {
        go_to(desk, page);
        put_step(desk, &kept);
        assert_int_equal(run->n_runs, page);
        put_step(desk, &kept); /* laid out anew */
        assert_int_equal(run->n_runs, page);
    }
    /* What is kept looks as if it had run now. */
    text_clear(&kept);
    put_step(desk, &kept);
    for (size_t page = START; page <= END; page++)
        page_record_release(&run->kept[page - 1].page);
    put_step(desk, &ran);
    assert_string_equal(text_string(&kept), text_string(&ran));
    run->n_runs = END;
    for (size_t page = END - 1; page >= TAIL; page--) {
        type(desk, "back");
        put_step(desk, &kept);
        assert_int_equal(run->n_runs, END);
        assert_int_equal(run->reached, page);
    }
    go_to(desk, END);
    put_step(desk, &kept);
    unsigned n_runs = run->n_runs;
    run->session.settings.output_cols = 80; /* as wide as it was, with narrower prose */
    run->session.settings.width_cols = 40;
    put_step(desk, &kept);
    assert_int_equal(run->n_runs, n_runs);
    run->session.settings.output_cols = 20;
    run->session.settings.width_cols = 20;
    put_step(desk, &kept);
    assert_true(run->n_runs <= n_runs + END);
    text_release(&kept);
    text_release(&ran);
}

static void test_player__opening_interrupted(void **state)
{
    struct desk *desk = *state;
    struct error error;
    struct player *player;
    go_to(desk, FILL);
    type(desk, "mine = 3");
    player_close(desk->player);
    desk->player = NULL;
    desk->stop = 1;
    assert_error(try_open(desk, desk->place.progress, false, &player, &error), error,
                 ERR_INTERRUPTED);
    desk->stop = 0;
    reopen(desk);
    at(desk, FILL);
    assert_close(number_named(&desk->player->learner.session, "mine", 0), 3, 0);
}

/* What is typed on a walk through the lesson. */
static const char *const walk[] = {
    "next",
    "x = rand(2)",
    "answer 5",
    "hint",
    "4",
    "next",
    "2",
    "1 3",
    "next",
    "chance = rand(2)  # caf\xC3\xA9",
    "next",
    "next",
    "1",
    "back",
    "next",
    "hint",
    "hint",
    "next",
    "answer softmax(Q @ K.T)",
    "answer softmax(Q @ K.T / sqrt(d_k))",
    "next",
    "hint",
    "hint",
    "next",
    "answer 2*3",
    "next",
    "1",
    "next",
    "answer a text",
    "next",
    "skip",
    "next",
    "jump the-scores",
    "jump offers",
    "next",
    "next",
};
enum { N_WALK = COUNT_OF(walk) };

/* Each allocation of each step fails once. It is reported, the lesson stays sound, and its end is
 * the same as without that. What is lost of the log is told. */
static void test_player__every_failed_allocation_is_reported(void **state)
{
    struct desk *desk = *state;
    struct text unhurt = {0}, now = {0};
    for (size_t i = 0; i < N_WALK; i++)
        type(desk, walk[i]);
    describe(desk->player, &unhurt);
    player_close(desk->player);
    desk->player = open_player(desk, desk->place.progress, true);
    for (size_t i = 0; i < N_WALK; i++) {
        bool done = false;
        for (long nth = 1; !done; nth++) {
            struct error error = {0};
            struct doc out;
            doc_init(&out);
            bool was_lost = desk->player->unsaved.failed;
            bool was_closed = desk->player->learner.offer_is_closed;
            desk->player->problem_told = false;
            testing_fail_allocation(nth);
            done = act(desk->player, walk[i], &out, &error);
            bool reached = testing_allocations() >= nth;
            testing_fail_allocation(0);
            if (!done && (!reached || error.kind != ERR_MEMORY))
                fail_msg("%s, allocation %ld: %s", walk[i], nth, error.text);
            if (!done)
                assert_int_equal(out.n_lines + out.n_spans, 0);
            text_clear(&desk->shown);
            doc_to_plain(&out, &desk->shown);
            if (done && reached && !was_lost &&
                strstr(text_string(&desk->shown), "not enough memory") == NULL)
                fail_msg("%s: allocation %ld failed and nobody noticed", walk[i], nth);
            doc_release(&out);
            /* code that was run and could not be shown is not run again */
            done = done || (!was_closed && desk->player->learner.offer_is_closed &&
                            strcmp(walk[i], "next") == 0);
        }
    }
    describe(desk->player, &now);
    assert_string_equal(text_string(&now), text_string(&unhurt));
    text_release(&unhurt);
    text_release(&now);
}

/* What a pane asks for: the page without its options, and one of them. */
static bool show_in_pane(struct desk *desk, struct doc *out, struct error *reterr)
{
    return player_show(desk->player, out, reterr) &&
           player_show_option(desk->player, 1, 40, out, reterr);
}

static void test_player__every_failed_allocation_in_a_pane_is_reported(void **state)
{
    struct desk *desk = *state;
    struct error error;
    go_to(desk, ROW);
    desk->player->in_pane = true;
    bool done = false;
    for (long nth = 1; !done; nth++) {
        struct doc out;
        doc_init(&out);
        testing_fail_allocation(nth);
        done = show_in_pane(desk, &out, &error);
        bool reached = testing_allocations() >= nth;
        testing_fail_allocation(0);
        assert_int_equal(done, !reached);
        if (!done)
            assert_int_equal(error.kind, ERR_MEMORY);
        text_clear(&desk->shown);
        doc_check_lines(&out, 0, false, &desk->shown);
        doc_release(&out);
    }
    assert_non_null(strstr(text_string(&desk->shown), "Which are right?\nRows are keys.\n"));
}

static bool open_once(struct desk *desk, bool is_review, struct player **ret, struct error *reterr)
{
    struct lesson *lesson = NULL;
    struct doc out;
    doc_init(&out);
    bool ok = lesson_read(desk->place.lesson, &lesson, reterr);
    if (ok && is_review)
        ok = player_review(lesson, "fill-in", NULL,
                           &(struct player_setup){.progress = desk->place.progress,
                                                  .settings = &desk->settings,
                                                  .data_dir = testing_data_dir(),
                                                  .stop = &desk->stop},
                           ret, &out, reterr);
    else if (ok)
        ok = player_open(lesson,
                         &(struct player_setup){.progress = desk->place.progress,
                                                .settings = &desk->settings,
                                                .data_dir = testing_data_dir(),
                                                .stop = &desk->stop},
                         false, ret, &out, reterr);
    text_clear(&desk->shown);
    doc_release(&out);
    return ok;
}

static void test_player__every_failed_allocation_of_opening_is_reported(void **state)
{
    struct desk *desk = *state;
    struct error error;
    struct player *player;
    assert_reports_failed_allocations(open_once(desk, true, &player, &error), error);
    player_close(player);
    player_close(desk->player);
    desk->player = NULL;
    for (long nth = 1; desk->player == NULL; nth++) {
        testing_fail_allocation(nth);
        bool ok = open_once(desk, false, &desk->player, &error);
        testing_fail_allocation(0);
        if (!ok)
            assert_int_equal(error.kind, ERR_MEMORY);
    }
    at(desk, START);
}

/* ---- what is shown ---- */

static void test_player__narrow_and_in_ascii(void **state)
{
    struct desk *desk = *state;
    for (int ascii = 0; ascii < 2; ascii++) {
        char *text = text_with(course_lesson, "# caf\xC3\xA9", "# cafe");
        place_write(&desk->place, "lessons/02-every.md", text);
        free(text);
        desk->settings.width_cols = 40;
        desk->settings.ascii = ascii != 0;
        player_close(desk->player);
        desk->player = open_player(desk, desk->place.progress, true);
        for (size_t i = 0; i < N_WALK; i++) /* widths and letters are checked */
            type(desk, walk[i]);
        assert_true(desk->player->finished);
    }
}

/* All that a walk shows. */
static void show_walk(struct desk *desk, struct text *all)
{
    player_close(desk->player);
    desk->player = open_player(desk, desk->place.progress, true);
    text_put(all, text_string(&desk->shown));
    for (size_t i = 0; i < N_WALK; i++) {
        type(desk, walk[i]);
        text_put(all, text_string(&desk->shown));
    }
    assert_true(desk->player->finished);
}

static void test_player__a_lesson_with_crlf(void **state)
{
    struct desk *desk = *state;
    struct text text = {0}, wanted = {0}, found = {0};
    show_walk(desk, &wanted);
    for (const char *c = course_lesson; *c != '\0'; c++) {
        if (*c == '\n')
            text_char(&text, '\r');
        text_char(&text, *c);
    }
    place_write(&desk->place, "lessons/02-every.md", text_string(&text));
    show_walk(desk, &found);
    assert_string_equal(text_string(&found), text_string(&wanted));
    text_release(&text);
    text_release(&wanted);
    text_release(&found);
}

#define MATRIX_QUESTION(name, answer, cells)                                               \
    "### " name "\n\nFill in.\n\n<details>\n\n```yaml\nkind: matrix\nanswer: " answer "\n" \
    "cells: '" cells "'\nbecause: So.\nhints:\n  - Think.\n```\n\n</details>\n\n"

/* Words of a text may be signs of Markdown, or of HTML; axes may be one or three. */
static void test_player__matrices_of_all_sorts(void **state)
{
    static const char *const words[] = {"<s>", "a|b", "*", "_x_", "[CLS]", "`", "&amp;", "1. x"};
    static const char lesson[] =
        "---\nid: every\ntitle: Some\nminutes: 1\nobjectives: [see]\n---\n# Some\n## Step\n"
        "```attn quiet\n"
        "w = labels([[1, 2, 3, 4, 5, 6, 7, 8]], [\"#\"], [\"<s>\", \"a|b\", \"*\", \"_x_\", "
        "\"[CLS]\", \"`\", \"&amp;\", \"1. x\"])\n"
        "```\n" MATRIX_QUESTION("Words", "w", "[[0, 1]]")
            MATRIX_QUESTION("A row", "[7, 8]", "[[1]]")
                MATRIX_QUESTION("Three", "ones(2, 2, 3) * 9", "[[0, 1, 2], [1, 0, 0]]");
    struct desk *desk = *state;
    place_write(&desk->place, "lessons/02-every.md", lesson);
    player_close(desk->player);
    desk->player = open_player(desk, desk->place.progress, true);
    type(desk, "next");
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (strstr(text_string(&desk->shown), words[i]) == NULL)
            fail_msg("%s is not in\n%s", words[i], text_string(&desk->shown));
    assert_non_null(strstr(text_string(&desk->shown), "the cell [#, a|b];"));
    says(desk, "2", "Right");
    says(desk, "next", "the cell [1];");
    says(desk, "answer [0, 8]", "Right");
    says(desk, "next", "the cell [0, 1, 2];");
    says(desk, "9", "the cell [1, 0, 0];");
    says(desk, "9", "So.");
}

static void test_player__a_line_of_a_megabyte(void **state)
{
    struct desk *desk = *state;
    struct text line = {0};
    struct error error;
    go_to(desk, ALIKE);
    text_repeat(&line, "1", 1024 * 1024);
    if (!try_with(desk, desk->player, text_string(&line), &error))
        assert_true(error.text[0] != '\0');
    text_clear(&line);
    text_put(&line, "answer ");
    text_repeat(&line, "(", 1024 * 1024);
    assert_false(try_with(desk, desk->player, text_string(&line), &error));
    text_clear(&line);
    text_put(&line, "answer ");
    text_repeat(&line, " ", 1024 * 1024);
    text_put(&line, "4");
    says(desk, text_string(&line), "Right, at once.");
    go_to(desk, SELF);
    text_clear(&line);
    text_put(&line, "answer ");
    text_repeat(&line, "words ", 1024 * 1024 / 6);
    says(desk, text_string(&line), "Kept, for you alone.");
    assert_int_equal(place_number(&desk->place, "SELECT max(length(detail)) > 1000000 FROM events"),
                     1);
    compare_reopened(desk);
    text_release(&line);
}

#define DESK_TEST(test) cmocka_unit_test_setup_teardown(test, desk_setup, desk_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        DESK_TEST(test_player__the_lesson_from_its_first_page_to_its_last),
        DESK_TEST(test_player__back_from_the_end),
        DESK_TEST(test_player__next_waits_for_an_answer),
        DESK_TEST(test_player__code_is_run_once_and_pages_stay_the_same),
        DESK_TEST(test_player__jumping_runs_what_lies_before),
        DESK_TEST(test_player__a_number),
        DESK_TEST(test_player__answers_see_the_learners_variables),
        DESK_TEST(test_player__bare_values_against_lines),
        DESK_TEST(test_player__zero_bytes_are_refused),
        DESK_TEST(test_player__a_choice),
        DESK_TEST(test_player__a_matrix_cell_by_cell),
        DESK_TEST(test_player__a_matrix_whole),
        DESK_TEST(test_player__a_formula),
        DESK_TEST(test_player__a_right_formula_that_is_tried),
        DESK_TEST(test_player__names_without_a_value_are_told),
        DESK_TEST(test_player__an_order),
        DESK_TEST(test_player__guesses_are_never_wrong),
        DESK_TEST(test_player__a_right_guess_is_ticked),
        DESK_TEST(test_player__a_guess_by_formula_is_quoted_whole),
        DESK_TEST(test_player__a_matrix_is_told_with_its_heading),
        DESK_TEST(test_player__a_text_for_oneself),
        DESK_TEST(test_player__an_exercise_counts_when_it_is_solved),
        DESK_TEST(test_player__an_exercise_solved_meanwhile),
        DESK_TEST(test_player__hints_lead_to_the_worked_answer),
        DESK_TEST(test_player__skipping),
        DESK_TEST(test_player__an_offer_typed),
        DESK_TEST(test_player__an_offer_half_typed),
        DESK_TEST(test_player__an_offer_not_typed),
        DESK_TEST(test_player__an_offer_typed_differently),
        DESK_TEST(test_player__an_offer_half_typed_stays_so),
        DESK_TEST(test_player__jumping_over_an_offer_half_typed),
        DESK_TEST(test_player__the_lesson_goes_on_whatever_becomes_of_its_names),
        DESK_TEST(test_player__what_does_not_fit_is_told),
        DESK_TEST(test_player__opening_again_is_as_if_it_never_closed),
        DESK_TEST(test_player__a_reset_with_more_behind_it),
        DESK_TEST(test_player__a_file_that_is_loaded_need_not_stay),
        DESK_TEST(test_player__from_the_start_forgets),
        DESK_TEST(test_player__two_at_once),
        DESK_TEST(test_player__two_at_once_and_one_finishes),
        DESK_TEST(test_player__without_a_file_the_lesson_goes_on),
        DESK_TEST(test_player__on_a_full_disk_the_lesson_goes_on),
        DESK_TEST(test_player__what_found_no_room_is_written_later),
        DESK_TEST(test_player__a_file_that_may_only_be_read),
        DESK_TEST(test_player__a_page_that_is_gone),
        DESK_TEST(test_player__questions_that_are_gone_are_not_counted),
        DESK_TEST(test_player__code_that_changed_runs_from_where_the_play_is),
        DESK_TEST(test_player__pages_that_are_new),
        DESK_TEST(test_player__a_lesson_with_a_fault),
        DESK_TEST(test_player__a_fault_in_what_is_said),
        DESK_TEST(test_player__review_asks_one_question),
        DESK_TEST(test_player__review_of_every_kind),
        DESK_TEST(test_player__review_writes_no_file),
        DESK_TEST(test_player__review_says_where_the_question_is_from),
        DESK_TEST(test_player__review_of_what_is_gone),
        DESK_TEST(test_player__a_page_in_a_pane),
        DESK_TEST(test_player__matrices_of_a_pane),
        DESK_TEST(test_player__example_of_a_change),
        DESK_TEST(test_player__options_in_a_pane),
        DESK_TEST(test_player__options_are_shown_as_on_the_page),
        DESK_TEST(test_player__options_behind_code),
        DESK_TEST(test_player__a_fault_in_an_option),
        DESK_TEST(test_player__interrupted),
        DESK_TEST(test_player__a_question_outlives_an_interrupted_way_back),
        DESK_TEST(test_player__no_page_runs_twice),
        DESK_TEST(test_player__opening_interrupted),
        DESK_TEST(test_player__every_failed_allocation_is_reported),
        DESK_TEST(test_player__every_failed_allocation_in_a_pane_is_reported),
        DESK_TEST(test_player__every_failed_allocation_of_opening_is_reported),
        DESK_TEST(test_player__narrow_and_in_ascii),
        DESK_TEST(test_player__a_lesson_with_crlf),
        DESK_TEST(test_player__matrices_of_all_sorts),
        DESK_TEST(test_player__a_line_of_a_megabyte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
