/* What the command may assume about where it writes, and when it was asked to stop. */
#ifndef SINEW_CLI_TERMINAL_H
#define SINEW_CLI_TERMINAL_H

#include "platform.h"

#include <stdbool.h>
#include <stdio.h>

/* The command's exit codes. */
enum exit_code { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

enum style { STYLE_PLAIN, STYLE_BOLD, STYLE_DIM, STYLE_GOOD, STYLE_BAD };

/* The escape sequence that starts a style; "" unless `out` is a terminal and NO_COLOR is unset or empty. */
const char *style(FILE *out, enum style wanted);
bool is_terminal(FILE *out);

/* From here on the first Ctrl-C only raises a flag, which long work looks at between measurements; the
   second ends the command. */
void interrupt_catch(void);
bool interrupted(void);
void interrupt_now(void); /* as if Ctrl-C had been pressed; signal handlers may call it */

/* "sinew: " and the message on stderr. Returns `code`, so that a command can say `return complain(...)`. */
int complain(enum exit_code code, const char *format, ...) LIKE_PRINTF(2, 3);

/* From here on the last message is kept in a buffer instead; NULL: no longer. */
void complain_keep(char *buffer, size_t size);

/* Memory or the end of the command with a message. */
void *need_memory(void *old, size_t size);
char *copy_text(const char *text);
char *copy_part(const char *text, size_t length);

#endif
