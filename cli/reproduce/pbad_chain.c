#include "pbad_chain.h"

#include "need.h"
#include "scenes/shapes.h"
#include "scenes/whole.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const chain_way_name[CHAIN_WAYS] = {
    "forward Euler", "semi-implicit Euler", "RK2", "RK3", "RK4", "scheme R", "PBAD-2", "PBAD-3",
    "BDF2 squared",  "Radau, 2 stages"};

sn_model *chain_model(const struct chain_shape *shape) {
    const struct rods rods = {.count = shape->links,
                              .joint = shape->ball ? SN_JOINT_BALL : SN_JOINT_UNIVERSAL,
                              .length = shape->length,
                              .radius = shape->radius};
    sn_error error = {0};
    return need_model(scene_rods_model(&rods, &error), &error);
}

void chain_pose(const sn_model *model, double bend, double *q) {
    if (!scene_rods_bend(model, bend, q)) exit(complain(EXIT_FAILED, "out of memory"));
}

void chain_close(struct chain *c) {
    sn_dynamics_free(c->dynamics);
    sn_world_free(c->world);
    sn_position_free(c->position);
    sn_model_free(c->model);
    free(c->q);
}

static void start(struct chain *c, const struct chain_shape *shape, double dt, sn_integrator integrator) {
    *c = (struct chain){.model = chain_model(shape), .dt = dt};
    sn_dynamics_def def = sn_dynamics_def_default();
    def.lanes = "f64";
    def.dt = dt;
    def.integrator = integrator;
    c->dynamics = need_dynamics(c->model, &def);
    c->nq = sn_model_get(c->model)->nq, c->nv = sn_model_get(c->model)->nv;
    c->q = need_memory(NULL, (size_t)(c->nq + c->nv) * sizeof *c->q);
    c->qd = c->q + c->nq;
    memset(c->qd, 0, (size_t)c->nv * sizeof *c->qd);
    chain_pose(c->model, shape->bend, c->q);
    c->fall = sn_model_get(c->model)->mass * 9.81 * 0.5 * shape->links * shape->length;
}

void chain_open_position(struct chain *c, const struct chain_shape *shape, const sn_position_def *def) {
    sn_error error = {0};
    start(c, shape, def->dt, SN_INTEGRATOR_RK4);
    c->position = sn_position_create(c->model, def, &error);
    need(c->position && !sn_position_start(c->position, c->q, c->qd, true), &error);
}

void chain_open(struct chain *c, const struct chain_shape *shape, enum chain_way way, double dt) {
    static const sn_integrator integrator[] = {SN_INTEGRATOR_EXPLICIT_EULER,
                                               SN_INTEGRATOR_SEMI_IMPLICIT_EULER,
                                               SN_INTEGRATOR_RK2,
                                               SN_INTEGRATOR_RK3,
                                               SN_INTEGRATOR_RK4,
                                               SN_INTEGRATOR_RK4};
    if (way >= WAY_PBAD2) {
        static const sn_position_method method[] = {SN_POSITION_METHOD_PBAD2, SN_POSITION_METHOD_PBAD3,
                                                    SN_POSITION_METHOD_BDF2, SN_POSITION_METHOD_RADAU2};
        sn_position_def def = sn_position_def_default();
        def.lanes = "f64";
        def.dt = dt;
        def.method = method[way - WAY_PBAD2];
        if (way == WAY_PBAD3 || way == WAY_RADAU2) def.hessian = SN_POSITION_HESSIAN_EXACT;
        chain_open_position(c, shape, &def);
        return;
    }
    start(c, shape, dt, integrator[way]);
    if (way != WAY_SCHEME_R) return;
    sn_world_def def = sn_world_def_default();
    def.lanes = "f64";
    def.dt = dt;
    def.products = SN_PRODUCTS_MIDPOINT;
    c->world = need_world(&def);
    sn_world_set_state(c->world, need_member(c->world, c->model), c->q, c->qd);
}

bool chain_step(struct chain *c) {
    if (c->position)
        return sn_position_step(c->position, &c->report) == SN_OK &&
               sn_position_state(c->position, c->q, c->qd) == SN_OK;
    if (c->world)
        return step_whole(c->world) == SN_OK && sn_world_get_state(c->world, 0, c->q, c->qd) == SN_OK;
    return sn_dynamics_step(c->dynamics, NULL, 1, c->q, c->qd, NULL, NULL) == SN_OK;
}

double chain_energy(struct chain *c) {
    sn_summary s;
    return sn_dynamics_bodies(c->dynamics, c->q, c->qd, NULL, NULL, &s) == SN_OK ? s.kinetic + s.potential
                                                                                 : (double)NAN;
}
