/* mpirun -n 4 sinew train: the bits of one process; ranks that die, mpirun that is stopped, builds without MPI. */
#include "cli_helpers.h"

#include <stdbool.h>

static char *mpirun;

#define RUN "--config small.json --out %s --samples %d --episodes 17 --threads 1 --no-report --json"

/* Four parts of 16 copies, 256 samples per iteration. */
static const char small[] = "{\"copies\": 64, \"horizon\": 4, \"minibatch\": 128, \"hidden\": [16]}";

static void assert_same_file(const char *one, const char *other) {
    size_t size[2];
    char *a = read_whole(in_room(one), &size[0]), *b = read_whole(in_room(other), &size[1]);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(a, b, size[0]);
    free(a), free(b);
}

/* OpenMPI's, where the command has its module, too. */
static char *find_mpirun(void) {
    char line[512], module[600];
    const char *slash = strrchr(command, '/');
    snprintf(module, sizeof module, "%.*s/sinew_mpi.so", (int)(slash - command), command);
    if (access(module, R_OK) != 0) return NULL;
    FILE *out =
        popen("timeout 60 mpirun --version 2>/dev/null | grep -q 'Open MPI' && command -v mpirun", "r");
    const bool found = out && fgets(line, sizeof line, out);
    if (out) pclose(out);
    if (!found) return NULL;
    line[strcspn(line, "\n")] = '\0';
    return strdup(line);
}

static int prepare(void **state) {
    if (make_room(state) != 0) return -1;
    write_text("small.json", small);
    /* as root, in a container, on fewer cores than ranks */
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
    setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 1);
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1); /* MPI's own */
    mpirun = find_mpirun();
    if (!mpirun)
        printf("skipped but for one: there is no mpirun of OpenMPI, or sinew was built without it\n");
    return 0;
}

static struct running start_ranks(int ranks, const char *arguments) {
    char line[512];
    snprintf(line, sizeof line, "-n %d %s %s", ranks, command, arguments);
    return start_command(mpirun, working_folder, line);
}

/* What a training by so many ranks prints as JSON; 0: started without mpirun. */
static cJSON *train(int ranks, const char *arguments, int code) {
    struct output o = ranks ? finish_command(start_ranks(ranks, arguments)) : run_expecting(arguments, code);
    if (o.code != code) print_error("%d ranks: %d, %s\n", ranks, o.code, o.err);
    assert_int_equal(o.code, code);
    cJSON *json = parse(&o);
    release(&o);
    return json;
}

/* The curve without its times. */
static char *curve_of(const char *folder) {
    char line[256];
    snprintf(line, sizeof line, "cut -d, -f1,2,4-11,13 %s/%s/curve.csv", room, folder);
    FILE *out = popen(line, "r");
    char *text = calloc(1, 1 << 16);
    assert_non_null(out);
    assert_true(fread(text, 1, (1 << 16) - 1, out) > 100);
    pclose(out);
    return text;
}

TEST(ranks_1_2_and_4_have_the_same_bits) {
    if (!mpirun) return;
    static const char *const folder[] = {"alone", "by2", "by4"};
    const int samples = 256 * (getenv("SINEW_TEST_SHORT") ? 6 : 51);
    char line[256], *curve[3];
    double normalised[3];
    for (int k = 0; k < 3; k++) {
        snprintf(line, sizeof line, "train humanoid walk " RUN, folder[k], samples);
        cJSON *json = train(2 * k, line, 0);
        assert_true(number_of(json, "samples") == samples && number_of(json, "episodes") == 17);
        normalised[k] = number_of(json, "normalised_return");
        cJSON_Delete(json);
        curve[k] = curve_of(folder[k]);
    }
    for (int k = 1; k < 3; k++) {
        snprintf(line, sizeof line, "%s/checkpoint.sinew", folder[k]);
        assert_same_file("alone/checkpoint.sinew", line);
        snprintf(line, sizeof line, "%s/policy.sinew", folder[k]);
        assert_same_file("alone/policy.sinew", line);
        assert_string_equal(curve[k], curve[0]);
        assert_true(normalised[k] == normalised[0] && normalised[0] > 0);
    }
    for (int k = 0; k < 3; k++)
        free(curve[k]);
}

/* By 2, then 3, then one: one in one go. */
TEST(a_training_goes_on_with_other_ranks) {
    if (!mpirun) return;
    static const int ranks[] = {0, 2, 3, 0}, samples[] = {1792, 512, 1280, 1792};
    for (int k = 0; k < 4; k++) {
        char line[256];
        snprintf(line, sizeof line, "train %s " RUN, k > 1 ? "--resume" : "humanoid walk",
                 k ? "on" : "straight", samples[k]);
        cJSON_Delete(train(ranks[k], line, 0));
    }
    assert_same_file("straight/checkpoint.sinew", "on/checkpoint.sinew");
}

/* ------------------------------------------------------------------------------------------------------------ ends */

static bool environment_has(int pid, const char *text) {
    char path[64], bytes[1 << 15];
    snprintf(path, sizeof path, "/proc/%d/environ", pid);
    FILE *file = fopen(path, "rb");
    const size_t size = file ? fread(bytes, 1, sizeof bytes - 1, file) : 0, length = strlen(text) + 1;
    if (file) fclose(file);
    bytes[size] = '\0';
    for (size_t i = 0; i + length <= size; i++)
        if ((i == 0 || !bytes[i - 1]) && memcmp(bytes + i, text, length) == 0) return true;
    return false;
}

static int parent_of(int pid) {
    char path[64];
    int parent = -1;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%*d %*s %*c %d", &parent) != 1) parent = -1;
    if (file) fclose(file);
    return parent;
}

/* The process of a rank under this mpirun. */
static int find_rank(int parent, int rank) {
    char variable[64];
    int found = 0;
    snprintf(variable, sizeof variable, "OMPI_COMM_WORLD_RANK=%d", rank);
    DIR *list = opendir("/proc");
    assert_non_null(list);
    for (const struct dirent *entry; (entry = readdir(list)) && !found;) {
        const int pid = atoi(entry->d_name);
        if (pid > 0 && parent_of(pid) == parent && environment_has(pid, variable)) found = pid;
    }
    closedir(list);
    return found;
}

/* A training that would go on for long, once it has a checkpoint. */
static struct running start_long(const char *folder, int ranks) {
    char line[256], path[64];
    snprintf(line, sizeof line, "train humanoid walk " RUN " --checkpoint 0", folder, 100000000);
    snprintf(path, sizeof path, "%s/checkpoint.sinew", folder);
    const struct running running = start_ranks(ranks, line);
    for (int i = 0; i < 3000 && access(in_room(path), F_OK) != 0; i++)
        usleep(20000);
    assert_int_equal(access(in_room(path), F_OK), 0);
    return running;
}

/* Goes on by one iteration; then it has the bytes of a training in one go. */
static void assert_goes_on(const char *folder) {
    char line[256], path[2][64];
    snprintf(line, sizeof line, "train --resume --out %s --seconds 0 --episodes 1 --no-report --json",
             folder);
    cJSON *json = train(0, line, 0);
    const int samples = (int)number_of(json, "samples");
    cJSON_Delete(json);
    snprintf(path[0], sizeof path[0], "%s-straight", folder);
    snprintf(line, sizeof line, "train humanoid walk " RUN, path[0], samples);
    cJSON_Delete(train(0, line, 0));
    snprintf(path[0], sizeof path[0], "%s-straight/checkpoint.sinew", folder);
    snprintf(path[1], sizeof path[1], "%s/checkpoint.sinew", folder);
    assert_same_file(path[0], path[1]);
}

/* A long training on so many ranks, one of which gets a signal. */
static struct running start_and_signal(const char *folder, int ranks, int which, int signal) {
    const struct running running = start_long(folder, ranks);
    const int rank = find_rank((int)running.child, which);
    assert_true(rank > 0);
    kill(rank, signal);
    return running;
}

TEST(a_rank_that_dies_ends_the_training_and_leaves_its_checkpoint) {
    if (!mpirun) return;
    struct output o = finish_command(start_and_signal("killed", 3, 1, SIGKILL));
    assert_int_equal(o.code, 128 + SIGKILL);
    if (!strstr(o.err, "killed/checkpoint.sinew has everything up to iteration")) print_error("%s\n", o.err);
    assert_non_null(strstr(o.err, "killed/checkpoint.sinew has everything up to iteration"));
    assert_string_equal(o.out, "");
    release(&o);
    assert_goes_on("killed");
}

/* It ends as Ctrl-C ends a training without mpirun: judged, with its policy, and able to go on. */
static void assert_ends_whole(struct running running, const char *folder) {
    char path[64];
    struct output o = finish_command(running);
    assert_int_equal(o.code, 130);
    assert_non_null(strstr(o.out, "\"normalised_return\""));
    release(&o);
    snprintf(path, sizeof path, "%s/policy.sinew", folder);
    assert_int_equal(access(in_room(path), F_OK), 0);
    assert_goes_on(folder);
}

/* The rank itself, not mpirun, which does not pass SIGUSR1 on everywhere. */
TEST(a_signal_to_the_first_rank_keeps_everything) {
    if (!mpirun) return;
    assert_ends_whole(start_and_signal("signalled", 2, 0, SIGUSR1), "signalled");
}

/* Whatever mpirun does with signals; the file goes, so that the training can go on. */
TEST(a_stop_file_keeps_everything) {
    if (!mpirun) return;
    const struct running running = start_long("filed", 2);
    FILE *file = fopen(in_room("filed/stop"), "w");
    assert_non_null(file);
    fclose(file);
    assert_ends_whole(running, "filed");
    assert_int_equal(access(in_room("filed/stop"), F_OK), -1);
}

/* Of Ctrl-C mpirun makes SIGTERM, and a second later SIGKILL. */
TEST(ctrl_c_of_mpirun_keeps_the_checkpoint) {
    if (!mpirun) return;
    const struct running running = start_long("stopped", 2);
    kill(running.child, SIGINT);
    struct output o = finish_command(running);
    assert_true(o.code > 0);
    release(&o);
    assert_goes_on("stopped");
}

/* --------------------------------------------------------------------------------------------------------- mistakes */

TEST(mistakes_are_told_once) {
    if (!mpirun) return;
    static const char *const said[][2] = {
        {"train humanoid", "needs a motion"},
        {"train humanoid walk --out on --samples 1", "holds a training"},
        {"train --resume --out nowhere", "nowhere/settings.json"},
        {"train humanoid walk --samples 1 --copies 64 --hidden 0 --out x", "hidden"}};
    cJSON_Delete(
        train(0,
              "train humanoid walk --config small.json --out on --samples 1 --episodes 1 --no-report "
              "--overwrite --json",
              0));
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        struct output o = finish_command(start_ranks(2, said[i][0]));
        const char *first = strstr(o.err, "sinew: ");
        assert_true(o.code == 1 || o.code == 2);
        assert_non_null(first);
        if (!strstr(first, said[i][1])) print_error("%s: %s\n", said[i][0], o.err);
        assert_non_null(strstr(first, said[i][1]));
        assert_null(strstr(first + 1, "sinew: "));
        release(&o);
    }
}

/* A command without the module beside it refuses to be one of several; of one it may be. */
TEST(a_build_without_mpi_says_so) {
    char line[700];
    snprintf(line, sizeof line, "cp '%s' '%s/sinew-alone'", command, room);
    assert_int_equal(system(line), 0);
    char *program = in_room("sinew-alone");
    setenv("OMPI_COMM_WORLD_SIZE", "4", 1);
    setenv("OMPI_COMM_WORLD_RANK", "0", 1);
    struct output o = finish_command(start_command(program, room, "train humanoid walk --out none"));
    assert_int_equal(o.code, 1);
    assert_non_null(strstr(o.err, "one of 4 ranks"));
    assert_non_null(strstr(o.err, "libopenmpi-dev"));
    assert_int_equal(access(in_room("none"), F_OK), -1);
    release(&o);
    setenv("OMPI_COMM_WORLD_SIZE", "1", 1);
    o = finish_command(
        start_command(program, room,
                      "train humanoid walk --config small.json --samples 1 --out one --episodes 1 "
                      "--no-report"));
    assert_int_equal(o.code, 0);
    release(&o);
    unsetenv("OMPI_COMM_WORLD_SIZE");
    unsetenv("OMPI_COMM_WORLD_RANK");
}

int main(void) {
    return run_tests_in(room, "cli_ranks", prepare, clear_room);
}
