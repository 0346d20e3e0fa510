/* Chromium without a window, for pages that draw something and write it down. */
#ifndef SINEW_CLI_BROWSER_H
#define SINEW_CLI_BROWSER_H

#include <stdbool.h>
#include <stddef.h>

/* The program, to be freed: what SINEW_CHROMIUM names, or the first of the usual names in PATH; NULL after a complaint. */
char *browser_find(void);

/* A program in PATH, to be freed; NULL: there is none of that name. */
char *program_find(const char *name);

/* Opens the page and returns the document as it is once its scripts have run, to be freed; NULL after a complaint. */
char *browser_dump(const char *program, const char *address, size_t *size);

#endif
