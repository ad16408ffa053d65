/* See question_testing.h. */
#include "question_testing.h"

#include <stdio.h>
#include <string.h>

#include "course/lesson/page_internal.h"

bool desk_open(struct desk *desk, const char *text)
{
    struct error error;
    *desk = (struct desk){.lesson = NULL};
    lang_open(&desk->lang);
    desk->sessions =
        (struct question_sessions){.lesson = &desk->lang.session, .learner = &desk->lang.session};
    return lesson_parse("lesson.md", text, strlen(text), &desk->lesson, &error);
}

void desk_close(struct desk *desk)
{
    lang_close(&desk->lang);
    lesson_free(desk->lesson);
}

void desk_go_to(struct desk *desk, const char *name)
{
    unsigned line;
    struct error error;
    size_t page = lesson_page(desk->lesson, name);
    assert_true(page < desk->lesson->n_pages);
    for (size_t i = 0; i <= page; i++) {
        const struct page *now = &desk->lesson->pages[i];
        assert_true(page_run(&desk->lang.session, now, 0, NULL, &line, &error));
        if (now->offer.text != NULL)
            assert_true(code_run(&desk->lang.session, &now->offer, NULL, &line, &error));
    }
    desk->question = desk->lesson->pages[page].question;
}

struct question *desk_own_question(struct desk *desk)
{
    desk->own = *desk->question;
    desk->own.n_wrong = 0;
    desk->question = &desk->own;
    return &desk->own;
}

void desk_ask_for(struct desk *desk, const char *answer)
{
    assert_ptr_equal(desk->question, &desk->own);
    assert_true(strlen(answer) < sizeof desk->answer);
    snprintf(desk->answer, sizeof desk->answer, "%s", answer);
    desk->own.answer.text = desk->answer;
}

struct judged desk_judge(struct desk *desk, const char *typed)
{
    struct judged judged = {0};
    struct error error = {0};
    if (!question_judge(desk->question, &desk->sessions, typed, &judged, &error))
        fail_msg("%s: %s", typed, error.text);
    return judged;
}

void assert_right(struct desk *desk, const char *typed)
{
    struct judged judged = desk_judge(desk, typed);
    if (!judged.right)
        fail_msg("%s is not right: %s", typed, judged.note);
}

const char *desk_wrong(struct desk *desk, const char *typed)
{
    static struct judged judged;
    judged = desk_judge(desk, typed);
    if (judged.right)
        fail_msg("%s is right", typed);
    return judged.foreseen != NULL ? judged.foreseen->say.text : judged.note;
}

struct error desk_refused(struct desk *desk, const char *typed)
{
    struct judged judged;
    struct error error = {0};
    if (question_judge(desk->question, &desk->sessions, typed, &judged, &error))
        fail_msg("%s is judged", typed);
    return error;
}

void assert_tells(struct desk *desk, const char *wanted)
{
    struct text text = {0};
    struct error error = {0};
    if (!question_tell(desk->question, &desk->sessions, &text, &error))
        fail_msg("%s", error.text);
    assert_string_equal(text_string(&text), wanted);
    text_release(&text);
}
