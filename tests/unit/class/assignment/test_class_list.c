/* assignment/class_list.h: class lists as systems export them, and points set by hand. */
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assignment/class_index.h"
#include "assignment/class_list.h"
#include "base/array.h"
#include "files/file.h"
#include "result/safe_text.h"

/* Every test has a folder of its own, where it stands. */
static char place[64];

static int enter_place(void **state)
{
    (void)state;
    snprintf(place, sizeof place, "/tmp/attn-class-list-XXXXXX");
    return mkdtemp(place) == NULL || chdir(place) != 0;
}

static int leave_place(void **state)
{
    (void)state;
    unlink("list.csv");
    return chdir("/") != 0 || rmdir(place) != 0;
}

static struct exercise dot = {.id = (char[]){"dot"},
                              .number = 1,
                              .folder_name = (char[]){"01-dot"},
                              .prototype = {.function = "dot"}};
static struct exercise *all[] = {&dot};
static const struct exercises exercises = {.items = all, .n = 1};

static void write_list(const char *text)
{
    assert_true(file_replace("list.csv", text, strlen(text), 0600));
}

static struct students load(const char *text)
{
    struct students students = {0};
    struct error error;
    write_list(text);
    if (!class_list_load("list.csv", &students, &error))
        fail_msg("%s", error.text);
    return students;
}

static void assert_student(const struct students *students, size_t i, const char *login,
                           const char *name, const char *email, const char *id)
{
    assert_true(i < students->n);
    assert_string_equal(students->items[i].login, login);
    assert_string_equal(students->items[i].name, name);
    assert_string_equal(students->items[i].email, email);
    assert_string_equal(students->items[i].id, id);
}

static void test_class_list__columns_in_any_order(void **state)
{
    (void)state;
    struct students students = load("\xEF\xBB\xBFID, Name ,login,seat\r\n"
                                    "7,\"Sample, Ann \"\"A\"\"\",asample,3\r\n\r\n"
                                    "8,Bob,bob\r\n");
    assert_int_equal(students.n, 2);
    assert_student(&students, 0, "asample", "Sample, Ann \"A\"", "", "7");
    assert_student(&students, 1, "bob", "Bob", "", "8");
    students_release(&students);
}

/* Spreadsheets and contact lists put them around what was copied from them. */
static void test_class_list__marks_of_direction_are_gone(void **state)
{
    (void)state;
    struct students students =
        load("\u200elogin\u200e,\u200fname,email,\u00a0id\u200e\n"
             "\u200easample\u200e,\u200eAnn\u200f Sample \u200e,\u200ean\u061cn@example.org\u200e, "
             "\u200e7 \n"
             "\u05d3\u200f\u05e0\u05d4,\u05d3\u05e0\u05d4\u200f \u05db\u05d4\u05df\u200f,,\n");
    assert_int_equal(students.n, 2);
    assert_student(&students, 0, "asample", "Ann Sample", "ann@example.org", "7");
    assert_student(&students, 1, "\u05d3\u05e0\u05d4", "\u05d3\u05e0\u05d4 \u05db\u05d4\u05df", "",
                   "");
    students_release(&students);
    struct error error;
    write_list("login\nanna\nan\u200ena\n");
    assert_error(class_list_load("list.csv", &students, &error), error, ERR_SYNTAX);
    assert_says(error, "list.csv:3: this login is there already: anna");
}

static void test_class_list__of_schools_systems(void **state)
{
    (void)state;
    /* Canvas, Grades > Export */
    struct students students = load("Student,ID,SIS User ID,SIS Login ID,Section,Homework 3 (9)\n"
                                    "    Points Possible,,,,,10.00\n"
                                    "\"Sample, Ann\",123,u7,asample,Attention,\n"
                                    "\"Student, Test\",124,,x,Attention,\n");
    assert_int_equal(students.n, 1);
    assert_student(&students, 0, "asample", "Sample, Ann", "", "123");
    students_release(&students);
    /* Moodle, Participants > Download, where a comma is the decimal point */
    students = load("First name;Last name;ID number;Email address\n"
                    "Ann;Sample;7;asample@example.org\n");
    assert_student(&students, 0, "asample", "Ann Sample", "asample@example.org", "7");
    students_release(&students);
    /* Canvas, with an assignment that is posted by hand */
    students = load("Student,ID,SIS Login ID,Section,Homework 3 (9)\n"
                    ",,,,Manual Posting\n"
                    "    Points Possible,,,,10.00\n"
                    "\"Sample, Ann\",123,asample,Attention,\n");
    assert_int_equal(students.n, 1);
    students_release(&students);
    /* Google Classroom */
    students = load("Last Name,First Name,Email Address,Homework 3\n"
                    "Date,,,2026-03-01\n"
                    "Points,,,10\n"
                    "Sample,Ann,asample@example.org,\n");
    assert_int_equal(students.n, 1);
    assert_student(&students, 0, "asample", "Ann Sample", "asample@example.org", "");
    students_release(&students);
    /* Moodle in German and in French */
    students = load("Vorname;Nachname;ID-Nummer;E-Mail-Adresse\n"
                    "Ann;Sample;7;asample@example.org\n");
    assert_student(&students, 0, "asample", "Ann Sample", "asample@example.org", "7");
    students_release(&students);
    students = load("Pr\xC3\xA9nom,Nom,Adresse de courriel\n"
                    "Ann,Sample,asample@example.org\n");
    assert_student(&students, 0, "asample", "Ann Sample", "asample@example.org", "");
    students_release(&students);
    /* Two e-mails with the same part before the @, and one who has no login yet */
    students = load("name,email\nAnn A,ann@a.example\nAnn B,ann@b.example\nBo,bo@a.example\n");
    assert_student(&students, 0, "ann@a.example", "Ann A", "ann@a.example", "");
    assert_student(&students, 1, "ann@b.example", "Ann B", "ann@b.example", "");
    assert_student(&students, 2, "bo", "Bo", "bo@a.example", "");
    students_release(&students);
    students = load("login,email\nann,ann@a.example\n,bo@a.example\n");
    assert_student(&students, 1, "bo", "", "bo@a.example", "");
    students_release(&students);
    /* GitHub Classroom, classroom_roster.csv */
    students = load("\"identifier\",\"github_username\",\"github_id\",\"name\"\n"
                    "\"Ann\",\"asample\",\"99\",\"Ann Sample\"\n");
    assert_student(&students, 0, "asample", "Ann Sample", "", "");
    students_release(&students);
}

static void test_class_list__faults_name_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
    } faults[] = {
        {"", "list.csv:0: the first row must name the columns"},
        {"seat\n3\n", "list.csv:1: the first row must name the columns"},
        {"login,name\nanna,A\n\nanna,B\n", "list.csv:4: this login is there already: anna"},
        {"login\n\u00e5sa\na\u030asa\n", "list.csv:3: this login is there already: \u00e5sa"},
        {"login,name\n,A\n", "list.csv:2: this row has no login"},
        {"login,name\nanna,\"A\nB\n", "list.csv:2: a quote is not closed"},
    };
    for (size_t i = 0; i < COUNT_OF(faults); i++) {
        struct students students;
        struct error error;
        write_list(faults[i].text);
        assert_error(class_list_load("list.csv", &students, &error), error, ERR_SYNTAX);
        assert_says(error, faults[i].said);
    }
}

static void test_class_list__who_is_meant(void **state)
{
    (void)state;
    struct students students = load("login,name,email,id\n"
                                    "asample,Ann Sample,ann.sample@example.org,7\n"
                                    "jdiaz,Jos\u00e9 de la D\u00edaz,jd@example.org,8\n"
                                    "sample,Bo Li,bo@example.org,9\n"
                                    "twin1,Pat Twin,p1@example.org,10\n"
                                    "twin2,Pat Twin,p2@example.org,11\n"
                                    "a\u030asa,,,\nback\\slash,,,\na\ttab,,,\n"
                                    "right\u202e,,,\nohara,Ann O'Hara,,\nwei-li,,,\nli,,,\n");
    struct class_index index;
    struct error error;
    assert_true(class_index_open(&students, &index, &error));
    static const struct {
        const char *given, *login;
    } meant[] = {
        {"asample", "asample"},
        {"ASample", "asample"},
        {"ann.sample@example.org", "asample"},
        {"ann.sample", "asample"},
        {"7", "asample"},
        {"Ann Sample", "asample"},
        {"sampleann", "asample"}, /* Canvas */
        {"Sample, Ann", "asample"},
        {"hw3-asample", "asample"}, /* GitHub */
        {"hw-3-jdiaz", "jdiaz"},
        {"Jos\u00e9 de la D\u00edaz", "jdiaz"},
        {"Jose\u0301 de la Di\u0301az", "jdiaz"}, /* as macOS writes folders */
        {"JOS\u00c9 DE LA D\u00cdAZ", "jdiaz"},
        {"delajos\u00e9d\u00edaz", NULL}, /* no turn of the name */
        {"\u200ejdiaz\u2060", "jdiaz"},   /* marks that are not seen */
        {"\u00e5sa", "\u00e5sa"},
        {"a\u030asa", "\u00e5sa"},
        {"\u00c5SA", "\u00e5sa"},
        {"hw3-A\u030asa", "\u00e5sa"},
        {"back\\slash", "back\\x5cslash"},
        {"a\ttab", "a\\x09tab"},
        {"right\u202e", "right\\xe2\\x80\\xae"},
        {"right", "right\\xe2\\x80\\xae"},
        {"ann o\u2019hara", "ohara"},
        {"oharaann", "ohara"},
        {"hw3-sample", "sample"},
        {"hw3-wei-li", "wei-li"}, /* the longest ending */
        {"hw3-li", "li"},
        {"Pat Twin", NULL}, /* both */
        {"twinpat", NULL},
        {"nobody", NULL},
        {"", NULL},
        {"-", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(meant); i++) {
        char *name = safe_name_copy(meant[i].given); /* as a folder is shown */
        assert_non_null(name);
        const struct student *found = class_index_find(&index, name);
        free(name);
        const char *login = found != NULL ? found->login : "nobody";
        const char *wanted = meant[i].login != NULL ? meant[i].login : "nobody";
        if (strcmp(login, wanted) != 0)
            fail_msg("%s: %s, not %s", meant[i].given, login, wanted);
    }
    class_index_close(&index);
    students_release(&students);
}

static void test_overrides__are_read(void **state)
{
    (void)state;
    struct students roster = load("login,name\nasample,Ann Sample\nbob,Bob\n");
    struct overrides overrides;
    struct error error;
    write_list("Student,Exercise,Points,Reason\n"
               "bob,dot,3,\n"
               "Ann Sample,01-dot,6.5,\"agreed, in class\"\n"
               "bob,dot,4,better\n");
    assert_true(overrides_load("list.csv", &roster, &exercises, &overrides, &error));
    assert_int_equal(overrides.n, 2);
    assert_string_equal(overrides.items[0].student, "asample");
    assert_string_equal(overrides.items[0].exercise, "dot");
    assert_close(overrides.items[0].points, 6.5, 0);
    assert_string_equal(overrides.items[0].reason, "agreed, in class");
    assert_close(overrides.items[1].points, 4, 0);
    overrides_release(&overrides);
    static const struct {
        const char *text, *said;
    } faults[] = {
        {"student,points\n", "list.csv:1: the first row must name"},
        {"student,exercise,points\ncarl,dot,3\n", "list.csv:2: nobody on the class list"},
        {"student,exercise,points\nbob,sums,3\n", "list.csv:2: no exercise has this name: sums"},
        {"student,exercise,points\nbob,dot,-3\n", "list.csv:2: points"},
        {"student,exercise,points\nbob,dot,nan\n", "list.csv:2: points"},
        {"student,exercise,points\nbob,dot,\n", "list.csv:2: points"},
    };
    for (size_t i = 0; i < COUNT_OF(faults); i++) {
        write_list(faults[i].text);
        assert_error(overrides_load("list.csv", &roster, &exercises, &overrides, &error), error,
                     ERR_SYNTAX);
        assert_says(error, faults[i].said);
    }
    students_release(&roster);
}

#define in_place(test) cmocka_unit_test_setup_teardown(test, enter_place, leave_place)

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_place(test_class_list__columns_in_any_order),
        in_place(test_class_list__marks_of_direction_are_gone),
        in_place(test_class_list__of_schools_systems),
        in_place(test_class_list__faults_name_their_line),
        in_place(test_class_list__who_is_meant),
        in_place(test_overrides__are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
