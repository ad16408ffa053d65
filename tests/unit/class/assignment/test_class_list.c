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
    assert_student(&students, 0, "asample", "Ann Sample", "", "Ann");
    students_release(&students);
}

/* The numbers by which systems call students in the names of folders and files. */
static void test_class_list__numbers_of_the_system(void **state)
{
    (void)state;
    static const struct {
        const char *text, *login, *id, *number;
    } lists[] = {
        /* Moodle's grading worksheet, also in German, and with hidden names */
        {"Identifier,Full name,ID number,Email address,Status\n"
         "Participant 71052,Ann Sample,u7,asample@example.org,Submitted\n",
         "asample", "u7", "71052"},
        {"ID;\"Vollst\u00e4ndiger Name\";E-Mail-Adresse;Status\n"
         "Teilnehmer/in71052;Ann Sample;asample@example.org;x\n",
         "asample", "", "71052"},
        {"Identifier,Status,Grade\nParticipant 71052,Submitted,\n", "Participant 71052", "",
         "71052"},
        /* Canvas, for somebody who has no login, and where nobody has one */
        {"Student,ID,SIS User ID,SIS Login ID,Section\n\"Sample, Ann\",5104,u7,,A\n", "Sample, Ann",
         "5104", "5104"},
        {"Student,ID,Section\n\"Sample, Ann\",5104,A\n\"Sample, Ann\",5105,A\n", "Sample, Ann_5104",
         "5104", "5104"},
        /* Gradescope */
        {"Name,SID,Email,Role\nAnn Sample,17,asample@example.org,Student\n", "asample", "17", "17"},
        /* GitHub Classroom, of somebody who has not accepted yet */
        {"identifier,github_username,github_id,name\nasample@example.org,,,\n",
         "asample@example.org", "asample@example.org", ""},
        /* a number at the university is none of the system's */
        {"id,name,email\ns71052,Ann Sample,asample@example.org\n", "asample", "s71052", ""},
        {"login,name,id\nasample,Ann Sample,71052\n", "asample", "71052", ""},
    };
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        struct students students = load(lists[i].text);
        assert_string_equal(students.items[0].login, lists[i].login);
        assert_string_equal(students.items[0].id, lists[i].id);
        assert_string_equal(students.items[0].number, lists[i].number);
        students_release(&students);
    }
}

struct called {
    const char *name, *number, *email, *means; /* a login; else "?" and the candidates */
};

static void check_calls(const char *list, const struct called *called, size_t n,
                        const struct who_rows *who)
{
    struct students students = load(list);
    struct class_call *calls = calloc(n, sizeof *calls);
    struct caller *callers = calloc(n, sizeof *callers);
    struct error error;
    assert_true(calls != NULL && callers != NULL);
    for (size_t i = 0; i < n; i++) {
        callers[i] = (struct caller){.folder = (char *)(uintptr_t)called[i].name,
                                     .name = (char *)(uintptr_t)called[i].name,
                                     .number = (char *)(uintptr_t)called[i].number,
                                     .email = (char *)(uintptr_t)called[i].email};
        calls[i].caller = &callers[i];
    }
    assert_true(class_calls_settle(&students, who, calls, n, &error));
    for (size_t i = 0; i < n; i++) {
        char means[100];
        snprintf(means, sizeof means, "%s%s%s",
                 calls[i].student != NULL ? calls[i].student->login : "",
                 calls[i].is_unclear ? "?" : "", calls[i].is_unclear ? calls[i].candidates : "");
        for (char *at = means; *at != '\0'; at++)
            *at = *at == '\n' ? ' ' : *at;
        if (strcmp(means, called[i].means) != 0)
            fail_msg("%s %s: %s, not %s", called[i].name, called[i].number, means, called[i].means);
    }
    class_calls_release(calls, n);
    free(callers);
    students_release(&students);
}

static void test_class_calls__the_systems_number_decides(void **state)
{
    (void)state;
    static const char moodle[] = "Identifier,Full name,ID number,Email address\n"
                                 "Participant 1,Wei Wang,u1,wei@a.org\n"
                                 "Participant 2,Wei Wang,3,wei@b.org\n"
                                 "Participant 3,Li Na,u3,lina@a.org\n"
                                 "Participant 4,Na Li,u4,nali@a.org\n"
                                 "Participant 5,Anna Alm,u5,anna@a.org\n";
    static const struct called called[] = {
        {"Wei Wang", "1", "", "wei@a.org"}, {"Wei Wang", "2", "", "wei@b.org"},
        {"Li Na", "3", "", "lina"}, /* although 3 is an id of somebody else's */
        {"Na Li", "4", "", "nali"},         {"Participant", "5", "", "anna"},
        {"alm anna", "99999", "", "?anna"}, /* the number says that she is somebody else */
        {"Anna Alm", "99998", "", "?anna"}, {"Wei Wang", "", "", "?wei@a.org wei@b.org"},
        {"Tom Tutor", "99997", "", "?"},
    };
    check_calls(moodle, called, COUNT_OF(called), NULL);
}

static void test_class_calls__names_where_no_number_tells(void **state)
{
    (void)state;
    static const char plain[] = "login,name,email,id\n"
                                "wei,Wei Wang,w@a.org,8\n"
                                "wei2,Wei Wang,w2@a.org,9\n"
                                "lina,Li Na,,10\nnali,Na Li,,11\n"
                                "anna,Anna Alm,anna@a.org,12\nbo,Bo de Vries,bo@a.org,13\n";
    static const struct called called[] = {
        {"Wei Wang", "71", "", "?wei wei2"}, {"Li Na", "72", "", "lina"},
        {"Na Li", "73", "", "nali"},         {"Anna Alm", "74", "", "anna"},
        {"alm anna", "75", "", "?anna"}, /* the exact name has another number */
        {"de vries bo", "76", "", "bo"},     {"nobody", "77", "", "?"},
        {"Wei Wang", "8", "", "wei"},    /* an id, and the name fits */
        {"Tom Tutor", "9", "", "?wei2"}, /* an id, and the name does not */
        {"annaalm", "", "", "?anna"},
    };
    check_calls(plain, called, COUNT_OF(called), NULL);
    static const struct called own[] = {
        {"anna", "", "", "anna"}, {"Anna Alm", "", "", "anna"}, {"annaalm", "", "", "?anna"}};
    check_calls(plain, own, COUNT_OF(own), NULL);
    static const struct called two[] = {{"Anna Alm", "74", "", "?anna"},
                                        {"Anna Alm", "75", "", "?anna"}};
    check_calls(plain, two, COUNT_OF(two), NULL);
    static const struct called gradescope[] = {{"Anna A.", "99", "anna@a.org", "anna"},
                                               {"Wei Wang", "9", "w2@a.org", "wei2"}};
    check_calls(plain, gradescope, COUNT_OF(gradescope), NULL);
}

/* Canvas writes the last name first: lina is "Li, Na". */
static void test_class_calls__sortable_names(void **state)
{
    (void)state;
    static const char canvas[] = "Student,ID,SIS Login ID,Section\n"
                                 "\"Li, Na\",1,a,A\n\"Na, Li\",2,b,A\n";
    static const struct called called[] = {{"lina", "1", "", "a"}, {"nali", "2", "", "b"}};
    check_calls(canvas, called, COUNT_OF(called), NULL);
    static const char names[] = "login,name\na,\"Li, Na\"\nb,\"Na, Li\"\n";
    static const struct called other[] = {{"lina", "71", "", "a"},
                                          {"nali", "72", "", "b"},
                                          {"Na Li", "", "", "a"},
                                          {"Li Na", "", "", "b"}};
    check_calls(names, other, COUNT_OF(other), NULL);
}

/* A repository's name may be anybody's who has not told a login. */
static void test_class_calls__those_without_a_login(void **state)
{
    (void)state;
    static const char github[] = "identifier,github_username,github_id,name\n"
                                 "ann@a.org,,,\nbo@a.org,,,\ncy@a.org,cy99,7,\ndi@a.org,di,8,\n";
    static const struct called called[] = {{"hw3-cy99", "", "", "cy99"},
                                           {"hw3-xcoder", "", "", "?ann@a.org bo@a.org"}};
    check_calls(github, called, COUNT_OF(called), NULL);
}

static void test_class_calls__what_the_instructor_says(void **state)
{
    (void)state;
    struct who_rows who;
    struct error error;
    struct students roster = load("login,name\nwei,Wei Wang\nwei2,Wei Wang\n");
    write_list("Folder,login,found\nWei Wang/,wei2,dot: pass\nTom,-,\nwei,,\n'=x,wei,\n");
    assert_true(who_rows_load("list.csv", &roster, &who, &error));
    assert_int_equal(who.n, 3);
    assert_string_equal(who.items[2].folder, "=x");
    static const struct called called[] = {
        {"Wei Wang", "71", "", "wei2"}, {"Tom", "", "", ""}, {"Tim", "", "", "?"}};
    check_calls("login,name\nwei,Wei Wang\nwei2,Wei Wang\n", called, COUNT_OF(called), &who);
    who_rows_release(&who);
    static const struct {
        const char *text, *said;
    } faults[] = {
        {"login\nx\n", "list.csv:1: the first row must name the columns: folder, login"},
        {"folder,login\n,wei\n", "list.csv:2: this row has no folder"},
        {"folder,login\nx,Wei Wang\n", "list.csv:2: nobody on the class list has this name"},
    };
    for (size_t i = 0; i < COUNT_OF(faults); i++) {
        write_list(faults[i].text);
        assert_error(who_rows_load("list.csv", &roster, &who, &error), error, ERR_SYNTAX);
        assert_says(error, faults[i].said);
    }
    students_release(&roster);
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
        in_place(test_class_list__numbers_of_the_system),
        in_place(test_class_calls__the_systems_number_decides),
        in_place(test_class_calls__names_where_no_number_tells),
        in_place(test_class_calls__sortable_names),
        in_place(test_class_calls__those_without_a_login),
        in_place(test_class_calls__what_the_instructor_says),
        in_place(test_class_list__faults_name_their_line),
        in_place(test_class_list__who_is_meant),
        in_place(test_overrides__are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
