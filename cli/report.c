/* sinew report: a page from a recording. */
#include "commands.h"
#include "options.h"
#include "recording.h"
#include "report_html.h"
#include "terminal.h"
#include "whole_file.h"

#include <stdlib.h>

static struct options options = {.help = ""};

void help_report(void) {
    printf(
        "usage: sinew report RECORDING OUT.html\n\n"
        "Makes one page of a recording ('sinew track ... --record'): a replay in 3D, plots and numbers. It\n"
        "holds everything it needs and opens by a double click. '-' in place of OUT.html is standard "
        "output.\n\noptions\n");
    options_print(&options);
}

static int make(const char *from, const char *to) {
    struct recording_facts facts;
    struct whole_file out = {0};
    char *text = whole_file_read(from, NULL), *page = NULL;
    bool good = text && recording_check(text, from, &facts);
    if (good) good = (page = report_template()) != NULL;
    if (good) good = whole_file_open(&out, to);
    if (good) {
        report_fill(out.file, page, text);
        good = whole_file_close(&out);
    }
    if (good) fprintf(beside_output(to), "%s: %d frames, %.2f s\n", to, facts.frames, facts.seconds);
    free(page);
    free(text);
    return good ? EXIT_DONE : EXIT_FAILED;
}

int command_report(int argc, char **argv) {
    const int code = options_parse(&options, argc, argv);
    if (code != EXIT_DONE) return code;
    if (options.nword == 2) return make(options.word[0], options.word[1]);
    return complain(EXIT_USAGE,
                    "report needs a recording and a page to write; 'sinew help report' tells more");
}
