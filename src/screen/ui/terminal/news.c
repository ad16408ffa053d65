/* See news.h. */
#define _DEFAULT_SOURCE 1 /* setitimer */
#include "ui/terminal/news.h"

#include <poll.h>
#include <sys/time.h>
#include <unistd.h>

enum { EVERY_US = 8000 };

volatile sig_atomic_t news_came;
static volatile sig_atomic_t is_watched;

void news_look(void)
{
    struct pollfd ready = {.fd = STDIN_FILENO, .events = POLLIN};
    if (is_watched && poll(&ready, 1, 0) > 0)
        news_came = 1;
}

void news_tell(void)
{
    news_came = is_watched;
}

void news_watch(bool on)
{
    const struct timeval time = {.tv_usec = on ? EVERY_US : 0};
    const struct itimerval times = {.it_value = time, .it_interval = time};
    news_came = 0;
    is_watched = on;
    (void)setitimer(ITIMER_REAL, &times, NULL);
    news_look();
}
