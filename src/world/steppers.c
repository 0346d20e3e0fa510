/* The table of steppers. */
#include "world/steppers.h"

#include "base/error.h"
#include "world/step.h"

static sn_status check_event(const sn_world_def *d, sn_error *error) {
    if (d->contact != SN_CONTACT_IMPLICIT) return SN_OK;
    return sn__fail(error, SN_ERROR_UNSUPPORTED, "the event stepper has contact by rows only");
}

static bool time_needs_rows(const sn_world *w) {
    if (w->members > 1 || w->def.sleep > 0 || w->used_ties > 0 || w->def.contact == SN_CONTACT_ROWS)
        return true;
    if (w->def.contact == SN_CONTACT_NONE || !w->shaped) return false;
    if (w->bouncy > 0 || w->moving > 0 || w->unprobed > 0 || w->carriers > 0 || w->filter.call) return true;
    return w->def.self_contact;
}

static bool always(const sn_world *w) {
    (void)w;
    return true;
}

static bool never(const sn_world *w) {
    (void)w;
    return false;
}

static const struct sn__stepper STEPPERS[] = {
    [SN_STEPPER_TIME] = {.name = "time",
                         .needs_rows = time_needs_rows,
                         .step_copy = sn__worker_step_time,
                         .step_block = sn__worker_step_lanes,
                         .drives_ahead = true,
                         .ties_inside = true,
                         .impulses = true,
                         .animates = true},
    [SN_STEPPER_EVENT] = {.name = "event",
                          .check = check_event,
                          .needs_rows = always,
                          .step_copy = sn__worker_step_event,
                          .limits_as_rows = true,
                          .own_factors = true,
                          .moves_ground = true,
                          .keeps_before = true,
                          .first_touch = true},
    [SN_STEPPER_POSITION] = {.name = "position",
                             .check = sn__position_check,
                             .check_scene = sn__position_check_scene,
                             .needs_rows = never,
                             .past = sn__position_past,
                             .make = sn__position_make,
                             .step_block = sn__worker_step_position,
                             .animates = true,
                             .own_sweeps = true,
                             .points_only = true,
                             .ground_stands = true},
};

const struct sn__stepper *sn__stepper_of(const sn_world_def *def) {
    return &STEPPERS[def->stepper];
}
