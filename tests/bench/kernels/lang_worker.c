/* The language: a statement over tensors that lie ready, as it would be typed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/kept_memory.h"
#include "commands/command.h"
#include "lang/session/session.h"
#include "show/doc.h"
#include "worker.h"

struct typed {
    struct settings settings;
    struct session session;
    struct doc out;
    const char *statement;
};

static void give_up(const struct error *error)
{
    fprintf(stderr, "lang_worker: %s\n", error->text);
    exit(1);
}

static void run(struct typed *typed, const char *line)
{
    struct error error;
    if (!session_run(&typed->session, line, strlen(line), &typed->out, &error))
        give_up(&error);
    doc_clear(&typed->out);
}

static void typed_call(void *data)
{
    struct typed *typed = data;
    run(typed, typed->statement);
}

static void typed_release(void *data)
{
    struct typed *typed = data;
    session_release(&typed->session);
    doc_release(&typed->out);
    free(typed);
}

/* Ready are a and b (rows, cols), one row, and a matrix that lies column by column. */
static const char *typed_prepare(const struct request *request, struct job *job)
{
    struct typed *typed = calloc(1, sizeof *typed);
    char line[400];
    if (typed == NULL)
        return "not enough memory";
    size_t rows = request_size(request, "rows", 1), cols = request_size(request, "cols", 1);
    typed->settings = (struct settings){.digits = 4, .width_cols = 80};
    typed->statement = request_text(request);
    doc_init(&typed->out);
    session_init(&typed->session, command_find, &typed->settings, NULL, NULL);
    snprintf(line, sizeof line,
             "a = randn(%zu, %zu); b = randn(%zu, %zu); row = randn(%zu); condition = a > 0; "
             "turned = randn(%zu, %zu).T",
             rows, cols, rows, cols, cols, cols, rows);
    run(typed, line);
    *job = (struct job){.call = typed_call, .release = typed_release, .data = typed};
    return NULL;
}

int main(void)
{
    keep_freed_memory(); /* as attn's main() does */
    static const struct operation table[] = {
        {"add", typed_prepare, 0, "y = a + b"},
        {"add_row", typed_prepare, 0, "y = a + row"},
        {"add_turned", typed_prepare, 0, "y = a + turned"},
        {"mul", typed_prepare, 0, "y = a * b"},
        {"times", typed_prepare, 0, "y = a * 2"},
        {"exp", typed_prepare, 0, "y = exp(a)"},
        {"tanh", typed_prepare, 0, "y = tanh(a)"},
        {"sigmoid", typed_prepare, 0, "y = sigmoid(a)"},
        {"gelu", typed_prepare, 0, "y = gelu(a, approximate=\"tanh\")"},
        {"gelu_erf", typed_prepare, 0, "y = gelu(a)"},
        {"silu", typed_prepare, 0, "y = silu(a)"},
        {"where", typed_prepare, 0, "y = where(condition, a, b)"},
        {"sum", typed_prepare, 0, "y = sum(a, dim=-1)"},
        {"sum_first", typed_prepare, 0, "y = sum(a, dim=0)"},
        {"max", typed_prepare, 0, "y = max(a, dim=-1)"},
        {"max_first", typed_prepare, 0, "y = max(a, dim=0)"},
        {"argmax", typed_prepare, 0, "y = argmax(a, dim=-1)"},
        {"mean", typed_prepare, 0, "y = mean(a, dim=-1)"},
        {"mean_first", typed_prepare, 0, "y = mean(a, dim=0)"},
        {"softmax", typed_prepare, 0, "y = softmax(a, dim=-1)"},
        {"layer_norm", typed_prepare, 0, "y = layer_norm(a, weight=row, bias=row)"},
        {"rms_norm", typed_prepare, 0, "y = rms_norm(a, weight=row)"},
    };
    return worker_run(table, sizeof table / sizeof *table);
}
