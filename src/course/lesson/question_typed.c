/* Numbers as learners type them (10%, 50,257 x 768, 46 degrees), and how they are judged. */
#include "course/lesson/question_internal.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Signs of keyboards and papers that the language does not have. Their replacements are no longer
 * than they are, so that places in the typed text stay places in the text that is read. */
static const struct {
    const char *sign, *written;
} signs[] = {
    {"\xC3\x97", "*"},     /* the sign for times */
    {"\xC3\xB7", "/"},     /* the sign for divided by */
    {"\xE2\x88\x92", "-"}, /* the minus sign */
    {"\xC2\xB0", ""},      /* degrees */
    {"\xC2\xA0", " "},     /* blanks that lines do not break at */
    {"\xE2\x80\xAF", " "}, {"\xE2\x80\x89", " "},
};

static void write_signs(char *text)
{
    for (size_t i = 0; i < COUNT_OF(signs); i++) {
        size_t size = strlen(signs[i].sign), n = strlen(signs[i].written);
        for (char *at = text; (at = strstr(at, signs[i].sign)) != NULL; at += size) {
            memset(at, ' ', size);
            memcpy(at, signs[i].written, n);
        }
    }
}

char *answer_with_plain_signs(const char *typed)
{
    char *text = strdup(typed);
    if (text != NULL)
        write_signs(text);
    return text;
}

static bool ends_number(const char *text, size_t end)
{
    return end > 0 && (text_is_digit(text[end - 1]) || text[end - 1] == ')');
}

/* 50257 x 768: an x between two numbers, which is not a letter of a name. */
static void write_times(char *text)
{
    for (size_t i = 1; text[0] != '\0' && text[i] != '\0'; i++) {
        size_t before = i;
        if (text[i] != 'x' && text[i] != 'X')
            continue;
        while (before > 0 && text[before - 1] == ' ')
            before--;
        bool is_hexadecimal =
            before == i && text[i - 1] == '0' && (i < 2 || !text_is_digit(text[i - 2]));
        if (is_hexadecimal || !ends_number(text, before))
            continue;
        const char *after = text + i + 1 + strspn(text + i + 1, " ");
        if (text_is_digit(*after) || *after == '(')
            text[i] = '*';
    }
}

/* The group of three digits after a separator: its end, or NULL. */
static const char *group_end(const char *at, char separator)
{
    const char *digits = at + (separator == ' ' ? strspn(at, " ") : *at == separator);
    bool is_group = digits > at && strspn(digits, "0123456789") == 3;
    return is_group ? digits + 3 : NULL;
}

/* The end of 50,257 or 50 257 at `at`: up to three digits, then groups of three. NULL for other
 * numbers; one that begins with 0 has no thousands. */
static const char *thousands_end(const char *at, char separator)
{
    size_t n = strspn(at, "0123456789");
    const char *end = at + n, *next;
    if (n == 0 || n > 3 || at[0] == '0')
        return NULL;
    while ((next = group_end(end, separator)) != NULL)
        end = next;
    const char *after = end + strspn(end, " ");
    bool goes_on = *after == ',' || (after > end && text_is_digit(*after));
    return end == at + n || goes_on || text_is_digit(*end) ? NULL : end;
}

/* Digits move together to the end of the number. In brackets a comma separates, as in max(1,234).
 */
static void write_thousands(char *text)
{
    unsigned depth = 0;
    for (char *at = text; *at != '\0'; at++) {
        depth += *at == '(' || *at == '[';
        depth -= depth > 0 && (*at == ')' || *at == ']');
        if (!text_is_digit(*at))
            continue;
        bool is_inside = at > text && (text_is_digit(at[-1]) || isalpha((unsigned char)at[-1]) ||
                                       at[-1] == '.' || at[-1] == '_' || at[-1] == ',');
        const char *end = depth == 0 && !is_inside ? thousands_end(at, ',') : NULL;
        if (end == NULL && !is_inside)
            end = thousands_end(at, ' ');
        if (end == NULL)
            continue;
        char *to = text + (end - text);
        for (char *from = to; from > at; from--)
            if (text_is_digit(from[-1]))
                *--to = from[-1];
        memset(at, ' ', (size_t)(to - at));
        at = text + (end - text) - 1;
    }
}

/* Takes a percent sign off the end; inside it is the remainder of a division. */
static bool cut_percent(char *text)
{
    size_t size = strlen(text);
    while (size > 0 && isspace((unsigned char)text[size - 1]))
        size--;
    if (size < 2 || text[size - 1] != '%')
        return false;
    text[size - 1] = ' ';
    return true;
}

/* To be freed. */
static char *written_number(const char *typed, bool *ret_percent)
{
    char *text = strdup(typed);
    if (text == NULL)
        return NULL;
    write_signs(text);
    *ret_percent = cut_percent(text);
    write_thousands(text);
    write_times(text);
    return text;
}

size_t answer_said_part(const char *message)
{
    const char *advice = strstr(message, "; ");
    const char *separator = strstr(message, ", ';' or the end of the line");
    const char *end =
        separator != NULL && (advice == NULL || separator < advice) ? separator : advice;
    return end != NULL ? (size_t)(end - message) : strlen(message);
}

void answer_advise(struct error *error)
{
    struct error before = *error;
    if (before.kind == ERR_SYNTAX || before.kind == ERR_NAME)
        error_set(error, before.kind, "%.*s; digits and + - * / here",
                  (int)answer_said_part(before.text), before.text);
    error->begin = before.begin;
    error->end = before.end;
}

/* Decimals of a number as typed; -1 if it is not a number. */
static int decimals_of(const char *typed)
{
    const char *at = typed + strspn(typed, " \t-+");
    size_t whole = strspn(at, "0123456789");
    at += whole;
    size_t decimals = *at == '.' ? strspn(at + 1, "0123456789") : 0;
    at += *at == '.' ? decimals + 1 : 0;
    at += strspn(at, " \t\r\n");
    return whole + decimals > 0 && *at == '\0' ? (int)decimals : -1;
}

bool answer_peek_typed(struct session *session, const char *typed, struct typed_number *ret,
                       struct error *reterr)
{
    struct error error = {0};
    struct typed_number number = {0};
    char *text = written_number(typed, &number.has_percent);
    if (text == NULL)
        return error_memory(reterr, "an answer");
    bool ok = answer_peek_number(session, text, &number.value, &error);
    if (!ok)
        answer_advise(&error);
    number.decimals = decimals_of(text);
    free(text);
    if (ok)
        *ret = number;
    else if (reterr != NULL)
        *reterr = error;
    return ok;
}

void typed_number_settle_percent(struct typed_number *number, const struct question *question,
                                 float right)
{
    float share = number->value / 100;
    if (!number->has_percent ||
        (question->in_percent && !number_is_near(share, right, question_within(question))))
        return;
    number->value = share;
    number->decimals += number->decimals >= 0 ? 2 : 0;
}

void question_write_number(const struct question *question, const char *typed, struct text *out)
{
    bool has_percent;
    char *text = written_number(typed, &has_percent);
    if (text == NULL) {
        out->failed = true;
        return;
    }
    text_put(out, text);
    text_put(out, has_percent && !question->in_percent ? "/ 100" : "");
    free(text);
}

/* The decimals that a number needs to be written whole, or MAX_DECIMALS for more of them. */
static int decimals_needed(float x)
{
    enum { MAX_DECIMALS = 4 };
    double scaled = fabs((double)x);
    int n = 0;
    while (n < MAX_DECIMALS && fabs(scaled - round(scaled)) > 1e-6 * fmax(1, scaled)) {
        scaled *= 10;
        n++;
    }
    return n;
}

/* The most that a rounded number may be off, as a part of the right one. */
#define ROUNDED_WITHIN 0.1

bool typed_number_is_rounded(const struct typed_number *typed, float right)
{
    if (typed->decimals < 0 || !isfinite(right))
        return false;
    double half = 0.5 * pow(10, -typed->decimals) * 1.001;
    double off = fabs((double)typed->value - (double)right);
    return off <= half && off <= ROUNDED_WITHIN * 1.001 * fabs((double)right);
}

/* Whether the digits of the number are those that the other begins with: 14.5 for 14.5823. */
static bool is_cut_off(const struct typed_number *typed, double right)
{
    double given = fabs((double)typed->value), off = fabs(right) - given;
    return typed->decimals > 0 && given > 0 && off >= 0 && off < pow(10, -typed->decimals);
}

/* The power of ten by which the number is too large, or too small where negative; 0: by none. */
static int wrong_point(double given, double right)
{
    double power = log10(given / right);
    return fabs(power - round(power)) < 0.005 ? (int)round(power) : 0;
}

void typed_number_remark(const struct typed_number *typed, float right, struct guess *ret)
{
    double given = (double)typed->value, wanted = (double)right, off = fabs(given - wanted);
    const char *where = given > wanted ? "high" : "low";
    size_t size = sizeof ret->remark;
    if (!isfinite(given) || !isfinite(wanted))
        return;
    bool is_count = given == round(given) && wanted == round(wanted) && fabs(wanted) < 100;
    double scale = fabs(wanted) > 0 ? fabs(wanted) : 1, percent = 100 * off / scale;
    int point = given * wanted > 0 ? wrong_point(given, wanted) : 0;
    ret->is_near = true;
    if (given * wanted < 0 && fabs(fabs(given) - scale) <= 0.05 * scale)
        snprintf(ret->remark, size, "The size is right, but the sign is not.");
    else if (given * wanted > 0 && is_cut_off(typed, wanted))
        snprintf(ret->remark, size, "Nearly: these are its first digits.");
    else if (is_count && off == 1)
        snprintf(ret->remark, size, "Nearly: it is one too %s.", given > wanted ? "many" : "few");
    else if (wanted != 0 && percent <= 10)
        snprintf(ret->remark, size, "Nearly: it is %.*f %% too %s.", percent < 1 ? 1 : 0,
                 fmax(percent, 0.1), where);
    else if (point != 0)
        snprintf(ret->remark, size, "The digits are right, but it is %.0f times too %s.",
                 pow(10, abs(point)), point > 0 ? "large" : "small");
    else
        ret->is_near = false;
    if (!ret->is_near && given * wanted < 0)
        snprintf(ret->remark, size, "The sign is not right.");
    else if (!ret->is_near)
        snprintf(ret->remark, size, "It is too %s.", where);
}

bool typed_number_is(const struct typed_number *typed, float number)
{
    double given = (double)typed->value, off = fabs(given - (double)number);
    if (!isfinite(number))
        return false;
    if (off <= 2e-6 * fabs((double)number) || (typed->decimals < 0 && off <= 1e-6))
        return true;
    /* two meaningful digits, compared to the precision that was typed */
    double scale = pow(10, typed->decimals);
    return typed->decimals >= 0 && off * scale <= 0.5005 && fabs(given) * scale >= 10;
}

/* A short number is written whole: 0.3 is not a beginning of 0.28. */
static bool is_beginning(const struct typed_number *typed, float right)
{
    enum { SHORT_DECIMALS = 3 };
    return typed_number_is_rounded(typed, right) && decimals_needed(right) > SHORT_DECIMALS;
}

/* 38,600,000 for 38,597,376: a large whole number with zeros in place of its last digits. */
static bool is_rounded_whole(const struct typed_number *typed, float right)
{
    double given = fabs((double)typed->value), wanted = fabs((double)right), unit = 1;
    while (given >= 100 * unit && fmod(given, 10 * unit) == 0)
        unit *= 10;
    double off = fabs((double)typed->value - (double)right);
    return typed->decimals == 0 && wanted >= 10000 && unit > 1 && given >= 10 * unit &&
           off <= unit / 2 && off <= 0.005 * wanted;
}

bool number_is_rounding(float given, float wanted)
{
    for (int decimals = 2; decimals <= 3; decimals++) {
        struct typed_number typed = {.value = given, .decimals = decimals};
        double scaled = (double)given * pow(10, decimals);
        if (fabs(scaled - round(scaled)) <= 1e-6 * fmax(1, fabs(scaled)) &&
            is_beginning(&typed, wanted))
            return true;
    }
    return false;
}

void judged_note_unfinished(struct judged *judged)
{
    judged->is_unfinished = true;
    snprintf(judged->note, sizeof judged->note,
             "That is right as far as it goes. Give some more digits.");
}

/* Right as far as it was typed, if that says something: 0 for 0.12 does not. */
void judged_note_rounding(const struct typed_number *typed, float right, struct judged *judged)
{
    if ((typed->decimals >= 1 && is_beginning(typed, right)) || is_rounded_whole(typed, right))
        judged_note_unfinished(judged);
}

bool typed_number_is_foreseen(const struct typed_number *typed, const struct question *question,
                              float wrong, bool rounded)
{
    return rounded ? typed->decimals >= 2 && is_beginning(typed, wrong)
                   : question_accepts_number(question, typed->value, wrong);
}

static bool find_wrong_number(const struct question *question, struct session *session,
                              const struct typed_number *given, bool rounded, struct judged *judged,
                              struct error *reterr)
{
    for (size_t i = 0; judged->foreseen == NULL && i < question->n_wrong; i++) {
        float wrong;
        if (!answer_peek_number(session, question->wrong[i].is.text, &wrong, reterr))
            return false;
        if (typed_number_is_foreseen(given, question, wrong, rounded))
            judged->foreseen = &question->wrong[i];
    }
    return true;
}

bool question_judge_number(const struct question *question,
                           const struct question_sessions *sessions, const char *typed,
                           struct judged *judged, struct error *reterr)
{
    struct typed_number given;
    float right;
    if (!answer_peek_typed(sessions->learner, typed, &given, reterr) ||
        !answer_peek_number(sessions->lesson, question->answer.text, &right, reterr))
        return false;
    typed_number_settle_percent(&given, question, right);
    judged->right = question_accepts_number(question, given.value, right);
    if (judged->right)
        return true;
    if (!find_wrong_number(question, sessions->lesson, &given, false, judged, reterr))
        return false;
    if (judged->foreseen == NULL)
        judged_note_rounding(&given, right, judged);
    return judged->is_unfinished ||
           find_wrong_number(question, sessions->lesson, &given, true, judged, reterr);
}
