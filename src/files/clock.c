/* See clock.h. */
#include "files/clock.h"

#include <time.h>

uint64_t clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t clock_us(void)
{
    return clock_ns() / 1000;
}

int64_t clock_ms(void)
{
    return (int64_t)(clock_ns() / 1000000);
}

static uint64_t spent_ns(clockid_t clock)
{
    struct timespec spent;
    clock_gettime(clock, &spent);
    return (uint64_t)spent.tv_sec * 1000000000u + (uint64_t)spent.tv_nsec;
}

uint64_t clock_spent_ns(void)
{
    return spent_ns(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t clock_spent_by_all_ns(void)
{
    return spent_ns(CLOCK_PROCESS_CPUTIME_ID);
}
