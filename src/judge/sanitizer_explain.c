/* A sanitizer's report in the exercise's words: see sanitizer_explain.h. */
#include "judge/sanitizer_explain.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"

struct report_context {
    const struct sanitizer_report *fault;
    const struct fixture *fixture;
    const uint64_t *addresses;
};

/* The exercise's array that the fault's block is, or -1. */
static int array_of_block(const struct report_context *e)
{
    const struct sanitizer_report *fault = e->fault;
    for (unsigned i = 0; i < e->fixture->exercise->n_arrays; i++)
        if (fault->block_bytes > 0 && e->addresses[i] == fault->block)
            return (int)i;
    return -1;
}

static const char *verb_of(const struct sanitizer_report *fault)
{
    return fault->access == ACCESS_READ      ? "read"
           : fault->access == ACCESS_WRITTEN ? "written"
                                             : "used";
}

/* " in line 7", when it is known */
static void say_line(const char *before, unsigned line, struct text *text)
{
    if (line > 0)
        text_format(text, "%s line %u", before, line);
}

/* "element 4 of row was read; row has 4 elements (0..3)", or in bytes where that says more. */
static void say_place(const struct sanitizer_report *fault, const char *what, int64_t offset,
                      uint64_t n_bytes, struct text *text)
{
    int64_t element = (int64_t)fault->n_bytes;
    bool whole =
        element > 0 && element <= 8 && n_bytes % (uint64_t)element == 0 && offset % element == 0;
    if (whole)
        text_format(text, "element %" PRId64 " of %s was %s; it has %" PRIu64 " (0..%" PRIu64 ")",
                    offset / element, what, verb_of(fault), n_bytes / (uint64_t)element,
                    n_bytes / (uint64_t)element - 1);
    else
        text_format(text, "byte %" PRId64 " of %s was %s; it has %" PRIu64 " bytes",
                    offset < 0 || (uint64_t)offset >= n_bytes ? offset : (int64_t)n_bytes, what,
                    verb_of(fault), n_bytes);
}

static void say_heap(const struct report_context *e, struct text *text)
{
    const struct sanitizer_report *fault = e->fault;
    int array = array_of_block(e);
    int64_t offset = (int64_t)(fault->address - fault->block);
    char place[256];
    if (array >= 0) {
        text_put(text, bounds_describe(e->fixture, (unsigned)array, offset, fault->access, place,
                                       sizeof place));
    } else if (fault->block_bytes > 0) {
        say_place(fault, "a block of memory", offset, fault->block_bytes, text);
        say_line("; malloc() gave it in", fault->allocated_line, text);
        text_put(text, ". malloc() counts bytes: n numbers need n * sizeof(float)");
    } else {
        text_format(text, "memory beside a block of malloc() was %s", verb_of(fault));
    }
}

static void say_variable(const struct sanitizer_report *fault, struct text *text)
{
    char what[80] = "a local array";
    if (fault->variable[0] != '\0')
        snprintf(what, sizeof what, "%s", fault->variable);
    if (fault->variable_bytes > 0)
        say_place(fault, what, fault->variable_offset, fault->variable_bytes, text);
    else
        text_format(text, "memory beside %s was %s", what, verb_of(fault));
    say_line("; it is declared in", fault->variable_line, text);
}

static void say_freed(const struct report_context *e, struct text *text)
{
    const struct sanitizer_report *fault = e->fault;
    int array = array_of_block(e);
    if (array >= 0) {
        text_format(text, "%s was freed", e->fixture->exercise->arrays[array].name);
        say_line(" in", fault->freed_line, text);
        text_put(text, ". It belongs to the caller: free only what your own malloc() gave");
    } else if (fault->kind == FAULT_DOUBLE_FREE) {
        text_put(text, "the same memory is freed twice");
        say_line(", first in", fault->freed_line, text);
    } else {
        text_format(text, "memory was %s that had been freed", verb_of(fault));
        say_line(" in", fault->freed_line, text);
    }
}

/* Names the arrays that are NULL in this case. */
static void say_null(const struct report_context *e, struct text *text)
{
    const struct fixture *fixture = e->fixture;
    text_format(text, "a pointer that is NULL was %s", verb_of(e->fault));
    for (unsigned i = 0; i < fixture->exercise->n_arrays; i++)
        if (!fixture->arrays[i].present)
            text_format(text, "; %s is NULL in this case", fixture->exercise->arrays[i].name);
}

/* What the undefined-behaviour sanitizer says, by its first words, and what it means. */
static const struct {
    const char *words, *meaning;
    bool quoted; /* its own words say more, and are put after the meaning */
} undefined[] = {
    {"signed integer overflow",
     "a calculation in whole numbers went beyond what its type can hold; count with size_t, and "
     "calculate with float",
     true},
    {"negation of", "a whole number can't be negated: its type has no such positive number", true},
    {"division by zero", "a whole number was divided by 0", false},
    {"index ", "an index lies outside of its array", true},
    {"shift exponent", "a number was shifted by more bits than it has, or by fewer than none",
     true},
    {"left shift of", "a number was shifted further than its type can hold", true},
    {"load of misaligned",
     "numbers were read through a pointer to a larger type; an array of float must be read through "
     "a float *",
     false},
    {"store to misaligned",
     "numbers were written through a pointer to a larger type; an array of float must be written "
     "through a float *",
     false},
    {"variable length array bound", "a local array was made with a length below 1", false},
    {"execution reached the end", "a function that should return a value ended without return",
     false},
    {"load of value",
     "a variable holds something that its type does not know. Did it ever get a "
     "value?",
     false},
};

static void say_undefined(const struct sanitizer_report *fault, struct text *text)
{
    const char *meaning = NULL;
    bool quoted = true;
    if (strstr(fault->words, "is outside the range of representable values") != NULL)
        meaning = "a float was turned into a whole number that can't hold it";
    for (size_t i = 0; i < COUNT_OF(undefined) && meaning == NULL; i++) {
        if (strncmp(fault->words, undefined[i].words, strlen(undefined[i].words)) == 0) {
            meaning = undefined[i].meaning;
            quoted = undefined[i].quoted;
        }
    }
    text_put(text, meaning != NULL ? meaning : "");
    if (quoted)
        text_format(text, "%s%s", meaning != NULL ? ": " : "", fault->words);
}

void sanitizer_explain(const struct sanitizer_report *fault, const struct fixture *fixture,
                       const uint64_t *addresses, struct text *text)
{
    const struct report_context context = {fault, fixture, addresses}, *e = &context;
    switch (fault->kind) {
    case FAULT_HEAP:
        say_heap(e, text);
        break;
    case FAULT_VARIABLE:
        say_variable(fault, text);
        break;
    case FAULT_FREED:
    case FAULT_DOUBLE_FREE:
        say_freed(e, text);
        break;
    case FAULT_SCOPE:
        text_format(text, "%s was %s after the { } or the function that it belongs to had ended",
                    fault->variable[0] != '\0' ? fault->variable : "a local variable",
                    verb_of(fault));
        break;
    case FAULT_WRONG_FREE:
        text_put(text, "free() was given an address that malloc() did not return");
        break;
    case FAULT_STACK_OVERFLOW:
        text_put(text, "the stack is full. Does a function call itself without end, or is a local "
                       "array very large?");
        break;
    case FAULT_NULL:
        say_null(e, text);
        break;
    case FAULT_NO_VALUE:
        text_format(text, "a pointer was %s through that never got a value", verb_of(fault));
        break;
    case FAULT_WILD:
        text_format(text,
                    "an address far away from every array was %s. Is an index negative or far too "
                    "large, or a pointer wrong?",
                    verb_of(fault));
        break;
    case FAULT_HUGE_MALLOC:
        text_format(text, "malloc() was asked for %" PRIu64 " bytes. Did a size go below 0?",
                    fault->n_bytes);
        break;
    case FAULT_NEGATIVE_SIZE:
        text_put(text, "a function such as memcpy() was given a size below 0");
        break;
    case FAULT_OVERLAP:
        text_put(text, "memcpy() was given places that overlap; memmove() may copy between them");
        break;
    case FAULT_DIVISION:
        text_put(text, "a whole number was divided by 0");
        break;
    case FAULT_UNDEFINED:
        say_undefined(fault, text);
        break;
    case FAULT_NONE:
        break;
    }
}
