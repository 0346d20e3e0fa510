#include "options.h"

#include "terminal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct option *find(const struct option *options, const char *name, size_t length) {
    for (const struct option *o = options; o->name; o++)
        if (strlen(o->name) == length && memcmp(o->name, name, length) == 0) return (struct option *)o;
    return NULL;
}

static int complain_option(const struct option *options, const char *name, size_t length) {
    enum { MOST = 31 };
    const char *names[MOST + 1] = {0};
    int n = 0;
    for (const struct option *o = options; o->name && n < MOST; o++)
        names[n++] = o->name;
    char *word = need_memory(NULL, length + 1);
    memcpy(word, name, length);
    word[length] = '\0';
    const int code = complain_unknown("option", word, names);
    free(word);
    return code;
}

int options_parse(struct command_line *line, int argc, char **argv) {
    line->nword = 0;
    bool only_words = false;
    for (int i = 0; i < argc; i++) {
        const char *argument = argv[i];
        if (only_words || argument[0] != '-' || argument[1] == '\0') {
            line->words[line->nword++] = argument;
            continue;
        }
        if (strcmp(argument, "--") == 0) {
            only_words = true;
            continue;
        }
        if (strcmp(argument, "-h") == 0) argument = "--help";
        const size_t length = strcspn(argument, "=");
        const bool has_value = argument[length] == '=';
        struct option *option = find(line->options, argument, length);
        if (!option) return complain_option(line->options, argument, length);
        if (!option->value) {
            if (has_value) return complain(EXIT_USAGE, "option '%s' takes no value", option->name);
            option->text = "";
        } else if (has_value) {
            option->text = argument + length + 1;
        } else if (i + 1 < argc) {
            option->text = argv[++i];
        } else {
            return complain(EXIT_USAGE, "option '%s' needs a value (%s)", option->name, option->value);
        }
    }
    return EXIT_DONE;
}

void options_print(const struct option *options) {
    for (const struct option *o = options; o->name; o++) {
        char left[64];
        snprintf(left, sizeof left, "%s %s", o->name, o->value ? o->value : "");
        printf("  %-20s %s\n", left, o->help);
    }
}

bool option_given(const struct option *options, const char *name) {
    return option_text(options, name, NULL) != NULL;
}

const char *option_text(const struct option *options, const char *name, const char *otherwise) {
    const struct option *option = find(options, name, strlen(name));
    return option && option->text ? option->text : otherwise;
}

int option_number(const struct option *options, const char *name, long lower, long upper, long *number) {
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
    int least = ((int)strlen(word + strspn(word, "-")) + 1) / 2; /* further away than this is no likeness */
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
