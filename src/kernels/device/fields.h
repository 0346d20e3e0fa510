/* What the processor and a device agree on: where values of copies stand, and numbers that a launch is given. Read by the
 * world (src/world/device.c) and by the program of the device (program.h).
 *
 * All values of copies stand in one buffer, each field as it stands in the processor's memory: blocks of `width` copies,
 * [value][lane]. Neighbouring work-items read neighbouring words. */
#ifndef SINEW_KERNELS_DEVICE_FIELDS_H
#define SINEW_KERNELS_DEVICE_FIELDS_H

/* X(name, whether a step changes it) */
#define SN__DEVICE_FIELDS(X)                                                                                 \
    X(Q, 1)                                                                                                  \
    X(QD, 1)                                                                                                 \
    X(QDD, 1)                                                                                                \
    X(TARGET_Q, 2)                                                                                           \
    X(TARGET_QD, 2)                                                                                          \
    X(FEEDFORWARD, 0)                                                                                        \
    X(TORQUE, 1)                                                                                             \
    X(MIDDLE, 1)                                                                                             \
    X(PUSH, 0)                                                                                               \
    X(FROZEN, 1)                                                                                             \
    X(TOUCH, 1)                                                                                              \
    X(STOP, 1)                                                                                               \
    X(KP, 0)                                                                                                 \
    X(KD, 0)                                                                                                 \
    X(KW, 0)                                                                                                 \
    X(K, 0)                                                                                                  \
    X(KW_PASSIVE, 0)                                                                                         \
    X(K_PASSIVE, 0)                                                                                          \
    X(LIMIT, 0)                                                                                              \
    X(MASS, 0)                                                                                               \
    X(GRAVITY, 0)                                                                                            \
    X(DT, 0)                                                                                                 \
    X(FRICTION, 0)

/* 0: never; 1: every step; 2: where a motion is followed. */
enum sn__device_field {
#define X(name, changes) SN__ON_##name,
    SN__DEVICE_FIELDS(X)
#undef X
        SN__ON_FIELDS
};

/* Whole numbers of a launch. */
enum sn__device_given {
    SN__GIVEN_COPIES,
    SN__GIVEN_WIDTH,
    SN__GIVEN_STEPS,
    SN__GIVEN_MOTION, /* bits, below */
    SN__GIVEN_PIECES,
    SN__GIVEN_STRIDE,   /* floats from row to row of the motion */
    SN__GIVEN_PER_AXIS, /* 1: balls whose three gains differ are marked */
    SN__GIVEN_AT,       /* [SN__ON_FIELDS] floats before each field; SN__NOWHERE: there is none */
    SN__GIVEN_BLOCK =
        SN__GIVEN_AT + SN__ON_FIELDS, /* [SN__ON_FIELDS] floats from block to block; 0: one for all */
    SN__GIVEN_COUNT = SN__GIVEN_BLOCK + SN__ON_FIELDS
};

enum { SN__FOLLOWS = 1, SN__LOOPS = 2, SN__MOVES_ON = 4 };
#define SN__NOWHERE 0xffffffffu

/* Numbers of a launch, float. */
enum sn__device_number { SN__NUMBER_DT, SN__NUMBER_GRAVITY, SN__NUMBER_COUNT = SN__NUMBER_GRAVITY + 3 };

/* Numbers of the motion, double: world/motion.c has their meaning. */
enum sn__device_motion {
    SN__MOTION_DURATION,
    SN__MOTION_ROUNDS,
    SN__MOTION_ROWS,
    SN__MOTION_ONWARD,
    SN__MOTION_COUNT = SN__MOTION_ONWARD + 3
};

/* All of these stand in one buffer, one after the other: where each begins, in words. Last are the marks of balls, [nbody]. */
enum {
    SN__GIVEN_DOUBLES = (SN__GIVEN_COUNT + 1) / 2 * 2,
    SN__GIVEN_FLOATS = SN__GIVEN_DOUBLES + 2 * SN__MOTION_COUNT,
    SN__GIVEN_MARKS = SN__GIVEN_FLOATS + SN__NUMBER_COUNT
};

/* What a launch tells: whole numbers that all copies add to. */
enum sn__device_told {
    SN__TOLD_SWEEPS,    /* the most of any copy and step */
    SN__TOLD_UNSETTLED, /* solves that ended so */
    SN__TOLD_RESIDUAL,  /* the largest, its bits */
    SN__TOLD_FROZEN,    /* copies that are frozen at the end */
    SN__TOLD_FRESH,     /* the first copy that this launch has frozen */
    SN__TOLD_COUNT
};

#endif
