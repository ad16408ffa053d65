/* Fuzzes what is made of compilers' and linkers' words, which a hostile file can make say anything:
 * whatever they are, the messages are bounded, and a terminal can be trusted with them. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compiler_messages.h"
#include "judge/why/sanitizer_report_internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool fine)
{
    if (!fine)
        abort();
}

static void check_text(const struct text *text, bool lines)
{
    check(text->failed || text->size <= limits_default.text_kept_bytes + 8192);
    for (size_t i = 0; i < text->size;) {
        struct text_character character = text_character(text->bytes + i, text->size - i);
        check(character.printable || (lines && text->bytes[i] == '\n'));
        i += character.size;
    }
}

static void read_as_compiler(const struct compiler_messages_plan *plan, const char *printed,
                             size_t size)
{
    struct text messages = {.bytes = NULL}, plain = {.bytes = NULL};
    compiler_messages_read(plan, printed, size, &messages, &plain);
    check_text(&messages, true);
    check_text(&plain, false);
    text_release(&messages);
    text_release(&plain);
}

static void read_as_linker(const struct compiler_messages_plan *plan, const char *printed,
                           size_t size)
{
    struct text messages = {.bytes = NULL}, plain = {.bytes = NULL};
    char detail[64];
    compiler_messages_read_link(plan, printed, size, &messages, &plain, detail, sizeof detail);
    check(strlen(detail) < sizeof detail);
    check_text(&messages, true);
    check_text(&plain, false);
    text_release(&messages);
    text_release(&plain);
}

static void read_as_sanitizer(const char *printed, size_t size)
{
    struct sanitizer_report fault;
    char *string = malloc(size + 1);
    check(string != NULL);
    memcpy(string, printed, size);
    string[size] = '\0';
    sanitizer_report_read(string, SUBMISSION_FILE, &fault);
    check(strlen(fault.words) < sizeof fault.words);
    check(strlen(fault.variable) < sizeof fault.variable);
    free(string);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct prototype prototype;
    const char *printed = (const char *)data;
    check(prototype_parse("void f(size_t n, const float *a, float *b);", &prototype, NULL));
    static struct compiler_hints hints;
    check(hints.n_hints > 0 || compiler_hints_open(ATTN_FUZZ_DATA_DIR, &hints, NULL));
    struct compiler_messages_plan plan = {&prototype, &limits_default, &hints, "anna.c", false};
    read_as_compiler(&plan, printed, size);
    plan.failed = true;
    read_as_compiler(&plan, printed, size);
    read_as_linker(&plan, printed, size);
    read_as_sanitizer(printed, size);
    return 0;
}
