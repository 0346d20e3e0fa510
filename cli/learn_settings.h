/* What a training is asked for: character, motion, task and trainer. The library's definitions say what there is; options,
 * configuration files, the settings beside a checkpoint and the note in a policy all follow them. */
#ifndef SINEW_CLI_LEARN_SETTINGS_H
#define SINEW_CLI_LEARN_SETTINGS_H

#include "options.h"

#include <sinew/learn.h>

struct cJSON;

struct learn_settings {
    char *character;
    char *motion; /* built-in names or files; several motions have commas between; "": none, locomotion */
    char *map;    /* file that maps bodies to a clip's joints; "": none */
    double start, end; /* s of a clip that is used; end 0: up to its own */
    bool plant;
    char *touch; /* parts of names of bodies that may touch the ground, with commas between; "all"; "": feet */
    bool no_torque_limits;
    bool disturbed;             /* policies are played and judged with what disturbed their training */
    sn_imitation_def imitation; /* model and motion are filled by learn_task_open */
    sn_environment_def environment;
    sn_trainer_def trainer;
};

void learn_settings_init(struct learn_settings *s);
void learn_settings_free(struct learn_settings *s);
/* As JSON, to be deleted; and back: keys that are not known are refused, those that are missing stay as they are. `from` names
   the text in complaints. False after one. */
struct cJSON *learn_settings_json(const struct learn_settings *s);
bool learn_settings_take(struct learn_settings *s, const char *text, const char *from);
/* A configuration file. */
bool learn_settings_read(struct learn_settings *s, const char *path);
/* The options of the table that were given. EXIT_DONE, or EXIT_USAGE after a complaint. */
int learn_settings_options(struct learn_settings *s, const struct options *options);

/* The words of a command line: a character, then motions, which are kept with commas between. */
void learn_settings_words(struct learn_settings *s, const struct options *options);

/* How 'evaluate' and 'play' hold the stick of a character that is steered, instead of moving it at random. */
#define HOLD_OPTION                                                                                          \
    "--stick-hold A,L,T  hold the stick: speed ahead and to the left, m/s, and turn to the left, rad/s\n"
/* Takes that option. EXIT_DONE, or EXIT_USAGE after a complaint. */
int learn_settings_hold(struct learn_settings *s, const struct options *options);

/* Adds a line to the help for each setting that LEARN_OPTIONS does not have, from the library's definitions. Call it before
   options are read or printed. */
void learn_options_add(struct options *options);

/* The settings that are used most, for the help of a command. */
#define LEARN_OPTIONS                                                                                        \
    "--copies N  characters that learn at the same time (default 256)\n"                                     \
    "--seed N  of everything random (default 1)\n"                                                           \
    "--targets T  residual: actions turn the motion's pose (default); absolute: they are the pose\n"         \
    "--features F  2018 (default) or 2021: how rotations are observed, as in DeepMimic\n"                    \
    "--speed M/S  of locomotion, without a motion (default 1)\n"                                             \
    "--push N  disturb them by pushes of up to so many newtons\n"                                            \
    "--ball KG  ... and by balls of this mass, thrown at them from all sides\n"                              \
    "--ball-speed M/S  of the balls (default 5)\n"                                                           \
    "--mass-range R  masses of each episode are 1 - R to 1 + R times the character's\n"                      \
    "--friction-range R  ... and so is friction\n"                                                           \
    "--gain-range R  ... and so are gains\n"                                                                 \
    "--command S  a heading, and in locomotion a speed, is commanded, changed every S seconds or so\n"       \
    "--command-turn RAD  a new heading is off the old one by up to so much (default 1)\n"                    \
    "--command-fastest M/S  speeds up to this one are commanded, in locomotion (default: --speed alone)\n"   \
    "--command-slowest M/S  ... and from this one on (default 0)\n"                                          \
    "--terrain T  flat (default), bumps, slopes, steps or mixed; heights are observed\n"                     \
    "--terrain-height M  from its lowest to its highest places (default 0.1)\n"                              \
    "--terrain-seed N  another terrain of the same kind (default 0)\n"                                       \
    "--no-torque-limits  drives may be as strong as they like\n"                                             \
    "--self-contact  bodies of a character touch each other\n"                                               \
    "--touch LIST  bodies that may touch the ground, by parts of their names, as hand,foot; all (default: "  \
    "feet)\n"                                                                                                \
    "--limit S  length of an episode in training (default 20)\n"                                             \
    "--friction MU  of the ground (default 0.9)\n"                                                           \
    "--hidden LIST  widths of the networks' hidden layers, as 256,256 (default 128,128)\n"                   \
    "--noise X  deviation of actions (default 0.05)\n"                                                       \
    "--start S  a clip's motion from this time on, in seconds\n"                                             \
    "--end S  ... and up to this one\n"                                                                      \
    "--plant  keep a clip's feet in one place while they stand\n"                                            \
    "--map FILE  JSON that maps bodies to the clip's joints\n"

/* How many motions there are; the name of one of them, to be freed. */
int learn_settings_motions(const struct learn_settings *s);
char *learn_settings_motion(const struct learn_settings *s, int number);

/* Character, motions and an environment of the settings. */
struct learn_task {
    sn_model *model;
    sn_motion **motion;
    int motions;
    sn_environment *env;
};

/* Overrides the number of copies and the length of an episode, if they are not 0. False after an error message. */
bool learn_task_open(struct learn_task *task, const struct learn_settings *s, int copies, double limit);
void learn_task_close(struct learn_task *task);

/* Without what disturbs in training: pushes, balls, masses, friction and gains that are off. */
void learn_settings_calm(struct learn_settings *s);

/* A policy, a file or one that comes with the project, and the settings in its note. NULL after a complaint. */
sn_policy *learn_policy_load(const char *name, struct learn_settings *s);
/* Starts the settings as well; they must be freed even after a failure. */
sn_policy *learn_policy_open(const char *name, bool disturbed, struct learn_settings *s);

#endif
