/* files/clock.h: moments as people write them. Seconds are those of `date -u -d ... +%s`. */
#include "testing.h"

#include <stdlib.h>
#include <time.h>

#include "base/array.h"
#include "files/clock.h"

static void test_date__reads_what_people_write(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t time_s;
    } dates[] = {
        {"1970-01-01T00:00:00Z", 0},
        {"2026-03-01 23:59 +01:00", 1772405940},
        {"2026-03-01T23:59:30-05:30", 1772429370},
        {"2024-02-29 12:00Z", 1709208000},
        {"2000-02-29T00:00Z", 951782400},
        {"2100-03-01 00:00 Z", 4107542400},
        {"2026-03-01 Z", 1772409599}, /* the end of the day */
    };
    for (size_t i = 0; i < COUNT_OF(dates); i++) {
        int64_t time_s = -1;
        assert_true(date_read(dates[i].text, &time_s));
        assert_int_equal(time_s, dates[i].time_s);
    }
}

static void test_date__without_a_zone_it_is_the_machines(void **state)
{
    (void)state;
    int64_t time_s;
    setenv("TZ", "XYZ-2", 1); /* two hours east */
    tzset();
    assert_true(date_read("1970-01-02 02:00", &time_s));
    assert_int_equal(time_s, 86400);
    unsetenv("TZ");
    tzset();
}

static void test_date__takes_nothing_else(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "tomorrow",
        "2026-13-01",
        "2026-02-29",
        "2100-02-29",
        "26-03-01",
        "2026-3-1",
        "2026-03-01 24:00",
        "2026-03-01 12:60",
        "2026-03-01 12",
        "2026-03-01x",
        "2026-03-01 12:00 +1",
        "2026-03-01 12:00 Zx",
        "0000-01-01",
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        int64_t time_s;
        if (date_read(texts[i], &time_s))
            fail_msg("%s", texts[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_date__reads_what_people_write),
        cmocka_unit_test(test_date__without_a_zone_it_is_the_machines),
        cmocka_unit_test(test_date__takes_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
