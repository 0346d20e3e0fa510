#include "options.h"

#include "terminal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Finds where the help of option `index` starts; NULL if there is no such option. */
static const char *help_line(const struct options *options, int index) {
    const char *line = options->help;
    for (; index > 0 && line; index--)
        line = (line = strchr(line, '\n')) ? line + 1 : NULL;
    return line && *line ? line : NULL;
}

/* A line is "--name VALUE  what it is for" or "--name  what it is for". */
static size_t name_length(const char *line) {
    return strcspn(line, " ");
}

static bool takes_value(const char *line) {
    return line[name_length(line) + 1] != ' ';
}

static int find(const struct options *options, const char *name, size_t length) {
    const char *line;
    for (int i = 0; i < OPTIONS_MOST && (line = help_line(options, i)); i++)
        if (name_length(line) == length && memcmp(line, name, length) == 0) return i;
    return -1;
}

static int complain_option(const struct options *options, const char *name, size_t length) {
    char *names[OPTIONS_MOST + 2] = {0}, *word = copy_part(name, length);
    const char *line;
    int n = 0;
    for (; n < OPTIONS_MOST && (line = help_line(options, n)); n++)
        names[n] = copy_part(line, name_length(line));
    names[n] = copy_text("--help");
    const int code = complain_unknown("option", word, (const char *const *)names);
    for (; n >= 0; n--)
        free(names[n]);
    free(word);
    return code;
}

/* One option, at argv[*at]; moves on past its value. */
static int parse_option(struct options *options, int argc, char **argv, int *at) {
    const char *argument = argv[*at];
    const size_t length = strcspn(argument, "=");
    const bool has_value = argument[length] == '=';
    const int index = find(options, argument, length);
    if (index < 0) return complain_option(options, argument, length);
    const char *line = help_line(options, index), **text = &options->text[index];
    if (!takes_value(line)) {
        if (has_value) return complain(EXIT_USAGE, "option '%.*s' takes no value", (int)length, argument);
        *text = "";
    } else if (has_value) {
        *text = argument + length + 1;
    } else if (*at + 1 < argc) {
        *text = argv[++*at];
    } else {
        const char *value = line + name_length(line) + 1;
        return complain(EXIT_USAGE, "option '%s' needs a value (%.*s)", argument, (int)strcspn(value, " "),
                        value);
    }
    return EXIT_DONE;
}

int options_parse(struct options *options, int argc, char **argv) {
    bool only_words = false;
    options->word = argv;
    options->nword = 0;
    for (int i = 0; i < argc; i++) {
        if (only_words || argv[i][0] != '-' || argv[i][1] == '\0') {
            options->word[options->nword++] = argv[i];
            continue;
        }
        if (strcmp(argv[i], "--") == 0) {
            only_words = true;
            continue;
        }
        const int code = parse_option(options, argc, argv, &i);
        if (code != EXIT_DONE) return code;
    }
    return EXIT_DONE;
}

void options_print(const struct options *options) {
    const char *line;
    for (int i = 0; (line = help_line(options, i)); i++) {
        const char *gap = strstr(line, "  ");
        const char *words = gap + strspn(gap, " ");
        printf("  %-20.*s %.*s\n", (int)(gap - line), line, (int)strcspn(words, "\n"), words);
    }
    printf("  %-20s this text\n", "--help");
}

/* --------------------------------------------------------------------------------------------- values */

bool option_given(const struct options *options, const char *name) {
    return option_text(options, name, NULL) != NULL;
}

const char *option_text(const struct options *options, const char *name, const char *otherwise) {
    const int index = find(options, name, strlen(name));
    return index >= 0 && options->text[index] ? options->text[index] : otherwise;
}

int option_number(const struct options *options, const char *name, long lower, long upper, long *number) {
    const char *text = option_text(options, name, NULL);
    if (!text) return EXIT_DONE;
    char *end = NULL;
    errno = 0;
    const long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || value < lower || value > upper)
        return complain(EXIT_USAGE, "option '%s' wants a whole number from %ld to %ld, not '%s'", name, lower,
                        upper, text);
    *number = value;
    return EXIT_DONE;
}

bool parse_real(const char *text, double *number) {
    char *end;
    *number = strtod(text, &end);
    if (*end == '/' && end != text) {
        char *over = end + 1;
        *number /= strtod(over, &end);
        if (end == over) return false;
    }
    return end != text && *end == '\0' && isfinite(*number);
}

int option_real(const struct options *options, const char *name, double lower, double upper, double *number) {
    const char *text = option_text(options, name, NULL);
    double value;
    if (!text) return EXIT_DONE;
    if (!parse_real(text, &value) || value < lower || value > upper)
        return complain(EXIT_USAGE, "option '%s' wants a number from %g to %g, not '%s'", name, lower, upper,
                        text);
    *number = value;
    return EXIT_DONE;
}

int option_choice(const struct options *options, const char *name, const char *kind,
                  const char *const *choices, int *choice) {
    const char *text = option_text(options, name, NULL);
    if (!text) return EXIT_DONE;
    for (int i = 0; choices[i]; i++)
        if (strcmp(text, choices[i]) == 0) {
            *choice = i;
            return EXIT_DONE;
        }
    return complain_unknown(kind, text, choices);
}

/* -------------------------------------------------------------------------------------------- spelling */

/* How many letters must be put in, taken out or changed to make b of a. */
static int edit_distance(const char *a, const char *b) {
    enum { LONGEST = 63 };
    const int na = (int)strlen(a), nb = (int)strlen(b);
    if (na > LONGEST || nb > LONGEST) return LONGEST;
    int row[LONGEST + 1];
    for (int j = 0; j <= nb; j++)
        row[j] = j;
    for (int i = 1; i <= na; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= nb; j++) {
            int best = diagonal + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[nb];
}

const char *nearest(const char *word, const char *const *candidates) {
    const char *best = NULL;
    int least = ((int)strlen(word + strspn(word, "-")) + 1) /
                2; /* a word that differs by more than this is not similar */
    for (; *candidates; candidates++) {
        const char *bare = strchr(*candidates, '/'); /* "pendulum" is near "spd/pendulum" */
        int distance = edit_distance(word, *candidates);
        if (bare && edit_distance(word, bare + 1) < distance) distance = edit_distance(word, bare + 1);
        if (distance > least || (best && distance == least)) continue;
        least = distance;
        best = *candidates;
    }
    return best;
}

int complain_unknown(const char *kind, const char *word, const char *const *candidates) {
    const char *near = nearest(word, candidates);
    if (near) return complain(EXIT_USAGE, "unknown %s '%s'; did you mean '%s'?", kind, word, near);
    return complain(EXIT_USAGE, "unknown %s '%s'", kind, word);
}

int complain_unknown_in(const char *kind, const char *word, const void *table, unsigned long size) {
    enum { MOST = 63 };
    const char *names[MOST + 1] = {0};
    for (unsigned long i = 0; i < MOST; i++) {
        memcpy(&names[i], (const char *)table + i * size, sizeof names[i]);
        if (!names[i]) break;
    }
    return complain_unknown(kind, word, names);
}
