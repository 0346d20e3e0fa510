/* A command line is options, which start with '-', and words. */
#ifndef SINEW_CLI_OPTIONS_H
#define SINEW_CLI_OPTIONS_H

#include <stdbool.h>

enum { OPTIONS_MOST = 96 };

/* The options of a command. Make one with what its help shows of them. */
struct options {
    const char
        *help; /* a line each: the name, what its value is called unless it is a flag, then after two spaces
                         or more what it is for; --help, which every command has, is looked after by
                         main */
    const char *text[OPTIONS_MOST]; /* filled by options_parse, line by line: the value given; "" for a flag;
                                       NULL: not given */
    const char *made;               /* help that was made by definition_options_add; NULL: none */
    char **word;                    /* filled: what is not an option, in order */
    int nword;
};

/* Sorts the arguments into options and words; the words move to the front of argv. "--name value" and
   "--name=value" both work, and "--" ends the options. Returns 0, or says what is wrong and returns EXIT_USAGE. */
int options_parse(struct options *options, int argc, char **argv);
void options_print(const struct options *options);

bool option_given(const struct options *options, const char *name);
const char *option_text(const struct options *options, const char *name, const char *otherwise);

/* Each reads one option and leaves the value alone when it is not given. Returns 0, or complains and returns
   EXIT_USAGE. */
/* A whole number in [lower, upper]. */
int option_number(const struct options *options, const char *name, long lower, long upper, long *number);
/* "0.01" or "1/240", in [lower, upper]. */
int option_real(const struct options *options, const char *name, double lower, double upper, double *number);
/* The index of a word in a list that ends with NULL; `kind` says what the words are. */
int option_choice(const struct options *options, const char *name, const char *kind,
                  const char *const *choices, int *choice);

/* A number as option_real reads it; false: it is none. */
bool parse_real(const char *text, double *number);

/* The candidate nearest in spelling, or NULL when none is near. `candidates` ends with NULL. */
const char *nearest(const char *word, const char *const *candidates);
/* Says that there is no such thing, and the nearest one there is: EXIT_USAGE. */
int complain_unknown(const char *kind, const char *word, const char *const *candidates);
/* As above, for a table of structs. Each struct has `size` bytes and starts with its name; the last name is NULL. */
int complain_unknown_in(const char *kind, const char *word, const void *table, unsigned long size);

#endif
