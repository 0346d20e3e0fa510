/* sinew schema: the interface of the library, for programs that make bindings, forms or documents from it. */
#include "commands.h"
#include "options.h"
#include "terminal.h"

#include <cjson/cJSON.h>
#include <sinew/sinew.h>
#include <stdlib.h>
#include <string.h>

static struct options options = {.help = "--json  print everything as JSON instead of a list of names\n"};

void help_schema(void) {
    printf(
        "usage: sinew schema [OPTIONS]\n\n"
        "Prints what the library's headers declare: definitions with their options, enumerations, fields,\n"
        "structures and functions. The JSON form has every default, range, unit and comment, and follows\n"
        "docs/schema.json.\n\noptions\n");
    options_print(&options);
}

static void print_names(const cJSON *schema, const char *kind) {
    const cJSON *one;
    cJSON_ArrayForEach(one, cJSON_GetObjectItem(schema, kind))
        printf("%-14.*s %s\n", (int)strlen(kind) - 1, kind, cJSON_GetObjectItem(one, "name")->valuestring);
}

int command_schema(int argc, char **argv) {
    const int code = options_parse(&options, argc, argv);
    if (code != EXIT_DONE) return code;
    if (options.nword)
        return complain(EXIT_USAGE, "schema takes no arguments, but '%s' follows", options.word[0]);
    const size_t size = sn_schema(NULL, 0);
    char *text = need_memory(NULL, size + 1);
    sn_schema(text, size + 1);
    if (option_given(&options, "--json")) {
        fwrite(text, 1, size, stdout);
    } else {
        cJSON *schema = cJSON_Parse(text);
        static const char *const kinds[] = {"definitions", "enumerations", "fields", "structures",
                                            "functions"};
        for (int i = 0; i < 5; i++)
            print_names(schema, kinds[i]);
        cJSON_Delete(schema);
    }
    free(text);
    return EXIT_DONE;
}
