#include "worker.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { MAX_LINE = 1024, MAX_JOBS = 16 };

struct request {
    const struct operation *operation;
    const char *text; /* " KEY=NUMBER KEY=NUMBER" */
};

int request_code(const struct request *request)
{
    return request->operation->code;
}

const char *request_text(const struct request *request)
{
    return request->operation->text;
}

double request_number(const struct request *request, const char *key, double otherwise)
{
    size_t size = strlen(key);
    for (const char *at = request->text; (at = strchr(at, ' ')) != NULL;) {
        at++;
        if (strncmp(at, key, size) == 0 && at[size] == '=')
            return strtod(at + size + 1, NULL);
    }
    return otherwise;
}

size_t request_size(const struct request *request, const char *key, size_t otherwise)
{
    return (size_t)request_number(request, key, (double)otherwise);
}

static uint32_t mixed(uint32_t number)
{
    number *= 0x9E3779B1U;
    number ^= number >> 15;
    number *= 0x85EBCA77U;
    return number ^ number >> 13;
}

void worker_fill(float *numbers, size_t n, unsigned stream)
{
    const float spread = 3.4641016F; /* sqrt(12): of a uniform number of variance 1 */
    for (size_t i = 0; i < n; i++) {
        uint32_t bits = mixed((uint32_t)i + mixed(stream)) >> 8;
        numbers[i] = ((float)bits * 0x1p-24F - 0.5F) * spread;
    }
}

float *worker_numbers(size_t n, unsigned stream)
{
    void *numbers = NULL;
    if (posix_memalign(&numbers, 64, (n + 16) * sizeof(float)) != 0)
        exit(1);
    worker_fill(numbers, n, stream);
    return numbers;
}

static double now_ns(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double calls_ns(const struct job *job, size_t n)
{
    const double coarse_ns = 1e6;
    double wall = now_ns(CLOCK_MONOTONIC), processor = now_ns(CLOCK_PROCESS_CPUTIME_ID);
    for (size_t i = 0; i < n; i++)
        job->call(job->data);
    processor = now_ns(CLOCK_PROCESS_CPUTIME_ID) - processor;
    wall = now_ns(CLOCK_MONOTONIC) - wall;
    return (job->by_wall || processor < coarse_ns ? wall : processor) / (double)n;
}

/* The first call wakes the threads and fills the caches, and counts only where it takes all the
 * time that there is. Short calls are timed by the hundred microseconds. There are as many samples
 * as the budget would hold if none was interrupted, within ten times the budget. */
static double round_ns(const struct job *job, double budget_ns)
{
    const double sample_ns = 1e5, most_budgets = 10;
    double begin = now_ns(CLOCK_MONOTONIC), best = calls_ns(job, 1);
    if (best >= budget_ns && !job->by_wall)
        return best;
    size_t n = best < sample_ns ? (size_t)(sample_ns / (best + 1)) + 1 : 1;
    double spent = 0;
    do {
        double sample = calls_ns(job, n);
        best = sample < best || spent <= 0 ? sample : best;
        spent += best * (double)n;
    } while (spent < budget_ns && now_ns(CLOCK_MONOTONIC) - begin < most_budgets * budget_ns);
    return best;
}

static void drop(struct job *job)
{
    if (job->release != NULL)
        job->release(job->data);
    *job = (struct job){0};
}

static void answer_prepare(const struct operation *operations, size_t n_operations,
                           const char *operation, const char *numbers, struct job *job)
{
    drop(job);
    for (size_t i = 0; i < n_operations; i++) {
        if (strcmp(operations[i].name, operation) != 0)
            continue;
        struct request request = {&operations[i], numbers};
        const char *reason = operations[i].prepare(&request, job);
        job->by_wall = request_size(&request, "threads", 1) != 1;
        if (reason != NULL)
            printf("no %s\n", reason);
        else
            puts("ok");
        return;
    }
    puts("no such operation");
}

static double output_at(const struct job *job, size_t i)
{
    return job->precise != NULL ? job->precise[i] : (double)job->output[i];
}

static void answer_check(const struct job *job)
{
    if (job->n_output == 0)
        puts("nothing");
    else
        printf("%.9g %.9g %.9g %zu\n", output_at(job, 0), output_at(job, job->n_output / 2),
               output_at(job, job->n_output - 1), job->n_output);
}

static void answer_write(const struct job *job, const char *path)
{
    const void *numbers = job->precise != NULL ? (const void *)job->precise : job->output;
    size_t size = job->precise != NULL ? sizeof *job->precise : sizeof *job->output;
    FILE *file = numbers != NULL ? fopen(path, "wb") : NULL;
    bool written = file != NULL && fwrite(numbers, size, job->n_output, file) == job->n_output;
    if (file != NULL)
        written = fclose(file) == 0 && written;
    puts(written ? "ok" : "no output was written");
}

/* Linux counts what the process was before exec() in ru_maxrss too; VmHWM it does not. */
static void answer_memory(void)
{
    struct rusage usage;
    char line[128];
    double kilobytes = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "VmHWM: %lf", &kilobytes) == 1)
            break;
    if (file != NULL)
        fclose(file);
    if (kilobytes > 0) {
        printf("%.0f\n", kilobytes * 1024);
        return;
    }
    getrusage(RUSAGE_SELF, &usage);
    printf("%.0f\n", (double)usage.ru_maxrss * 1024);
}

int worker_run(const struct operation *operations, size_t n_operations)
{
    static struct job jobs[MAX_JOBS];
    char line[MAX_LINE], operation[32], path[512];
    while (fgets(line, sizeof line, stdin) != NULL) {
        unsigned id = 0;
        int end = 0;
        double seconds = 0;
        line[strcspn(line, "\n")] = '\0';
        if (sscanf(line, "prepare %u %31s%n", &id, operation, &end) == 2 && id < MAX_JOBS)
            answer_prepare(operations, n_operations, operation, line + end, &jobs[id]);
        else if (sscanf(line, "round %u %lf", &id, &seconds) == 2 && id < MAX_JOBS &&
                 jobs[id].call != NULL)
            printf("%.1f\n", round_ns(&jobs[id], seconds * 1e9));
        else if (sscanf(line, "check %u", &id) == 1 && id < MAX_JOBS)
            answer_check(&jobs[id]);
        else if (sscanf(line, "write %u %511[^\n]", &id, path) == 2 && id < MAX_JOBS)
            answer_write(&jobs[id], path);
        else if (strcmp(line, "memory") == 0)
            answer_memory();
        else if (strcmp(line, "drop") == 0) {
            for (size_t i = 0; i < MAX_JOBS; i++)
                drop(&jobs[i]);
            puts("ok");
        } else
            puts("no such request");
        fflush(stdout);
    }
    for (size_t i = 0; i < MAX_JOBS; i++)
        drop(&jobs[i]);
    return 0;
}
