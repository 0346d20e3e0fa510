#include "progress.h"

#include "terminal.h"

#include <stdarg.h>
#include <stdio.h>

static struct {
    const char *job;
    int steps, step;
    bool shown;
} progress;

void progress_start(const char *job, int steps) {
    progress.job = job;
    progress.steps = steps > 0 ? steps : 1;
    progress.step = 0;
    progress.shown = is_terminal(stderr);
}

void progress_step(const char *format, ...) {
    enum { BAR = 24 };
    if (!progress.shown) return;
    const int full = progress.step * BAR / progress.steps;
    char bar[BAR + 1];
    for (int i = 0; i < BAR; i++)
        bar[i] = i < full ? '#' : '.';
    bar[BAR] = '\0';
    fprintf(stderr, "\r\033[K%s [%s] %d/%d ", progress.job, bar, progress.step, progress.steps);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fflush(stderr);
    if (progress.step < progress.steps) progress.step++;
}

void progress_end(void) {
    if (progress.shown) fputs("\r\033[K", stderr);
    progress.shown = false;
}
