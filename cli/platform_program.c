#include "platform.h"

#include "terminal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)

#include <windows.h>

static const char between_folders = ';';
static const char *const program_ending = ".exe";

bool is_administrator(void) {
    return false;
}

/* One argument as CommandLineToArgvW takes it apart again: backslashes count only before a quote. */
static void add_argument(char *line, size_t room, const char *argument) {
    size_t n = strlen(line);
    if (n + 2 * strlen(argument) + 4 > room) return;
    if (n) line[n++] = ' ';
    line[n++] = '"';
    for (int slashes = 0;; argument++) {
        if (*argument == '\\') {
            slashes++;
        } else {
            for (int i = 0; (*argument == '"' || !*argument) && i < slashes; i++)
                line[n++] = '\\';
            if (*argument == '"') line[n++] = '\\';
            slashes = 0;
        }
        if (!*argument) break;
        line[n++] = *argument;
    }
    line[n++] = '"';
    line[n] = '\0';
}

/* Reads a pipe to its end. */
static char *read_all(HANDLE from, size_t *size) {
    size_t used = 0, room = 1 << 16;
    char *text = need_memory(NULL, room);
    for (DWORD got = 0; ReadFile(from, text + used, (DWORD)(room - used - 1), &got, NULL) && got > 0;) {
        used += got;
        if (used + 1 >= room) text = need_memory(text, room *= 2);
    }
    text[used] = '\0';
    *size = used;
    return text;
}

int run_program(const char *const *argv, bool quiet, char **output, size_t *size) {
    char line[32768] = "";
    for (; *argv; argv++)
        add_argument(line, sizeof line, *argv);
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    HANDLE from = NULL, to = NULL;
    HANDLE nowhere = CreateFileW(L"NUL", GENERIC_READ | GENERIC_WRITE, 3, &inherited, OPEN_EXISTING, 0, NULL);
    if (output && !CreatePipe(&from, &to, &inherited, 0)) return -1;
    if (from) SetHandleInformation(from, HANDLE_FLAG_INHERIT, 0);
    STARTUPINFOW start = {.cb = sizeof start,
                          .dwFlags = STARTF_USESTDHANDLES,
                          .hStdInput = nowhere,
                          .hStdOutput = output ? to : nowhere,
                          .hStdError = quiet ? nowhere : GetStdHandle(STD_ERROR_HANDLE)};
    PROCESS_INFORMATION child;
    wchar_t *wide = wide_text(line);
    const bool started = CreateProcessW(NULL, wide, NULL, NULL, TRUE, 0, NULL, NULL, &start, &child);
    DWORD code = (DWORD)-1;
    free(wide);
    if (to) CloseHandle(to);
    if (started && output) *output = read_all(from, size);
    if (started) {
        WaitForSingleObject(child.hProcess, INFINITE);
        GetExitCodeProcess(child.hProcess, &code);
        CloseHandle(child.hProcess);
        CloseHandle(child.hThread);
    }
    if (from) CloseHandle(from);
    CloseHandle(nowhere);
    if (!started && output) *output = NULL;
    return (int)code;
}

#else

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

static const char between_folders = ':';
static const char *const program_ending = "";

bool is_administrator(void) {
    return geteuid() == 0;
}

/* In the child. */
static void become(const char *const *argv, bool quiet, int out) {
    const int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, STDIN_FILENO);
    dup2(out >= 0 ? out : nowhere, STDOUT_FILENO);
    if (quiet) dup2(nowhere, STDERR_FILENO);
    execv(argv[0], (char *const *)argv);
    _exit(127);
}

/* Reads a pipe to its end, or until Ctrl-C. */
static char *read_all(int from, size_t *size) {
    size_t used = 0, room = 1 << 16;
    char *text = need_memory(NULL, room);
    for (;;) {
        const ssize_t got = read(from, text + used, room - used - 1);
        if (got < 0 && errno == EINTR && !interrupted()) continue;
        if (got <= 0) break;
        used += (size_t)got;
        if (used + 1 >= room) text = need_memory(text, room *= 2);
    }
    text[used] = '\0';
    *size = used;
    return text;
}

int run_program(const char *const *argv, bool quiet, char **output, size_t *size) {
    int ends[2] = {-1, -1}, status = -1;
    if (output) *output = NULL;
    fflush(NULL);
    if (output && pipe(ends) != 0) return -1;
    const pid_t child = fork();
    if (child == 0) become(argv, quiet, ends[1]);
    const int reason = errno;
    if (output) close(ends[1]);
    if (child > 0 && output) *output = read_all(ends[0], size);
    if (output) close(ends[0]);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    errno = reason;
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#endif

/* ----------------------------------------------------------------------------------------------------- both */

bool find_in_path(const char *name, char path[LONGEST_PATH]) {
    const char *folders = getenv("PATH");
    while (folders && *folders) {
        const char *end = strchr(folders, between_folders);
        const size_t length = end ? (size_t)(end - folders) : strlen(folders);
        snprintf(path, LONGEST_PATH, "%.*s/%s%s", (int)length, folders, name, program_ending);
        if (length && can_run(path)) return true;
        folders += length + (end != NULL);
    }
    return false;
}
