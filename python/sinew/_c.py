"""Written by scripts/bindings.py from the public headers. Do not edit."""
# flake8: noqa
from ctypes import (CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_float, c_int, c_int32, c_int64,
                    c_size_t, c_uint, c_uint8, c_uint32, c_uint64, c_void_p)

VERSION = '0.3.0'

STATUSES = {
    'SN_OK': 0,
    'SN_ERROR_ARGUMENT': 1,
    'SN_ERROR_MEMORY': 2,
    'SN_ERROR_MODEL': 3,
    'SN_ERROR_TOO_LARGE': 4,
    'SN_ERROR_UNSUPPORTED': 5,
    'SN_ERROR_NOT_FINITE': 6,
    'SN_ERROR_FILE': 7,
    'SN_ERROR_FORMAT': 8,
}

CONSTANTS = {
    'SN_MAX_HULL_POINTS': 4194304,
    'SN_MAX_HULL_VERTICES': 4096,
    'SN_MAX_POLICY_LAYERS': 8,
    'SN_MAX_BODIES': 4096,
    'SN_MAX_NAME': 63,
    'SN_MAX_SHAPES': 65536,
    'SN_MAX_PART_COPIES': 16,
    'SN_CONSTRAINT_TYPE_COUNT': 25,
    'SN_SURFACE_TYPE_COUNT': 4,
    'SN_TRIGGER_PHASE_COUNT': 4,
    'SN_DRAW_COUNT': 12,
    'SN_SOLVER_COUNT': 5,
    'SN_INTEGRATOR_COUNT': 6,
    'SN_ROUTE_COUNT': 3,
    'SN_PRECISION_COUNT': 2,
    'SN_FORM_COUNT': 4,
    'SN_CONTACT_METHOD_COUNT': 3,
    'SN_STEPPER_COUNT': 3,
    'SN_SCHEME_COUNT': 2,
    'SN_FRICTION_COUNT': 4,
    'SN_PRODUCTS_COUNT': 2,
    'SN_STANCE_COUNT': 3,
    'SN_GAIN_FLAG_COUNT': 4,
    'SN_FADE_COUNT': 3,
    'SN_AUTORESET_COUNT': 3,
    'SN_JOINT_TYPE_COUNT': 9,
    'SN_SHAPE_TYPE_COUNT': 7,
    'SN_PUPPET_MODE_COUNT': 4,
    'SN_CONTACT_PHASE_COUNT': 4,
    'SN_LIMB_MODE_COUNT': 3,
    'SN_SEARCH_METHOD_COUNT': 3,
    'SN_ROW_SOLVER_COUNT': 3,
    'SN_ROW_RESPONSE_COUNT': 3,
    'SN_DRIVES_COUNT': 4,
    'SN_POSITION_METHOD_COUNT': 6,
    'SN_POSITION_SOLVER_COUNT': 5,
    'SN_POSITION_HESSIAN_COUNT': 4,
    'SN_POSITION_FRICTION_COUNT': 2,
    'SN_FULL_METHOD_COUNT': 4,
    'SN_FULL_REPAIR_COUNT': 3,
    'SN_FULL_PRODUCTS_COUNT': 5,
    'SN_FEATURES_COUNT': 2,
    'SN_TARGETS_COUNT': 2,
    'SN_TERRAIN_COUNT': 5,
    'SN_SETTING_COUNT': 3,
    'SN_STEP_PART_COUNT': 6,
}

# Enumerators by the words that settings take.
ENUMS = {
    'sn_constraint_type': {
        'pin': 0,
        'point_path': 1,
        'joint_path': 2,
        'spring': 3,
        'direction_path': 4,
        'orientation_path': 5,
        'weld': 6,
        'point_acceleration': 7,
        'direction_acceleration': 8,
        'joint_acceleration': 9,
        'point_impulse': 10,
        'direction_impulse': 11,
        'joint_impulse': 12,
        'coupling': 13,
        'coupling_limit': 14,
        'joint_friction': 15,
        'hinge': 16,
        'slider': 17,
        'orientation': 18,
        'distance': 19,
        'rope': 20,
        'curve': 21,
        'surface': 22,
        'motor': 23,
        'linear_motor': 24,
    },
    'sn_surface_type': {'plane': 0, 'sphere': 1, 'cylinder': 2, 'heights': 3},
    'sn_trigger_phase': {'began': 0, 'stayed': 1, 'ended': 2, 'passed': 3},
    'sn_draw': {
        'shapes': 1,
        'ground': 2,
        'triggers': 4,
        'axes': 8,
        'joints': 16,
        'limits': 32,
        'constraints': 64,
        'contacts': 128,
        'forces': 256,
        'masses': 512,
        'names': 1024,
        'all': 2047,
    },
    'sn_solver': {'maba': 0, 'dense': 1, 'lapack': 2, 'sparse': 3, 'pcg': 4},
    'sn_integrator': {'semi_implicit_euler': 0, 'explicit_euler': 1, 'midpoint': 2, 'rk2': 3, 'rk3': 4, 'rk4': 5},
    'sn_route': {'direct': 0, 'torque_rnea': 1, 'torque_eq6': 2},
    'sn_precision': {'double': 0, 'float': 1},
    'sn_form': {'stable': 0, 'explicit': 1, 'implicit_d': 2, 'full': 3},
    'sn_contact_method': {'implicit': 0, 'rows': 1, 'none': 2},
    'sn_stepper': {'time': 0, 'event': 1, 'position': 2},
    'sn_scheme': {'pbad2': 0, 'bdf2': 1},
    'sn_friction': {'cone': 0, 'pyramid': 1, 'one_way': 2, 'none': 3},
    'sn_products': {'midpoint': 0, 'explicit': 1},
    'sn_stance': {'lowest': 0, 'bodies': 1, 'none': 2},
    'sn_gain_flag': {'ok': 0, 'underdamped': 1, 'float_stiff': 2, 'overshoots': 4},
    'sn_fade': {'polynomial': 0, 'linear': 1, 'curve': 2},
    'sn_autoreset': {'same_step': 0, 'next_step': 1, 'off': 2},
    'sn_joint_type': {
        'weld': 0,
        'hinge': 1,
        'slide': 2,
        'universal': 3,
        'ball': 4,
        'free': 5,
        'planar': 6,
        'cylindrical': 7,
        'screw': 8,
    },
    'sn_shape_type': {'sphere': 0, 'capsule': 1, 'box': 2, 'cylinder': 3, 'ellipsoid': 4, 'hull': 5, 'cone': 6},
    'sn_puppet_mode': {'goes': 0, 'lies': 1, 'gets_up': 2, 'limp': 3},
    'sn_contact_phase': {'near': 0, 'began': 1, 'stayed': 2, 'ended': 3},
    'sn_limb_mode': {'driven': 0, 'limp': 1, 'animated': 2},
    'sn_search_method': {'cma': 0, 'gradient': 1, 'natural': 2},
    'sn_row_solver': {'pgs': 0, 'lemke': 1, 'dantzig': 2},
    'sn_row_response': {'deltas': 0, 'test_forces': 1, 'cached': 2},
    'sn_drives': {'inside': 0, 'maba': 1, 'dense': 2, 'lapack': 3},
    'sn_position_method': {'pbad2': 0, 'bdf2': 1, 'pbad3': 2, 'pbad4': 3, 'radau2': 4, 'radau3': 5},
    'sn_position_solver': {'sweeps': 0, 'newton': 1, 'lm_sweep': 2, 'lm_dense': 3, 'lbfgs': 4},
    'sn_position_hessian': {'gauss_newton': 0, 'clamped': 1, 'mirrored': 2, 'exact': 3},
    'sn_position_friction': {'equation_9': 0, 'coulomb': 1},
    'sn_full_method': {'coupled': 0, 'soft_rows': 1, 'null_space': 2, 'kkt': 3},
    'sn_full_repair': {'none': 0, 'projection': 1, 'snap': 2},
    'sn_full_products': {'rows': 0, 'start': 1, 'middle': 2, 'ends': 3, 'carried': 4},
    'sn_features': {'2018': 0, '2021': 1},
    'sn_targets': {'residual': 0, 'absolute': 1},
    'sn_terrain': {'flat': 0, 'bumps': 1, 'slopes': 2, 'steps': 3, 'mixed': 4},
    'sn_setting': {'game': 0, 'exact': 1, 'crowd': 2},
    'sn_step_part': {'all': 0, 'find': 1, 'solve': 2, 'rows': 3, 'move': 4, 'other': 5},
}

# Values of a member: number, shape of one copy, whether it can be set, what it is.
FIELDS = {
    'q': (0, ('nq',), True, 'position'),
    'qd': (1, ('nv',), True, 'velocity'),
    'target_q': (2, ('nq',), True, 'pose to reach at the end of the coming step'),
    'target_qd': (3, ('nv',), True, 'velocity to have there'),
    'feedforward': (4, ('nv',), True, 'torque added to that of the drives'),
    'kp': (5, ('nv',), True, 'proportional gains'),
    'kd': (6, ('nv',), True, 'derivative gains'),
    'torque_limit': (7, ('nv',), True, 'infinity: none; see torque_limits of the definition'),
    'armature': (8, ('nv',), True, 'inertia added to each degree of freedom'),
    'push': (9, ('nbody', 6), True, "[nbody][6] force at the body's origin, torque; world axes"),
    'mass_scale': (10, (), True, 'factor of all masses and inertias'),
    'friction': (11, (), True, 'factor of friction; of two members the geometric mean'),
    'gravity': (12, (3,), True, 'gravity of this copy'),
    'dt': (13, (), True, 'step of this copy, in scenes without rows'),
    'phase': (14, (), True, 's into the motion of sn_world_set_motion'),
    'qdd': (15, ('nv',), False, 'acceleration in the last step'),
    'torque': (16, ('nv',), False, 'of the drives in the last step, see report_torque'),
    'body_pose': (17, ('nbody', 7), False, "[nbody][7] position and orientation of the bodies' frames"),
    'body_velocity': (18, ('nbody', 6), False, '[nbody][6] linear and angular, world axes'),
    'contact_force': (19, ('nbody', 3), False, '[nbody][3] on each body in the last step, N, world axes'),
    'touching': (20, ('nbody',), False, '[nbody] 1: something pushed it in the last step, else 0'),
    'diverged': (21, (), False, '1: it is frozen in this copy, see sn_world_step'),
    'asleep': (22, (), False, '1: the member sleeps in this copy'),
    'gain_scale': (23, ('nbody',), False, '[nbody] part of its gains that acts on each joint'),
    'impacts': (24, (), False, 'impacts counted since sn_world_set_reaction'),
    'middle_qd': (25, ('nv',), False, 'velocity of the Coriolis terms in the last step, as TORQUE'),
}


class sn_error(Structure):
    """Filled by functions that can fail in more ways than a code can tell. You can always pass NULL instead."""
    _fields_ = [
        ('status', c_int),
        ('message', c_char * 1020),
    ]


class sn_curve_def(Structure):
    """A curve in the frame of body2 or of the world, with its origin at point2: points joined by straight lines, or a smooth curve through them. If it is open, its first and last parts continue straight."""
    _fields_ = [
        ('struct_size', c_uint32),
        ('npoint', c_int),
        ('points', c_void_p),
        ('closed', c_bool),
        ('smooth', c_bool),
        ('tangents', c_void_p),
        ('sample', CFUNCTYPE(None, c_void_p, c_double, c_void_p, c_void_p)),
        ('user', c_void_p),
        ('start', c_double),
        ('end', c_double),
    ]


class sn_surface_def(Structure):
    """A surface in the frame of body2 or of the world."""
    _fields_ = [
        ('struct_size', c_uint32),
        ('type', c_int),
        ('radius', c_double),
        ('nx', c_int),
        ('ny', c_int),
        ('size', c_double * 2),
        ('height', c_void_p),
        ('sample', CFUNCTYPE(c_double, c_void_p, c_double, c_double)),
        ('user', c_void_p),
    ]


class sn_constraint_def(Structure):
    """Make one with sn_constraint_def_default(type)."""
    _fields_ = [
        ('struct_size', c_uint32),
        ('type', c_int),
        ('member', c_int32),
        ('body', c_int),
        ('point', c_double * 3),
        ('member2', c_int32),
        ('body2', c_int),
        ('point2', c_double * 3),
        ('direction', c_double * 3),
        ('target', c_double * 7),
        ('target_velocity', c_double * 6),
        ('settle', c_double),
        ('kp', c_double),
        ('kd', c_double),
        ('stiffness', c_double),
        ('damping', c_double),
        ('frequency', c_double),
        ('damping_ratio', c_double),
        ('form', c_int),
        ('rows', c_bool),
        ('collide', c_bool),
        ('curve', POINTER(sn_curve_def)),
        ('surface', POINTER(sn_surface_def)),
        ('ratio', c_double * 5),
        ('max_force', c_double),
        ('break_force', c_double),
        ('break_torque', c_double),
    ]


class sn_constraint_state(Structure):
    """How a constraint is doing in one copy."""
    _fields_ = [
        ('broken', c_bool),
        ('distance', c_double),
        ('angle', c_double),
        ('rows', c_int),
        ('force', c_double * 6),
    ]


class sn_near_pair(Structure):
    """Two shapes that are near each other, before the step solves the contacts between them."""
    _fields_ = [
        ('copy', c_int),
        ('member', c_int32 * 2),
        ('body', c_int * 2),
        ('shape', c_int * 2),
        ('pos', c_double * 3),
        ('normal', c_double * 3),
        ('gap', c_double),
        ('friction', c_double),
        ('restitution', c_double),
        ('surface_velocity', c_double * 3),
    ]


class sn_trigger_visit(Structure):
    """A shape of a member that is inside a trigger."""
    _fields_ = [
        ('trigger_member', c_int32),
        ('trigger_body', c_int),
        ('trigger_shape', c_int),
        ('member', c_int32),
        ('body', c_int),
        ('shape', c_int),
        ('phase', c_int),
    ]


class sn_shape_def(Structure):
    """A shape on a body, or on the world."""
    _fields_ = [
        ('struct_size', c_uint32),
        ('type', c_int),
        ('size', c_double * 3),
        ('pos', c_double * 3),
        ('rot', c_double * 4),
        ('density', c_double),
        ('mass', c_double),
        ('friction', c_double),
        ('restitution', c_double),
        ('group', c_uint32),
        ('mask', c_uint32),
        ('hull', c_void_p),
        ('surface_velocity', c_double * 3),
        ('trigger', c_bool),
    ]


class sn_drawer(Structure):
    """Your functions. Colors are 0xRRGGBB. Zero it, then set what differs."""
    _fields_ = [
        ('user', c_void_p),
        ('line', CFUNCTYPE(None, c_void_p, c_void_p, c_void_p, c_uint32)),
        ('shape', CFUNCTYPE(c_bool, c_void_p, POINTER(sn_shape_def), c_void_p, c_void_p, c_uint32)),
        ('text', CFUNCTYPE(None, c_void_p, c_void_p, c_char_p, c_uint32)),
        ('size', c_double),
        ('force', c_double),
    ]


class sn_dynamics_def(Structure):
    _fields_ = [
        ('struct_size', c_uint32),
        ('count', c_int),
        ('precision', c_int),
        ('lanes', c_char_p),
        ('gravity', c_double * 3),
        ('dt', c_double),
        ('form', c_int),
        ('solver', c_int),
        ('integrator', c_int),
        ('route', c_int),
    ]


class sn_drive(Structure):
    """What drives the states of a call. Pointers that are NULL mean: zero, and for target_q: the zero pose."""
    _fields_ = [
        ('kp', c_void_p),
        ('kd', c_void_p),
        ('target_q', c_void_p),
        ('target_qd', c_void_p),
        ('feedforward', c_void_p),
        ('push', c_void_p),
        ('torque_limit', c_void_p),
    ]


class sn_memory(Structure):
    """Where the library gets its memory. Every function receives `user`. Several threads may call them at the same time. `alignment` is a power of two. Sizes and alignments that come back are those of the request."""
    _fields_ = [
        ('user', c_void_p),
        ('allocate', CFUNCTYPE(c_void_p, c_void_p, c_size_t, c_size_t)),
        ('resize', CFUNCTYPE(c_void_p, c_void_p, c_void_p, c_size_t, c_size_t, c_size_t)),
        ('release', CFUNCTYPE(None, c_void_p, c_void_p, c_size_t, c_size_t)),
    ]


class sn_jobs(Structure):
    """Your job system, for `jobs` of sn_world_def. The world copies the structure and starts no threads of its own. Its results have the same bits as with any number of threads."""
    _fields_ = [
        ('user', c_void_p),
        ('threads', c_int),
        ('run', CFUNCTYPE(None, c_void_p, c_void_p, c_void_p, c_int)),
    ]


class sn_log(Structure):
    """Receives warnings, for `log` of sn_world_def: members that are frozen, contacts that are dropped, memory that a step had to ask for. The message is one line of text, valid during the call, which comes from the thread that steps the world. Reading files has a callback of its own in sn_load_def."""
    _fields_ = [
        ('user', c_void_p),
        ('warn', CFUNCTYPE(None, c_void_p, c_char_p)),
    ]


class sn_ray(Structure):
    _fields_ = [
        ('origin', c_double * 3),
        ('way', c_double * 3),
        ('mask', c_uint32),
    ]


class sn_lanes_info(Structure):
    """A lane type is a precision and a width: how many values one vector holds, as in "f64", "f64x2", "f32x8" or "f32x16". The machine decides which types can run. The environment variable SINEW_LANES names the type to use if a definition does not, provided that the precision agrees. Scenes with rows use types of at most 256 bits. f64x8 steps by MABA on the direct route with Euler's methods only: in dynamics.h it has no mass matrix, forward dynamics and Jacobians (SN_ERROR_UNSUPPORTED)."""
    _fields_ = [
        ('name', c_char_p),
        ('isa', c_char_p),
        ('precision', c_int),
        ('width', c_int),
        ('fma', c_bool),
    ]


class sn_load_def(Structure):
    """How to read a file. Make one with sn_load_def_default; NULL means all defaults."""
    _fields_ = [
        ('struct_size', c_uint32),
        ('allow_missing_mesh', c_bool),
        ('map', c_char_p),
        ('keyframe', c_char_p),
        ('warn', CFUNCTYPE(None, c_void_p, c_char_p)),
        ('user', c_void_p),
        ('up', c_char_p),
        ('facing', c_char_p),
        ('scale', c_double),
        ('quaternion', c_char_p),
        ('keep_first', c_bool),
        ('note', CFUNCTYPE(None, c_void_p, c_char_p)),
        ('text', c_char_p),
        ('size', c_uint64),
    ]


class sn_gains_def(Structure):
    """What gains are for. Make one with sn_gains_def_default."""
    _fields_ = [
        ('struct_size', c_uint32),
        ('q', c_void_p),
        ('frequency', c_double),
        ('damping_ratio', c_double),
        ('stance', c_int),
        ('standing', c_void_p),
        ('gravity', c_double * 3),
        ('dt', c_double),
        ('form', c_int),
        ('precision', c_int),
        ('widen', c_bool),
    ]


class sn_heightfield_def(Structure):
    """Heights over a grid. Make one with sn_heightfield_def_default."""
    _fields_ = [
        ('struct_size', c_uint32),
        ('nx', c_int),
        ('ny', c_int),
        ('size', c_double * 2),
        ('origin', c_double * 3),
        ('height', c_void_p),
    ]


class sn_mesh_def(Structure):
    """A triangle mesh: a level, a staircase, a cave. A triangle holds what is in front of it, where its corners run counterclockwise; what is behind it passes. Corners at the same place count as one, so that a mesh of many level triangles is as smooth as a plane. Make one with sn_mesh_def_default."""
    _fields_ = [
        ('struct_size', c_uint32),
        ('nvertex', c_int),
        ('ntriangle', c_int),
        ('vertex', c_void_p),
        ('triangle', c_void_p),
    ]


class sn_hull_info(Structure):
    """What a hull is. Everything belongs to the hull."""
    _fields_ = [
        ('nvertex', c_int),
        ('nface', c_int),
        ('vertex', c_void_p),
        ('first', c_void_p),
        ('corner', c_void_p),
        ('volume', c_double),
        ('centre', c_double * 3),
        ('inertia', c_double * 6),
        ('apart', c_double),
    ]


class sn_keyframe(Structure):
    _fields_ = [
        ('time', c_double),
        ('q', c_void_p),
        ('keyed', c_void_p),
    ]


class sn_keyframes_def(Structure):
    """Make one with sn_keyframes_def_default."""
    _fields_ = [
        ('struct_size', c_uint32),
        ('count', c_int),
        ('key', POINTER(sn_keyframe)),
        ('fade', c_int),
        ('exponent', c_double),
        ('floor', c_double),
        ('curve', CFUNCTYPE(c_double, c_double, c_void_p)),
        ('user', c_void_p),
        ('gain', c_double),
        ('damping', c_double),
        ('weight', c_void_p),
    ]


class sn_keyframes_info(Structure):
    """What keyframes have. It belongs to them."""
    _fields_ = [
        ('count', c_int),
        ('time', c_void_p),
    ]


class sn_environment_def(Structure):
    """How many copies of a task there are, and how many threads run them. Make one with sn_environment_def_default."""
    _fields_ = [
        ('struct_size', c_uint32),
        ('copies', c_int),
        ('threads', c_int),
        ('seed', c_uint64),
        ('autoreset', c_int),
    ]


class sn_environment_info(Structure):
    _fields_ = [
        ('copies', c_int),
        ('observations', c_int),
        ('actions', c_int),
        ('terms', c_int),
        ('rate', c_int),
        ('limit', c_double),
        ('name', c_char_p),
        ('observation_names', POINTER(c_char_p)),
        ('action_names', POINTER(c_char_p)),
        ('term_names', POINTER(c_char_p)),
        ('model', c_uint64),
        ('features', c_uint64),
        ('task', c_uint64),
        ('definition', sn_environment_def),
    ]


class sn_environment_out(Structure):
    """The arrays that a step fills. All but the first four may be NULL."""
    _fields_ = [
        ('observation', c_void_p),
        ('reward', c_void_p),
        ('terminated', c_void_p),
        ('truncated', c_void_p),
        ('final', c_void_p),
        ('episode_return', c_void_p),
        ('episode_length', c_void_p),
        ('term', c_void_p),
    ]


class sn_policy_data(Structure):
    """A policy as arrays. An observation x becomes clamp((x - shift) * scale, -clip, clip), then each layer computes y = x W + b; hidden layers end with ReLU or tanh."""
    _fields_ = [
        ('layers', c_int),
        ('width', c_int * 9),
        ('weight', c_void_p * 8),
        ('bias', c_void_p * 8),
        ('tanh', c_bool),
        ('squash', c_bool),
        ('shift', c_void_p),
        ('scale', c_void_p),
        ('clip', c_float),
        ('noise', c_void_p),
        ('note', c_char_p),
    ]


class sn_policy_episode(Structure):
    """How one episode went."""
    _fields_ = [
        ('normalised', c_double),
        ('seconds', c_double),
        ('lasted', c_bool),
    ]


class sn_policy_score(Structure):
    """How a number of episodes went."""
    _fields_ = [
        ('episodes', c_int),
        ('lasted', c_int),
        ('normalised', c_double),
        ('shortest', c_double),
        ('mean', c_double),
    ]


class sn_exchange(Structure):
    """How processes that train one policy together, the ranks, exchange data, on one machine or many; for example by MPI (the command: `mpirun -n 4 sinew train ...`). The number of ranks never changes a bit if all machines are of the same kind."""
    _fields_ = [
        ('rank', c_int),
        ('ranks', c_int),
        ('share', CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, POINTER(sn_error))),
        ('user', c_void_p),
    ]


class sn_trainer_def(Structure):
    """Settings of proximal policy optimisation (Schulman and others 2017). Make one with sn_trainer_def_default."""
    _fields_ = [
        ('struct_size', c_uint32),
        ('seed', c_uint64),
        ('threads', c_int),
        ('hidden', c_int * 4),
        ('tanh', c_bool),
        ('momentum', c_bool),
        ('horizon', c_int),
        ('minibatch', c_int),
        ('epochs', c_int),
        ('gamma', c_double),
        ('gae_lambda', c_double),
        ('clip', c_double),
        ('advantage_clip', c_double),
        ('value_low', c_double),
        ('value_high', c_double),
        ('actor_rate', c_double),
        ('critic_rate', c_double),
        ('kl_target', c_double),
        ('kl_stop', c_double),
        ('rate_low', c_double),
        ('rate_high', c_double),
        ('gradient_norm', c_double),
        ('noise', c_double),
        ('learn_noise', c_bool),
        ('entropy', c_double),
        ('last_layer', c_double),
        ('normalise_samples', c_double),
        ('exchange', POINTER(sn_exchange)),
    ]


class sn_training(Structure):
    """What an iteration did: a rollout in all copies, then some passes over it."""
    _fields_ = [
        ('iterations', c_uint64),
        ('samples', c_uint64),
        ('episodes', c_int),
        ('mean_return', c_double),
        ('mean_length', c_double),
        ('mean_reward', c_double),
        ('surrogate', c_double),
        ('value_loss', c_double),
        ('explained', c_double),
        ('kl', c_double),
        ('clipped', c_double),
        ('actor_rate', c_double),
        ('noise', c_double),
        ('collect_seconds', c_double),
        ('update_seconds', c_double),
    ]


class sn_joint_def(Structure):
    """The joint that ties a body to its parent."""
    _fields_ = [
        ('struct_size', c_uint32),
        ('type', c_int),
        ('anchor', c_double * 3),
        ('axis', c_double * 3),
        ('axis2', c_double * 3),
        ('pitch', c_double),
        ('limited', c_bool),
        ('lower', c_double * 3),
        ('upper', c_double * 3),
        ('armature', c_double),
        ('damping', c_double),
        ('stiffness', c_double),
        ('friction', c_double),
        ('rest', c_double * 4),
        ('kp', c_double),
        ('kd', c_double),
        ('home_given', c_bool),
        ('home', c_double * 7),
        ('torque_limit', c_double),
        ('name', c_char_p),
    ]


class sn_body_def(Structure):
    """A body and its frame. Bodies may be added in any order."""
    _fields_ = [
        ('struct_size', c_uint32),
        ('name', c_char_p),
        ('parent', c_char_p),
        ('pos', c_double * 3),
        ('rot', c_double * 4),
        ('joint', sn_joint_def),
        ('mass_given', c_bool),
        ('mass', c_double),
        ('com', c_double * 3),
        ('inertia', c_double * 6),
        ('lift', c_double),
    ]


class sn_model_info(Structure):
    """What a model has. Everything belongs to the model."""
    _fields_ = [
        ('nbody', c_int),
        ('nq', c_int),
        ('nv', c_int),
        ('nshape', c_int),
        ('nconstraint', c_int),
        ('depth', c_int),
        ('mass', c_double),
        ('kp', c_void_p),
        ('kd', c_void_p),
        ('shape', POINTER(sn_shape_def)),
        ('constraint', POINTER(sn_constraint_def)),
    ]


class sn_body_info(Structure):
    """A body of a finished model. Bodies are in depth-first order: parents come before their children."""
    _fields_ = [
        ('name', c_char_p),
        ('parent', c_int),
        ('q_index', c_int),
        ('nq', c_int),
        ('v_index', c_int),
        ('nv', c_int),
        ('pos', c_double * 3),
        ('rot', c_double * 4),
        ('joint', sn_joint_def),
        ('mass', c_double),
        ('com', c_double * 3),
        ('inertia', c_double * 6),
        ('lift', c_double),
        ('first_shape', c_int),
        ('nshape', c_int),
    ]


class sn_clip_joint(Structure):
    _fields_ = [
        ('name', c_char_p),
        ('parent', c_int),
        ('offset', c_double * 3),
    ]


class sn_clip_def(Structure):
    """The data of a clip. Make one with sn_clip_def_default."""
    _fields_ = [
        ('struct_size', c_uint32),
        ('njoint', c_int),
        ('nframe', c_int),
        ('joint', POINTER(sn_clip_joint)),
        ('time', c_void_p),
        ('position', c_void_p),
        ('rotation', c_void_p),
        ('loop', c_bool),
    ]


class sn_clip_edit_def(Structure):
    """What to change in a clip, in the order of the members. Make one with sn_clip_edit_def_default."""
    _fields_ = [
        ('struct_size', c_uint32),
        ('start', c_double),
        ('end', c_double),
        ('mirror', c_bool),
        ('factor', c_double),
        ('plant', c_bool),
        ('ground', c_bool),
        ('other', c_void_p),
        ('weight', c_double),
        ('ease', c_double),
        ('rate', c_double),
    ]


class sn_floor(Structure):
    """Where the floor of a clip is: the level of the lowest joints while they stand still, whatever part of the body they belong to. Tails and single frames far below do not count."""
    _fields_ = [
        ('height', c_double),
        ('feet', c_double * 3),
        ('stance', c_double),
        ('level', c_bool),
    ]


class sn_motion_info(Structure):
    """What a motion has. It belongs to the motion."""
    _fields_ = [
        ('duration', c_double),
        ('loops', c_bool),
        ('apart', c_double),
    ]


class sn_contact(Structure):
    _fields_ = [
        ('copy', c_int),
        ('member', c_int32 * 2),
        ('body', c_int * 2),
        ('shape', c_int * 2),
        ('feature', c_uint32),
        ('phase', c_int),
        ('pos', c_double * 3),
        ('normal', c_double * 3),
        ('gap', c_double),
        ('force', c_double * 3),
        ('sliding', c_bool),
        ('slip_speed', c_double),
    ]


class sn_hit(Structure):
    """What a ray or a moving shape meets."""
    _fields_ = [
        ('t', c_double),
        ('member', c_int32),
        ('body', c_int),
        ('shape', c_int),
        ('pos', c_double * 3),
        ('normal', c_double * 3),
    ]


class sn_reaction_def(Structure):
    """Reactions: the schedule of spd-2011 section 4.1. On an impact gains fall to `reaction` of what they are, stay there for `hold` seconds (t_e), and return in a straight line over `recover` seconds (t_f). Each impact starts the schedule afresh, also while the member recovers. kp and kd change together, so that kd / (kp dt) stays. An impact is an impulse on one body, by other members or by pushes (SN_FIELD_PUSH), above `threshold`. Impulses of the steps are added up with a memory of `window` seconds: many small ones count as one blow does, whatever dt is. The lower gains act already in the step of the impact: the time stepper repeats that step with them. With the event stepper, and for impacts of the ground (see `ground`), they act from the next step on."""
    _fields_ = [
        ('struct_size', c_uint32),
        ('threshold', c_double),
        ('window', c_double),
        ('reaction', c_double),
        ('hold', c_double),
        ('recover', c_double),
        ('around', c_int),
        ('root', c_bool),
        ('ground', c_bool),
    ]


class sn_assistance(Structure):
    """Assistance: the drive of a free root is an outside force that helps the character stay upright."""
    _fields_ = [
        ('force', c_double * 3),
        ('torque', c_double * 3),
        ('peak_force', c_double),
        ('peak_torque', c_double),
        ('impulse', c_double),
        ('angular_impulse', c_double),
        ('work', c_double),
        ('effort', c_double),
        ('at_budget', c_double),
    ]


class sn_recorder_def(Structure):
    """What to record. Make one with sn_recorder_def_default."""
    _fields_ = [
        ('struct_size', c_uint32),
        ('first', c_int),
        ('count', c_int),
        ('rate', c_double),
        ('contacts', c_bool),
        ('torques', c_bool),
        ('name', c_char_p),
    ]


class sn_search_def(Structure):
    """Make one with sn_search_def_default."""
    _fields_ = [
        ('struct_size', c_uint32),
        ('method', c_int),
        ('n', c_int),
        ('start', c_void_p),
        ('width', c_double),
        ('candidates', c_int),
        ('seed', c_uint64),
        ('rate', c_double),
        ('divergence', c_double),
    ]


class sn_search_info(Structure):
    """What a search has found so far. The arrays belong to the search and change with sn_search_tell."""
    _fields_ = [
        ('mean', c_void_p),
        ('best', c_void_p),
        ('score', c_double),
    ]


class sn_world_def(Structure):
    _fields_ = [
        ('struct_size', c_uint32),
        ('setting', c_int),
        ('copies', c_int),
        ('threads', c_int),
        ('substeps', c_int),
        ('dt', c_double),
        ('gravity', c_double * 3),
        ('form', c_int),
        ('contact', c_int),
        ('joint_limits', c_bool),
        ('torque_limits', c_bool),
        ('self_contact', c_bool),
        ('report_torque', c_bool),
        ('report_contacts', c_bool),
        ('sleep', c_double),
        ('max_contacts', c_int),
        ('precision', c_int),
        ('lanes', c_char_p),
        ('stepper', c_int),
        ('scheme', c_int),
        ('friction', c_int),
        ('products', c_int),
        ('gains_by_axis', c_bool),
        ('iterations', c_int),
        ('tolerance', c_double),
        ('slop', c_double),
        ('recovery', c_double),
        ('recovery_speed', c_double),
        ('limit_speed', c_double),
        ('pin_speed', c_double),
        ('margin', c_double),
        ('bounce', c_double),
        ('compliance', c_double),
        ('sweeps', c_int),
        ('sweep_tolerance', c_double),
        ('shortest', c_double),
        ('study', c_void_p),
        ('jobs', POINTER(sn_jobs)),
        ('log', POINTER(sn_log)),
        ('measure_time', c_bool),
        ('device', c_char_p),
    ]


class sn_world_info(Structure):
    """What a world has."""
    _fields_ = [
        ('copies', c_int),
        ('members', c_int),
        ('grounds', c_int),
        ('lanes', c_char_p),
        ('dt', c_double),
        ('time', c_double),
        ('definition', POINTER(sn_world_def)),
    ]


class sn_world_stats(Structure):
    """What the last step took, over all copies."""
    _fields_ = [
        ('contacts', c_int),
        ('rows', c_int),
        ('rounds', c_int),
        ('iterations', c_int),
        ('fallbacks', c_int),
        ('residual', c_double),
        ('apart', c_double),
        ('sweeps', c_int),
        ('unsettled', c_int),
        ('sweep_residual', c_double),
        ('substeps', c_int),
        ('impacts', c_int),
        ('dropped', c_int),
        ('asleep', c_int),
        ('diverged', c_int),
        ('bad_copy', c_int),
        ('bad_member', c_int32),
        ('bad_dof', c_int),
        ('stiff_member', c_int32),
        ('stiff_dof', c_int),
        ('microseconds', c_double * 6),
    ]


class sn_summary(Structure):
    """Energy and momentum of a member."""
    _fields_ = [
        ('kinetic', c_double),
        ('potential', c_double),
        ('com', c_double * 3),
        ('linear_momentum', c_double * 3),
        ('angular_momentum', c_double * 3),
    ]


class sn_study_def(Structure):
    """What a study changes. All zero changes nothing."""
    _fields_ = [
        ('row_solver', c_int),
        ('response', c_int),
        ('drives', c_int),
        ('polarised', c_bool),
    ]


class sn_position_def(Structure):
    _fields_ = [
        ('struct_size', c_uint32),
        ('precision', c_int),
        ('lanes', c_char_p),
        ('gravity', c_double * 3),
        ('dt', c_double),
        ('method', c_int),
        ('solver', c_int),
        ('hessian', c_int),
        ('sweeps', c_int),
        ('tolerance', c_double),
        ('most', c_int),
        ('squares', c_bool),
        ('substeps', c_int),
    ]


class sn_position_report(Structure):
    """What a step took."""
    _fields_ = [
        ('iterations', c_int),
        ('evaluations', c_int),
        ('backtracks', c_int),
        ('fallbacks', c_int),
        ('residual', c_double),
        ('converged', c_bool),
    ]


class sn_position_ground_def(Structure):
    """Points of bodies against the plane z = 0, and a fluid at rest. PBAD-2 only."""
    _fields_ = [
        ('struct_size', c_uint32),
        ('friction', c_int),
        ('d1', c_double),
        ('d2', c_double),
        ('mu', c_double),
        ('slow', c_double),
        ('drag_along', c_double),
        ('drag_across', c_double),
    ]


class sn_trajectories_def(Structure):
    _fields_ = [
        ('struct_size', c_uint32),
        ('precision', c_int),
        ('lanes', c_char_p),
        ('threads', c_int),
        ('gravity', c_double * 3),
        ('dt', c_double),
        ('method', c_int),
        ('hessian', c_int),
        ('tolerance', c_double),
        ('most', c_int),
        ('wait', c_bool),
    ]


class sn_trajectories_run(Structure):
    """What happens in a run. Pointers that are NULL: zero, or not wanted."""
    _fields_ = [
        ('count', c_int),
        ('steps', c_int),
        ('kp', c_void_p),
        ('kd', c_void_p),
        ('target', c_void_p),
        ('path', c_void_p),
        ('sweeps', c_void_p),
    ]


class sn_trajectories_report(Structure):
    _fields_ = [
        ('ticks', c_int64),
        ('sweeps', c_int64),
        ('unsolved', c_int64),
        ('most', c_int),
        ('least', c_int),
        ('lost', c_int),
        ('lanes', c_int),
    ]


class sn_full_run(Structure):
    """A run, and what comes of it. Start with {0}; dt, kp, kd and target are needed."""
    _fields_ = [
        ('method', c_int),
        ('repair', c_int),
        ('products', c_int),
        ('precision', c_int),
        ('form', c_int),
        ('dt', c_double),
        ('gravity', c_double * 3),
        ('accelerations', c_bool),
        ('steps', c_int),
        ('kp', c_void_p),
        ('kd', c_void_p),
        ('target', c_void_p),
        ('qdd', c_void_p),
        ('tau', c_void_p),
        ('force', c_void_p),
        ('com', c_void_p),
        ('momentum', c_void_p),
        ('gap', c_void_p),
        ('rows', c_int),
        ('lost', c_int),
    ]


class sn_episode(Structure):
    """The running episode of one copy. The environment keeps it and tasks read it; only `begin` may change something, by lowering `limit`."""
    _fields_ = [
        ('seed', c_uint64),
        ('item', c_uint32),
        ('count', c_uint32),
        ('steps', c_int32),
        ('limit', c_int32),
        ('total', c_double),
    ]


class sn_part(Structure):
    """Copies that one thread runs together, in a world of their own. All parts of an environment have the same number of copies."""
    _fields_ = [
        ('copies', c_int),
        ('first', c_int),
        ('episode', POINTER(sn_episode)),
        ('state', c_void_p),
        ('world', c_void_p),
        ('own', c_void_p),
    ]


class sn_task(Structure):
    """A task: what a policy observes, what its actions do, and what earns a reward. It is a table of functions. Different threads call them for different parts at the same time, never for the same part twice, so they must write only to the part they are given. They return SN_OK, or an error that ends the training or the call. Each control step calls `act`, `reward`, `ends` and `observe`, in this order; copies whose episode has ended then go through `begin` and `observe`. `which` has one byte per copy of the part: functions that get it serve the copies with which[i] != 0 and leave the others alone."""
    _fields_ = [
        ('user', c_void_p),
        ('name', c_char_p),
        ('observations', c_int),
        ('actions', c_int),
        ('terms', c_int),
        ('rate', c_int),
        ('limit', c_double),
        ('state', c_size_t),
        ('observation_names', POINTER(c_char_p)),
        ('action_names', POINTER(c_char_p)),
        ('term_names', POINTER(c_char_p)),
        ('model', c_void_p),
        ('meaning', c_uint64),
        ('identity', c_uint64),
        ('open', CFUNCTYPE(c_int, c_void_p, POINTER(sn_part), POINTER(sn_error))),
        ('close', CFUNCTYPE(None, c_void_p, POINTER(sn_part))),
        ('begin', CFUNCTYPE(c_int, c_void_p, POINTER(sn_part), c_void_p, POINTER(sn_error))),
        ('act', CFUNCTYPE(c_int, c_void_p, POINTER(sn_part), c_void_p, POINTER(sn_error))),
        ('reward', CFUNCTYPE(c_int, c_void_p, POINTER(sn_part), c_void_p, POINTER(sn_error))),
        ('ends', CFUNCTYPE(c_int, c_void_p, POINTER(sn_part), c_void_p, c_void_p, POINTER(sn_error))),
        ('observe', CFUNCTYPE(c_int, c_void_p, POINTER(sn_part), c_void_p, c_void_p, POINTER(sn_error))),
        ('reference', CFUNCTYPE(c_bool, c_void_p, POINTER(sn_part), c_int, c_void_p)),
        ('free', CFUNCTYPE(None, c_void_p)),
    ]


class sn_imitation_def(Structure):
    """A character that imitates a motion, as in DeepMimic, or that moves at a given speed if there is no motion. Make one with sn_imitation_def_default."""
    _fields_ = [
        ('struct_size', c_uint32),
        ('model', c_void_p),
        ('motion', c_void_p),
        ('motions', c_void_p),
        ('nmotions', c_int),
        ('speed', c_double),
        ('rate', c_int),
        ('substeps', c_int),
        ('features', c_int),
        ('targets', c_int),
        ('action_scale', c_double),
        ('hide_root', c_bool),
        ('torque_limits', c_bool),
        ('self_contact', c_bool),
        ('limit', c_double),
        ('friction', c_double),
        ('drag_along', c_double),
        ('drag_across', c_double),
        ('push', c_double),
        ('ball', c_double),
        ('ball_speed', c_double),
        ('mass_range', c_double),
        ('friction_range', c_double),
        ('gain_range', c_double),
        ('command', c_double),
        ('command_turn', c_double),
        ('command_speed', c_double * 2),
        ('terrain', c_int),
        ('terrain_height', c_double),
        ('terrain_seed', c_uint64),
        ('study', c_void_p),
        ('kp', c_void_p),
        ('kd', c_void_p),
        ('weight', c_void_p),
        ('foot', c_void_p),
        ('effector', c_void_p),
        ('stick', c_bool),
        ('get_up', c_bool),
        ('stick_time', c_double),
        ('stick_hold', c_double * 3),
        ('draw_motions', c_bool),
        ('look_ahead', c_bool),
        ('strength_range', c_double),
        ('action_delay', c_double),
        ('observation_noise', c_double),
    ]


# Result and arguments of each function of the library, as text that is read when the function is first used.
FUNCTIONS = {
    'sn_version': 'c_char_p, []',
    'sn_status_text': 'c_char_p, [c_int]',
    'sn_def_default': 'None, [c_char_p, c_void_p, c_size_t, c_size_t]',
    'sn_def_read': 'c_int, [c_char_p, c_void_p, c_char_p, POINTER(sn_error)]',
    'sn_def_write': 'c_size_t, [c_char_p, c_void_p, c_void_p, c_size_t]',
    'sn_schema': 'c_size_t, [c_void_p, c_size_t]',
    'sn_curve_def_default': 'sn_curve_def, []',
    'sn_surface_def_default': 'sn_surface_def, [c_int]',
    'sn_constraint_def_default': 'sn_constraint_def, [c_int]',
    'sn_world_add_constraint': 'c_uint64, [c_void_p, POINTER(sn_constraint_def), POINTER(sn_error)]',
    'sn_world_remove_constraint': 'c_int, [c_void_p, c_uint64]',
    'sn_world_set_constraint': 'c_int, [c_void_p, c_uint64, c_int, c_void_p, c_void_p]',
    'sn_world_get_constraint': 'c_int, [c_void_p, c_uint64, c_int, POINTER(sn_constraint_state)]',
    'sn_builder_add_constraint': 'None, [c_void_p, c_char_p, c_char_p, POINTER(sn_constraint_def)]',
    'sn_world_model_constraint': 'c_uint64, [c_void_p, c_int32, c_int]',
    'sn_world_set_filter': 'c_int, [c_void_p, c_uint32, c_void_p, c_void_p]',
    'sn_world_set_surface_velocity': 'c_int, [c_void_p, c_int, c_void_p]',
    'sn_world_triggers': 'POINTER(sn_trigger_visit), [c_void_p, c_int, c_void_p]',
    'sn_world_draw': 'c_int, [c_void_p, c_int, c_uint, POINTER(sn_drawer)]',
    'sn_dynamics_def_default': 'sn_dynamics_def, []',
    'sn_dynamics_create': 'c_void_p, [c_void_p, POINTER(sn_dynamics_def), POINTER(sn_error)]',
    'sn_dynamics_free': 'None, [c_void_p]',
    'sn_dynamics_bodies': 'c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, POINTER(sn_summary)]',
    'sn_dynamics_jacobian': 'c_int, [c_void_p, c_void_p, c_int, c_void_p, c_void_p]',
    'sn_dynamics_mass_matrix': 'c_int, [c_void_p, c_void_p, c_void_p]',
    'sn_dynamics_inverse': 'c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]',
    'sn_dynamics_forward': 'c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]',
    'sn_drag_push': 'c_int, [c_void_p, c_double, c_double, c_int, c_void_p, c_void_p, c_void_p]',
    'sn_dynamics_step': 'c_int, [c_void_p, POINTER(sn_drive), c_int, c_void_p, c_void_p, c_void_p, c_void_p]',
    'sn_set_memory': 'c_int, [POINTER(sn_memory)]',
    'sn_world_set_user_data': 'c_int, [c_void_p, c_int32, c_int, c_int, c_void_p]',
    'sn_world_user_data': 'c_void_p, [c_void_p, c_int32, c_int, c_int]',
    'sn_world_cast_rays': 'c_int, [c_void_p, c_int, c_int, POINTER(sn_ray), POINTER(sn_hit)]',
    'sn_world_save_state': 'c_size_t, [c_void_p, c_void_p, c_size_t]',
    'sn_world_load_state': 'c_int, [c_void_p, c_void_p, c_size_t, POINTER(sn_error)]',
    'sn_lanes_get': 'POINTER(sn_lanes_info), [c_int]',
    'sn_built_with': 'c_bool, [c_char_p]',
    'sn_world_size': 'c_int, [c_void_p, c_int32, c_int]',
    'sn_world_set': 'c_int, [c_void_p, c_int32, c_int, c_int, c_int, c_void_p]',
    'sn_world_get': 'c_int, [c_void_p, c_int32, c_int, c_int, c_int, c_void_p]',
    'sn_world_put': 'c_int, [c_void_p, c_int32, c_int, c_void_p, c_void_p]',
    'sn_world_view': 'c_void_p, [c_void_p, c_int32, c_int]',
    'sn_world_take': 'c_int, [c_void_p, c_int32, c_int, c_void_p]',
    'sn_world_copy': 'c_int, [c_void_p, c_int, c_void_p]',
    'sn_world_reset': 'c_int, [c_void_p, c_int32, c_void_p, c_void_p, c_void_p]',
    'sn_load_def_default': 'sn_load_def, []',
    'sn_model_load': 'c_void_p, [c_char_p, POINTER(sn_load_def), POINTER(sn_error)]',
    'sn_model_save': 'c_int, [c_void_p, c_char_p, POINTER(sn_error)]',
    'sn_model_write': 'c_size_t, [c_void_p, c_void_p, c_size_t]',
    'sn_world_load': 'c_void_p, [c_char_p, POINTER(sn_world_def), POINTER(sn_load_def), POINTER(sn_error)]',
    'sn_gains_def_default': 'sn_gains_def, []',
    'sn_gains_choose': 'c_int, [c_void_p, POINTER(sn_gains_def), c_void_p, c_void_p, POINTER(sn_error)]',
    'sn_gains_uniform': 'None, [c_void_p, c_double, c_double, c_double, c_double, c_void_p, c_void_p]',
    'sn_gains_check': 'c_int, [c_void_p, POINTER(sn_gains_def), c_void_p, c_void_p, c_void_p, POINTER(sn_error)]',
    'sn_world_add_plane': 'c_int, [c_void_p, c_void_p, c_void_p, POINTER(sn_shape_def), POINTER(sn_error)]',
    'sn_world_add_shape': 'c_int, [c_void_p, POINTER(sn_shape_def), c_void_p, c_void_p, POINTER(sn_error)]',
    'sn_heightfield_def_default': 'sn_heightfield_def, []',
    'sn_world_add_heightfield': 'c_int, [c_void_p, POINTER(sn_heightfield_def), POINTER(sn_shape_def), POINTER(sn_error)]',
    'sn_mesh_def_default': 'sn_mesh_def, []',
    'sn_world_add_mesh': 'c_int, [c_void_p, POINTER(sn_mesh_def), POINTER(sn_shape_def), POINTER(sn_error)]',
    'sn_world_remove_ground': 'c_int, [c_void_p, c_int]',
    'sn_world_move': 'c_int, [c_void_p, c_int, c_void_p, c_void_p, c_void_p, c_void_p]',
    'sn_world_ground_shape': 'c_bool, [c_void_p, c_int, POINTER(sn_shape_def)]',
    'sn_hull_create': 'c_void_p, [c_void_p, c_int, c_int, POINTER(sn_error)]',
    'sn_hull_free': 'None, [c_void_p]',
    'sn_hull_get': 'POINTER(sn_hull_info), [c_void_p]',
    'sn_keyframes_def_default': 'sn_keyframes_def, []',
    'sn_keyframes_create': 'c_void_p, [c_void_p, POINTER(sn_keyframes_def), POINTER(sn_error)]',
    'sn_keyframes_load': 'c_void_p, [c_char_p, c_void_p, POINTER(sn_load_def), POINTER(sn_error)]',
    'sn_keyframes_free': 'None, [c_void_p]',
    'sn_keyframes_get': 'POINTER(sn_keyframes_info), [c_void_p]',
    'sn_keyframes_apply': 'c_int, [c_void_p, c_void_p, c_int32, c_int, c_double]',
    'sn_keyframes_spline': 'None, [c_void_p, c_double, c_void_p, c_void_p]',
    'sn_environment_def_default': 'sn_environment_def, []',
    'sn_environment_create': 'c_void_p, [POINTER(sn_task), POINTER(sn_environment_def), POINTER(sn_error)]',
    'sn_environment_free': 'None, [c_void_p]',
    'sn_environment_get_info': 'None, [c_void_p, POINTER(sn_environment_info)]',
    'sn_environment_reset': 'c_int, [c_void_p, c_void_p, c_void_p, c_void_p, POINTER(sn_error)]',
    'sn_environment_step': 'c_int, [c_void_p, c_void_p, POINTER(sn_environment_out), POINTER(sn_error)]',
    'sn_environment_observe': 'c_int, [c_void_p, c_void_p, POINTER(sn_error)]',
    'sn_environment_save': 'c_size_t, [c_void_p, c_void_p, c_size_t]',
    'sn_environment_restore': 'c_int, [c_void_p, c_void_p, c_size_t, POINTER(sn_error)]',
    'sn_environment_world': 'c_void_p, [c_void_p, c_int, c_void_p]',
    'sn_environment_reference': 'c_bool, [c_void_p, c_int, c_void_p]',
    'sn_policy_load': 'c_void_p, [c_char_p, POINTER(sn_error)]',
    'sn_policy_save': 'c_int, [c_void_p, c_char_p, POINTER(sn_error)]',
    'sn_policy_parse': 'c_void_p, [c_void_p, c_size_t, POINTER(sn_error)]',
    'sn_policy_write': 'c_size_t, [c_void_p, c_void_p, c_size_t]',
    'sn_policy_free': 'None, [c_void_p]',
    'sn_policy_get': 'None, [c_void_p, POINTER(sn_policy_data)]',
    'sn_policy_create': 'c_void_p, [POINTER(sn_policy_data), c_void_p, POINTER(sn_error)]',
    'sn_policy_act': 'c_int, [c_void_p, c_int, c_void_p, c_void_p]',
    'sn_policy_check': 'c_int, [c_void_p, c_void_p, POINTER(sn_error)]',
    'sn_policy_evaluate': 'c_int, [c_void_p, c_void_p, c_void_p, POINTER(sn_policy_episode), POINTER(sn_error)]',
    'sn_policy_add_up': 'None, [c_int, POINTER(sn_policy_episode), POINTER(sn_policy_score)]',
    'sn_trainer_def_default': 'sn_trainer_def, []',
    'sn_trainer_create': 'c_void_p, [c_void_p, POINTER(sn_trainer_def), POINTER(sn_error)]',
    'sn_trainer_free': 'None, [c_void_p]',
    'sn_trainer_iterate': 'c_int, [c_void_p, POINTER(sn_training), POINTER(sn_error)]',
    'sn_trainer_save': 'c_int, [c_void_p, c_char_p, POINTER(sn_error)]',
    'sn_trainer_restore': 'c_int, [c_void_p, c_char_p, POINTER(sn_training), POINTER(sn_error)]',
    'sn_trainer_policy': 'c_void_p, [c_void_p, c_char_p, POINTER(sn_error)]',
    'sn_joint_def_default': 'sn_joint_def, [c_int]',
    'sn_body_def_default': 'sn_body_def, []',
    'sn_shape_def_default': 'sn_shape_def, [c_int]',
    'sn_builder_create': 'c_void_p, []',
    'sn_builder_free': 'None, [c_void_p]',
    'sn_builder_add_body': 'None, [c_void_p, POINTER(sn_body_def)]',
    'sn_builder_add_shape': 'None, [c_void_p, c_char_p, POINTER(sn_shape_def)]',
    'sn_builder_exclude': 'None, [c_void_p, c_char_p, c_char_p]',
    'sn_builder_build': 'c_void_p, [c_void_p, POINTER(sn_error)]',
    'sn_builtin_create': 'c_void_p, [c_char_p, POINTER(sn_error)]',
    'sn_builtin_name': 'c_char_p, [c_int]',
    'sn_model_free': 'None, [c_void_p]',
    'sn_model_get': 'POINTER(sn_model_info), [c_void_p]',
    'sn_model_body': 'POINTER(sn_body_info), [c_void_p, c_int]',
    'sn_model_find_body': 'c_int, [c_void_p, c_char_p]',
    'sn_model_zero_pose': 'None, [c_void_p, c_void_p]',
    'sn_model_home_pose': 'None, [c_void_p, c_void_p]',
    'sn_model_pose_add': 'None, [c_void_p, c_int, c_void_p, c_void_p, c_void_p]',
    'sn_model_pose_subtract': 'None, [c_void_p, c_int, c_void_p, c_void_p, c_void_p]',
    'sn_clip_def_default': 'sn_clip_def, []',
    'sn_clip_create': 'c_void_p, [POINTER(sn_clip_def), POINTER(sn_error)]',
    'sn_clip_free': 'None, [c_void_p]',
    'sn_clip_data': 'POINTER(sn_clip_def), [c_void_p]',
    'sn_clip_load': 'c_void_p, [c_char_p, POINTER(sn_load_def), POINTER(sn_error)]',
    'sn_clip_save': 'c_int, [c_void_p, c_char_p, POINTER(sn_error)]',
    'sn_clip_edit_def_default': 'sn_clip_edit_def, []',
    'sn_clip_edit': 'c_void_p, [c_void_p, POINTER(sn_clip_edit_def), POINTER(sn_error)]',
    'sn_clip_floor': 'c_int, [c_void_p, POINTER(sn_floor)]',
    'sn_floor_under': 'c_int, [c_int, c_void_p, c_void_p, c_void_p]',
    'sn_clip_build_model': 'c_void_p, [c_void_p, c_double, POINTER(sn_error)]',
    'sn_motion_create': 'c_void_p, [c_void_p, c_void_p, c_char_p, POINTER(sn_error)]',
    'sn_motion_load': 'c_void_p, [c_char_p, c_void_p, POINTER(sn_load_def), POINTER(sn_error)]',
    'sn_motion_is_numbers': 'c_bool, [c_char_p, c_void_p]',
    'sn_motion_cut': 'c_void_p, [c_void_p, c_double, c_double, POINTER(sn_error)]',
    'sn_motion_from_poses': 'c_void_p, [c_void_p, c_int, c_void_p, c_void_p, c_bool, POINTER(sn_error)]',
    'sn_motion_free': 'None, [c_void_p]',
    'sn_motion_get': 'POINTER(sn_motion_info), [c_void_p]',
    'sn_motion_clip': 'c_void_p, [c_void_p, c_int, c_void_p, c_void_p, POINTER(sn_error)]',
    'sn_motion_sample': 'None, [c_void_p, c_double, c_void_p, c_void_p]',
    'sn_motion_sample_many': 'None, [c_void_p, c_int, c_void_p, c_void_p, c_void_p]',
    'sn_builtin_motion_create': 'c_void_p, [c_char_p, c_void_p, POINTER(sn_error)]',
    'sn_builtin_motion_name': 'c_char_p, [c_int]',
    'sn_puppet_create': 'c_void_p, [c_void_p, c_int32, c_int, c_void_p, c_void_p, POINTER(sn_error)]',
    'sn_puppet_free': 'None, [c_void_p]',
    'sn_puppet_stick': 'None, [c_void_p, c_void_p]',
    'sn_puppets_step': 'c_int, [c_void_p, c_int, POINTER(sn_error)]',
    'sn_puppet_get': 'c_int, [c_void_p, c_void_p, c_void_p]',
    'sn_puppet_state': 'c_void_p, [c_void_p, c_void_p]',
    'sn_world_contacts': 'POINTER(sn_contact), [c_void_p, c_int, c_void_p]',
    'sn_world_cast_ray': 'c_bool, [c_void_p, c_int, c_void_p, c_void_p, c_uint32, POINTER(sn_hit)]',
    'sn_world_cast_shape': 'c_bool, [c_void_p, c_int, POINTER(sn_shape_def), c_void_p, c_void_p, c_void_p, c_uint32, POINTER(sn_hit)]',
    'sn_world_overlap': 'c_int, [c_void_p, c_int, POINTER(sn_shape_def), c_void_p, c_void_p, c_uint32, POINTER(sn_hit), c_int]',
    'sn_reaction_def_default': 'sn_reaction_def, []',
    'sn_world_set_reaction': 'c_int, [c_void_p, c_int32, POINTER(sn_reaction_def)]',
    'sn_world_react': 'c_int, [c_void_p, c_int32, c_int, c_int]',
    'sn_world_set_limb': 'c_int, [c_void_p, c_int32, c_int, c_int, c_int, c_double]',
    'sn_world_set_assistance': 'c_int, [c_void_p, c_int32, c_double, c_double]',
    'sn_world_get_assistance': 'c_int, [c_void_p, c_int32, c_int, POINTER(sn_assistance)]',
    'sn_recorder_def_default': 'sn_recorder_def, []',
    'sn_recorder_create': 'c_void_p, [c_void_p, POINTER(sn_recorder_def), POINTER(sn_error)]',
    'sn_recorder_free': 'None, [c_void_p]',
    'sn_recorder_take': 'c_int, [c_void_p, c_double]',
    'sn_recorder_pose': 'c_int, [c_void_p, c_char_p, c_void_p, c_void_p, c_void_p]',
    'sn_recorder_number': 'c_int, [c_void_p, c_char_p, c_double]',
    'sn_recorder_event': 'c_int, [c_void_p, c_double, c_char_p, c_char_p]',
    'sn_recorder_note': 'c_int, [c_void_p, c_char_p, c_char_p]',
    'sn_recorder_text': 'c_char_p, [c_void_p, c_void_p]',
    'sn_recorder_save': 'c_int, [c_void_p, c_char_p, POINTER(sn_error)]',
    'sn_recorder_load': 'c_void_p, [c_char_p, POINTER(sn_error)]',
    'sn_search_def_default': 'sn_search_def, [c_int, c_int]',
    'sn_search_create': 'c_void_p, [POINTER(sn_search_def), POINTER(sn_error)]',
    'sn_search_free': 'None, [c_void_p]',
    'sn_search_ask': 'c_void_p, [c_void_p, c_void_p]',
    'sn_search_tell': 'c_int, [c_void_p, c_void_p, POINTER(sn_error)]',
    'sn_search_get': 'sn_search_info, [c_void_p]',
    'sn_world_create': 'c_void_p, [POINTER(sn_world_def), POINTER(sn_error)]',
    'sn_world_free': 'None, [c_void_p]',
    'sn_world_get_info': 'sn_world_info, [c_void_p]',
    'sn_world_message': 'c_char_p, [c_void_p]',
    'sn_world_memory': 'c_size_t, [c_void_p]',
    'sn_world_add': 'c_int32, [c_void_p, c_void_p, POINTER(sn_error)]',
    'sn_world_remove': 'c_int, [c_void_p, c_int32]',
    'sn_world_member': 'c_int32, [c_void_p, c_int]',
    'sn_world_model': 'c_void_p, [c_void_p, c_int32]',
    'sn_world_find_body': 'c_int32, [c_void_p, c_char_p, c_void_p]',
    'sn_world_set_active': 'c_int, [c_void_p, c_int32, c_bool]',
    'sn_world_add_floor': 'c_int, [c_void_p]',
    'sn_world_hold': 'c_int, [c_void_p, c_int32, c_double, c_double]',
    'sn_world_set_state': 'c_int, [c_void_p, c_int32, c_void_p, c_void_p]',
    'sn_world_get_state': 'c_int, [c_void_p, c_int32, c_void_p, c_void_p]',
    'sn_world_set_target': 'c_int, [c_void_p, c_int32, c_void_p, c_void_p]',
    'sn_world_set_gains': 'c_int, [c_void_p, c_int32, c_void_p, c_void_p]',
    'sn_world_set_motion': 'c_int, [c_void_p, c_int32, c_void_p]',
    'sn_world_stand': 'c_int, [c_void_p, c_int32, c_void_p]',
    'sn_world_push': 'c_int, [c_void_p, c_int32, c_int, c_void_p, c_void_p, c_double]',
    'sn_world_step': 'c_int, [c_void_p]',
    'sn_world_set_dt': 'c_int, [c_void_p, c_double]',
    'sn_world_time': 'c_double, [c_void_p]',
    'sn_world_get_stats': 'None, [c_void_p, POINTER(sn_world_stats)]',
    'sn_world_body_pose': 'c_int, [c_void_p, c_int32, c_int, c_void_p, c_void_p]',
    'sn_world_summary': 'c_int, [c_void_p, c_int32, c_int, POINTER(sn_summary)]',
    'sn_world_hash': 'c_uint64, [c_void_p]',
    'sn_world_snapshot': 'c_size_t, [c_void_p, c_void_p, c_size_t]',
    'sn_world_restore': 'c_int, [c_void_p, c_void_p, c_size_t, POINTER(sn_error)]',
    'sn_episode_random': 'c_double, [POINTER(sn_episode), c_uint32]',
    'sn_imitation_def_default': 'sn_imitation_def, [c_void_p, c_void_p]',
    'sn_imitation_task': 'c_int, [POINTER(sn_task), POINTER(sn_imitation_def), POINTER(sn_error)]',
    'sn_world_def_default': 'sn_world_def, []',
}

# Members of definitions: name, kind, how many, default, unit and range, what they are for.
SETTINGS = {
    'sn_curve_def': [
        ('npoint', 'int', 0, 0, 'from 0 to 1000000', 'Number of points.'),
        ('points', 'pointer', 0, None, 'm', '[npoint][3] points; copied.'),
        ('closed', 'flag', 0, False, '', 'Whether the last point is joined to the first.'),
        ('smooth', 'flag', 0, False, '', 'Whether cubic pieces join the points, with `tangents` or with those of the chords beside each point.'),
        ('tangents', 'pointer', 0, None, '', '[npoint][3] derivatives by the number of the point. NULL: from the points.'),
        ('sample', 'pointer', 0, None, '', 'A function to use instead of points. It is asked npoint times as the constraint is added, at s = start ... end, for its place and its derivative by s. Cubic pieces replace it: four times the points leave 1/256 of the error.'),
        ('user', 'pointer', 0, None, '', 'First argument of `sample`.'),
        ('start', 'real', 0, 0, '', 'First value of s.'),
        ('end', 'real', 0, 0, '', 'Last value of s.'),
    ],
    'sn_surface_def': [
        ('type', 'sn_surface_type', 0, 'plane', '', 'What the surface is.'),
        ('radius', 'real', 0, 0, 'm', 'Radius of a sphere or cylinder.'),
        ('nx', 'int', 0, 0, 'from 0 to 4096', 'Number of heights along x.'),
        ('ny', 'int', 0, 0, 'from 0 to 4096', 'Number of heights along y.'),
        ('size', 'real', 2, [0, 0], 'm', 'Extent along x and y, from point2. Beyond it the heights of the edge continue.'),
        ('height', 'pointer', 0, None, 'm', '[ny][nx] heights; copied.'),
        ('sample', 'pointer', 0, None, '', 'A function to use instead of heights. It is asked nx * ny times as the constraint is added.'),
        ('user', 'pointer', 0, None, '', 'First argument of `sample`.'),
    ],
    'sn_constraint_def': [
        ('type', 'sn_constraint_type', 0, 'pin', '', 'What the constraint does.'),
        ('member', 'int', 0, 0, '', 'Member at the first end.'),
        ('body', 'int', 0, 0, '', 'Body of that member.'),
        ('point', 'real', 3, [0, 0, 0], 'm', 'Point of that body, in its frame.'),
        ('member2', 'int', 0, -1, '', 'Member at the other end, for constraints that have one. -1: the world.'),
        ('body2', 'int', 0, 0, '', 'Body of that member.'),
        ('point2', 'real', 3, [0, 0, 0], 'm', 'Point of that body in its frame, or of the world.'),
        ('direction', 'real', 3, [0, 0, 1], '', 'Direction fixed in that body or in the world, for SN_CONSTRAINT_DIRECTION_*, hinges, sliders, motors and surfaces. Any length but 0.'),
        ('target', 'real', 7, [0, 0, 0, 0, 0, 0, 0], '', 'What to reach; see sn_constraint_type. Points have three values, joints as many as in q.'),
        ('target_velocity', 'real', 6, [0, 0, 0, 0, 0, 0], '', 'Velocity of the target, as in qd.'),
        ('settle', 'real', 0, 0.1, 's above 0 to 1.7976931348623157e+308', 'Paths: the t of Kp = 1/t^2, Kd = sqrt(2)/t. After 2.65 t a tenth of the way is left.'),
        ('kp', 'real', 0, 0, '1/s^2 from 0 to 1.7976931348623157e+308', 'Paths: Kp. 0: from `settle`.'),
        ('kd', 'real', 0, 0, '1/s from 0 to 1.7976931348623157e+308', 'Paths: Kd. 0: from `settle`.'),
        ('stiffness', 'real', 0, 0, 'N/m or N m/rad from 0 to 1.7976931348623157e+308', 'Stiffness of what holds (pin, weld, hinge, ... surface), of SN_CONSTRAINT_SPRING and of SN_CONSTRAINT_COUPLING. What has no stiffness, damping or frequency is rigid.'),
        ('damping', 'real', 0, 0, 'N s/m or N m s/rad from 0 to 1.7976931348623157e+308', 'Damping that goes with the stiffness.'),
        ('frequency', 'real', 0, 0, 'Hz from 0 to 1.7976931348623157e+308', 'Frequency of the inertia that each row meets, instead of stiffness.'),
        ('damping_ratio', 'real', 0, 1, 'from 0 to 1.7976931348623157e+308', 'Damping ratio that goes with the frequency. 1 is critical.'),
        ('form', 'sn_form', 0, 'full', '', 'How stiffness and damping enter, as those of a drive do. SN_FORM_STABLE is spd-2011 eq. 13, where a damping of 0 means 1.5 stiffness dt; SN_FORM_EXPLICIT is the penalty method.'),
        ('rows', 'flag', 0, False, '', 'Whether it is solved as rows in any case. Pins, distances, curves and surfaces of the world that have a stiffness and no max_force are otherwise terms inside MABA, at constant cost each.'),
        ('collide', 'flag', 0, False, '', 'Whether the two members, or the two bodies of one member, that the constraint joins can touch each other. They always can once it is broken.'),
        ('curve', 'pointer', 0, None, '', 'The curve of SN_CONSTRAINT_CURVE; copied.'),
        ('surface', 'pointer', 0, None, '', 'The surface of SN_CONSTRAINT_SURFACE; copied.'),
        ('ratio', 'real', 5, [0, 1, 0, 0, 0], '', 'Polynomial of SN_CONSTRAINT_COUPLING and SN_CONSTRAINT_COUPLING_LIMIT. The default means equal angles.'),
        ('max_force', 'real', 0, 'infinity', 'N or N m above 0 to infinity', 'Largest force of each row; of an impulse, the largest impulse.'),
        ('break_force', 'real', 0, 'infinity', 'N above 0 to infinity', 'The constraint breaks, in one copy, after a step in which its force was larger than this. Impulses do not break.'),
        ('break_torque', 'real', 0, 'infinity', 'N m above 0 to infinity', 'The constraint breaks after a step in which its torque was larger than this.'),
    ],
    'sn_shape_def': [
        ('type', 'sn_shape_type', 0, 'sphere', '', 'What the shape is.'),
        ('size', 'real', 3, [0, 0, 0], 'm', 'Its measures, see sn_shape_type.'),
        ('pos', 'real', 3, [0, 0, 0], 'm', 'Position of its centre in the frame of the body.'),
        ('rot', 'real', 4, [1, 0, 0, 0], '', 'Orientation in the frame of the body. It is normalised.'),
        ('density', 'real', 0, 1000, 'kg/m^3 from 0 to 1.7976931348623157e+308', 'Density, which gives the mass where `mass` is 0.'),
        ('mass', 'real', 0, 0, 'kg from 0 to 1.7976931348623157e+308', 'Mass of the shape. 0: from the density.'),
        ('friction', 'real', 0, 1, 'from 0 to 1.7976931348623157e+308', "Coulomb's coefficient. Between two shapes the geometric mean applies."),
        ('restitution', 'real', 0, 0, 'from 0 to 1', '0: does not bounce, 1: loses no speed. Between two shapes the larger one applies.'),
        ('group', 'bits', 0, 1, '', 'Category bits.'),
        ('mask', 'bits', 0, 4294967295, '', 'Categories it collides with. Two shapes touch if either has a category bit in the mask of the other. A shape whose group and mask are 0 never touches anything.'),
        ('hull', 'pointer', 0, None, '', 'Form of an SN_SHAPE_HULL, from sn_hull_create.'),
        ('surface_velocity', 'real', 3, [0, 0, 0], 'm/s', 'Velocity of the surface along itself, as of a conveyor belt. In world axes for ground, in the axes of its body for a shape of a member. The part across the surface has no effect.'),
        ('trigger', 'flag', 0, False, '', 'Whether it is a trigger: it touches nothing, has no mass, and reports which shapes are inside it. See sn_world_triggers.'),
    ],
    'sn_dynamics_def': [
        ('count', 'int', 0, 1, 'from 1 to 2147483647', 'States that one call works on, side by side in lanes.'),
        ('precision', 'sn_precision', 0, 'double', '', 'Precision of all calculations.'),
        ('lanes', 'text', 0, None, '', 'Lane type by name. NULL: the narrowest vector lanes for one state, else the widest.'),
        ('gravity', 'real', 3, [0, 0, -9.81], 'm/s^2', 'Gravity.'),
        ('dt', 'real', 0, 0.004166666666666667, 's above 0 to 1.7976931348623157e+308', 'Duration of a step.'),
        ('form', 'sn_form', 0, 'stable', '', 'How drives enter the equations of motion.'),
        ('solver', 'sn_solver', 0, 'maba', '', 'How the equations are solved.'),
        ('integrator', 'sn_integrator', 0, 'semi_implicit_euler', '', 'How states are integrated.'),
        ('route', 'sn_route', 0, 'direct', '', 'What is integrated.'),
    ],
    'sn_load_def': [
        ('allow_missing_mesh', 'flag', 0, False, '', 'Whether a mesh that cannot be read is left out with a warning. Otherwise it is an error.'),
        ('map', 'text', 0, None, '', 'Clips for a model: which joint drives which body, see sn_motion_create.'),
        ('keyframe', 'text', 0, None, '', 'MJCF: name or number of the pose to start with. NULL: the first.'),
        ('warn', 'pointer', 0, None, '', 'Called for each thing that was ignored.'),
        ('user', 'pointer', 0, None, '', 'First argument of `warn` and `note`.'),
        ('up', 'text', 0, None, '', 'Clips: the axis of the file that points up, as "y" or "-z". NULL: decided from the motion.'),
        ('facing', 'text', 0, None, '', 'Clips: the axis of the file that the rest pose faces, which becomes x. NULL: directions stay as they are.'),
        ('scale', 'real', 0, 0, 'from 0 to 1.7976931348623157e+308', 'Clips: metres per unit of the file. 0: decided from the motion.'),
        ('quaternion', 'text', 0, None, '', 'Tables of poses: "wxyz" or "xyzw". NULL: decided from the motion.'),
        ('keep_first', 'flag', 0, False, '', 'Whether first frames with a pose of their own (a T-pose) are kept.'),
        ('note', 'pointer', 0, None, '', 'Called for each thing that was decided because the file leaves it open.'),
        ('text', 'text', 0, None, '', 'The content of a file that is in memory. The path is then its name in messages, and included files are looked for beside it. NULL: the file at the path is read.'),
        ('size', 'seed', 0, 0, '', 'Number of bytes of `text`.'),
    ],
    'sn_gains_def': [
        ('q', 'pointer', 0, None, '', '[nq] The pose. NULL: the zero pose.'),
        ('frequency', 'real', 0, 0, 'Hz from 0 to 1.7976931348623157e+308', 'Frequency of each joint. 0: 8.'),
        ('damping_ratio', 'real', 0, 0, 'from 0 to 1.7976931348623157e+308', 'Damping ratio of each joint. 1 is critical. 0: 1.'),
        ('stance', 'sn_stance', 0, 'lowest', '', 'What holds the model up.'),
        ('standing', 'pointer', 0, None, '', '[nbody] 1: this body stands on the ground. For SN_STANCE_BODIES.'),
        ('gravity', 'real', 3, [0, 0, 0], 'm/s^2', 'Gravity. All zero: 0 0 -9.81.'),
        ('dt', 'real', 0, 0, 's from 0 to 1.7976931348623157e+308', "Duration of the steps. 0: 1/240, as a world's."),
        ('form', 'sn_form', 0, 'stable', '', 'Form of the drives.'),
        ('precision', 'sn_precision', 0, 'double', '', 'Precision of the steps.'),
        ('widen', 'flag', 0, False, '', 'Whether to raise kd where the form needs more. Otherwise such gains are refused.'),
    ],
    'sn_heightfield_def': [
        ('nx', 'int', 0, 2, 'from 2 to 32768', 'Number of points along x.'),
        ('ny', 'int', 0, 2, 'from 2 to 32768', 'Number of points along y.'),
        ('size', 'real', 2, [1, 1], 'm above 0 to 1.7976931348623157e+308', 'Extent along x and y.'),
        ('origin', 'real', 3, [0, 0, 0], 'm', 'The corner with the smallest x and y. Heights count from origin[2].'),
        ('height', 'pointer', 0, None, 'm', '[ny][nx] heights; copied.'),
    ],
    'sn_mesh_def': [
        ('nvertex', 'int', 0, 0, '', 'Number of vertices.'),
        ('ntriangle', 'int', 0, 0, '', 'Number of triangles.'),
        ('vertex', 'pointer', 0, None, 'm', '[nvertex] vertices; copied.'),
        ('triangle', 'pointer', 0, None, '', '[ntriangle] three vertices each; copied.'),
    ],
    'sn_keyframes_def': [
        ('count', 'int', 0, 0, '', 'Number of keys, at least two.'),
        ('key', 'pointer', 0, None, '', '[count] The keys; copied.'),
        ('fade', 'sn_fade', 0, 'polynomial', '', 'How gains fade.'),
        ('exponent', 'real', 0, 20, '', 'Exponent n of the polynomial.'),
        ('floor', 'real', 0, 0.005, '', 'Least part of the gain with which the next key pulls.'),
        ('curve', 'pointer', 0, None, '', 'SN_FADE_CURVE: not negative for 0 <= a <= 1.'),
        ('user', 'pointer', 0, None, '', 'Last argument of `curve`.'),
        ('gain', 'real', 0, 130, 'N/m or N m/rad', 'Gain for each kilogram that the joint carries.'),
        ('damping', 'real', 0, 10, '', 'kd / (k dt).'),
        ('weight', 'pointer', 0, None, '', '[nbody] Factors of the gain. NULL: all 1.'),
    ],
    'sn_environment_def': [
        ('copies', 'int', 0, 256, 'from 1 to 1048576', 'Number of copies.'),
        ('threads', 'int', 0, 1, 'from 0 to 4096', "Threads that reset and step use, including the caller's. 0: one per core."),
        ('seed', 'seed', 0, 0, '', 'Everything random follows from it.'),
        ('autoreset', 'sn_autoreset', 0, 'same_step', '', 'What happens to a copy whose episode has ended. Trainers restart it in the same step in any case.'),
    ],
    'sn_trainer_def': [
        ('seed', 'seed', 0, 0, '', 'Everything random follows from it.'),
        ('threads', 'int', 0, 0, 'from 0 to 4096', 'Number of threads. 0: one per core.'),
        ('hidden', 'int', 4, [128, 128, 0, 0], 'from 0 to 8192', 'Widths of the hidden layers, up to the first 0.'),
        ('tanh', 'flag', 0, False, '', 'Whether hidden layers end with tanh instead of ReLU.'),
        ('momentum', 'flag', 0, False, '', 'Whether weights follow SGD with momentum .9 instead of Adam.'),
        ('horizon', 'int', 0, 16, 'from 1 to 1048576', 'Steps of a rollout.'),
        ('minibatch', 'int', 0, 512, 'from 16 to 16777216', 'Samples per update. It must divide the rollout of all copies.'),
        ('epochs', 'int', 0, 3, 'from 1 to 1000', 'Passes over a rollout.'),
        ('gamma', 'real', 0, 0.95, 'from 0 to 1', 'Discount of rewards.'),
        ('gae_lambda', 'real', 0, 0.95, 'from 0 to 1', 'Discount of advantages: the lambda of generalised advantage estimation.'),
        ('clip', 'real', 0, 0.2, 'from 1e-06 to 1000000', 'Largest change of the probability ratio that counts.'),
        ('advantage_clip', 'real', 0, 4, 'from 0 to 1000000', 'Largest advantage, in standard deviations. 0: no limit.'),
        ('value_low', 'real', 0, 0, 'from -1000000000 to 1000000000', 'Values are clamped to the range from value_low to value_high. Both 0: they are not.'),
        ('value_high', 'real', 0, 0, 'from -1000000000 to 1000000000', 'Upper end of that range.'),
        ('actor_rate', 'real', 0, 5e-05, 'from 0 to 1000', 'Learning rate of the actor.'),
        ('critic_rate', 'real', 0, 0.0005, 'from 0 to 1000', 'Learning rate of the critic.'),
        ('kl_target', 'real', 0, 0.08, 'from 0 to 1000', "The actor's rate adapts to this divergence per iteration. 0: it is constant."),
        ('kl_stop', 'real', 0, 2, 'from 0 to 1000000', 'Beyond this many times the target, the actor waits for the next rollout. 0: never.'),
        ('rate_low', 'real', 0, 1e-06, 'from 0 to 1000', 'Smallest adapted rate.'),
        ('rate_high', 'real', 0, 0.01, 'from 0 to 1000', 'Largest adapted rate.'),
        ('gradient_norm', 'real', 0, 1, 'from 0 to 1000000000', 'Largest norm of a gradient. 0: no limit.'),
        ('noise', 'real', 0, 0.05, 'from 1e-06 to 1000', 'Standard deviation of actions.'),
        ('learn_noise', 'flag', 0, False, '', 'Whether the noise of each action is a parameter that is learned.'),
        ('entropy', 'real', 0, 0, 'from 0 to 1000', 'Weight of the logarithm of the noise in the objective.'),
        ('last_layer', 'real', 0, 0.01, 'from 0 to 1000', "Factor of the actor's last weights at the start."),
        ('normalise_samples', 'real', 0, 0, 'from 0 to 1e+18', 'Observations are scaled by the first samples up to this number. 0: by all.'),
        ('exchange', 'pointer', 0, None, '', 'Other processes that train with this one; copied. NULL: it trains alone. All ranks make a trainer with the same definition over an environment of their own with all copies, and call the same functions; each steps only its share of the copies.'),
    ],
    'sn_joint_def': [
        ('type', 'sn_joint_type', 0, 'weld', '', 'How the body moves against its parent.'),
        ('anchor', 'real', 3, [0, 0, 0], 'm', 'Position of the joint in the frame of the body.'),
        ('axis', 'real', 3, [0, 0, 1], '', 'Axis of a hinge, slide, cylindrical or screw joint, first axis of a universal joint, twist axis of a ball, normal of a planar joint. Any length but 0.'),
        ('axis2', 'real', 3, [1, 0, 0], '', 'Second axis of a universal joint, fixed in the body; of a planar joint the first direction in which it slides. Any length but 0.'),
        ('pitch', 'real', 0, 0, 'm/rad', 'How far a screw joint slides for each radian.'),
        ('limited', 'flag', 0, False, '', 'Whether `lower` and `upper` apply.'),
        ('lower', 'real', 3, [0, 0, 0], 'rad or m', 'Lower limits, one for each axis in the order of q; ball: [0] is the twist.'),
        ('upper', 'real', 3, [0, 0, 0], 'rad or m', 'Upper limits, in the same order; ball: [0] is the twist, [1] the swing, which is half the angle of the cone.'),
        ('armature', 'real', 0, 0, 'kg m^2 or kg from 0 to 1.7976931348623157e+308', 'Inertia that is added to each degree of freedom.'),
        ('damping', 'real', 0, 0, 'N m s/rad or N s/m from 0 to 1.7976931348623157e+308', 'Passive damping, torque per rate.'),
        ('stiffness', 'real', 0, 0, 'N m/rad or N/m from 0 to 1.7976931348623157e+308', 'Passive spring, torque per angle.'),
        ('friction', 'real', 0, 0, 'N m or N from 0 to 1.7976931348623157e+308', 'Largest torque or force of dry friction on each axis. Worlds solve it together with their rows.'),
        ('rest', 'real', 4, [0, 0, 0, 0], '', 'Where the spring rests, as in q. All zero: the zero pose.'),
        ('kp', 'real', 0, 0, 'N m/rad or N/m from 0 to 1.7976931348623157e+308', 'Proportional gain that comes with the model, see sn_model_get.'),
        ('kd', 'real', 0, 0, 'N m s/rad or N s/m from 0 to 1.7976931348623157e+308', 'Derivative gain that comes with the model.'),
        ('home_given', 'flag', 0, False, '', 'Whether `home` applies.'),
        ('home', 'real', 7, [0, 0, 0, 0, 0, 0, 0], '', 'Where the joint starts, as in q, see sn_model_home_pose.'),
        ('torque_limit', 'real', 0, 'infinity', 'N m or N from 0 to infinity', 'Largest torque or force of the drive on each axis. For a ball, and for each half of a free joint, this limits the length of the vector unless its axes have different gains.'),
        ('name', 'text', 0, None, '', 'Name of the joint, as MJCF and URDF files have it, of which SN_MAX_NAME bytes are kept. NULL or "": it has none.'),
    ],
    'sn_body_def': [
        ('name', 'text', 0, None, '', 'Name of the body: unique in the model, not empty.'),
        ('parent', 'text', 0, None, '', 'Name of the parent body. NULL: the world.'),
        ('pos', 'real', 3, [0, 0, 0], 'm', "Position of the body's frame in the parent's frame at q = 0."),
        ('rot', 'real', 4, [1, 0, 0, 0], '', "Orientation of the body's frame there. It is normalised."),
        ('joint', 'definition', 0, None, '', 'The joint that ties the body to its parent: a weld by default.'),
        ('mass_given', 'flag', 0, False, '', 'Whether `mass`, `com` and `inertia` apply. Otherwise they follow from the shapes.'),
        ('mass', 'real', 0, 0, 'kg', 'Mass of the body.'),
        ('com', 'real', 3, [0, 0, 0], 'm', 'Centre of mass in the frame of the body.'),
        ('inertia', 'real', 6, [0, 0, 0, 0, 0, 0], 'kg m^2', 'Inertia about the centre of mass, in the axes of the body: xx yy zz xy xz yz.'),
        ('lift', 'real', 0, 0, '', 'Part of the weight that something else carries, water for example. 1 floats, more rises.'),
    ],
    'sn_clip_def': [
        ('njoint', 'int', 0, 0, 'from 0 to 2147483647', 'Number of joints.'),
        ('nframe', 'int', 0, 0, 'from 0 to 2147483647', 'Number of frames.'),
        ('joint', 'pointer', 0, None, '', '[njoint] The skeleton.'),
        ('time', 'pointer', 0, None, 's', '[nframe] Times, from 0, increasing.'),
        ('position', 'pointer', 0, None, 'm', '[nframe][3] Positions of the root.'),
        ('rotation', 'pointer', 0, None, '', '[nframe][njoint][4] Rotations of the joints.'),
        ('loop', 'flag', 0, False, '', 'Whether the last frame is the first of the next round. The root has then moved on and turned about z.'),
    ],
    'sn_clip_edit_def': [
        ('start', 'real', 0, 0, 's from 0 to 1.7976931348623157e+308', 'Start of the part to keep.'),
        ('end', 'real', 0, 0, 's from 0 to 1.7976931348623157e+308', 'End of the part to keep. 0: the end of the clip.'),
        ('mirror', 'flag', 0, False, '', 'Whether left and right change places, by names. The mirror is the xz plane, or yz for a skeleton that faces y.'),
        ('factor', 'real', 0, 1, 'above 0 to 1.7976931348623157e+308', 'Factor of the duration.'),
        ('plant', 'flag', 0, False, '', 'Whether feet that stand are kept in one place; the legs follow by inverse kinematics. For captures whose feet slide.'),
        ('ground', 'flag', 0, False, '', 'Whether the floor of the clip (see sn_clip_floor) is moved to z = 0.'),
        ('other', 'pointer', 0, None, '', 'A clip with the same skeleton and frames to blend with. NULL: none.'),
        ('weight', 'real', 0, 0, 'from 0 to 1', 'Weight of that clip, from 0 to 1.'),
        ('ease', 'real', 0, 0, 's from 0 to 1.7976931348623157e+308', 'Time in which the clip gains its speed from rest in its first pose, so that a character that follows it is not jerked. 0: it starts at full speed.'),
        ('rate', 'real', 0, 0, '1/s from 0 to 1.7976931348623157e+308', 'Frames per second of the result. 0: the frames stay as they are.'),
    ],
    'sn_reaction_def': [
        ('threshold', 'real', 0, 5, 'N s from 0 to 1.7976931348623157e+308', 'Impulse above which a member reacts.'),
        ('window', 'real', 0, 0.1, 's above 0 to 1.7976931348623157e+308', 'Time over which impulses are added up.'),
        ('reaction', 'real', 0, 0.01, 'from 0 to 1', 'Part of the gains that is left.'),
        ('hold', 'real', 0, 0.1, 's from 0 to 1.7976931348623157e+308', 'Time for which gains stay low, t_e.'),
        ('recover', 'real', 0, 0.5, 's from 0 to 1.7976931348623157e+308', 'Time in which gains return, t_f.'),
        ('around', 'int', 0, -1, 'from -1 to 2147483647', "Joints that are at most this many joints away from the body that was hit give way. 0: its own joint, 1: its parent's and its children's, too; -1: all joints."),
        ('root', 'flag', 0, False, '', 'Whether the drive of a free root gives way as well.'),
        ('ground', 'flag', 0, False, '', 'Whether impacts of the ground count, footsteps among them.'),
    ],
    'sn_recorder_def': [
        ('first', 'int', 0, 0, 'from 0 to 2147483647', 'First copy to record.'),
        ('count', 'int', 0, 1, 'from 1 to 2147483647', 'Number of copies to record.'),
        ('rate', 'real', 0, 60, '1/s above 0 to 1.7976931348623157e+308', 'Frames per second of the time given to sn_recorder_take.'),
        ('contacts', 'flag', 0, True, '', 'Whether to record contacts that push.'),
        ('torques', 'flag', 0, False, '', 'Whether to record torques of the drives, see report_torque of the world.'),
        ('name', 'text', 0, None, '', "Name of the first member's model. NULL: the name of its first body, as for the others."),
    ],
    'sn_search_def': [
        ('method', 'sn_search_method', 0, 'cma', '', 'How candidates follow from scores.'),
        ('n', 'int', 0, 0, 'from 0 to 2147483647', 'Number of parameters.'),
        ('start', 'pointer', 0, None, '', 'The first mean [n], copied. NULL: zeros.'),
        ('width', 'real', 0, 0.3, 'above 0 to 1.7976931348623157e+308', 'Standard deviation of candidates; of CMA-ES at the start.'),
        ('candidates', 'int', 0, 0, 'from 0 to 2147483647', 'Candidates per generation. 0: 4 + 3 ln n, and 2 n + 16 for gradients.'),
        ('seed', 'seed', 0, 0, '', 'Everything random follows from it.'),
        ('rate', 'real', 0, 0.03, 'above 0 to 1.7976931348623157e+308', 'Learning rate of Adam, for SN_SEARCH_GRADIENT.'),
        ('divergence', 'real', 0, 0.5, 'above 0 to 1.7976931348623157e+308', 'Kullback-Leibler divergence of one step, for SN_SEARCH_NATURAL. .5 is a step of one width.'),
    ],
    'sn_world_def': [
        ('setting', 'sn_setting', 0, 'game', '', 'How much work a step may do.'),
        ('copies', 'int', 0, 1, 'from 1 to 2147483647', 'Number of copies of the scene.'),
        ('threads', 'int', 0, 1, '', "Threads that step the world, the caller's own among them. 0 uses one per core."),
        ('substeps', 'int', 0, 1, 'from 1 to 2147483647', 'Steps of `dt` that one sn_world_step makes.'),
        ('dt', 'real', 0, 0.004166666666666667, 's from 1e-09 to 1000', 'Duration of one substep.'),
        ('gravity', 'real', 3, [0, 0, -9.81], 'm/s^2', 'Gravity of all members; SN_FIELD_GRAVITY can give each copy its own.'),
        ('form', 'sn_form', 0, 'stable', '', 'How drives enter the equations of motion.'),
        ('contact', 'sn_contact_method', 0, 'implicit', '', 'How contacts are solved.'),
        ('joint_limits', 'flag', 0, True, '', 'Whether joints stay within their limits.'),
        ('torque_limits', 'flag', 0, False, '', 'Whether drives stay within SN_FIELD_TORQUE_LIMIT. Always so for models that have limits.'),
        ('self_contact', 'flag', 0, False, '', 'Whether bodies of one member touch each other. Parent and child never do.'),
        ('report_torque', 'flag', 0, False, '', 'Whether each step fills SN_FIELD_TORQUE and SN_FIELD_MIDDLE_QD.'),
        ('report_contacts', 'flag', 0, True, '', 'Whether each step fills sn_world_contacts.'),
        ('sleep', 'real', 0, 0, 'm/s and rad/s from 0 to 1.7976931348623157e+308', 'Free bodies that stay slower than this for half a second fall asleep, alone or in a heap, until something touches or changes them. 0: none does. docs/worlds.md has the details.'),
        ('max_contacts', 'int', 0, 0, 'from 0 to 1048576', 'Largest number of contacts kept in each copy: the deepest. Others are dropped and counted. 0 keeps all, and memory grows as steps find more.'),
        ('precision', 'sn_precision', 0, 'double', '', 'Precision of states and responses.'),
        ('lanes', 'text', 0, None, '', 'Lane type by name, see sn_lanes_get. NULL: what suits the scene.'),
        ('stepper', 'sn_stepper', 0, 'time', '', 'How a world gets from one step to the next.'),
        ('scheme', 'sn_scheme', 0, 'pbad2', '', 'What the position stepper takes for an acceleration.'),
        ('friction', 'sn_friction', 0, 'cone', '', 'Law of friction.'),
        ('products', 'sn_products', 0, 'midpoint', '', 'At which velocity the Coriolis, centrifugal and gyroscopic terms of a step are taken.'),
        ('gains_by_axis', 'flag', 0, False, '', 'Whether the three axes of a ball joint may have different gains, copy by copy.'),
        ('iterations', 'int', 0, 0, 'from 0 to 2147483647', 'Largest number of Gauss-Seidel iterations in a solve, recovery included. A step in which joints reach their limits may take up to 8 solves. 0 uses the number of the setting.'),
        ('tolerance', 'real', 0, 0, 'm/s from 0 to 1.7976931348623157e+308', 'Gauss-Seidel ends when no row is off by more than this. 0 uses the value of the setting.'),
        ('slop', 'real', 0, 0.0001, 'm from 0 to 1.7976931348623157e+308', 'Penetration that rows do not correct.'),
        ('recovery', 'real', 0, 0.02, 's from 0 to 1.7976931348623157e+308', 'Time constant in which deeper penetration is pushed out; never less than 2 dt.'),
        ('recovery_speed', 'real', 0, 1, 'm/s from 0 to 1.7976931348623157e+308', 'Largest speed at which penetration is pushed out.'),
        ('limit_speed', 'real', 0, 10, 'rad/s or m/s from 0 to 1.7976931348623157e+308', 'Largest speed at which joints beyond their limits come back.'),
        ('pin_speed', 'real', 0, 2, 'm/s from 0 to 1.7976931348623157e+308', 'Largest speed at which the ends of a pin that have come apart meet again.'),
        ('margin', 'real', 0, 0.01, 'm from 0 to 1.7976931348623157e+308', 'Distance ahead, beyond what a step may cover, at which contacts are looked for.'),
        ('bounce', 'real', 0, 0.1, 'm/s from 0 to 1.7976931348623157e+308', 'Speed of approach above which restitution acts.'),
        ('compliance', 'real', 0, 0, 'm/N from 0 to 1.7976931348623157e+308', 'Compliance of a contact. 0: rigid rows, and implicit contacts as stiff as mass and dt allow.'),
        ('sweeps', 'int', 0, 0, 'from 0 to 2147483647', "Largest number of sweeps per step for implicit contact. 0 uses the number of the setting. The position stepper makes exactly this many; its 0 means 2 sweeps for members with kp, or 4 over ground, and Newton's method for others, see docs/position.md."),
        ('sweep_tolerance', 'real', 0, 0, 'from 0 to 1.7976931348623157e+308', 'Implicit contact ends when no force is off its law by more than this, relative. 0 uses the value of the setting.'),
        ('shortest', 'real', 0, 0.0009765625, 'from 1e-06 to 1', 'Shortest substep of the event stepper, as a part of dt.'),
        ('study', 'pointer', 0, None, '', "Methods of papers in place of the world's own, from studies.h. NULL: none."),
        ('jobs', 'pointer', 0, None, '', 'Your job system, see engine.h: the world uses it and starts no threads; `threads` is then ignored. It is copied. NULL: the world has threads of its own.'),
        ('log', 'pointer', 0, None, '', 'Receives warnings as text, see engine.h. It is copied. NULL: there are none.'),
        ('measure_time', 'flag', 0, False, '', 'Whether each step measures how long its parts take, for `microseconds` of sn_world_stats.'),
        ('device', 'text', 0, None, '', 'Device that steps the copies, by name: "opencl:0", or the first "opencl:gpu" or "opencl:cpu". `sinew devices` lists them, and docs/device.md says what a device can do. NULL: the processor.'),
    ],
    'sn_study_def': [
        ('row_solver', 'sn_row_solver', 0, None, '', ''),
        ('response', 'sn_row_response', 0, None, '', ''),
        ('drives', 'sn_drives', 0, None, '', ''),
        ('polarised', 'flag', 0, None, '', "Velocity products are linearly implicit (Kahan's polarisation) and keep energy, in linear time; instead of what `products` of the world says."),
    ],
    'sn_position_def': [
        ('precision', 'sn_precision', 0, 'double', '', 'Precision of all calculations.'),
        ('lanes', 'text', 0, None, '', 'Lane type by name. NULL: as the library chooses.'),
        ('gravity', 'real', 3, [0, 0, -9.81], 'm/s^2', 'Gravity.'),
        ('dt', 'real', 0, 0.016666666666666666, 's', 'Duration of a step.'),
        ('method', 'sn_position_method', 0, 'pbad2', '', 'The scheme.'),
        ('solver', 'sn_position_solver', 0, 'newton', '', 'The optimiser.'),
        ('hessian', 'sn_position_hessian', 0, 'mirrored', '', 'Second derivatives that sweeps keep. For several poses SN_POSITION_HESSIAN_EXACT is best.'),
        ('sweeps', 'int', 0, 2, '', 'Number of sweeps of SN_POSITION_SOLVER_SWEEPS.'),
        ('tolerance', 'real', 0, 1e-08, '', 'Largest gradient left, as a part of the weight times the length.'),
        ('most', 'int', 0, 100, '', 'Most iterations of a step.'),
        ('squares', 'flag', 0, False, '', 'Whether SN_POSITION_SOLVER_LM_DENSE and _LBFGS solve schemes of one pose by eq. 7, too.'),
        ('substeps', 'int', 0, 4, '', 'Number of substeps of PBAD-2 between stages, if a step of several poses cannot be solved. 0: none.'),
    ],
    'sn_position_ground_def': [
        ('friction', 'sn_position_friction', 0, 'coulomb', '', 'Law of friction.'),
        ('d1', 'real', 0, 100000, 'N/m', 'Stiffness D1.'),
        ('d2', 'real', 0, 100000, 'N s^2/m^3', 'Factor D2 of eq. 9.'),
        ('mu', 'real', 0, 0.8, '', 'Coefficient of friction.'),
        ('slow', 'real', 0, 0.01, 'm/s', 'Speed below which friction falls off towards zero.'),
        ('drag_along', 'real', 0, 0, '1/s from 0 to 1.7976931348623157e+308', "Drag of the fluid along the long axis a of each body, the principal axis about which it has the least inertia, as it stood at the start of the step. Every gram meets -(along a a^T + across (1 - a a^T)) v per kilogram. Along = across: the paper's (section 6.2, with D = along dt / 2), in proportion to mass."),
        ('drag_across', 'real', 0, 0, '1/s from 0 to 1.7976931348623157e+308', 'Drag across that axis.'),
    ],
    'sn_trajectories_def': [
        ('precision', 'sn_precision', 0, 'double', '', 'Precision of all calculations.'),
        ('lanes', 'text', 0, None, '', 'Lane type by name. NULL: the widest.'),
        ('threads', 'int', 0, 1, '', 'Number of threads. 0: one per core.'),
        ('gravity', 'real', 3, [0, 0, -9.81], 'm/s^2', 'Gravity.'),
        ('dt', 'real', 0, 0.016666666666666666, 's', 'Duration of a step.'),
        ('method', 'sn_position_method', 0, 'pbad2', '', 'SN_POSITION_METHOD_PBAD2 or _BDF2.'),
        ('hessian', 'sn_position_hessian', 0, 'mirrored', '', 'Any but SN_POSITION_HESSIAN_EXACT.'),
        ('tolerance', 'real', 0, 1e-08, '', 'Largest gradient left, as in sn_position_def.'),
        ('most', 'int', 0, 200, '', 'Most sweeps of a step. It then continues unsolved.'),
        ('wait', 'flag', 0, False, '', 'Whether a block of lanes waits at every step for the slowest of them. Otherwise each lane continues.'),
    ],
    'sn_imitation_def': [
        ('model', 'pointer', 0, None, '', 'The character. Its first body has a free joint; it must outlive the environment.'),
        ('motion', 'pointer', 0, None, '', 'The motion to imitate, of this model, which is copied. NULL: locomotion at `speed`.'),
        ('motions', 'pointer', 0, None, '', 'A list of motions instead of one: copy i imitates number i modulo `nmotions`, and the policy observes which it is.'),
        ('nmotions', 'int', 0, 0, 'from 0 to 4096', 'Length of that list.'),
        ('speed', 'real', 0, 1, 'm/s from -100 to 100', 'Speed along the first heading, without a motion.'),
        ('rate', 'int', 0, 30, 'from 1 to 100000', 'Control steps per second.'),
        ('substeps', 'int', 0, 8, 'from 1 to 100000', 'World steps in each control step.'),
        ('features', 'sn_features', 0, '2018', '', 'How rotations are observed.'),
        ('targets', 'sn_targets', 0, 'residual', '', 'What actions mean.'),
        ('action_scale', 'real', 0, 0, 'rad from 0 to 1.7976931348623157e+308', "How far an action of 1 turns a joint; DeepMimic's is 1. 0: .4, or 1 if targets are absolute."),
        ('hide_root', 'flag', 0, False, '', "Whether the distance and heading to the reference's root are not observed."),
        ('torque_limits', 'flag', 0, True, '', "Whether the model's torque limits apply."),
        ('self_contact', 'flag', 0, False, '', 'Whether bodies of a character collide with each other.'),
        ('limit', 'real', 0, 20, 's above 0 to 1000000000', 'Length of an episode.'),
        ('friction', 'real', 0, 0.9, 'from 0 to 1.7976931348623157e+308', 'Friction of the ground.'),
        ('drag_along', 'real', 0, 0, '1/s from 0 to 1.7976931348623157e+308', 'Drag of a fluid along the bodies (sn_drag_push of dynamics.h): the character swims, without ground and gravity. For locomotion only, at most `drag_across`.'),
        ('drag_across', 'real', 0, 0, '1/s from 0 to 1.7976931348623157e+308', 'Drag across the bodies. 0: it walks. At most half the world steps per second.'),
        ('push', 'real', 0, 0, 'N from 0 to 1000000000', 'Largest force on the root, for .2 s about every 2 s, from random sides.'),
        ('ball', 'real', 0, 0, 'kg from 0 to 10000', 'Mass of a ball that is thrown at it about every 2 s, from any side. 0: none is.'),
        ('ball_speed', 'real', 0, 0, 'm/s from 0 to 100', 'Horizontal speed of the ball. 0: 5.'),
        ('mass_range', 'real', 0, 0, 'from 0 to 0.95', 'Each episode multiplies all masses and inertias by a factor from 1 - this to 1 + this.'),
        ('friction_range', 'real', 0, 0, 'from 0 to 1', 'Each episode multiplies the friction of the ground by such a factor.'),
        ('gain_range', 'real', 0, 0, 'from 0 to 0.95', 'Each episode multiplies kp and kd together by such a factor.'),
        ('command', 'real', 0, 0, 's from 0 to 1000000', 'Mean time between commands: a heading and, without a motion, a speed, which the policy observes and is rewarded for following. 0: there are none.'),
        ('command_turn', 'real', 0, 0, 'rad from 0 to 3.15', 'Largest change of the heading in one command. 0: 1.'),
        ('command_speed', 'real', 2, [0, 0], 'm/s from -100 to 100', 'Slowest and fastest commanded speed, without a motion. Both 0: always `speed`.'),
        ('terrain', 'sn_terrain', 0, 'flat', '', 'Shape of the ground. On any but flat ground the heights around the root are observed.'),
        ('terrain_height', 'real', 0, 0, 'm from 0 to 5', 'Height from its lowest to its highest places. 0: .1.'),
        ('terrain_seed', 'seed', 0, 0, '', 'Another ground of the same shape.'),
        ('study', 'pointer', 0, None, '', 'Where torques come from instead of the step, from studies.h.'),
        ('kp', 'pointer', 0, None, '', "Gains [nv], with 0 for the root. NULL: the model's, or chosen if it has none."),
        ('kd', 'pointer', 0, None, '', 'Derivative gains, which come with kp.'),
        ('weight', 'pointer', 0, None, '', 'Weights [nbody] of joints in the reward. NULL: by name, as in DeepMimic.'),
        ('foot', 'pointer', 0, None, '', '[nbody] 1: may touch the ground. NULL: ankle, foot, toe, paw or hoof in the name.'),
        ('effector', 'pointer', 0, None, '', '[nbody] 1: end effector. NULL: bodies without children except head and neck.'),
        ('stick', 'flag', 0, False, '', 'Whether a stick steers the character, which then has no motion: a gait that feels the character is its reference. For the built-in humanoid, on flat ground. docs/puppets.md explains it.'),
        ('get_up', 'flag', 0, False, '', 'Whether episodes with a stick begin lying, as a ragdoll has fallen, and the character learns to get up and to stand.'),
        ('stick_time', 'real', 0, 2.5, 's from 0 to 1000000', 'Mean time between random positions of the stick. 0: it stays at `stick_hold`.'),
        ('stick_hold', 'real', 3, [0, 0, 0], 'm/s m/s rad/s from -5 to 5', 'Speed ahead and to the left, and turn to the left.'),
        ('draw_motions', 'flag', 0, False, '', 'Whether each episode draws its motion from the list, instead of copy i with number i modulo `nmotions`. Motions that fail are drawn more often, and none is forgotten.'),
        ('look_ahead', 'flag', 0, False, '', 'Whether the policy observes the poses after 1, 4 and 12 control steps, instead of the number of its motion.'),
        ('strength_range', 'real', 0, 0, 'from 0 to 0.95', 'Each episode multiplies the torque limits of all motors by a factor from 1 - this to 1 + this.'),
        ('action_delay', 'real', 0, 0, 's from 0 to 1', 'Longest delay of actions: each episode draws one up to this, in whole world steps, at most one control step.'),
        ('observation_noise', 'real', 0, 0, 'from 0 to 10', 'Standard deviation of the noise on observed places (m) and rotations of bodies; on their velocities it is ten times as large.'),
    ],
}
