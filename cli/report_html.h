/* A recording as a page: one file that holds the viewer and the run, and opens anywhere. */
#ifndef SINEW_CLI_EXPERIMENT_PRINT_HTML_H
#define SINEW_CLI_EXPERIMENT_PRINT_HTML_H

#include <stdbool.h>
#include <stdio.h>

/* The page without a recording, to be freed; NULL after a complaint that says how to build it. Looked for as report.html
   in the folder SINEW_SHARE names, beside the build (../../web from the command's folder), and where it is installed
   (../share/sinew). */
char *report_template(void);

/* The page with the recording in it. */
void report_fill(FILE *file, const char *page, const char *recording);

#endif
