/* Where the command writes, from outside: through links, pipes and devices, to standard output, and nowhere unasked. The
 * environment variable SINEW_COMMAND names the program. Devices are reached through links in a folder of the test's own, so
 * that a command that replaces what it should write cannot harm the machine. */
#include "cli_helpers.h"

#include <fcntl.h>
#include <stdbool.h>

#define TRACK "track humanoid walk --duration 0.1 "

static mode_t kind_of(const char *name) {
    struct stat what;
    assert_int_equal(lstat(in_room(name), &what), 0);
    return what.st_mode & S_IFMT;
}

static bool is_recording(const char *text) {
    cJSON *json = cJSON_ParseWithOpts(text, NULL, 1);
    const char *format = cJSON_GetStringValue(cJSON_GetObjectItem(json, "format"));
    const bool good = format && strcmp(format, "sinew-recording") == 0;
    cJSON_Delete(json);
    return good;
}

static bool holds_recording(const char *name) {
    char *text = read_text(name);
    const bool good = is_recording(text);
    free(text);
    return good;
}

static void link_to(const char *target, const char *name) {
    assert_int_equal(symlink(target, in_room(name)), 0);
}

static void drop(const char *name) {
    assert_int_equal(remove(in_room(name)), 0);
}

TEST(nothing_is_written_unasked) {
    expect_success(TRACK);
    expect_success(TRACK "--json");
    expect_success("inspect humanoid");
    assert_int_equal(count_files(room), 0);
}

TEST(a_link_stays_and_its_target_is_written) {
    assert_int_equal(mkdir(in_room("deep"), 0777), 0);
    link_to("deep/second", "first"); /* leads to deep/there.json, which is not there at first */
    link_to("there.json", "deep/second");
    for (int time = 0; time < 2; time++) {
        expect_success(TRACK "--record first");
        assert_int_equal(kind_of("first"), S_IFLNK);
        assert_int_equal(kind_of("deep/second"), S_IFLNK);
        assert_int_equal(kind_of("deep/there.json"), S_IFREG);
        assert_true(holds_recording("deep/there.json"));
    }
    expect_success(TRACK "--record again.json");
    assert_int_equal(count_partial(room) + count_partial(in_room("deep")), 0);
    drop("again.json"), drop("deep/there.json"), drop("deep/second"), drop("deep"), drop("first");
}

TEST(a_file_is_replaced_with_its_rights) {
    struct stat before, after;
    FILE *file = fopen(in_room("own.json"), "w");
    assert_non_null(file);
    fputs("old", file);
    fclose(file);
    assert_int_equal(chmod(in_room("own.json"), 0640), 0);
    assert_int_equal(stat(in_room("own.json"), &before), 0);
    expect_success(TRACK "--record own.json");
    assert_int_equal(stat(in_room("own.json"), &after), 0);
    assert_int_equal(after.st_mode & 07777, 0640);
    assert_true(after.st_ino != before.st_ino); /* moved into place whole */
    assert_true(holds_recording("own.json"));
    drop("own.json");
}

TEST(a_pipe_stays_and_is_written) {
    enum { ROOM = 1 << 20 };
    char *text = calloc(ROOM, 1);
    size_t used = 0;
    assert_int_equal(mkfifo(in_room("pipe"), 0666), 0);
    /* Open for reading before there is a writer, so that nobody waits for ever when the pipe is not written. */
    const int from = open(in_room("pipe"), O_RDONLY | O_NONBLOCK);
    assert_true(from >= 0);
    struct running running = start_command(command, room, TRACK "--record pipe");
    bool ended = false;
    for (int status, naps = 0;;) { /* what it wrote before it ended is still in the pipe */
        const ssize_t got = read(from, text + used, ROOM - 1 - used);
        if (got > 0) used += (size_t)got;
        if (got <= 0 && ended) break;
        if (got <= 0 && !ended) {
            usleep(1000);
            if (++naps > 240000) kill(running.child, SIGKILL); /* four minutes */
            ended = waitpid(running.child, &status, WNOHANG) == running.child;
            if (ended) assert_int_equal(status, 0);
        }
    }
    close(from);
    fclose(running.out), fclose(running.err);
    assert_int_equal(kind_of("pipe"), S_IFIFO);
    assert_true(is_recording(text));
    assert_int_equal(count_files(room), 1);
    drop("pipe");
    free(text);
}

TEST(a_device_stays_and_is_written) {
    link_to("/dev/null", "nowhere.json");
    link_to("/dev/full", "full.json");
    expect_success(TRACK "--record nowhere.json");
    expect_success("convert humanoid nowhere.json");
    expect_failure(TRACK "--record full.json", 1, "full.json");
    expect_failure("convert humanoid full.json", 1, "full.json");
    assert_int_equal(kind_of("nowhere.json"), S_IFLNK);
    assert_int_equal(kind_of("full.json"), S_IFLNK);
    assert_int_equal(count_files(room), 2);
    drop("nowhere.json"), drop("full.json");
}

TEST(a_dash_is_standard_output) {
    struct output o = run(TRACK "--record -");
    assert_int_equal(o.code, 0);
    assert_true(is_recording(o.out));
    assert_non_null(strstr(o.err, "humanoid tracks walk")); /* told where it does not disturb */
    release(&o);
    o = run("convert humanoid -");
    assert_int_equal(o.code, 0);
    cJSON *model = cJSON_ParseWithOpts(o.out, NULL, 1);
    assert_non_null(model);
    cJSON_Delete(model);
    release(&o);
    expect_failure(TRACK "--record - --report -", 2, "both");
    expect_failure(TRACK "--record same --report same", 2, "same");
    assert_int_equal(count_files(room), 0);
}

/* A shell sends standard output somewhere else; returns the exit code, and in `said` what is on standard error. */
static int run_to(const char *arguments, const char *where, char **said) {
    char line[512];
    snprintf(line, sizeof line, "cd %s && timeout 240 '%s' %s >%s 2>said", room, command, arguments, where);
    const int status = system(line);
    *said = read_all(fopen(in_room("said"), "rb"));
    drop("said");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(what_cannot_be_printed_is_a_failure) {
    static const char *const arguments[] = {
        "--help",
        "--version",
        "help track",
        "inspect humanoid",
        "inspect humanoid --json",
        "convert humanoid -",
        TRACK,
        TRACK "--json",
        TRACK "--record -",
        "crowd humanoid run -n 4 --duration 0.1",
        "reproduce --list",
        "bench spd --help",
        "plot --help",
    };
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
        char *said;
        const int code = run_to(arguments[i], "/dev/full", &said);
        const char *named = strstr(said, "standard output cannot be written");
        if (code != 1 || !named) print_error("sinew %s >/dev/full: %d, %s\n", arguments[i], code, said);
        assert_int_equal(code, 1);
        assert_non_null(named);
        assert_null(strstr(named + 1, "standard output")); /* once */
        free(said);
    }
}

/* /dev/stdout names what is open already: it is written, also where it is a regular file, which is not replaced. */
TEST(the_name_of_standard_output_is_written_through) {
    char *said;
    link_to("/dev/stdout", "output");
    assert_int_equal(run_to(TRACK "--record output --json", "all.txt", &said), 0);
    assert_int_equal(kind_of("output"), S_IFLNK);
    free(said);
    char *text = read_text("all.txt");
    const char *recorded = strstr(text, "effector_mean"),
               *printed = recorded ? strstr(recorded + 1, "effector_mean") : NULL;
    assert_int_equal(text[0], '{');
    assert_non_null(printed); /* the result stands in the recording and, printed, after it */
    free(text);
    drop("all.txt"), drop("output");
}

int main(void) {
    return run_tests_in_room("cli outputs");
}
