/* Options of a command that are the members of a definition: names, help, defaults and checks all come from the library. */
#ifndef SINEW_CLI_DEFINITION_OPTIONS_H
#define SINEW_CLI_DEFINITION_OPTIONS_H

#include "options.h"

/* Adds a line "--member VALUE  what it is for" for each member of a definition, except for pointers and for the members in
   `without`, a list that ends with NULL. Only the first call has an effect. */
void definition_options_add(struct options *options, const char *definition, const char *const *without);
/* The same after other options, as often as wanted. Members that the help has already are left out. */
void definition_options_append(struct options *options, const char *definition, const char *const *without);
/* Puts the options that were given into the definition. EXIT_DONE, or EXIT_USAGE after a complaint. */
int definition_options_read(const struct options *options, const char *definition, const char *const *without,
                            void *values);

#endif
