/* A grammar's file as it was read, before names are looked up. Each struct begins with its name. */
#ifndef ATTN_TASK_GRAMMAR_INTERNAL_H
#define ATTN_TASK_GRAMMAR_INTERNAL_H

#include "files/yaml.h"
#include "task/grammar.h"

struct file_texts {
    char **items;
    unsigned n;
};

struct file_word {
    struct file_texts forms;
    unsigned line;
};

struct file_class {
    char *name;
    struct file_texts columns; /* n is 0 if the file names no forms */
    struct file_word *words;
    unsigned n_words;
    bool again;
    unsigned line;
};

struct file_binding {
    char *name, *from; /* "A", "animal"; "REF", "$A" */
};

struct file_choice {
    unsigned weight;
    struct file_binding *bindings;
    unsigned n_bindings;
    struct file_texts where, when;
    char *say; /* NULL: says nothing */
    unsigned line;
};

struct file_rule {
    char *name;
    struct file_choice *choices;
    unsigned n_choices;
    unsigned line;
};

struct file_question {
    char *name;
    char *kind, *about, *other, *rival; /* the last two may be NULL */
    struct file_texts needs;
    unsigned line;
};

struct file_held {
    struct file_texts words;
    unsigned one_in;
    unsigned line;
};

struct grammar_file {
    struct file_class *classes;
    struct file_rule *rules;
    struct file_question *questions;
    struct file_held *held;
    unsigned n_classes, n_rules, n_questions, n_held;
    unsigned longest;
    char *twins; /* or NULL */
};

#endif
