/* What the public objects of sinew/learn.h hold. */
#ifndef SINEW_LEARN_PUBLIC_H
#define SINEW_LEARN_PUBLIC_H

#include "learn/imitate_parts.h"
#include "learn/policy.h"
#include "learn/ppo.h"
#include "learn/vector.h"

struct sn_environment {
    sn_motion *walk; /* made for locomotion; else NULL */
    struct sn__imitate *imitate;
    struct sn__vector *vector;
    sn_environment_info info;
    char model[SN__POLICY_NAME], features[SN__POLICY_NAME]; /* for messages */
};

struct sn_policy {
    struct sn__policy of;
    struct sn__gemm gemm;
    struct sn__tape tape;
    float *room; /* [SN__POLICY_ROWS][observations] */
};
enum { SN__POLICY_ROWS = 64 }; /* that are computed abreast */

struct sn_trainer {
    struct sn__ppo *ppo;
    const sn_environment *env;
};

/* Takes over what `of` points to; NULL: out of memory, and it is freed. */
sn_policy *sn__policy_wrap(struct sn__policy *of, sn_error *error);

#endif
