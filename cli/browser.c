#include "browser.h"

#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A program in PATH; false: none of that name. */
static bool in_path(const char *name, char path[PATH_MAX]) {
    const char *folders = getenv("PATH");
    while (folders && *folders) {
        const size_t length = strcspn(folders, ":");
        snprintf(path, PATH_MAX, "%.*s/%s", (int)length, folders, name);
        if (length && access(path, X_OK) == 0) return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

char *program_find(const char *name) {
    char path[PATH_MAX];
    return in_path(name, path) ? copy_text(path) : NULL;
}

char *browser_find(void) {
    static const char *const names[] = {"chromium", "chromium-browser", "google-chrome", "chrome"};
    const char *wish = getenv("SINEW_CHROMIUM");
    char path[PATH_MAX];
    if (wish && *wish) {
        if (access(wish, X_OK) == 0) return copy_text(wish);
        complain(EXIT_FAILED, "SINEW_CHROMIUM names '%s', which cannot be run", wish);
        return NULL;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (in_path(names[i], path)) return copy_text(path);
    complain(EXIT_FAILED, "this needs Chromium: install it (Debian: chromium) or name it in SINEW_CHROMIUM");
    return NULL;
}

/* In the child: the browser, its output into the pipe, its complaints nowhere. */
static void become_browser(const char *program, const char *address, const char *profile, int out) {
    char own[PATH_MAX + 32];
    const int nowhere = open("/dev/null", O_WRONLY);
    snprintf(own, sizeof own, "--user-data-dir=%s", profile);
    dup2(out, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    execl(program, program, "--headless", geteuid() == 0 ? "--no-sandbox" : "--disable-sync",
          "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-extensions",
          "--disable-background-networking", "--no-first-run", "--disable-dev-shm-usage", own, "--dump-dom",
          address, (char *)NULL);
    _exit(127);
}

static char *read_pipe(int from, size_t *size) {
    char *text = NULL;
    size_t used = 0, room = 1 << 20;
    for (;;) {
        if (!text || used + 1 >= room) text = need_memory(text, room = text ? 2 * room : room);
        const ssize_t got = read(from, text + used, room - used - 1);
        if (got < 0 && errno == EINTR && !interrupted()) continue;
        if (got <= 0) break;
        used += (size_t)got;
    }
    text[used] = '\0';
    *size = used;
    return text;
}

/* Chromium leaves its profile behind. */
static void remove_folder(const char *path) {
    const pid_t child = fork();
    if (child == 0) {
        execlp("rm", "rm", "-rf", "--", path, (char *)NULL);
        _exit(127);
    }
    if (child > 0) waitpid(child, NULL, 0);
}

char *browser_dump(const char *program, const char *address, size_t *size) {
    const char *room = getenv("TMPDIR");
    char profile[PATH_MAX];
    int ends[2], status = 0;
    snprintf(profile, sizeof profile, "%s/sinew-chromium-XXXXXX", room && *room ? room : "/tmp");
    if (!mkdtemp(profile)) {
        complain(EXIT_FAILED, "%s cannot be made: %s", profile, strerror(errno));
        return NULL;
    }
    fflush(NULL);
    const bool piped = pipe(ends) == 0;
    const pid_t child = piped ? fork() : -1;
    if (child == 0) become_browser(program, address, profile, ends[1]);
    char *text = NULL;
    if (piped) close(ends[1]);
    if (child > 0) {
        text = read_pipe(ends[0], size);
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
    }
    if (piped) close(ends[0]);
    remove_folder(profile);
    if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) return text;
    if (!interrupted()) complain(EXIT_FAILED, "%s did not run as it should", program);
    free(text);
    return NULL;
}
