#include "browser.h"

#include "platform.h"
#include "terminal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

char *program_find(const char *name) {
    char path[LONGEST_PATH];
    return find_in_path(name, path) ? copy_text(path) : NULL;
}

char *browser_find(void) {
    static const char *const names[] = {"chromium", "chromium-browser", "google-chrome", "chrome"};
    const char *wish = getenv("SINEW_CHROMIUM");
    char path[LONGEST_PATH];
    if (wish && *wish) {
        if (can_run(wish)) return copy_text(wish);
        complain(EXIT_FAILED, "SINEW_CHROMIUM names '%s', which cannot be run", wish);
        return NULL;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (find_in_path(names[i], path)) return copy_text(path);
    complain(EXIT_FAILED, "this needs Chromium: install it (Debian: chromium) or name it in SINEW_CHROMIUM");
    return NULL;
}

char *browser_dump(const char *program, const char *address, size_t *size) {
    char profile[LONGEST_PATH], own[LONGEST_PATH + 32], *text = NULL;
    if (!temporary_folder("sinew-chromium", profile)) {
        complain(EXIT_FAILED, "a temporary folder for the browser cannot be made: %s", strerror(errno));
        return NULL;
    }
    snprintf(own, sizeof own, "--user-data-dir=%s", profile);
    const char *const argv[] = {program,
                                "--headless",
                                is_administrator() ? "--no-sandbox" : "--disable-sync",
                                "--use-angle=swiftshader",
                                "--enable-unsafe-swiftshader",
                                "--disable-extensions",
                                "--disable-background-networking",
                                "--no-first-run",
                                "--disable-dev-shm-usage",
                                own,
                                "--dump-dom",
                                address,
                                NULL};
    const int code = run_program(argv, true, &text, size);
    remove_folder(profile); /* Chromium leaves its profile behind */
    if (code == 0) return text;
    if (!interrupted()) complain(EXIT_FAILED, "%s did not run to its end (exit code %d)", program, code);
    free(text);
    return NULL;
}
