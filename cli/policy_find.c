#include "policy_find.h"

#include "options.h"
#include "platform.h"
#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const shipped[] = {"humanoid-walk", "humanoid-run", "humanoid-stick", "dog-trot", NULL};

static char *find_shipped(const char *name) {
    char folder[LONGEST_PATH], path[2 * LONGEST_PATH];
    own_folder(folder);
    const char *const under[] = {getenv("SINEW_SHARE"), folder, folder};
    static const char *const where[] = {"policies", "../../../policies", "../share/sinew/policies"};
    for (size_t i = 0; i < sizeof where / sizeof *where; i++) {
        if (!under[i] || !*under[i]) continue;
        snprintf(path, sizeof path, "%s/%s/%s.sinew", under[i], where[i], name);
        if (can_read(path)) return copy_text(path);
    }
    complain(EXIT_FAILED,
             "the policy '%s' is not where it is installed: name the folder that holds policies/%s.sinew "
             "in SINEW_SHARE",
             name, name);
    return NULL;
}

char *policy_find(const char *name) {
    char list[256] = "";
    if (exists(name)) return copy_text(name);
    for (int i = 0; shipped[i]; i++) {
        if (strcmp(shipped[i], name) == 0) return find_shipped(name);
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", shipped[i]);
    }
    const char *near = nearest(name, shipped);
    complain(EXIT_FAILED,
             "'%s' is neither a file nor a policy that comes with the project%s%s%s; there are %s", name,
             near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "", list);
    return NULL;
}
