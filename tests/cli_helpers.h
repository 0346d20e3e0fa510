/* Running the command from a test: its exit code, and what it prints. */
#ifndef SINEW_TESTS_CLI_HELPERS_H
#define SINEW_TESTS_CLI_HELPERS_H

#include "room.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>

static char *command;              /* its whole path, filled by find_command */
static const char *working_folder; /* where run() runs it; NULL: here */

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
    return read_all_of(file, NULL);
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

/* Starts "PROGRAM ARGUMENTS", split at spaces, in a folder; NULL: this one. */
static inline struct running start_command(const char *program, const char *folder, const char *arguments) {
    enum { MOST = 23 };
    char words[512], *argv[MOST + 2] = {(char *)program};
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
        if (!folder || chdir(folder) == 0) execv(program, argv);
        _exit(127);
    }
    return running;
}

/* Waits until it has ended, for so many seconds at most; whether it has. */
static inline int wait_for_end(pid_t child, int seconds, int *status) {
    for (long i = 0; i < 500L * seconds; i++, usleep(2000))
        if (waitpid(child, status, WNOHANG) == child) return 1;
    return 0;
}

/* Waits no longer than anything a test runs may take, under valgrind, too; what has not ended by then is ended, and its
   test fails. mpirun ends its ranks when it gets SIGTERM. */
static inline struct output finish_command(struct running running) {
    const int deadline = getenv("SINEW_TEST_SHORT") ? 900 : 240; /* s */
    int status = 0;
    if (!wait_for_end(running.child, deadline, &status)) {
        kill(running.child, SIGTERM);
        if (!wait_for_end(running.child, 10, &status)) {
            kill(running.child, SIGKILL);
            waitpid(running.child, &status, 0);
        }
        char *out = read_all(running.out), *err = read_all(running.err);
        print_error("it had not ended after %d s\n%s\n%s\n", deadline, out, err);
        free(out), free(err);
        fail();
    }
    return (struct output){WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_all(running.out),
                           read_all(running.err)};
}

static inline void release(struct output *output) {
    free(output->out);
    free(output->err);
}

/* SINEW_COMMAND (or SINEW_CLI) names the program. False: it does not, and the tests are to be skipped. */
static inline int find_command(void) {
    const char *name = getenv("SINEW_COMMAND") ? getenv("SINEW_COMMAND") : getenv("SINEW_CLI");
    command = name && access(name, X_OK) == 0 ? realpath(name, NULL) : NULL;
    if (!command) printf("skipped: SINEW_COMMAND does not name the sinew command\n");
    return command != NULL;
}

static inline struct output run(const char *arguments) {
    return finish_command(start_command(command, working_folder, arguments));
}

/* Waits until the program catches SIGINT, as /proc tells, for ten seconds at most. */
static inline void wait_for_handler(pid_t child) {
    char path[64], line[128];
    snprintf(path, sizeof path, "/proc/%d/status", (int)child);
    for (int i = 0; i < 1000; i++, usleep(10000)) {
        FILE *file = fopen(path, "r");
        unsigned long caught = file ? 0 : ~0ul;
        while (file && fgets(line, sizeof line, file))
            sscanf(line, "SigCgt: %lx", &caught);
        if (file) fclose(file);
        if (caught & (1ul << (SIGINT - 1))) return;
    }
}

/* It gets a SIGINT so many milliseconds after it started to catch it. */
static inline struct output run_interrupted(const char *arguments, int milliseconds) {
    const struct running running = start_command(command, working_folder, arguments);
    wait_for_handler(running.child);
    usleep((useconds_t)milliseconds * 1000);
    kill(running.child, SIGINT);
    return finish_command(running);
}

/* All tests of a program that runs the command in a folder that the first function makes. */
static inline int run_tests_in(const char *folder, const char *group, CMFixtureFunction before,
                               CMFixtureFunction after) {
    if (!find_command()) return 0;
    working_folder = folder;
    return run_all_between(group, before, after);
}

/* All tests of a program that runs the command in a room, which they must leave empty. */
static inline int run_tests_in_room(const char *group) {
    return run_tests_in(room, group, make_room, leave_room);
}

/* All tests of a program that needs a folder, which is made by mkdtemp and removed when the tests left it empty. A
   variable of the environment may name it to the command; NULL: none does. */
static inline int run_tests_with_folder(char *folder, const char *variable, const char *group) {
    if (!find_command()) return 0;
    if (!mkdtemp(folder)) {
        perror(folder);
        return 1;
    }
    if (variable) setenv(variable, folder, 1);
    const int failed = run_all(group);
    rmdir(folder);
    free(command);
    return failed;
}

/* ------------------------------------------------------------------------------------------- expectations */

static inline struct output run_expecting(const char *arguments, int code) {
    struct output o = run(arguments);
    if (o.code != code) print_error("sinew %s: %d, %s\n", arguments, o.code, o.err);
    assert_int_equal(o.code, code);
    return o;
}

static inline void expect_success(const char *arguments) {
    struct output o = run_expecting(arguments, 0);
    release(&o);
}

/* It says this on stdout and nothing on stderr. */
static inline void expect_said(const char *arguments, const char *said) {
    struct output o = run_expecting(arguments, 0);
    assert_non_null(strstr(o.out, said));
    assert_string_equal(o.err, "");
    release(&o);
}

/* It names this on stderr and prints nothing. */
static inline void expect_failure(const char *arguments, int code, const char *named) {
    struct output o = run_expecting(arguments, code);
    if (!strstr(o.err, named)) print_error("sinew %s: %s\n", arguments, o.err);
    assert_non_null(strstr(o.err, named));
    assert_string_equal(o.out, "");
    release(&o);
}

/* A line each: "ARGUMENTS => CODE WORDS". It exits with the code, names the words and prints nothing. */
static inline void expect_failures(const char *lines) {
    while (*lines) {
        char line[512];
        const size_t length = strcspn(lines, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, lines);
        char *arrow = strstr(line, "=> ");
        assert_non_null(arrow);
        *arrow = '\0';
        expect_failure(line, arrow[3] - '0', arrow + 5);
        lines += length + 1;
    }
}

/* -------------------------------------------------------------------------------------------------- JSON */

static inline cJSON *parse(const struct output *output) {
    cJSON *json = cJSON_ParseWithOpts(output->out, NULL, 1); /* nothing may follow it */
    if (!json) print_error("not JSON:\n%s\n%s\n", output->out, output->err);
    assert_non_null(json);
    return json;
}

static inline cJSON *run_json(const char *arguments, int code) {
    struct output o = run_expecting(arguments, code);
    cJSON *json = parse(&o);
    release(&o);
    return json;
}

static inline double number_of(const cJSON *object, const char *key) {
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!cJSON_IsNumber(value)) print_error("no number '%s'\n", key);
    assert_true(cJSON_IsNumber(value));
    return value->valuedouble;
}

static inline const char *text_of(const cJSON *object, const char *key) {
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    if (!text) print_error("no text '%s'\n", key);
    assert_non_null(text);
    return text;
}

static inline const cJSON *rows_of(const cJSON *json, const char *key) {
    const cJSON *rows = cJSON_GetObjectItemCaseSensitive(json, key);
    assert_true(cJSON_IsArray(rows));
    return rows;
}

/* -------------------------------------------------------------------------------------- the peer's part */

static inline char *peer_path(const char *folder, char path[128]) {
    snprintf(path, 128, "%s/peer_mujoco_ground", folder);
    return path;
}

static inline void write_peer(const char *folder, const char *script) {
    char path[128];
    FILE *file = fopen(peer_path(folder, path), "w");
    assert_non_null(file);
    fputs(script, file);
    fclose(file);
    assert_int_equal(chmod(path, 0700), 0);
}

static inline void remove_peer(const char *folder) {
    char path[128];
    remove(peer_path(folder, path));
}

#endif
