#include "ranks.h"

#include "mpi/module.h"
#include "platform.h"
#include "terminal.h"
#include "whole_file.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static const struct mpi_module *module;
static sn_exchange exchange = {.ranks = 1};
static int here = 1;        /* ranks on this machine */
static char complaint[512]; /* the last one, of ranks other than the first */
static size_t *begin;       /* [ranks + 1] */

int ranks_number(void) {
    return exchange.ranks;
}

bool ranks_leader(void) {
    return exchange.rank == 0;
}

/* -------------------------------------------------------------------------------------------------------- exchanges */

/* As the trainer gets it: who hears of a lost rank cannot go on, nor end in an orderly way. */
static bool lost;

static sn_status share(void *user, void *data, const size_t *from, sn_error *error) {
    const sn_status status = exchange.share(user, data, from, error);
    lost = lost || status;
    return status;
}

const sn_exchange *ranks_exchange(void) {
    static sn_exchange watched;
    watched = exchange;
    watched.share = share;
    return exchange.ranks > 1 ? &watched : NULL;
}

static void share_bytes(void *data) {
    sn_error error;
    if (share(exchange.user, data, begin, &error) == SN_OK) return;
    complain(EXIT_FAILED, "%s", error.message);
    module->abort(EXIT_FAILED);
}

static void tell_from(int rank, void *data, size_t size) {
    for (int r = 0; r <= exchange.ranks; r++)
        begin[r] = r > rank ? size : 0;
    share_bytes(data);
}

void ranks_tell(void *data, size_t size) {
    if (exchange.ranks > 1) tell_from(0, data, size);
}

int ranks_begin(int items, int block, int rank) {
    const int64_t blocks = (items + block - 1) / block, first = blocks * rank / exchange.ranks * block;
    return first < items ? (int)first : items;
}

void ranks_share(void *data, int items, int block, size_t item_size) {
    if (exchange.ranks == 1) return;
    for (int r = 0; r <= exchange.ranks; r++)
        begin[r] = (size_t)ranks_begin(items, block, r) * item_size;
    share_bytes(data);
}

int ranks_agree(int code) {
    if (exchange.ranks == 1) return code;
    int *all = need_memory(NULL, (size_t)exchange.ranks * sizeof *all), first = 0;
    all[exchange.rank] = code;
    ranks_share(all, exchange.ranks, 1, sizeof *all);
    while (first < exchange.ranks - 1 && all[first] == EXIT_DONE)
        first++;
    const int agreed = all[first];
    free(all);
    if (agreed == EXIT_DONE || first == 0) return agreed;
    tell_from(first, complaint, sizeof complaint);
    if (ranks_leader()) complain(agreed, "rank %d: %s", first, complaint);
    return agreed;
}

char *ranks_read(const char *path) {
    size_t size = 0;
    char *text = ranks_leader() ? whole_file_read(path, &size) : NULL;
    bool there = text != NULL;
    if (exchange.ranks == 1) return text;
    ranks_tell(&there, sizeof there);
    if (!there) return NULL;
    ranks_tell(&size, sizeof size);
    if (!text) text = need_memory(NULL, size + 1);
    text[size] = '\0';
    ranks_tell(text, size);
    return text;
}

/* ------------------------------------------------------------------------------------------------------------- ends */

static struct {
    char text[600];
    int code;
} words[2];
static volatile sig_atomic_t spoken; /* which of them counts */

void ranks_last_words(int code, const char *format, ...) {
    va_list arguments;
    const int other = 1 - (int)spoken;
    va_start(arguments, format);
    vsnprintf(words[other].text, sizeof words[other].text, format, arguments);
    va_end(arguments);
    words[other].code = code;
    spoken = other;
}

static void say_last_words(int signal_number) {
    const int which = (int)spoken;
    (void)signal_number;
    const char *text = words[which].text;
    if (write(STDERR_FILENO, text, strlen(text)) < 0) _exit(EXIT_FAILED);
    _exit(words[which].code);
}

/* When a rank has died, or at Ctrl-C, mpirun sends SIGTERM and a second later SIGKILL. A training that is whole ends within an
   iteration and keeps all; one that waits for a dead rank has some time to say so. */
static void on_terminate(int signal_number) {
    const struct itimerval soon = {.it_value = {.tv_usec = 850000}};
    (void)signal_number;
    interrupt_now();
    setitimer(ITIMER_REAL, &soon, NULL);
}

/* It sends SIGCONT yet another second before: a checkpoint now is in time, and no harm where somebody only goes on. */
static volatile sig_atomic_t hurry;

static void on_continue(int signal_number) {
    (void)signal_number;
    hurry = 1;
}

bool ranks_hurry(void) {
    const bool asked = hurry != 0;
    hurry = 0;
    return asked;
}

static void on_stop(int signal_number) {
    (void)signal_number;
    interrupt_now();
}

static void on_signal(int signal_number, void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(signal_number, &action, NULL);
}

/* The first rank decides when to stop: the others must not end before it has kept everything. */
static void catch_signals(void) {
    ranks_last_words(EXIT_FAILED, "sinew: stopped before anything was kept\n");
    on_signal(SIGALRM, say_last_words);
    on_signal(SIGTERM, ranks_leader() ? on_terminate : SIG_IGN);
    on_signal(SIGUSR1, ranks_leader() ? on_stop : SIG_IGN);
    if (ranks_leader()) on_signal(SIGCONT, on_continue);
    if (!ranks_leader()) on_signal(SIGINT, SIG_IGN);
}

int ranks_close(int code) {
    if (!module) return code;
    if (lost) module->abort(code ? code : EXIT_FAILED);
    const bool leader = ranks_leader();
    fflush(stdout);
    module->close();
    free(begin);
    begin = NULL;
    exchange = (sn_exchange){.ranks = 1};
    module = NULL;
    return leader ? code : EXIT_DONE;
}

/* ---------------------------------------------------------------------------------------------------------- begun */

/* A number that who starts ranks leaves in the environment; -1: none. */
static int number_in(const char *const *name) {
    for (; *name; name++)
        if (getenv(*name)) return atoi(getenv(*name));
    return -1;
}

static const char *const size_name[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", NULL};
static const char *const rank_name[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", NULL};

/* Where the module is: beside the command, or where it is installed. */
static bool module_path(char path[LONGEST_PATH + 256]) {
    static const char *const where[] = {"sinew_mpi.so", SINEW_MPI_FOLDER "/sinew_mpi.so"};
    char folder[LONGEST_PATH];
    own_folder(folder);
    for (size_t i = 0; i < sizeof where / sizeof *where; i++) {
        snprintf(path, LONGEST_PATH + 256, "%s/%s", folder, where[i]);
        if (can_read(path)) return true;
    }
    return false;
}

bool ranks_possible(void) {
    char path[LONGEST_PATH + 256];
    return module_path(path);
}

static int complain_missing(int ranks, const char *why) {
    return complain(
        EXIT_FAILED,
        "started as one of %d ranks, but this build of sinew cannot use MPI (%s): install OpenMPI "
        "(Debian: libopenmpi-dev) and build again, or start sinew alone, with --threads",
        ranks, why);
}

static int find_module(int ranks) {
    char path[LONGEST_PATH + 256];
    if (!module_path(path)) return complain_missing(ranks, "there is no sinew_mpi.so");
    void *file = dlopen(path, RTLD_NOW | RTLD_GLOBAL); /* MPI loads parts of its own, which look for it */
    if (!file) return complain_missing(ranks, dlerror());
    module = dlsym(file, SINEW_MPI_SYMBOL);
    if (module && module->version == SINEW_MPI_VERSION) return EXIT_DONE;
    module = NULL;
    return complain_missing(ranks, "sinew_mpi.so belongs to another version");
}

int ranks_open(void) {
    const int ranks = number_in(size_name), rank = number_in(rank_name);
    sn_error error;
    if (ranks == 1 || (ranks < 0 && rank < 0)) return EXIT_DONE;
    if (rank > 0) complain_keep(complaint, sizeof complaint);
    const int code = find_module(ranks);
    if (code != EXIT_DONE && rank > 0) { /* where the first rank says the same, this one is ended meanwhile */
        sleep(2);
        complain_keep(NULL, 0);
        return complain(code, "rank %d: %s", rank, complaint);
    }
    if (code != EXIT_DONE) return code;
    if (module->open(&exchange, &here, &error)) {
        module = NULL;
        return complain(EXIT_FAILED, "%s", error.message);
    }
    if (ranks > 1 && exchange.ranks != ranks) {
        complain_keep(NULL, 0);
        return complain(EXIT_FAILED,
                        "started as one of %d ranks, but MPI knows of %d: is the mpirun that of another MPI?",
                        ranks, exchange.ranks);
    }
    begin = need_memory(NULL, ((size_t)exchange.ranks + 1) * sizeof *begin);
    complain_keep(ranks_leader() ? NULL : complaint, sizeof complaint);
    catch_signals();
    return EXIT_DONE;
}

int ranks_threads(void) {
    if (exchange.ranks == 1) return 0;
    const long share_of = sysconf(_SC_NPROCESSORS_ONLN) / here, allowed = platform_cores();
    const long threads = share_of < allowed ? share_of : allowed;
    return threads > 1 ? (int)threads : 1;
}
