/* Every file of the data folder, one line each: what it became, or why it was refused. */
#define _GNU_SOURCE /* strcasestr */
#include "clip/clip.h"
#include "file_helpers.h"

#include "base/memory.h"
#include "import/readers.h"

#include <dirent.h>
#include <sys/stat.h>
#include <time.h>

/* ------------------------------------------------------------------------------------------ finding them */

struct list {
    char (*path)[700]; /* relative to the folder */
    int count;
};

static bool is_data(const char *name) {
    static const char *const endings[] = {".txt", ".xml", ".urdf", ".bvh", ".asf", ".amc", ".json", ".stl"};
    const char *dot = strrchr(name, '.');
    if (strcasestr(name, "license")) return false;
    for (int i = 0; dot && i < COUNT(endings); i++)
        if (strcmp(dot, endings[i]) == 0) return true;
    return false;
}

static void collect(struct list *list, const char *root, const char *under) {
    char path[1500];
    snprintf(path, sizeof path, "%s/%s", root, under);
    DIR *folder = opendir(path);
    if (!folder) return;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.') continue;
        char name[700];
        struct stat info;
        int length = snprintf(name, sizeof name, "%s%s%s", under, under[0] ? "/" : "", entry->d_name);
        snprintf(path, sizeof path, "%s/%s", root, name);
        if (length >= (int)sizeof name || stat(path, &info) != 0) continue;
        if (S_ISDIR(info.st_mode)) {
            collect(list, root, name);
        } else if (is_data(name)) {
            list->path = realloc(list->path, sizeof *list->path * (size_t)(list->count + 1));
            memcpy(list->path[list->count++], name, sizeof name);
        }
    }
    closedir(folder);
}

static int compare(const void *a, const void *b) {
    return strcmp(a, b);
}

/* ----------------------------------------------------------------------------------------- what is known */

static const struct {
    const char *file;
    int nv;
    double mass; /* kg; 0: not compared */
} known[] = {
    {"deepmimic/characters/humanoid3d.txt", 34, 45},
    {"deepmimic/characters/dog3d.txt", 64, 29.25},
    {"isaacgymenvs/amp_humanoid.xml", 34, 0},
    {"mimickit/humanoid.xml", 34, 0},
    {"bullet3/humanoid/humanoid.urdf", 34, 45.0001},
    {"bullet3/laikago/laikago_toes.urdf", 18, 25.567},
    {"bullet3/laikago/laikago_toes_zup.urdf", 18, 25.567},
    {"bullet3/kuka_iiwa/model.urdf", 7, 17.5},
    {"bullet3/quadruped/minitaur.urdf", 22, 6},
    {"bullet3/quadruped/vision60.urdf", 18, 26.9},
    {"bullet3/cartpole.urdf", 2, 1.1},
    {"bullet3/pendulum5.urdf", 5, 0},
    {"drake/acrobot.urdf", 2, 2},
    {"simple_humanoid/simple_humanoid.urdf", 35, 0},
    {"snake_mj_description/urdf/snake.urdf", 22, 0},
    {"solo12/solo12.urdf", 18, 0},
    {"unitree_ros/go1.urdf", 18, 0},
    {"unitree_ros/h1.urdf", 25, 0},
    {"unitree_ros/laikago.urdf", 18, 0},
};

static void compare_with_known(const char *file, const sn_model *model) {
    for (int i = 0; i < COUNT(known); i++) {
        if (strcmp(known[i].file, file) != 0) continue;
        assert_int_equal(sn_model_get(model)->nv, known[i].nv);
        if (known[i].mass > 0) assert_near(sn_model_get(model)->mass, known[i].mass, 1e-9 * known[i].mass);
    }
}

/* --------------------------------------------------------------------------------------------- the table */

static double milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static void must_name(const char *path, const sn_error *error) {
    const char *slash = strrchr(path, '/');
    assert_int_not_equal(error->status, SN_OK);
    assert_message_has(error, slash ? slash + 1 : path);
    assert_message_has(error, ": ");
}

/* The message without the folder, which is the same for all. */
static const char *short_message(const sn_error *error, const char *root) {
    size_t length = strlen(root);
    return strncmp(error->message, root, length) == 0 ? error->message + length + 1 : error->message;
}

/* Through both formats that models are written in: own JSON brings everything back, MJCF what moves. */
static void write_and_read(const sn_model *model) {
    size_t size;
    char *json = sn__model_json_write(model, &size);
    sn_model *again = parse_model(json, NULL);
    assert_same_model(model, again);
    sn_model_free(again);
    sn__free(json);
    char *mjcf = sn__mjcf_write(model, &size);
    again = parse_model(mjcf, NULL);
    assert_int_equal(sn_model_get(model)->nv, sn_model_get(again)->nv);
    assert_int_equal(sn_model_get(model)->nq, sn_model_get(again)->nq);
    assert_int_equal(sn_model_get(model)->nshape, sn_model_get(again)->nshape);
    assert_near(sn_model_get(model)->mass, sn_model_get(again)->mass, 1e-12 * sn_model_get(model)->mass);
    sn_model_free(again);
    sn__free(mjcf);
}

struct tally {
    int models, clips, gains, refused;
};

/* A controller goes with the character whose name its own starts with. */
static bool try_controller(const char *root, const char *file) {
    char path[3000];
    const char *name = strrchr(file, '/');
    name = name ? name + 1 : file;
    snprintf(path, sizeof path, "%s/%.*s../characters/%.*s.txt+%s/%s", root, (int)(name - file), file,
             (int)strcspn(name, "_"), name, root, file);
    sn_error error;
    sn_model *model = sn_model_load(path, NULL, &error);
    if (!model) return false;
    int driven = 0;
    for (int i = 0; i < sn_model_get(model)->nv; i++)
        driven += sn_model_get(model)->kp[i] > 0;
    assert_int_equal(driven, sn_model_get(model)->nv - 6); /* all but the root */
    printf("gains: %d of %d degrees of freedom of %.*s", driven, sn_model_get(model)->nv,
           (int)strcspn(name, "_"), name);
    sn_model_free(model);
    return true;
}

static void try_file(const char *root, const char *file, struct tally *tally) {
    char path[1500];
    snprintf(path, sizeof path, "%s/%s", root, file);
    struct warnings warnings;
    sn_load_def options = options_with(&warnings);
    sn_error model_error, clip_error;

    double start = milliseconds();
    sn_clip *clip = sn_clip_load(path, &options, &clip_error);
    double clip_time = milliseconds() - start;
    if (!clip) must_name(path, &clip_error);
    start = milliseconds();
    sn_model *model = sn_model_load(path, &options, &model_error);
    const char *note = "";
    if (!model) must_name(path, &model_error);
    if (!model && strstr(model_error.message, "mesh")) { /* meshes are not part of every folder */
        options.allow_missing_mesh = true;
        model = sn_model_load(path, &options, &model_error);
        note = " without meshes";
    }
    double model_time = milliseconds() - start;

    printf("  %-58s ", file);
    if (clip) {
        const sn_clip_def *data = sn_clip_data(clip);
        printf("clip: %3d joints %5d frames %6.2f s, %5.1f ms", data->njoint, data->nframe,
               sn__clip_duration(clip), clip_time);
        tally->clips++;
        if (model) printf("; character: nv %d", sn_model_get(model)->nv);
    } else if (model) {
        printf("model: nv %3d, %2d bodies, %8.3f kg, %d warnings, %.1f ms%s", sn_model_get(model)->nv,
               sn_model_get(model)->nbody, sn_model_get(model)->mass, warnings.count, model_time, note);
        tally->models++;
        compare_with_known(file, model);
    } else if (strstr(model_error.message, "DeepMimic controller") && try_controller(root, file)) {
        tally->gains++;
    } else {
        bool wrong_kind = strstr(model_error.message, "not a model") != NULL;
        printf("refused: %s", short_message(wrong_kind ? &clip_error : &model_error, root));
        tally->refused++;
    }
    printf("\n");
    if (model) write_and_read(model);
    sn_clip_free(clip);
    sn_model_free(model);
}

TEST(every_file_loads_or_is_refused_with_a_reason) {
    const char *root = data_path("");
    if (!root) return;
    char folder[1000];
    snprintf(folder, sizeof folder, "%.*s", (int)strlen(root) - 1, root);
    struct list list = {0};
    struct tally tally = {0};
    collect(&list, folder, "");
    assert_true(list.count > 0);
    qsort(list.path, (size_t)list.count, sizeof *list.path, compare);
    for (int i = 0; i < list.count; i++)
        try_file(folder, list.path[i], &tally);
    printf("  %d files: %d models, %d clips, %d controllers, %d refused\n", list.count, tally.models,
           tally.clips, tally.gains, tally.refused);
    assert_int_equal(tally.models + tally.clips + tally.gains + tally.refused, list.count);
    assert_true(tally.refused * 10 < list.count);
    free(list.path);
}

TEST(pairs_of_files_load_together) {
    const char *root = data_path("");
    if (!root) return;
    char path[2200];
    sn_error error;
    snprintf(path, sizeof path, "%sfairmotion/11.asf+11_01.amc", root);
    sn_clip *clip = sn_clip_load(path, NULL, &error);
    if (!clip) fail_msg("%s", error.message);
    assert_int_equal(sn_clip_data(clip)->nframe, 597);
    sn_clip_free(clip);
}

int main(void) {
    return run_all("all_data");
}
