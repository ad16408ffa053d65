/* The program that explains a crash: the learner's function is called once under the address and
 * the undefined-behaviour sanitizer, with every array in a block of the heap of exactly its size.
 *
 * Standard input holds a struct wire_setup, of whose slots only fd (0: not an array) and n_bytes
 * count, a struct wire_request, and then the bytes of each array that is not NULL. The output is
 * the sanitizers' words, and before them a line for each array: "attn-array ARGUMENT ADDRESS
 * BYTES". It is compiled like runner_main.c: as one text of wire.h, this file and a generated
 * runner_call(). */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "compile/wire.h"

void runner_call(void *const *arrays, const uint64_t *args);
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

/* Blocks lie far apart, so that a step too far does not reach the array beside it. */
const char *__asan_default_options(void)
{
    return "detect_leaks=0:exitcode=1:redzone=2048:max_redzone=2048:quarantine_size_mb=16:"
           "detect_stack_use_after_return=1:handle_abort=0:print_legend=0:color=never";
}

const char *__ubsan_default_options(void)
{
    return "color=never";
}

static struct wire_setup setup;
static struct wire_request request;
static void *arrays[WIRE_MAX_ARGS];

static void get(void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = read(STDIN_FILENO, (char *)bytes + done, size - done);
        if (n <= 0)
            _exit(125);
        done += (size_t)n;
    }
}

static void get_array(int i)
{
    size_t size = (size_t)setup.slots[i].n_bytes;
    arrays[i] = malloc(size);
    if (arrays[i] == NULL)
        _exit(125);
    get(arrays[i], size);
    fprintf(stderr, "attn-array %d %llx %zu\n", i, (unsigned long long)(uintptr_t)arrays[i], size);
}

/* Reads the arrays after the call: a function may not free its arguments. */
static void touch(int i)
{
    volatile unsigned char *bytes = arrays[i];
    if (setup.slots[i].n_bytes > 0)
        bytes[0] = bytes[0];
}

int main(void)
{
    get(&setup, sizeof setup);
    get(&request, sizeof request);
    for (int i = 0; i < WIRE_MAX_ARGS; i++)
        if (setup.slots[i].fd != 0 && request.args[i] != WIRE_NULL)
            get_array(i);
    runner_call(arrays, request.args);
    for (int i = 0; i < WIRE_MAX_ARGS; i++)
        if (arrays[i] != NULL)
            touch(i);
    fflush(NULL);
    _exit(0);
}
