/* Values of members that a user sets and reads. */
#ifndef SINEW_WORLD_FIELDS_H
#define SINEW_WORLD_FIELDS_H

#include "world/scene.h"

/* ------------------------------------------------------------------------------------------ fields: fields.c */

/* What values of a field may be. */
enum sn__rule {
    SN__RULE_READ_ONLY,
    SN__RULE_FINITE,
    SN__RULE_POSE,         /* quaternions that can be made of unit length */
    SN__RULE_NOT_NEGATIVE, /* and finite */
    SN__RULE_POSITIVE,     /* and finite */
    SN__RULE_GAINS,        /* not negative, equal for the three axes of a ball */
    SN__RULE_LIMITS        /* not negative, perhaps infinite */
};

struct sn__field_info {
    enum sn__array array; /* in the pack; SN__FIELDS: none */
    enum sn__rule rule;
};
const struct sn__field_info *sn__field(sn_field field);
/* Whether the values may be put there, one copy's. SN_OK, SN_ERROR_ARGUMENT or SN_ERROR_UNSUPPORTED. */
sn_status sn__field_check(const sn_world *w, const struct sn__member *m, sn_field field,
                          const double *values);
/* The same, with a sentence for sn_world_message where they may not; copy -1: those of all. */
sn_status sn__field_accept(const sn_world *w, const struct sn__member *m, sn_field field, int copy,
                           const double *values);
/* Whether there is such a field, and it may be set; refuse.c. */
sn_status sn__field_settable(const sn_world *w, sn_field field);
/* Before values that have been checked are put: memory, and flags. */
sn_status sn__field_prepare(sn_world *w, struct sn__member *m, sn_field field);
/* Values that have been checked. Quaternions are taken as they are. */
void sn__field_write(sn_world *w, struct sn__member *m, sn_field field, int copy, const double *values);
void sn__field_read(sn_world *w, struct sn__member *m, sn_field field, int copy, double *values);
/* The same on a thread of the world's, with its own working memory. */
void sn__field_read_on(sn_world *w, const struct sn__member *m, sn_field field, int copy, int thread,
                       double *values);
/* What every copy has of a field that has no memory. */
void sn__field_default(const struct sn__pack *p, enum sn__array array, int n, double *values);
bool sn__field_drives(sn_field field); /* the factors of qd and qdd are made of it */
/* Makes quaternions of unit length; `exact`: even those that are so nearly. */
void sn__pose_tidy(const sn_model *model, sn_precision precision, double *q, bool exact);
double sn__unit_tolerance(sn_precision precision); /* of |q|^2 */
int sn__quaternion_of(const sn_body_info *body);   /* where it starts in the joint's q, -1: none */
/* n values of the world's precision to doubles and back. */
void sn__world_widen(const sn_world *w, int n, const void *from, double *to);
void sn__world_narrow(const sn_world *w, int n, const double *from, void *to);

#endif
