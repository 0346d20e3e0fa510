#include "terminal.h"

#include "platform.h"

#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool is_terminal(FILE *out) {
    return isatty(fileno(out)) == 1;
}

const char *style(FILE *out, enum style wanted) {
    static const char *const sequence[] = {"\033[0m", "\033[1m", "\033[2m", "\033[32m", "\033[31m"};
    const char *no_color = getenv("NO_COLOR");
    if (no_color && no_color[0]) return "";
    return is_terminal(out) ? sequence[wanted] : "";
}

static volatile sig_atomic_t stop_asked;

static void on_interrupt(int signal_number) {
    (void)signal_number;
    stop_asked = 1;
}

void interrupt_catch(void) {
    platform_on_interrupt(on_interrupt);
}

bool interrupted(void) {
    return stop_asked != 0;
}

void interrupt_now(void) {
    stop_asked = 1;
}

static char *kept;
static size_t kept_size;

void complain_keep(char *buffer, size_t size) {
    kept = buffer;
    kept_size = size;
}

int complain(enum exit_code code, const char *format, ...) {
    if (kept) {
        va_list what;
        va_start(what, format);
        vsnprintf(kept, kept_size, format, what);
        va_end(what);
        return code;
    }
    fprintf(stderr, "%ssinew:%s ", style(stderr, STYLE_BAD), style(stderr, STYLE_PLAIN));
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return code;
}

void *need_memory(void *old, size_t size) {
    void *memory = realloc(old, size ? size : 1);
    if (!memory) exit(complain(EXIT_FAILED, "out of memory"));
    return memory;
}

char *copy_part(const char *text, size_t length) {
    char *copy = memcpy(need_memory(NULL, length + 1), text, length);
    copy[length] = '\0';
    return copy;
}

char *copy_text(const char *text) {
    return copy_part(text, strlen(text));
}
