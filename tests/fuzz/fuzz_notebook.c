/* Fuzzes the notebook: any bytes, run as a cell of Python. A cell ends by itself or is stopped, and
 * never reads or writes past what it has. */
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "lang/notebook/notebook.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Set by a signal handler, so it belongs to the program. */
static volatile sig_atomic_t stop;

static void on_timer(int signal_number)
{
    (void)signal_number;
    stop = 1;
}

static void start_timer(void)
{
    struct sigaction action = {.sa_handler = on_timer};
    struct itimerval timer = {.it_value.tv_sec = 1};
    stop = 0;
    sigaction(SIGVTALRM, &action, NULL); /* libFuzzer itself uses SIGALRM */
    setitimer(ITIMER_VIRTUAL, &timer, NULL);
}

static void drop_bytes(void *context, const char *bytes, size_t size)
{
    size_t *n = context;
    (void)bytes;
    *n += size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t printed = 0;
    int code;
    struct text trace = {0};
    char *source = malloc(size + (size == 0)); /* of exactly this size */
    struct notebook_options options = {
        .print = drop_bytes, .context = &printed, .stop = &stop, .most_bytes = (size_t)256 << 20};
    struct notebook *notebook = notebook_new(&options);
    if (source == NULL || notebook == NULL)
        abort();
    memcpy(source, data, size);
    start_timer();
    if (notebook_run(notebook, "fuzz", source, size, &trace, &code) == NOTEBOOK_FAILED &&
        trace.size == 0)
        abort(); /* an error says what it is */
    notebook_free(notebook);
    text_release(&trace);
    free(source);
    return 0;
}
