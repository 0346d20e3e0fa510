/* Running the command from a test: its exit code, and what it prints. */
#ifndef SINEW_TESTS_CLI_HELPERS_H
#define SINEW_TESTS_CLI_HELPERS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct output {
    int code; /* -1 when it did not exit by itself */
    char *out, *err;
};

struct running {
    pid_t child;
    FILE *out, *err;
};

/* The whole file, which is closed. */
static inline char *read_all(FILE *file) {
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    rewind(file);
    char *text = calloc((size_t)size + 1, 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    fclose(file);
    return text;
}

/* Names in a folder that hold a word. */
static inline int count_names(const char *folder, const char *word) {
    int count = 0;
    DIR *list = opendir(folder);
    assert_non_null(list);
    for (const struct dirent *entry; (entry = readdir(list));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            count += strstr(entry->d_name, word) != NULL;
    closedir(list);
    return count;
}

static inline int count_files(const char *folder) {
    return count_names(folder, "");
}

/* Files that were begun and left. */
static inline int count_partial(const char *folder) {
    return count_names(folder, ".partial");
}

/* Starts "COMMAND ARGUMENTS", split at spaces, in a folder; NULL: this one. */
static inline struct running start_command(const char *command, const char *folder, const char *arguments) {
    enum { MOST = 23 };
    char words[512], *argv[MOST + 2] = {(char *)command};
    int n = 1;
    snprintf(words, sizeof words, "%s", arguments);
    for (char *word = strtok(words, " "); word && n <= MOST; word = strtok(NULL, " "))
        argv[n++] = word;
    struct running running = {.out = tmpfile(), .err = tmpfile()};
    assert_non_null(running.out);
    assert_non_null(running.err);
    fflush(NULL);
    running.child = fork();
    assert_true(running.child >= 0);
    if (running.child == 0) {
        dup2(fileno(running.out), STDOUT_FILENO);
        dup2(fileno(running.err), STDERR_FILENO);
        if (!folder || chdir(folder) == 0) execv(command, argv);
        _exit(127);
    }
    return running;
}

static inline struct output finish_command(struct running running) {
    int status = 0;
    assert_int_equal(waitpid(running.child, &status, 0), running.child);
    return (struct output){WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_all(running.out),
                           read_all(running.err)};
}

static inline void release(struct output *output) {
    free(output->out);
    free(output->err);
}

#endif
