/* What `real` is in this folder: float, and double where a test compiles the sources once more to see the formulas
 * without rounding (tests/learn_double.c says LEARN_BITS 64 and includes them). Names of the second kind end in _double,
 * so that one program can hold both. */
#ifndef SINEW_LEARN_REAL_H
#define SINEW_LEARN_REAL_H

#ifndef LEARN_BITS
#define LEARN_BITS 32
#endif

#if LEARN_BITS == 32
typedef float real;
#elif LEARN_BITS == 64
typedef double real;
#define sn__net_init sn__net_init_double
#define sn__net_fill sn__net_fill_double
#define sn__net_forward sn__net_forward_double
#define sn__net_backward sn__net_backward_double
#define sn__net_transpose sn__net_transpose_double
#define sn__tape_make sn__tape_make_double
#define sn__tape_free sn__tape_free_double
#define sn__optimiser_make sn__optimiser_make_double
#define sn__optimiser_free sn__optimiser_free_double
#define sn__optimiser_begin sn__optimiser_begin_double
#define sn__optimiser_apply sn__optimiser_apply_double
#define sn__gradient_scale sn__gradient_scale_double
#define sn__gradient_sum sn__gradient_sum_double
#define sn__gradient_squares sn__gradient_squares_double
#define sn__gradient_join sn__gradient_join_double
#define sn__normaliser_make sn__normaliser_make_double
#define sn__normaliser_free sn__normaliser_free_double
#define sn__normaliser_apply sn__normaliser_apply_double
#define sn__normaliser_merge sn__normaliser_merge_double
#define sn__advantages sn__advantages_double
#define sn__ppo_create sn__ppo_create_double
#define sn__ppo_free sn__ppo_free_double
#define sn__ppo_iterate sn__ppo_iterate_double
#define sn__ppo_act sn__ppo_act_double
#define sn__ppo_check sn__ppo_check_double
#define sn__ppo_collect sn__ppo_collect_double
#define sn__ppo_set_deviation sn__ppo_set_deviation_double
#define sn__ppo_update sn__ppo_update_double
#define sn__ppo_wire_make sn__ppo_wire_make_double
#define sn__ppo_share_rollout sn__ppo_share_rollout_double
#define sn__ppo_pack sn__ppo_pack_double
#define sn__ppo_exchange sn__ppo_exchange_double
#define sn__ppo_unpack sn__ppo_unpack_double
#define sn__ppo_actor_gradient sn__ppo_actor_gradient_double
#define sn__ppo_critic_gradient sn__ppo_critic_gradient_double
#else
#error "LEARN_BITS must be 32 or 64"
#endif

#endif
