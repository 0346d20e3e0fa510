/* A program of somebody who reproduces papers: every kind of study, against an installed copy (run.sh). */
#include <sinew/studies.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void must(bool good, const char *what) {
    if (good) return;
    fprintf(stderr, "%s failed\n", what);
    exit(1);
}

/* A humanoid stands on its feet for half a second under a study of worlds; its height then. */
static double stand(const char *what, sn_study_def study, sn_contact_method contact) {
    sn_error error = {0};
    sn_model *model = sn_builtin_create("humanoid", &error);
    sn_world_def def = sn_world_def_default();
    def.contact = contact;
    def.study = sn_study_find(study);
    must(def.study != NULL, what);
    sn_world *world = sn_world_create(&def, &error);
    must(world && sn_world_add(world, model, &error) == 0, what);
    sn_world_add_plane(world, (const double[]){0, 0, 0}, (const double[]){0, 0, 1}, NULL, &error);
    const int nv = sn_model_get(model)->nv, nq = sn_model_get(model)->nq;
    double *q = calloc((size_t)(nq + 2 * nv), sizeof *q);
    must(q != NULL, what);
    sn_gains_uniform(model, 0, 0, 3000, 300, q + nq, q + nq + nv);
    sn_world_set_gains(world, 0, q + nq, q + nq + nv);
    sn_model_zero_pose(model, q);
    must(!sn_world_stand(world, 0, q) && !sn_world_set_state(world, 0, q, NULL), what);
    sn_world_set_target(world, 0, q, NULL);
    for (int i = 0; i < 120; i++)
        must(!sn_world_step(world), what);
    sn_world_get_state(world, 0, q, NULL);
    const double height = q[2];
    if (contact == SN_CONTACT_ROWS)
        must(sn_study_response_matrix(world, 0, study.response, NULL, 0) > 0, what);
    printf("%-12s stands at %.2f m\n", what, height);
    sn_world_free(world);
    sn_model_free(model);
    free(q);
    return height;
}

/* One character falls for half a second by a scheme and a solver; how far. */
static void fall(const char *what, sn_position_method method, sn_position_solver solver) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_position_def def = sn_position_def_default();
    def.method = method, def.solver = solver;
    sn_position *position = sn_position_create(model, &def, NULL);
    const int nq = sn_model_get(model)->nq;
    double *q = calloc((size_t)nq, sizeof *q), *qd = calloc((size_t)sn_model_get(model)->nv, sizeof *qd);
    must(position && q && qd, what);
    sn_model_zero_pose(model, q);
    const double start = q[2];
    must(!sn_position_start(position, q, qd, false), what);
    for (int i = 0; i < 30; i++)
        must(!sn_position_step(position, NULL), what);
    sn_position_state(position, q, NULL);
    printf("%-12s falls by %.1f m\n", what, start - q[2]);
    sn_position_free(position);
    sn_model_free(model);
    free(q), free(qd);
}

int main(void) {
    const sn_contact_method rows = SN_CONTACT_ROWS, implicit = SN_CONTACT_IMPLICIT;
    stand("Lemke", (sn_study_def){.row_solver = SN_ROW_SOLVER_LEMKE}, rows);
    stand("Dantzig", (sn_study_def){.row_solver = SN_ROW_SOLVER_DANTZIG}, rows);
    stand("test forces", (sn_study_def){.response = SN_ROW_RESPONSE_TEST_FORCES}, rows);
    stand("drives ahead", (sn_study_def){.drives = SN_DRIVES_DENSE}, implicit);
    stand("polarised", (sn_study_def){.polarised = true}, implicit);
    fall("PBAD-3", SN_POSITION_METHOD_PBAD3, SN_POSITION_SOLVER_NEWTON);
    fall("PBAD-4", SN_POSITION_METHOD_PBAD4, SN_POSITION_SOLVER_NEWTON);
    fall("Radau IIA", SN_POSITION_METHOD_RADAU3, SN_POSITION_SOLVER_NEWTON);
    if (sn_built_with("lbfgs")) fall("L-BFGS", SN_POSITION_METHOD_PBAD2, SN_POSITION_SOLVER_LBFGS);
    /* scalars are the baseline of papers, and come with the studies wherever all lane types are built */
    const sn_lanes_info *lanes = NULL;
    for (int i = 0; sn_lanes_get(i); i++)
        lanes = sn_lanes_get(i);
    sn_trajectories_def def = sn_trajectories_def_default();
    def.lanes = lanes->name, def.precision = lanes->precision;
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_trajectories *many = sn_trajectories_create(model, &def, NULL);
    must(many != NULL, "trajectories");
    printf("trajectories in lanes %s\n", lanes->name);
    sn_trajectories_free(many);
    sn_model_free(model);
    return 0;
}
