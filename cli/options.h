/* A command line is options, which start with "--", and words. */
#ifndef SINEW_CLI_OPTIONS_H
#define SINEW_CLI_OPTIONS_H

#include <stdbool.h>

struct option {
    const char *name;  /* "--seed"                                            */
    const char *value; /* what its value is called in the help; NULL: a flag  */
    const char *help;  /* one line                                            */
    const char *text;  /* filled: the value given; "" for a flag; NULL: unset */
};

struct command_line {
    struct option *options; /* the last one has no name */
    const char **words;     /* filled: what is not an option, in order; points into argv */
    int nword;
};

/* Sorts the arguments into options and words. "--name value" and "--name=value" both work, and "--" ends
   the options. Returns 0, or says what is wrong and returns EXIT_USAGE. `line->words` must have room for
   argc words. */
int options_parse(struct command_line *line, int argc, char **argv);
void options_print(const struct option *options);

bool option_given(const struct option *options, const char *name);
const char *option_text(const struct option *options, const char *name, const char *otherwise);
/* A whole number in [lower, upper]. Returns 0, or complains and returns EXIT_USAGE. */
int option_number(const struct option *options, const char *name, long lower, long upper, long *number);

/* The candidate nearest in spelling, or NULL when none is near. `candidates` ends with NULL. */
const char *nearest(const char *word, const char *const *candidates);
/* Says that there is no such thing, and the nearest one there is: EXIT_USAGE. */
int complain_unknown(const char *kind, const char *word, const char *const *candidates);

#endif
