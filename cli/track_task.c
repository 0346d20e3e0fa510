#include "track_task.h"

#include "options.h"
#include "subject.h"
#include "terminal.h"
#include "workload.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct options options = {
    .help =
        "-n N  number of characters, each at its own place in the motion (track: 1, crowd: 1024)\n"
        "--dt S  time step in seconds, or as 1/240 (default 1/240; of many: 1/30 to 1/240)\n"
        "--duration S  seconds to simulate (default: the motion once, a looping one 5 s; of many: 1)\n"
        "--solver S  maba (default), dense, lapack, sparse, pcg\n"
        "--form F  stable (default; full with --stepper position), explicit, implicit-d, full\n"
        "--stepper S  time (default), or position: the pose at the end of the step, for stiff gains at long "
        "steps\n"
        "--scheme S  of the position stepper: pbad2 (default) or bdf2, which keeps more of the swing\n"
        "--sweeps N  sweeps per step of the position stepper (default 2, over ground 4)\n"
        "--precision P  double or float (default: double; of many: float)\n"
        "--lanes L  lane type, as f32x16 (default: what suits)\n"
        "--threads T  number of threads (default: one; of many: one, then one per core)\n"
        "--kp K  gain of the joints (default 75000)\n"
        "--kd K  damping of the joints (default 4000)\n"
        "--root-kp K  gain of the root (default 20000)\n"
        "--root-kd K  damping of the root (default 2000)\n"
        "--gain LIST  gains of single joints, as knee=300:30,hip=500:50\n"
        "--frequency HZ  joint gains from this natural frequency instead ...\n"
        "--damping Z  ... and this damping ratio (default 1)\n"
        "--widen  raise the damping of joints whose drives would swing up at this time step\n"
        "--file-gains  joint gains as the character's file says\n"
        "--free-root  nothing holds the root\n"
        "--no-velocity  track positions only, not the motion's velocities\n"
        "--ground  a floor where the motion's feet stand, and contact with it\n"
        "--contact C  with the ground: implicit (default) or rows\n"
        "--limits  keep the joints within their limits\n" CLIP_OPTIONS
        "--map FILE  JSON that maps bodies to the clip's joints\n"
        "--allow-missing-mesh  leave out meshes that cannot be read\n"
        "--seed N  of many: moves all along the motion by a random time (default 1)\n"
        "--record FILE  where the recording of one goes: .json, or .glb and .bvh for other programs; '-' is "
        "standard output\n"
        "--no-record  write no recording, whatever --record says\n"
        "--rate HZ  frames per second in recording and report (default 60)\n"
        "--report FILE  a page with the replay, plots and numbers, as run.html; or '-'\n"
        "--json  print JSON instead of tables\n"};

static const char *const forms[] = {"stable", "explicit", "implicit-d", "full", NULL};
static const char *const solvers[] = {"maba", "dense", "lapack", "sparse", "pcg", NULL};
static const char *const precisions[] = {"double", "float", NULL};
static const char *const steppers[] = {"time", "event", "position", NULL}, *const offered[] = {
                                                                               "time", "position", NULL};
static const char *const schemes[] = {"pbad2", "bdf2", NULL};
static const char *const contacts[] = {"implicit", "rows", NULL};

const char *form_name(sn_form form) {
    return forms[form];
}

const char *contact_name(sn_contact_method contact) {
    return contacts[contact];
}

const char *stepper_name(sn_stepper stepper) {
    return steppers[stepper];
}

const char *solver_text(sn_solver solver) {
    return solvers[solver];
}

void track_options_print(void) {
    options_print(&options);
}

/* ------------------------------------------------------------------------------------------------- options */

/* The lanes asked for, or of many the widest of the precision. */
static int choose_lanes(struct track_task *t) {
    const char *names[32] = {0}, *name = option_text(&options, "--lanes", NULL);
    for (int i = 0; sn_lanes_get(i) && i < 31; i++)
        names[i] = sn_lanes_get(i)->name;
    const sn_lanes_info *lanes = name ? lanes_find(name) : t->many ? lanes_widest(t->world.precision) : NULL;
    if (name && !lanes) return complain_unknown("lane type on this machine", name, names);
    if (!lanes) return EXIT_DONE;
    if (option_given(&options, "--precision") && lanes->precision != t->world.precision)
        return complain(EXIT_USAGE, "lanes %s are of precision %s, not %s", lanes->name,
                        precision_name(lanes->precision), precision_name(t->world.precision));
    t->world.lanes = lanes->name;
    t->world.precision = lanes->precision;
    return EXIT_DONE;
}

static int read_choices(struct track_task *t) {
    int form = 0, solver = 0, contact = 0, stepper = 0, scheme = 0,
        precision = t->many ? SN_PRECISION_FLOAT : SN_PRECISION_DOUBLE;
    int code = option_choice(&options, "--form", "form", forms, &form);
    if (code == EXIT_DONE) code = option_choice(&options, "--solver", "solver", solvers, &solver);
    if (code == EXIT_DONE) code = option_choice(&options, "--contact", "contact", contacts, &contact);
    if (code == EXIT_DONE) code = option_choice(&options, "--precision", "precision", precisions, &precision);
    if (code == EXIT_DONE) code = option_choice(&options, "--stepper", "stepper", offered, &stepper);
    if (code == EXIT_DONE) code = option_choice(&options, "--scheme", "scheme", schemes, &scheme);
    t->world.stepper = stepper ? SN_STEPPER_POSITION : SN_STEPPER_TIME;
    t->world.scheme = (sn_scheme)scheme;
    if (stepper && !option_given(&options, "--form")) form = SN_FORM_FULL;
    t->world.form = (sn_form)form;
    t->world.contact = (sn_contact_method)contact;
    t->world.precision = (sn_precision)precision;
    t->solver = (sn_solver)solver;
    return code == EXIT_DONE ? choose_lanes(t) : code;
}

static int read_numbers(struct track_task *t) {
    static const char *const name[] = {"--dt",      "--duration",  "--kp",      "--kd",  "--root-kp",
                                       "--root-kd", "--frequency", "--damping", "--rate"};
    static const double lower[] = {1e-9, 1e-9, 0, 0, 0, 0, 1e-9, 1e-9, 1e-3};
    static const double upper[] = {1, 1e6, 1e12, 1e12, 1e12, 1e12, 1e6, 1e6, 1e6};
    double *const value[] = {&t->world.dt, &t->duration,  &t->kp,      &t->kd,  &t->root_kp,
                             &t->root_kd,  &t->frequency, &t->damping, &t->rate};
    long copies = t->world.copies, threads = 0, seed = 1, sweeps = 0;
    int code = option_number(&options, "-n", 1, 1 << 22, &copies);
    if (code == EXIT_DONE) code = option_number(&options, "--threads", 1, 1024, &threads);
    if (code == EXIT_DONE) code = option_number(&options, "--seed", 0, LONG_MAX, &seed);
    for (size_t i = 0; i < sizeof value / sizeof *value && code == EXIT_DONE; i++)
        code = option_real(&options, name[i], lower[i], upper[i], value[i]);
    if (code == EXIT_DONE) code = option_number(&options, "--sweeps", 1, 1000, &sweeps);
    t->world.sweeps = (int)sweeps;
    t->world.copies = (int)copies;
    t->threads = (int)threads;
    t->seed = (uint64_t)seed;
    return code;
}

static void read_rest(struct track_task *t) {
    t->dt_given = option_given(&options, "--dt");
    t->ground = option_given(&options, "--ground");
    t->world.joint_limits = option_given(&options, "--limits");
    t->target_velocity = !option_given(&options, "--no-velocity");
    t->free_root = option_given(&options, "--free-root");
    t->widen = option_given(&options, "--widen");
    t->file_gains = option_given(&options, "--file-gains");
    t->single_gains = option_text(&options, "--gain", "");
    t->map = option_text(&options, "--map", NULL);
    t->json = option_given(&options, "--json");
    t->report = option_text(&options, "--report", NULL);
    if (!option_given(&options, "--no-record")) t->record = option_text(&options, "--record", NULL);
}

static int read_clip_options(struct track_task *t) {
    static const char *const of_files[] = {"--plant", "--start",  "--end",   "--blend-in",   "--keep-first",
                                           "--up",    "--facing", "--scale", "--quaternion", NULL};
    t->load = subject_options(option_given(&options, "--allow-missing-mesh"));
    for (int i = 0; of_files[i]; i++)
        if (option_given(&options, of_files[i]) && is_builtin_motion(t->clip))
            return complain(EXIT_USAGE, "%s goes with a clip's file, not with the built-in motion '%s'",
                            of_files[i], t->clip);
    return clip_options_read(&options, &t->load, &t->cut);
}

/* Options that do not go together. */
static int check(const struct track_task *t) {
    static const char *const of_one[] = {"--record", "--report", "--rate", "--no-velocity", NULL};
    for (int i = 0; t->many && of_one[i]; i++)
        if (option_given(&options, of_one[i]))
            return complain(EXIT_USAGE, "%s goes with one character, not with many", of_one[i]);
    if (t->record && t->report && strcmp(t->record, t->report) == 0)
        return complain(EXIT_USAGE, "recording and report cannot both go to '%s'", t->record);
    if (t->solver != SN_SOLVER_MABA && (t->many || t->ground || t->world.joint_limits))
        return complain(EXIT_USAGE,
                        "ground, limits and many characters go with the solver maba, not with '%s'",
                        solvers[t->solver]);
    const bool position = t->world.stepper == SN_STEPPER_POSITION;
    if (!position && (option_given(&options, "--scheme") || option_given(&options, "--sweeps")))
        return complain(EXIT_USAGE, "--scheme and --sweeps go with --stepper position");
    if (position && t->solver != SN_SOLVER_MABA)
        return complain(EXIT_USAGE, "the position stepper solves by sweeps of its own, not with '%s'",
                        solvers[t->solver]);
    if (position && t->world.contact == SN_CONTACT_ROWS)
        return complain(EXIT_USAGE, "the position stepper has implicit contact, not rows");
    if (!t->ground && option_given(&options, "--contact"))
        return complain(EXIT_USAGE, "--contact goes with --ground");
    return EXIT_DONE;
}

int track_task_read(struct track_task *t, const char *command, int argc, char **argv) {
    const bool crowd = strcmp(command, "crowd") == 0;
    *t = (struct track_task){.world = sn_world_def_default(),
                             .kp = 75000,
                             .kd = 4000,
                             .root_kp = 20000,
                             .root_kd = 2000,
                             .damping = 1,
                             .rate = 60};
    int code = options_parse(&options, argc, argv);
    if (code != EXIT_DONE) return code;
    if (options.nword != 2)
        return complain(EXIT_USAGE, "%s needs a character and a motion; 'sinew help %s' tells more", command,
                        command);
    t->character = options.word[0];
    t->clip = options.word[1];
    t->many = crowd || option_given(&options, "-n");
    t->world.copies = crowd ? 1024 : 1;
    read_rest(t);
    code = read_choices(t);
    if (code == EXIT_DONE) code = read_numbers(t);
    if (code == EXIT_DONE) code = read_clip_options(t);
    if (!t->many && t->threads > 0) t->world.threads = t->threads;
    return code == EXIT_DONE ? check(t) : code;
}

/* --------------------------------------------------------------------------------------------------- gains */

/* "knee=300:30,hip=500:50" into the gains. */
static int set_single_gains(const char *text, const sn_model *model, double *kp, double *kd) {
    char *list = copy_text(text), *rest = list;
    int code = EXIT_DONE;
    while (code == EXIT_DONE && rest) {
        char *item = rest;
        rest = strchr(item, ',');
        if (rest) *rest++ = '\0';
        char *equals = strchr(item, '='), *colon = equals ? strchr(equals, ':') : NULL;
        double p, d;
        if (!*item) continue;
        if (equals) *equals = '\0';
        if (colon) *colon = '\0';
        const int body = sn_model_find_body(model, item);
        if (!colon || !parse_real(equals + 1, &p) || !parse_real(colon + 1, &d) || p < 0 || d < 0)
            code = complain(EXIT_USAGE, "--gain needs BODY=KP:KD, not '%s'", item);
        else if (body < 0)
            code = complain(EXIT_USAGE, "--gain: there is no body '%s'", item);
        const sn_body_info *info = sn_model_body(model, body);
        for (int v = 0; code == EXIT_DONE && v < info->nv; v++)
            kp[info->v_index + v] = p, kd[info->v_index + v] = d;
    }
    free(list);
    return code;
}

/* What the gains are for. Many run at steps up to 1/30 s. A character with a driven root hangs on it; otherwise the
   motion begins on its lowest bodies. `q` has room for the pose. */
static sn_gains_def gains_for(const struct track_task *t, const sn_motion *motion, double *q) {
    const bool stands = t->free_root && t->ground;
    sn_motion_sample(motion, 0, q, NULL);
    return (sn_gains_def){.struct_size = sizeof(sn_gains_def),
                          .q = stands ? q : NULL,
                          .frequency = t->frequency,
                          .damping_ratio = t->damping,
                          .stance = stands ? SN_STANCE_LOWEST : SN_STANCE_NONE,
                          .dt = t->many && !t->dt_given ? 1.0 / 30 : t->world.dt,
                          .form = t->world.form,
                          .widen = t->widen};
}

/* Joint gains, and those of the root. */
static int set_gains(const struct track_task *t, const sn_gains_def *def, const sn_model *model, double *kp,
                     double *kd) {
    sn_error error;
    const sn_model_info *all = sn_model_get(model);
    if (t->file_gains) {
        memcpy(kp, all->kp, (size_t)all->nv * sizeof *kp);
        memcpy(kd, all->kd, (size_t)all->nv * sizeof *kd);
    } else
        sn_gains_uniform(model, 0, 0, t->kp, t->kd, kp, kd);
    if (t->frequency > 0 && sn_gains_choose(model, def, kp, kd, &error) != SN_OK)
        return complain(EXIT_USAGE, "%s%s", error.message,
                        t->widen || def->form == SN_FORM_EXPLICIT ? "" : "; or --widen");
    for (int i = 0; i < sn_model_get(model)->nbody; i++) {
        const sn_body_info *info = sn_model_body(model, i);
        if (info->joint.type != SN_JOINT_FREE) continue;
        for (int v = info->v_index; v < info->v_index + info->nv; v++) {
            kp[v] = t->free_root ? 0 : t->root_kp;
            kd[v] = t->free_root ? 0 : t->root_kd;
        }
    }
    return set_single_gains(t->single_gains, model, kp, kd);
}

/* Gains by hand may be meant to swing up: they are warned of, not refused. */
int track_task_gains(const struct track_task *t, const sn_model *model, const sn_motion *motion, double *kp,
                     double *kd) {
    double *q = need_memory(NULL, (size_t)(sn_model_get(model)->nq + 1) * sizeof *q);
    const sn_gains_def def = gains_for(t, motion, q);
    sn_error error;
    const int code = set_gains(t, &def, model, kp, kd);
    if (code == EXIT_DONE && sn_gains_check(model, &def, kp, kd, NULL, &error) > 0)
        complain(EXIT_DONE, "%s%s", error.message,
                 t->widen || def.form == SN_FORM_EXPLICIT ? "" : "; or --widen");
    free(q);
    return code;
}

/* ------------------------------------------------------------------------------------------------- the world */

sn_world *track_task_world(const struct track_task *t, const sn_model *model, double ground, const double *kp,
                           const double *kd, sn_error *error) {
    const double point[3] = {0, 0, ground}, up[3] = {0, 0, 1};
    sn_world *world = sn_world_create(&t->world, error);
    bool good = world && (!t->ground || sn_world_add_plane(world, point, up, NULL, error) >= 0) &&
                sn_world_add(world, model, error) == 0;
    if (good && kp && sn_world_set_gains(world, 0, kp, kd) != SN_OK) {
        snprintf(error->message, sizeof error->message, "these gains cannot be used");
        good = false;
    }
    if (!good) sn_world_free(world);
    return good ? world : NULL;
}

/* On a plane at z = 0 a pose whose lowest point is at z is moved by -z. Looked for 120 times per second. */
bool track_task_ground(const struct track_task *t, const sn_model *model, const sn_motion *motion,
                       double *height) {
    struct track_task probe = {.world = sn_world_def_default(), .ground = true};
    const long looks = lround(fmin(sn_motion_get(motion)->duration, 600) * 120) + 1;
    sn_error error = {0};
    sn_world *world = track_task_world(&probe, model, 0, NULL, NULL, &error);
    double *q = need_memory(NULL, (size_t)(sn_model_get(model)->nq + 1) * sizeof *q);
    double *low = need_memory(NULL, 2 * (size_t)looks * sizeof *low), *time = low + looks;
    sn_status status = world ? SN_OK : error.status;
    long taken = 0;
    for (; taken < looks && status == SN_OK && !interrupted(); taken++) {
        time[taken] = (double)taken / 120;
        sn_motion_sample(motion, time[taken], q, NULL);
        const double before = q[2];
        status = sn_world_stand(world, 0, q);
        low[taken] = before - q[2];
    }
    if (status == SN_OK && taken > 0) status = sn_floor_under((int)taken, time, low, height);
    sn_world_free(world);
    free(q);
    free(low);
    return status == SN_OK || complain(EXIT_FAILED, "%s cannot be put on the ground: %s", t->character,
                                       sn_status_text(status)) == EXIT_DONE;
}
