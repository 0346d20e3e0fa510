/* A policy by itself: what of a training is needed to act, as a file and as an ONNX file. docs/learning.md has the formats. */
#ifndef SINEW_LEARN_POLICY_H
#define SINEW_LEARN_POLICY_H

#include "learn/environment.h"
#include "learn/net.h"

enum { SN__POLICY_VERSION = 1, SN__POLICY_NAME = 64 };

struct sn__policy {
    struct sn__net net;
    float *theta;                /* [net.count] */
    float *shift;                /* [observations] observations are (x - shift) scale, */
    float *scale;                /* [observations] */
    float clip;                  /* then kept within +-clip */
    float *noise;                /* [actions] standard deviation it was trained with */
    uint64_t model_hash;         /* of the character it moves; 0: of none */
    uint64_t features_hash;      /* of what observations and actions mean; 0: not said */
    char model[SN__POLICY_NAME]; /* names for messages */
    char features[SN__POLICY_NAME];
    char *note; /* a text of the writer's own; NULL: none */
};

/* What a program holds. */
struct sn_policy {
    struct sn__policy of;
    struct sn__gemm gemm;
    struct sn__tape tape;
    float *room; /* [SN__POLICY_ROWS][observations] */
};
enum { SN__POLICY_ROWS = 64 }; /* that are computed together */

/* Takes over what `of` points to; NULL: out of memory, and it is freed. */
sn_policy *sn__policy_wrap(struct sn__policy *of, sn_error *error);
/* Says that it is for the environment's task. */
void sn__policy_sign(struct sn__policy *policy, const sn_environment *env);
bool sn__policy_set_note(struct sn__policy *policy, const char *note); /* false: out of memory */

struct sn__ppo;
/* A copy of what a trainer has learned. False: out of memory. */
bool sn__policy_of(const struct sn__ppo *ppo, struct sn__policy *policy);
/* Arrays for the net, which is initialised. False: out of memory. */
bool sn__policy_make(struct sn__policy *policy);
void sn__policy_free(struct sn__policy *policy); /* what it points to */

/* Actions for `rows` observations, with the tape of at least as many rows and room for as many observations. */
void sn__policy_act(const struct sn__policy *policy, const struct sn__gemm *gemm, int rows,
                    const float *observation, float *room, struct sn__tape *tape, float *action);

sn_status sn__policy_write(const struct sn__policy *policy, const char *path, sn_error *error);
sn_status sn__policy_read(struct sn__policy *policy, const char *path, sn_error *error);
/* The same in memory; the bytes are to be freed, NULL: out of memory. */
char *sn__policy_bytes(const struct sn__policy *policy, size_t *size);
sn_status sn__policy_parse(struct sn__policy *policy, const void *bytes, size_t size, sn_error *error);
/* Whether the policy is for this character and these features; hashes of 0 fit everything. */
sn_status sn__policy_fits(const struct sn__policy *policy, uint64_t model_hash, const char *model,
                          uint64_t features_hash, const char *features, sn_error *error);

/* The same as an ONNX file (onnx.c): Sub, Mul, Clip, then Gemm and Relu or Tanh for each layer. */
sn_status sn__policy_write_onnx(const struct sn__policy *policy, const char *path, sn_error *error);

#endif
