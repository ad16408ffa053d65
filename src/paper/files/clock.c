/* See clock.h. */
#include "files/clock.h"

#include <string.h>
#include <time.h>

/* ---- date ---- */

/* Exactly n digits; moves *at behind them. */
static bool read_digits(const char **at, int n, int *ret)
{
    int number = 0;
    for (int i = 0; i < n; i++) {
        char c = (*at)[i];
        if (c < '0' || c > '9')
            return false;
        number = number * 10 + (c - '0');
    }
    *at += n;
    *ret = number;
    return true;
}

static bool read_char(const char **at, char c)
{
    if (**at != c)
        return false;
    (*at)++;
    return true;
}

static bool read_day(const char **at, struct tm *parts)
{
    return read_digits(at, 4, &parts->tm_year) && read_char(at, '-') &&
           read_digits(at, 2, &parts->tm_mon) && read_char(at, '-') &&
           read_digits(at, 2, &parts->tm_mday);
}

static bool read_time(const char **at, struct tm *parts)
{
    return read_digits(at, 2, &parts->tm_hour) && read_char(at, ':') &&
           read_digits(at, 2, &parts->tm_min) &&
           (!read_char(at, ':') || read_digits(at, 2, &parts->tm_sec));
}

/* Z or +01:00; *ret_is_there is false at the end of the text. */
static bool read_zone(const char **at, int *ret_offset_s, bool *ret_is_there)
{
    int sign = **at == '-' ? -1 : 1, hours, minutes;
    *ret_is_there = **at != '\0';
    *ret_offset_s = 0;
    if (!*ret_is_there || read_char(at, 'Z'))
        return **at == '\0';
    if (!read_char(at, '+') && !read_char(at, '-'))
        return false;
    if (!read_digits(at, 2, &hours) || !read_char(at, ':') || !read_digits(at, 2, &minutes) ||
        hours > 14 || minutes > 59)
        return false;
    *ret_offset_s = sign * (hours * 3600 + minutes * 60);
    return **at == '\0';
}

/* Days since 1970-01-01 of the Gregorian calendar, month 1 to 12 (the count of years that begin in
 * March, in which a leap day is the last one). */
static int64_t days_since_1970(int year, int month, int day)
{
    int64_t y = month <= 2 ? year - 1 : year, m = month <= 2 ? month + 9 : month - 3;
    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719468;
}

static bool is_day(const struct tm *parts)
{
    static const int days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year = parts->tm_year, month = parts->tm_mon;
    bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return year >= 1970 && month >= 1 && month <= 12 && parts->tm_mday >= 1 &&
           parts->tm_mday <= days[month - 1] && (month != 2 || parts->tm_mday < 29 || is_leap);
}

bool date_read(const char *text, int64_t *ret_s)
{
    struct tm parts = {.tm_hour = 23, .tm_min = 59, .tm_sec = 59, .tm_isdst = -1};
    const char *at = text;
    int offset_s;
    bool has_zone;
    if (!read_day(&at, &parts) || !is_day(&parts))
        return false;
    bool has_time = at[0] == 'T' || (at[0] == ' ' && at[1] >= '0' && at[1] <= '9');
    if (has_time) {
        at++;
        parts.tm_sec = 0;
        if (!read_time(&at, &parts))
            return false;
    }
    at += at[0] == ' ';
    if (!read_zone(&at, &offset_s, &has_zone) || parts.tm_hour > 23 || parts.tm_min > 59 ||
        parts.tm_sec > 60)
        return false;
    if (has_zone) {
        *ret_s = days_since_1970(parts.tm_year, parts.tm_mon, parts.tm_mday) * 86400 +
                 parts.tm_hour * 3600 + parts.tm_min * 60 + parts.tm_sec - offset_s;
        return true;
    }
    parts.tm_year -= 1900;
    parts.tm_mon--;
    time_t local = mktime(&parts);
    *ret_s = (int64_t)local;
    return local != (time_t)-1;
}

/* ---- clock ---- */

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
