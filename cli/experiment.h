/* An experiment repeats a table or figure of a paper. It fills a result; experiment_print.h prints it. */
#ifndef SINEW_CLI_EXPERIMENT_H
#define SINEW_CLI_EXPERIMENT_H

#include "platform.h"

#include <stdbool.h>
#include <stdint.h>

/* One number, time step, text or truth. A number that is not finite stands for a run that diverged: null in JSON. A
   step is "1/60", and "no step" where its number is not finite. */
struct value {
    enum { VALUE_NONE, VALUE_NUMBER, VALUE_STEP, VALUE_TEXT, VALUE_FLAG } kind;
    double number;
    bool flag;
    char *text;
};

struct value none(void); /* nothing to compare with, or not measured */
struct value number(double x);
struct value time_step(double dt);
struct value text(const char *words);
struct value flag(bool truth);

struct field {
    const char *key;
    struct value value;
};

struct record { /* fields in the order they were put */
    struct field *field;
    int count;
};

/* The record takes the value over. Keys live as long as the program. */
void record_put(struct record *record, const char *key, struct value value);
/* Puts fields that stand as a list, and ends at one without a key. */
void record_put_list(struct record *record, const struct field *list);
/* add_fields(row, {"kp", number(kp)}, {"controller", text(name)}) puts several fields at once. */
#define add_fields(record, ...) record_put_list(record, (const struct field[]){__VA_ARGS__, {0}})
/* The name of the table a row belongs to, "": of none; whether two rows stand in one table. */
const char *table_name(const struct record *row);
bool same_table(const struct record *a, const struct record *b);

/* What counts as holding: least <= ours <= most, and where that comes from. */
enum bound_source {
    FROM_PAPER,    /* a statement or a number of the paper                                       */
    FROM_PROMISE,  /* what the library promises                                                  */
    FROM_MEASURED, /* set when it was measured, and no wider than ten times what was measured    */
    FROM_ROUNDING, /* what rounding, or the tolerance of the solver, may leave                   */
    BOUND_SOURCES
};
extern const char *const bound_sources[BOUND_SOURCES]; /* "paper", "promise", ... */

struct bound {
    double least, most; /* infinite: there is none */
    enum bound_source source;
};

struct bound at_most(double most, enum bound_source source);
struct bound at_least(double least, enum bound_source source);
struct bound between(double least, double most, enum bound_source source);
struct bound exactly(double x, enum bound_source source);

struct claim {
    char *claim;        /* what the paper, or the project, says          */
    struct value paper; /* the paper's value, where it has one           */
    struct value ours;  /* a number or a time step, measured here        */
    struct bound bound;
    bool holds; /* ours is within the bound */
};

struct result {
    const char *experiment;
    struct record settings;
    struct record *row; /* flat; rows whose first field is "table" print as tables of that name */
    int nrow;
    struct claim *claim;
    int nclaim;
    char *closing; /* some sentences: what holds, what does not, and why */
};

void result_setting(struct result *result, const char *key, struct value value);
#define add_settings(result, ...) add_fields(&(result)->settings, __VA_ARGS__)

/* Starts a row of the table of that name; NULL: of none. Good until the next row. */
struct record *result_row(struct result *result, const char *table);
/* A row as the list of its columns: add_row(result, "masses", {"mass_1", number(1)}, {"kp", number(3000)}). */
#define add_row(result, table, ...) result_put_row(result, table, (const struct field[]){__VA_ARGS__, {0}})
struct record *result_put_row(struct result *result, const char *table, const struct field *list);

/* One claim of a list: what was measured, what the paper has, and what counts as holding. Whether it holds is
   decided by the bound alone, so that what is printed is what was compared. The result takes both values over. */
struct stated {
    struct bound bound;
    struct value paper, ours;
    const char *claim;
};
#define add_claims(result, ...)                                                                              \
    result_put_claims(result, (const struct stated[]){__VA_ARGS__, {.claim = NULL}})
void result_put_claims(struct result *result, const struct stated *list);
/* Text as printf makes it. It stays valid until sixteen more have been made. */
const char *said(const char *format, ...) LIKE_PRINTF(1, 2);
int result_held(const struct result *result);
/* Writes a figure into a folder, and a row with its path into the table of plots. False after a complaint. */
struct plot;
bool result_draw(struct result *result, const char *folder, const char *name, const struct plot *plot);
void result_close(struct result *result, const char *format, ...) LIKE_PRINTF(2, 3);
void result_free(struct result *result);

struct run_settings {
    uint64_t seed;    /* of everything random                            */
    bool quick;       /* fewer and shorter runs, for tests               */
    const char *plot; /* folder for the figures; NULL: none           */
    const char *data; /* folder for what was measured, of which the next run makes use; NULL: none */
    double minutes;   /* begin nothing long after so many; 0: no end  */
};

/* Returns false after complain() when it could not be run, and true with what it has when the command is interrupted. */
typedef bool experiment_run(const struct run_settings *settings, struct result *result);

struct experiment {
    const char *name;        /* "spd/pendulum"                                                          */
    const char *paper;       /* where the paper has it                                                  */
    const char *description; /* one line                                                                */
    experiment_run *run;     /* NULL: not done yet                                                      */
};

extern const struct experiment experiments[]; /* ends with one that has no name */
/* The experiment of this name, which can be run; NULL after a complaint, whose exit code is in `code`. */
const struct experiment *experiment_find(const char *name, int *code);

experiment_run run_spd_toy, run_spd_pendulum, run_spd_reactions, run_spd_keyframes, run_spd_tinkertoy,
    run_spd_stability, run_maba_models, run_maba_accuracy, run_maba_speed, run_maba_overhead,
    run_maba_capacity, run_maba_training, run_maba_full, run_kokkevis_deltas, run_kokkevis_impact,
    run_kokkevis_contact, run_kokkevis_limits, run_kokkevis_trajectory, run_pbad_energy, run_pbad_timestep,
    run_pbad_optimizers, run_pbad_trajectories, run_pbad_control, run_sinew_products;

#endif
