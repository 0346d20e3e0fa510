// Written by scripts/foreign.py from the public headers. Do not edit.
#![allow(non_camel_case_types, dead_code)]
use std::os::raw::{c_char, c_int, c_uint, c_void};

pub type sn_member = i32;
pub type sn_constraint = u64;
pub const SN_MAX_HULL_POINTS: c_int = 4194304;
pub const SN_MAX_HULL_VERTICES: c_int = 4096;
pub const SN_MAX_POLICY_LAYERS: c_int = 8;
pub const SN_MAX_BODIES: c_int = 4096;
pub const SN_MAX_NAME: c_int = 63;
pub const SN_MAX_SHAPES: c_int = 65536;
pub const SN_MAX_PART_COPIES: c_int = 16;
pub const SN_CONSTRAINT_TYPE_COUNT: c_int = 25;
pub const SN_SURFACE_TYPE_COUNT: c_int = 4;
pub const SN_TRIGGER_PHASE_COUNT: c_int = 4;
pub const SN_DRAW_COUNT: c_int = 12;
pub const SN_SOLVER_COUNT: c_int = 5;
pub const SN_INTEGRATOR_COUNT: c_int = 6;
pub const SN_ROUTE_COUNT: c_int = 3;
pub const SN_PRECISION_COUNT: c_int = 2;
pub const SN_FORM_COUNT: c_int = 4;
pub const SN_CONTACT_METHOD_COUNT: c_int = 3;
pub const SN_STEPPER_COUNT: c_int = 3;
pub const SN_SCHEME_COUNT: c_int = 2;
pub const SN_FRICTION_COUNT: c_int = 4;
pub const SN_PRODUCTS_COUNT: c_int = 2;
pub const SN_STANCE_COUNT: c_int = 3;
pub const SN_GAIN_FLAG_COUNT: c_int = 4;
pub const SN_FADE_COUNT: c_int = 3;
pub const SN_AUTORESET_COUNT: c_int = 3;
pub const SN_JOINT_TYPE_COUNT: c_int = 9;
pub const SN_SHAPE_TYPE_COUNT: c_int = 7;
pub const SN_PUPPET_MODE_COUNT: c_int = 4;
pub const SN_CONTACT_PHASE_COUNT: c_int = 4;
pub const SN_LIMB_MODE_COUNT: c_int = 3;
pub const SN_SEARCH_METHOD_COUNT: c_int = 3;
pub const SN_ROW_SOLVER_COUNT: c_int = 3;
pub const SN_ROW_RESPONSE_COUNT: c_int = 3;
pub const SN_DRIVES_COUNT: c_int = 4;
pub const SN_POSITION_METHOD_COUNT: c_int = 6;
pub const SN_POSITION_SOLVER_COUNT: c_int = 5;
pub const SN_POSITION_HESSIAN_COUNT: c_int = 4;
pub const SN_POSITION_FRICTION_COUNT: c_int = 2;
pub const SN_FULL_METHOD_COUNT: c_int = 4;
pub const SN_FULL_REPAIR_COUNT: c_int = 3;
pub const SN_FULL_PRODUCTS_COUNT: c_int = 5;
pub const SN_FEATURES_COUNT: c_int = 2;
pub const SN_TARGETS_COUNT: c_int = 2;
pub const SN_TERRAIN_COUNT: c_int = 5;
pub const SN_SETTING_COUNT: c_int = 3;
pub const SN_STEP_PART_COUNT: c_int = 6;

pub type sn_status = c_int;
pub const SN_OK: sn_status = 0;
pub const SN_ERROR_ARGUMENT: sn_status = 1;
pub const SN_ERROR_MEMORY: sn_status = 2;
pub const SN_ERROR_MODEL: sn_status = 3;
pub const SN_ERROR_TOO_LARGE: sn_status = 4;
pub const SN_ERROR_UNSUPPORTED: sn_status = 5;
pub const SN_ERROR_NOT_FINITE: sn_status = 6;
pub const SN_ERROR_FILE: sn_status = 7;
pub const SN_ERROR_FORMAT: sn_status = 8;

pub type sn_field = c_int;
pub const SN_FIELD_Q: sn_field = 0;
pub const SN_FIELD_QD: sn_field = 1;
pub const SN_FIELD_TARGET_Q: sn_field = 2;
pub const SN_FIELD_TARGET_QD: sn_field = 3;
pub const SN_FIELD_FEEDFORWARD: sn_field = 4;
pub const SN_FIELD_KP: sn_field = 5;
pub const SN_FIELD_KD: sn_field = 6;
pub const SN_FIELD_TORQUE_LIMIT: sn_field = 7;
pub const SN_FIELD_ARMATURE: sn_field = 8;
pub const SN_FIELD_PUSH: sn_field = 9;
pub const SN_FIELD_MASS_SCALE: sn_field = 10;
pub const SN_FIELD_FRICTION: sn_field = 11;
pub const SN_FIELD_GRAVITY: sn_field = 12;
pub const SN_FIELD_DT: sn_field = 13;
pub const SN_FIELD_PHASE: sn_field = 14;
pub const SN_FIELD_QDD: sn_field = 15;
pub const SN_FIELD_TORQUE: sn_field = 16;
pub const SN_FIELD_BODY_POSE: sn_field = 17;
pub const SN_FIELD_BODY_VELOCITY: sn_field = 18;
pub const SN_FIELD_CONTACT_FORCE: sn_field = 19;
pub const SN_FIELD_TOUCHING: sn_field = 20;
pub const SN_FIELD_DIVERGED: sn_field = 21;
pub const SN_FIELD_ASLEEP: sn_field = 22;
pub const SN_FIELD_GAIN_SCALE: sn_field = 23;
pub const SN_FIELD_IMPACTS: sn_field = 24;
pub const SN_FIELD_MIDDLE_QD: sn_field = 25;

pub type sn_constraint_type = c_int;
pub const SN_CONSTRAINT_PIN: sn_constraint_type = 0;
pub const SN_CONSTRAINT_POINT_PATH: sn_constraint_type = 1;
pub const SN_CONSTRAINT_JOINT_PATH: sn_constraint_type = 2;
pub const SN_CONSTRAINT_SPRING: sn_constraint_type = 3;
pub const SN_CONSTRAINT_DIRECTION_PATH: sn_constraint_type = 4;
pub const SN_CONSTRAINT_ORIENTATION_PATH: sn_constraint_type = 5;
pub const SN_CONSTRAINT_WELD: sn_constraint_type = 6;
pub const SN_CONSTRAINT_POINT_ACCELERATION: sn_constraint_type = 7;
pub const SN_CONSTRAINT_DIRECTION_ACCELERATION: sn_constraint_type = 8;
pub const SN_CONSTRAINT_JOINT_ACCELERATION: sn_constraint_type = 9;
pub const SN_CONSTRAINT_POINT_IMPULSE: sn_constraint_type = 10;
pub const SN_CONSTRAINT_DIRECTION_IMPULSE: sn_constraint_type = 11;
pub const SN_CONSTRAINT_JOINT_IMPULSE: sn_constraint_type = 12;
pub const SN_CONSTRAINT_COUPLING: sn_constraint_type = 13;
pub const SN_CONSTRAINT_COUPLING_LIMIT: sn_constraint_type = 14;
pub const SN_CONSTRAINT_JOINT_FRICTION: sn_constraint_type = 15;
pub const SN_CONSTRAINT_HINGE: sn_constraint_type = 16;
pub const SN_CONSTRAINT_SLIDER: sn_constraint_type = 17;
pub const SN_CONSTRAINT_ORIENTATION: sn_constraint_type = 18;
pub const SN_CONSTRAINT_DISTANCE: sn_constraint_type = 19;
pub const SN_CONSTRAINT_ROPE: sn_constraint_type = 20;
pub const SN_CONSTRAINT_CURVE: sn_constraint_type = 21;
pub const SN_CONSTRAINT_SURFACE: sn_constraint_type = 22;
pub const SN_CONSTRAINT_MOTOR: sn_constraint_type = 23;
pub const SN_CONSTRAINT_LINEAR_MOTOR: sn_constraint_type = 24;

pub type sn_surface_type = c_int;
pub const SN_SURFACE_PLANE: sn_surface_type = 0;
pub const SN_SURFACE_SPHERE: sn_surface_type = 1;
pub const SN_SURFACE_CYLINDER: sn_surface_type = 2;
pub const SN_SURFACE_HEIGHTS: sn_surface_type = 3;

pub type sn_trigger_phase = c_int;
pub const SN_TRIGGER_PHASE_BEGAN: sn_trigger_phase = 0;
pub const SN_TRIGGER_PHASE_STAYED: sn_trigger_phase = 1;
pub const SN_TRIGGER_PHASE_ENDED: sn_trigger_phase = 2;
pub const SN_TRIGGER_PHASE_PASSED: sn_trigger_phase = 3;

pub type sn_draw = c_int;
pub const SN_DRAW_SHAPES: sn_draw = 1;
pub const SN_DRAW_GROUND: sn_draw = 2;
pub const SN_DRAW_TRIGGERS: sn_draw = 4;
pub const SN_DRAW_AXES: sn_draw = 8;
pub const SN_DRAW_JOINTS: sn_draw = 16;
pub const SN_DRAW_LIMITS: sn_draw = 32;
pub const SN_DRAW_CONSTRAINTS: sn_draw = 64;
pub const SN_DRAW_CONTACTS: sn_draw = 128;
pub const SN_DRAW_FORCES: sn_draw = 256;
pub const SN_DRAW_MASSES: sn_draw = 512;
pub const SN_DRAW_NAMES: sn_draw = 1024;
pub const SN_DRAW_ALL: sn_draw = 2047;

pub type sn_solver = c_int;
pub const SN_SOLVER_MABA: sn_solver = 0;
pub const SN_SOLVER_DENSE: sn_solver = 1;
pub const SN_SOLVER_LAPACK: sn_solver = 2;
pub const SN_SOLVER_SPARSE: sn_solver = 3;
pub const SN_SOLVER_PCG: sn_solver = 4;

pub type sn_integrator = c_int;
pub const SN_INTEGRATOR_SEMI_IMPLICIT_EULER: sn_integrator = 0;
pub const SN_INTEGRATOR_EXPLICIT_EULER: sn_integrator = 1;
pub const SN_INTEGRATOR_MIDPOINT: sn_integrator = 2;
pub const SN_INTEGRATOR_RK2: sn_integrator = 3;
pub const SN_INTEGRATOR_RK3: sn_integrator = 4;
pub const SN_INTEGRATOR_RK4: sn_integrator = 5;

pub type sn_route = c_int;
pub const SN_ROUTE_DIRECT: sn_route = 0;
pub const SN_ROUTE_TORQUE_RNEA: sn_route = 1;
pub const SN_ROUTE_TORQUE_EQ6: sn_route = 2;

pub type sn_precision = c_int;
pub const SN_PRECISION_DOUBLE: sn_precision = 0;
pub const SN_PRECISION_FLOAT: sn_precision = 1;

pub type sn_form = c_int;
pub const SN_FORM_STABLE: sn_form = 0;
pub const SN_FORM_EXPLICIT: sn_form = 1;
pub const SN_FORM_IMPLICIT_D: sn_form = 2;
pub const SN_FORM_FULL: sn_form = 3;

pub type sn_contact_method = c_int;
pub const SN_CONTACT_IMPLICIT: sn_contact_method = 0;
pub const SN_CONTACT_ROWS: sn_contact_method = 1;
pub const SN_CONTACT_NONE: sn_contact_method = 2;

pub type sn_stepper = c_int;
pub const SN_STEPPER_TIME: sn_stepper = 0;
pub const SN_STEPPER_EVENT: sn_stepper = 1;
pub const SN_STEPPER_POSITION: sn_stepper = 2;

pub type sn_scheme = c_int;
pub const SN_SCHEME_PBAD2: sn_scheme = 0;
pub const SN_SCHEME_BDF2: sn_scheme = 1;

pub type sn_friction = c_int;
pub const SN_FRICTION_CONE: sn_friction = 0;
pub const SN_FRICTION_PYRAMID: sn_friction = 1;
pub const SN_FRICTION_ONE_WAY: sn_friction = 2;
pub const SN_FRICTION_NONE: sn_friction = 3;

pub type sn_products = c_int;
pub const SN_PRODUCTS_MIDPOINT: sn_products = 0;
pub const SN_PRODUCTS_EXPLICIT: sn_products = 1;

pub type sn_stance = c_int;
pub const SN_STANCE_LOWEST: sn_stance = 0;
pub const SN_STANCE_BODIES: sn_stance = 1;
pub const SN_STANCE_NONE: sn_stance = 2;

pub type sn_gain_flag = c_int;
pub const SN_GAIN_OK: sn_gain_flag = 0;
pub const SN_GAIN_UNDERDAMPED: sn_gain_flag = 1;
pub const SN_GAIN_FLOAT_STIFF: sn_gain_flag = 2;
pub const SN_GAIN_OVERSHOOTS: sn_gain_flag = 4;

pub type sn_fade = c_int;
pub const SN_FADE_POLYNOMIAL: sn_fade = 0;
pub const SN_FADE_LINEAR: sn_fade = 1;
pub const SN_FADE_CURVE: sn_fade = 2;

pub type sn_autoreset = c_int;
pub const SN_AUTORESET_SAME_STEP: sn_autoreset = 0;
pub const SN_AUTORESET_NEXT_STEP: sn_autoreset = 1;
pub const SN_AUTORESET_OFF: sn_autoreset = 2;

pub type sn_joint_type = c_int;
pub const SN_JOINT_WELD: sn_joint_type = 0;
pub const SN_JOINT_HINGE: sn_joint_type = 1;
pub const SN_JOINT_SLIDE: sn_joint_type = 2;
pub const SN_JOINT_UNIVERSAL: sn_joint_type = 3;
pub const SN_JOINT_BALL: sn_joint_type = 4;
pub const SN_JOINT_FREE: sn_joint_type = 5;
pub const SN_JOINT_PLANAR: sn_joint_type = 6;
pub const SN_JOINT_CYLINDRICAL: sn_joint_type = 7;
pub const SN_JOINT_SCREW: sn_joint_type = 8;

pub type sn_shape_type = c_int;
pub const SN_SHAPE_SPHERE: sn_shape_type = 0;
pub const SN_SHAPE_CAPSULE: sn_shape_type = 1;
pub const SN_SHAPE_BOX: sn_shape_type = 2;
pub const SN_SHAPE_CYLINDER: sn_shape_type = 3;
pub const SN_SHAPE_ELLIPSOID: sn_shape_type = 4;
pub const SN_SHAPE_HULL: sn_shape_type = 5;
pub const SN_SHAPE_CONE: sn_shape_type = 6;

pub type sn_puppet_mode = c_int;
pub const SN_PUPPET_GOES: sn_puppet_mode = 0;
pub const SN_PUPPET_LIES: sn_puppet_mode = 1;
pub const SN_PUPPET_GETS_UP: sn_puppet_mode = 2;
pub const SN_PUPPET_LIMP: sn_puppet_mode = 3;

pub type sn_contact_phase = c_int;
pub const SN_CONTACT_PHASE_NEAR: sn_contact_phase = 0;
pub const SN_CONTACT_PHASE_BEGAN: sn_contact_phase = 1;
pub const SN_CONTACT_PHASE_STAYED: sn_contact_phase = 2;
pub const SN_CONTACT_PHASE_ENDED: sn_contact_phase = 3;

pub type sn_limb_mode = c_int;
pub const SN_LIMB_DRIVEN: sn_limb_mode = 0;
pub const SN_LIMB_LIMP: sn_limb_mode = 1;
pub const SN_LIMB_ANIMATED: sn_limb_mode = 2;

pub type sn_search_method = c_int;
pub const SN_SEARCH_CMA: sn_search_method = 0;
pub const SN_SEARCH_GRADIENT: sn_search_method = 1;
pub const SN_SEARCH_NATURAL: sn_search_method = 2;

pub type sn_row_solver = c_int;
pub const SN_ROW_SOLVER_PGS: sn_row_solver = 0;
pub const SN_ROW_SOLVER_LEMKE: sn_row_solver = 1;
pub const SN_ROW_SOLVER_DANTZIG: sn_row_solver = 2;

pub type sn_row_response = c_int;
pub const SN_ROW_RESPONSE_DELTAS: sn_row_response = 0;
pub const SN_ROW_RESPONSE_TEST_FORCES: sn_row_response = 1;
pub const SN_ROW_RESPONSE_CACHED: sn_row_response = 2;

pub type sn_drives = c_int;
pub const SN_DRIVES_INSIDE: sn_drives = 0;
pub const SN_DRIVES_MABA: sn_drives = 1;
pub const SN_DRIVES_DENSE: sn_drives = 2;
pub const SN_DRIVES_LAPACK: sn_drives = 3;

pub type sn_position_method = c_int;
pub const SN_POSITION_METHOD_PBAD2: sn_position_method = 0;
pub const SN_POSITION_METHOD_BDF2: sn_position_method = 1;
pub const SN_POSITION_METHOD_PBAD3: sn_position_method = 2;
pub const SN_POSITION_METHOD_PBAD4: sn_position_method = 3;
pub const SN_POSITION_METHOD_RADAU2: sn_position_method = 4;
pub const SN_POSITION_METHOD_RADAU3: sn_position_method = 5;

pub type sn_position_solver = c_int;
pub const SN_POSITION_SOLVER_SWEEPS: sn_position_solver = 0;
pub const SN_POSITION_SOLVER_NEWTON: sn_position_solver = 1;
pub const SN_POSITION_SOLVER_LM_SWEEP: sn_position_solver = 2;
pub const SN_POSITION_SOLVER_LM_DENSE: sn_position_solver = 3;
pub const SN_POSITION_SOLVER_LBFGS: sn_position_solver = 4;

pub type sn_position_hessian = c_int;
pub const SN_POSITION_HESSIAN_GAUSS_NEWTON: sn_position_hessian = 0;
pub const SN_POSITION_HESSIAN_CLAMPED: sn_position_hessian = 1;
pub const SN_POSITION_HESSIAN_MIRRORED: sn_position_hessian = 2;
pub const SN_POSITION_HESSIAN_EXACT: sn_position_hessian = 3;

pub type sn_position_friction = c_int;
pub const SN_POSITION_FRICTION_EQUATION_9: sn_position_friction = 0;
pub const SN_POSITION_FRICTION_COULOMB: sn_position_friction = 1;

pub type sn_full_method = c_int;
pub const SN_FULL_METHOD_COUPLED: sn_full_method = 0;
pub const SN_FULL_METHOD_SOFT_ROWS: sn_full_method = 1;
pub const SN_FULL_METHOD_NULL_SPACE: sn_full_method = 2;
pub const SN_FULL_METHOD_KKT: sn_full_method = 3;

pub type sn_full_repair = c_int;
pub const SN_FULL_REPAIR_NONE: sn_full_repair = 0;
pub const SN_FULL_REPAIR_PROJECTION: sn_full_repair = 1;
pub const SN_FULL_REPAIR_SNAP: sn_full_repair = 2;

pub type sn_full_products = c_int;
pub const SN_FULL_PRODUCTS_ROWS: sn_full_products = 0;
pub const SN_FULL_PRODUCTS_START: sn_full_products = 1;
pub const SN_FULL_PRODUCTS_MIDDLE: sn_full_products = 2;
pub const SN_FULL_PRODUCTS_ENDS: sn_full_products = 3;
pub const SN_FULL_PRODUCTS_CARRIED: sn_full_products = 4;

pub type sn_features = c_int;
pub const SN_FEATURES_2018: sn_features = 0;
pub const SN_FEATURES_2021: sn_features = 1;

pub type sn_targets = c_int;
pub const SN_TARGETS_RESIDUAL: sn_targets = 0;
pub const SN_TARGETS_ABSOLUTE: sn_targets = 1;

pub type sn_terrain = c_int;
pub const SN_TERRAIN_FLAT: sn_terrain = 0;
pub const SN_TERRAIN_BUMPS: sn_terrain = 1;
pub const SN_TERRAIN_SLOPES: sn_terrain = 2;
pub const SN_TERRAIN_STEPS: sn_terrain = 3;
pub const SN_TERRAIN_MIXED: sn_terrain = 4;

pub type sn_setting = c_int;
pub const SN_SETTING_GAME: sn_setting = 0;
pub const SN_SETTING_EXACT: sn_setting = 1;
pub const SN_SETTING_CROWD: sn_setting = 2;

pub type sn_step_part = c_int;
pub const SN_STEP_PART_ALL: sn_step_part = 0;
pub const SN_STEP_PART_FIND: sn_step_part = 1;
pub const SN_STEP_PART_SOLVE: sn_step_part = 2;
pub const SN_STEP_PART_ROWS: sn_step_part = 3;
pub const SN_STEP_PART_MOVE: sn_step_part = 4;
pub const SN_STEP_PART_OTHER: sn_step_part = 5;

#[repr(C)]
pub struct sn_builder {
    _private: [u8; 0],
}

#[repr(C)]
pub struct sn_clip {
    _private: [u8; 0],
}

#[repr(C)]
pub struct sn_dynamics {
    _private: [u8; 0],
}

#[repr(C)]
pub struct sn_environment {
    _private: [u8; 0],
}

#[repr(C)]
pub struct sn_hull {
    _private: [u8; 0],
}

#[repr(C)]
pub struct sn_jobs {
    _private: [u8; 0],
}

#[repr(C)]
pub struct sn_keyframes {
    _private: [u8; 0],
}

#[repr(C)]
pub struct sn_log {
    _private: [u8; 0],
}

#[repr(C)]
pub struct sn_model {
    _private: [u8; 0],
}

#[repr(C)]
pub struct sn_motion {
    _private: [u8; 0],
}

#[repr(C)]
pub struct sn_policy {
    _private: [u8; 0],
}

#[repr(C)]
pub struct sn_position {
    _private: [u8; 0],
}

#[repr(C)]
pub struct sn_puppet {
    _private: [u8; 0],
}

#[repr(C)]
pub struct sn_recorder {
    _private: [u8; 0],
}

#[repr(C)]
pub struct sn_search {
    _private: [u8; 0],
}

#[repr(C)]
pub struct sn_study {
    _private: [u8; 0],
}

#[repr(C)]
pub struct sn_trainer {
    _private: [u8; 0],
}

#[repr(C)]
pub struct sn_trajectories {
    _private: [u8; 0],
}

#[repr(C)]
pub struct sn_world {
    _private: [u8; 0],
}

/// Filled by functions that can fail in more ways than a code can tell. You can always pass NULL instead.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_error {
    pub status: sn_status,
    /// A sentence that names the body, joint, file or line at fault.
    pub message: [c_char; 1020],
}

/// A curve in the frame of body2 or of the world, with its origin at point2: points joined by straight
/// lines, or a smooth curve through them. If it is open, its first and last parts continue straight.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_curve_def {
    /// Set by sn_curve_def_default.
    pub struct_size: u32,
    /// Number of points. [default 0; 0 to 1000000]
    pub npoint: c_int,
    /// [npoint][3] points; copied. [m; default NULL]
    pub points: *const f64,
    /// Whether the last point is joined to the first. [default false]
    pub closed: bool,
    /// Whether cubic pieces join the points, with `tangents` or with those of the chords beside each point.
    /// [default false]
    pub smooth: bool,
    /// [npoint][3] derivatives by the number of the point. NULL: from the points. [default NULL]
    pub tangents: *const f64,
    /// A function to use instead of points. It is asked npoint times as the constraint is added, at s =
    /// start ... end, for its place and its derivative by s. Cubic pieces replace it: four times the points
    /// leave 1/256 of the error. [default NULL]
    pub sample: Option<unsafe extern "C" fn(*mut c_void, f64, *mut f64, *mut f64)>,
    /// First argument of `sample`. [default NULL]
    pub user: *mut c_void,
    /// First value of s. [default 0]
    pub start: f64,
    /// Last value of s. [default 0]
    pub end: f64,
}

/// A surface in the frame of body2 or of the world.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_surface_def {
    /// Set by sn_surface_def_default.
    pub struct_size: u32,
    /// What the surface is. [default SN_SURFACE_PLANE]
    pub r#type: sn_surface_type,
    /// Radius of a sphere or cylinder. [m; default 0]
    pub radius: f64,
    /// Number of heights along x. [default 0; 0 to 4096]
    pub nx: c_int,
    /// Number of heights along y. [default 0; 0 to 4096]
    pub ny: c_int,
    /// Extent along x and y, from point2. Beyond it the heights of the edge continue. [m; default 0 0]
    pub size: [f64; 2],
    /// [ny][nx] heights; copied. [m; default NULL]
    pub height: *const f64,
    /// A function to use instead of heights. It is asked nx * ny times as the constraint is added. [default
    /// NULL]
    pub sample: Option<unsafe extern "C" fn(*mut c_void, f64, f64) -> f64>,
    /// First argument of `sample`. [default NULL]
    pub user: *mut c_void,
}

/// Make one with sn_constraint_def_default(type).
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_constraint_def {
    /// Set by sn_constraint_def_default.
    pub struct_size: u32,
    /// What the constraint does. [default SN_CONSTRAINT_PIN]
    pub r#type: sn_constraint_type,
    /// Member at the first end. [default 0]
    pub member: sn_member,
    /// Body of that member. [default 0]
    pub body: c_int,
    /// Point of that body, in its frame. [m; default 0 0 0]
    pub point: [f64; 3],
    /// Member at the other end, for constraints that have one. -1: the world. [default -1]
    pub member2: sn_member,
    /// Body of that member. [default 0]
    pub body2: c_int,
    /// Point of that body in its frame, or of the world. [m; default 0 0 0]
    pub point2: [f64; 3],
    /// Direction fixed in that body or in the world, for SN_CONSTRAINT_DIRECTION_*, hinges, sliders, motors
    /// and surfaces. Any length but 0. [default 0 0 1]
    pub direction: [f64; 3],
    /// What to reach; see sn_constraint_type. Points have three values, joints as many as in q. [default 0 0
    /// 0 0 0 0 0]
    pub target: [f64; 7],
    /// Velocity of the target, as in qd. [default 0 0 0 0 0 0]
    pub target_velocity: [f64; 6],
    /// Paths: the t of Kp = 1/t^2, Kd = sqrt(2)/t. After 2.65 t a tenth of the way is left. [s; default 0.1;
    /// above 0]
    pub settle: f64,
    /// Paths: Kp. 0: from `settle`. [1/s^2; default 0; from 0]
    pub kp: f64,
    /// Paths: Kd. 0: from `settle`. [1/s; default 0; from 0]
    pub kd: f64,
    /// Stiffness of what holds (pin, weld, hinge, ... surface), of SN_CONSTRAINT_SPRING and of
    /// SN_CONSTRAINT_COUPLING. What has no stiffness, damping or frequency is rigid. [N/m or N m/rad;
    /// default 0; from 0]
    pub stiffness: f64,
    /// Damping that goes with the stiffness. [N s/m or N m s/rad; default 0; from 0]
    pub damping: f64,
    /// Frequency of the inertia that each row meets, instead of stiffness. [Hz; default 0; from 0]
    pub frequency: f64,
    /// Damping ratio that goes with the frequency. 1 is critical. [default 1; from 0]
    pub damping_ratio: f64,
    /// How stiffness and damping enter, as those of a drive do. SN_FORM_STABLE is spd-2011 eq. 13, where a
    /// damping of 0 means 1.5 stiffness dt; SN_FORM_EXPLICIT is the penalty method. [default SN_FORM_FULL]
    pub form: sn_form,
    /// Whether it is solved as rows in any case. Pins, distances, curves and surfaces of the world that have
    /// a stiffness and no max_force are otherwise terms inside MABA, at constant cost each. [default false]
    pub rows: bool,
    /// Whether the two members, or the two bodies of one member, that the constraint joins can touch each
    /// other. They always can once it is broken. [default false]
    pub collide: bool,
    /// The curve of SN_CONSTRAINT_CURVE; copied. [default NULL]
    pub curve: *const sn_curve_def,
    /// The surface of SN_CONSTRAINT_SURFACE; copied. [default NULL]
    pub surface: *const sn_surface_def,
    /// Polynomial of SN_CONSTRAINT_COUPLING and SN_CONSTRAINT_COUPLING_LIMIT. The default means equal
    /// angles. [default 0 1 0 0 0]
    pub ratio: [f64; 5],
    /// Largest force of each row; of an impulse, the largest impulse. [N or N m; default infinity; above 0
    /// to infinity]
    pub max_force: f64,
    /// The constraint breaks, in one copy, after a step in which its force was larger than this. Impulses do
    /// not break. [N; default infinity; above 0 to infinity]
    pub break_force: f64,
    /// The constraint breaks after a step in which its torque was larger than this. [N m; default infinity;
    /// above 0 to infinity]
    pub break_torque: f64,
}

/// How a constraint is doing in one copy.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_constraint_state {
    /// Whether it is broken. It then does nothing until sn_world_set_constraint mends it.
    pub broken: bool,
    /// How far it is from what it holds, as the copy is now: distance of the points (m) and angle of the
    /// turn (rad). Both are 0 for paths, springs, accelerations, impulses and motors.
    pub distance: f64,
    /// How far it is from what it holds, as the copy is now: distance of the points (m) and angle of the
    /// turn (rad). Both are 0 for paths, springs, accelerations, impulses and motors.
    pub angle: f64,
    /// Number of rows in the last step. 0: it did not act.
    pub rows: c_int,
    /// Force of each row in the last step, or its impulse.
    pub force: [f64; 6],
}

/// Two shapes that are near each other, before the step solves the contacts between them.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_near_pair {
    /// Number of the copy.
    pub copy: c_int,
    /// Members of the first and the second shape; -1: ground, which is always the second.
    pub member: [sn_member; 2],
    /// Their bodies, or the number of the ground.
    pub body: [c_int; 2],
    /// Their numbers in the model; 0 for ground.
    pub shape: [c_int; 2],
    /// Position of the contact point with the smallest gap, in the world.
    pub pos: [f64; 3],
    /// Normal there, from the second to the first.
    pub normal: [f64; 3],
    /// m; negative: penetration.
    pub gap: f64,
    /// Coulomb's coefficient. A filter can change it and the next two, which hold what the two shapes say. A
    /// value that is negative or not finite has no effect.
    pub friction: f64,
    /// 0 to 1.
    pub restitution: f64,
    /// Velocity of the second surface against the first, world axes, m/s. Only the part along it counts.
    pub surface_velocity: [f64; 3],
}

/// A shape of a member that is inside a trigger.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_trigger_visit {
    /// Member of the trigger; -1: ground.
    pub trigger_member: sn_member,
    /// Its body, or the number of the ground.
    pub trigger_body: c_int,
    /// Its number in the model; 0 for ground.
    pub trigger_shape: c_int,
    /// The member that is inside, its body, and its shape in the model.
    pub member: sn_member,
    pub body: c_int,
    pub shape: c_int,
    pub phase: sn_trigger_phase,
}

/// Your functions. Colors are 0xRRGGBB. Zero it, then set what differs.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_drawer {
    /// First argument of the functions.
    pub user: *mut c_void,
    pub line: Option<unsafe extern "C" fn(*mut c_void, *const f64, *const f64, u32)>,
    /// Draws a shape of a member or of ground at a place in the world; the shape's own pos and rot are
    /// already part of it. False, or NULL instead of the function: lines draw its outline.
    pub shape: Option<unsafe extern "C" fn(*mut c_void, *const sn_shape_def, *const f64, *const f64, u32) -> bool>,
    /// NULL: no text.
    pub text: Option<unsafe extern "C" fn(*mut c_void, *const f64, *const c_char, u32)>,
    /// Length of axes, normals and ranges, m. 0: 0.1.
    pub size: f64,
    /// Length that stands for 1 N, m. 0: 0.001.
    pub force: f64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_dynamics_def {
    /// Set by sn_dynamics_def_default.
    pub struct_size: u32,
    /// States that one call works on, side by side in lanes. [default 1; from 1]
    pub count: c_int,
    /// Precision of all calculations. [default SN_PRECISION_DOUBLE]
    pub precision: sn_precision,
    /// Lane type by name. NULL: the narrowest vector lanes for one state, else the widest. [default NULL]
    pub lanes: *const c_char,
    /// Gravity. [m/s^2; default 0 0 -9.81]
    pub gravity: [f64; 3],
    /// Duration of a step. [s; default 1/240; above 0]
    pub dt: f64,
    /// How drives enter the equations of motion. [default SN_FORM_STABLE]
    pub form: sn_form,
    /// How the equations are solved. [default SN_SOLVER_MABA]
    pub solver: sn_solver,
    /// How states are integrated. [default SN_INTEGRATOR_SEMI_IMPLICIT_EULER]
    pub integrator: sn_integrator,
    /// What is integrated. [default SN_ROUTE_DIRECT]
    pub route: sn_route,
}

/// What drives the states of a call. Pointers that are NULL mean: zero, and for target_q: the zero pose.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_drive {
    /// [nv] Gains, none negative.
    pub kp: *const f64,
    /// [nv] Gains, none negative.
    pub kd: *const f64,
    /// [count][nq] Pose to reach at the end of the step.
    pub target_q: *const f64,
    /// [count][nv] Velocity to have there.
    pub target_qd: *const f64,
    /// [count][nv] Torque added to that of the drives.
    pub feedforward: *const f64,
    /// [count][nbody][6] Force and torque on each body, world axes.
    pub push: *const f64,
    /// [nv] Largest torques. NULL: those of the model.
    pub torque_limit: *const f64,
}

/// Where the library gets its memory. Every function receives `user`. Several threads may call them at the
/// same time. `alignment` is a power of two. Sizes and alignments that come back are those of the request.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_memory {
    pub user: *mut c_void,
    /// Returns `bytes` bytes at a multiple of `alignment`, or NULL. They need not be zero.
    pub allocate: Option<unsafe extern "C" fn(*mut c_void, usize, usize) -> *mut c_void>,
    /// Changes the size of a block and keeps its contents, as realloc does. NULL: the library allocates,
    /// copies and releases.
    pub resize: Option<unsafe extern "C" fn(*mut c_void, *mut c_void, usize, usize, usize) -> *mut c_void>,
    /// Takes a block back. It is never NULL.
    pub release: Option<unsafe extern "C" fn(*mut c_void, *mut c_void, usize, usize)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_ray {
    pub origin: [f64; 3],
    /// A ray meets what is between origin and origin + way.
    pub way: [f64; 3],
    /// Groups that it can meet.
    pub mask: u32,
}

/// A lane type is a precision and a width: how many values one vector holds, as in "f64", "f64x2", "f32x8"
/// or "f32x16". The machine decides which types can run. The environment variable SINEW_LANES names the type
/// to use if a definition does not, provided that the precision agrees. Scenes with rows use types of at
/// most 256 bits. f64x8 steps by MABA on the direct route with Euler's methods only: in dynamics.h it has no
/// mass matrix, forward dynamics and Jacobians (SN_ERROR_UNSUPPORTED).
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_lanes_info {
    /// "f32x16".
    pub name: *const c_char,
    /// "x86-64-v4", "x86-64-v3", "x86-64-v2" or "base".
    pub isa: *const c_char,
    pub precision: sn_precision,
    pub width: c_int,
    /// Whether multiply-adds are fused. All vector types with the same value here give the same bits.
    pub fma: bool,
}

/// How to read a file. Make one with sn_load_def_default; NULL means all defaults.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_load_def {
    /// Set by sn_load_def_default.
    pub struct_size: u32,
    /// Whether a mesh that cannot be read is left out with a warning. Otherwise it is an error. [default
    /// false]
    pub allow_missing_mesh: bool,
    /// Clips for a model: which joint drives which body, see sn_motion_create. [default NULL]
    pub map: *const c_char,
    /// MJCF: name or number of the pose to start with. NULL: the first. [default NULL]
    pub keyframe: *const c_char,
    /// Called for each thing that was ignored. [default NULL]
    pub warn: Option<unsafe extern "C" fn(*mut c_void, *const c_char)>,
    /// First argument of `warn` and `note`. [default NULL]
    pub user: *mut c_void,
    /// Clips: the axis of the file that points up, as "y" or "-z". NULL: decided from the motion. [default
    /// NULL]
    pub up: *const c_char,
    /// Clips: the axis of the file that the rest pose faces, which becomes x. NULL: directions stay as they
    /// are. [default NULL]
    pub facing: *const c_char,
    /// Clips: metres per unit of the file. 0: decided from the motion. [default 0; from 0]
    pub scale: f64,
    /// Tables of poses: "wxyz" or "xyzw". NULL: decided from the motion. [default NULL]
    pub quaternion: *const c_char,
    /// Whether first frames with a pose of their own (a T-pose) are kept. [default false]
    pub keep_first: bool,
    /// Called for each thing that was decided because the file leaves it open. [default NULL]
    pub note: Option<unsafe extern "C" fn(*mut c_void, *const c_char)>,
    /// The content of a file that is in memory. The path is then its name in messages, and included files
    /// are looked for beside it. NULL: the file at the path is read. [default NULL]
    pub text: *const c_char,
    /// Number of bytes of `text`. [default 0]
    pub size: u64,
}

/// What gains are for. Make one with sn_gains_def_default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_gains_def {
    /// Set by sn_gains_def_default.
    pub struct_size: u32,
    /// [nq] The pose. NULL: the zero pose. [default NULL]
    pub q: *const f64,
    /// Frequency of each joint. 0: 8. [Hz; default 0; from 0]
    pub frequency: f64,
    /// Damping ratio of each joint. 1 is critical. 0: 1. [default 0; from 0]
    pub damping_ratio: f64,
    /// What holds the model up. [default SN_STANCE_LOWEST]
    pub stance: sn_stance,
    /// [nbody] 1: this body stands on the ground. For SN_STANCE_BODIES. [default NULL]
    pub standing: *const u8,
    /// Gravity. All zero: 0 0 -9.81. [m/s^2; default 0 0 0]
    pub gravity: [f64; 3],
    /// Duration of the steps. 0: 1/240, as a world's. [s; default 0; from 0]
    pub dt: f64,
    /// Form of the drives. [default SN_FORM_STABLE]
    pub form: sn_form,
    /// Precision of the steps. [default SN_PRECISION_DOUBLE]
    pub precision: sn_precision,
    /// Whether to raise kd where the form needs more. Otherwise such gains are refused. [default false]
    pub widen: bool,
}

/// Heights over a grid. Make one with sn_heightfield_def_default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_heightfield_def {
    /// Set by sn_heightfield_def_default.
    pub struct_size: u32,
    /// Number of points along x. [default 2; 2 to 32768]
    pub nx: c_int,
    /// Number of points along y. [default 2; 2 to 32768]
    pub ny: c_int,
    /// Extent along x and y. [m; default 1 1; above 0]
    pub size: [f64; 2],
    /// The corner with the smallest x and y. Heights count from origin[2]. [m; default 0 0 0]
    pub origin: [f64; 3],
    /// [ny][nx] heights; copied. [m; default NULL]
    pub height: *const f64,
}

/// A triangle mesh: a level, a staircase, a cave. A triangle holds what is in front of it, where its corners
/// run counterclockwise; what is behind it passes. Corners at the same place count as one, so that a mesh of
/// many level triangles is as smooth as a plane. Make one with sn_mesh_def_default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_mesh_def {
    /// Set by sn_mesh_def_default.
    pub struct_size: u32,
    /// Number of vertices. [default 0]
    pub nvertex: c_int,
    /// Number of triangles. [default 0]
    pub ntriangle: c_int,
    /// [nvertex] vertices; copied. [m; default NULL]
    pub vertex: *const f64,
    /// [ntriangle] three vertices each; copied. [default NULL]
    pub triangle: *const c_int,
}

/// What a hull is. Everything belongs to the hull.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_hull_info {
    pub nvertex: c_int,
    pub nface: c_int,
    /// [nvertex] Vertices as they were given.
    pub vertex: *const f64,
    /// [nface + 1] Where the corners of each face begin in `corner`.
    pub first: *const c_int,
    /// Vertices of the faces, counterclockwise seen from outside.
    pub corner: *const c_int,
    pub volume: f64,
    pub centre: [f64; 3],
    /// Inertia about the centre, for density 1: xx yy zz xy xz yz.
    pub inertia: [f64; 6],
    /// Distance of the furthest point outside, if `most` was too small.
    pub apart: f64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_keyframe {
    /// s; each later than the one before.
    pub time: f64,
    /// [nq] The pose, of which the keyed joints count.
    pub q: *const f64,
    /// [nbody] 1: the joint of this body has a key here. NULL: all have.
    pub keyed: *const u8,
}

/// Make one with sn_keyframes_def_default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_keyframes_def {
    /// Set by sn_keyframes_def_default.
    pub struct_size: u32,
    /// Number of keys, at least two. [default 0]
    pub count: c_int,
    /// [count] The keys; copied. [default NULL]
    pub key: *const sn_keyframe,
    /// How gains fade. [default SN_FADE_POLYNOMIAL]
    pub fade: sn_fade,
    /// Exponent n of the polynomial. [default 20]
    pub exponent: f64,
    /// Least part of the gain with which the next key pulls. [default 0.005]
    pub floor: f64,
    /// SN_FADE_CURVE: not negative for 0 <= a <= 1. [default NULL]
    pub curve: Option<unsafe extern "C" fn(f64, *mut c_void) -> f64>,
    /// Last argument of `curve`. [default NULL]
    pub user: *mut c_void,
    /// Gain for each kilogram that the joint carries. [N/m or N m/rad; default 130]
    pub gain: f64,
    /// kd / (k dt). [default 10]
    pub damping: f64,
    /// [nbody] Factors of the gain. NULL: all 1. [default NULL]
    pub weight: *const f64,
}

/// What keyframes have. It belongs to them.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_keyframes_info {
    /// Number of keys.
    pub count: c_int,
    /// [count] Their times, s.
    pub time: *const f64,
}

/// How many copies of a task there are, and how many threads run them. Make one with
/// sn_environment_def_default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_environment_def {
    /// Set by sn_environment_def_default.
    pub struct_size: u32,
    /// Number of copies. [default 256; 1 to 1048576]
    pub copies: c_int,
    /// Threads that reset and step use, including the caller's. 0: one per core. [default 1; 0 to 4096; not
    /// hashed]
    pub threads: c_int,
    /// Everything random follows from it. [default 0]
    pub seed: u64,
    /// What happens to a copy whose episode has ended. Trainers restart it in the same step in any case.
    /// [default SN_AUTORESET_SAME_STEP]
    pub autoreset: sn_autoreset,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_environment_info {
    pub copies: c_int,
    pub observations: c_int,
    pub actions: c_int,
    pub terms: c_int,
    /// Control steps per second.
    pub rate: c_int,
    /// Length of an episode in seconds.
    pub limit: f64,
    /// Name of the task, and names of its observations, actions and terms, as the task gives them.
    pub name: *const c_char,
    pub observation_names: *const *const c_char,
    pub action_names: *const *const *const c_char,
    pub term_names: *const *const *const c_char,
    /// Hash of the character; 0: none.
    pub model: u64,
    /// Hash of what observations and actions mean: a policy is for one of them.
    pub features: u64,
    /// Hash of everything a training depends on.
    pub task: u64,
    /// What the environment was made with.
    pub definition: sn_environment_def,
}

/// The arrays that a step fills. All but the first four may be NULL.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_environment_out {
    /// [copies][observations]
    pub observation: *mut f32,
    /// [copies]
    pub reward: *mut f32,
    /// [copies] the task is over, for example by a fall: nothing that could follow has any value.
    pub terminated: *mut bool,
    /// [copies] only the time was up.
    pub truncated: *mut bool,
    /// [copies][observations] of copies that ended and restarted in the same step.
    pub r#final: *mut f32,
    /// [copies] sum of rewards of the episode, including this step's.
    pub episode_return: *mut f64,
    /// [copies] control steps.
    pub episode_length: *mut i32,
    /// [copies][terms] of the reward.
    pub term: *mut f32,
}

/// A policy as arrays. An observation x becomes clamp((x - shift) * scale, -clip, clip), then each layer
/// computes y = x W + b; hidden layers end with ReLU or tanh.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_policy_data {
    /// Number of layers: hidden ones and the last.
    pub layers: c_int,
    /// Observations, hidden widths, actions.
    pub width: [c_int; 9],
    /// W of each layer, [width[i]][width[i + 1]].
    pub weight: [*const f32; 8],
    /// b of each layer, [width[i + 1]].
    pub bias: [*const f32; 8],
    /// Whether hidden layers end with tanh instead of ReLU.
    pub tanh: bool,
    /// Whether tanh follows the last layer. Policies of sn_trainer have none.
    pub squash: bool,
    /// [observations] Shift and scale of the observations.
    pub shift: *const f32,
    /// [observations] Shift and scale of the observations.
    pub scale: *const f32,
    /// Largest size of a scaled observation.
    pub clip: f32,
    /// [actions] Standard deviation in training; NULL: 0.
    pub noise: *const f32,
    /// A text that is kept in the file; NULL: none.
    pub note: *const c_char,
}

/// How one episode went.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_policy_episode {
    /// Mean reward per step, counting 0 for the steps after a fall: DeepMimic's normalised return.
    pub normalised: f64,
    /// How long it lasted, s.
    pub seconds: f64,
    /// Whether it lasted to the end.
    pub lasted: bool,
}

/// How a number of episodes went.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_policy_score {
    pub episodes: c_int,
    /// Number of episodes that lasted to the end.
    pub lasted: c_int,
    /// Mean of their normalised returns.
    pub normalised: f64,
    /// Shortest and mean duration, s.
    pub shortest: f64,
    /// Shortest and mean duration, s.
    pub mean: f64,
}

/// How processes that train one policy together, the ranks, exchange data, on one machine or many; for
/// example by MPI (the command: `mpirun -n 4 sinew train ...`). The number of ranks never changes a bit if
/// all machines are of the same kind.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_exchange {
    /// Number of this rank, from 0, and of all ranks, at most 256.
    pub rank: c_int,
    /// Number of this rank, from 0, and of all ranks, at most 256.
    pub ranks: c_int,
    /// `data` has the same size on all ranks. Rank r has filled its bytes from begin[r] up to begin[r + 1];
    /// begin [ranks + 1]. On return, every rank has all of it. Ranks call it in the same order. Any status
    /// other than SN_OK means that a rank has died; the remaining ranks cannot continue.
    pub share: Option<unsafe extern "C" fn(*mut c_void, *mut c_void, *const usize, *mut sn_error) -> sn_status>,
    pub user: *mut c_void,
}

/// Settings of proximal policy optimisation (Schulman and others 2017). Make one with
/// sn_trainer_def_default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_trainer_def {
    /// Set by sn_trainer_def_default.
    pub struct_size: u32,
    /// Everything random follows from it. [default 0]
    pub seed: u64,
    /// Number of threads. 0: one per core. [default 0; 0 to 4096; not hashed]
    pub threads: c_int,
    /// Widths of the hidden layers, up to the first 0. [default 128 128 0 0; 0 to 8192]
    pub hidden: [c_int; 4],
    /// Whether hidden layers end with tanh instead of ReLU. [default false]
    pub tanh: bool,
    /// Whether weights follow SGD with momentum .9 instead of Adam. [default false]
    pub momentum: bool,
    /// Steps of a rollout. [default 16; 1 to 1048576]
    pub horizon: c_int,
    /// Samples per update. It must divide the rollout of all copies. [default 512; 16 to 16777216]
    pub minibatch: c_int,
    /// Passes over a rollout. [default 3; 1 to 1000]
    pub epochs: c_int,
    /// Discount of rewards. [default 0.95; 0 to 1]
    pub gamma: f64,
    /// Discount of advantages: the lambda of generalised advantage estimation. [default 0.95; 0 to 1]
    pub gae_lambda: f64,
    /// Largest change of the probability ratio that counts. [default 0.2; 1e-6 to 1e6]
    pub clip: f64,
    /// Largest advantage, in standard deviations. 0: no limit. [default 4; 0 to 1e6]
    pub advantage_clip: f64,
    /// Values are clamped to the range from value_low to value_high. Both 0: they are not. [default 0; -1e9
    /// to 1e9]
    pub value_low: f64,
    /// Upper end of that range. [default 0; -1e9 to 1e9]
    pub value_high: f64,
    /// Learning rate of the actor. [default 5e-5; 0 to 1e3]
    pub actor_rate: f64,
    /// Learning rate of the critic. [default 5e-4; 0 to 1e3]
    pub critic_rate: f64,
    /// The actor's rate adapts to this divergence per iteration. 0: it is constant. [default 0.08; 0 to 1e3]
    pub kl_target: f64,
    /// Beyond this many times the target, the actor waits for the next rollout. 0: never. [default 2; 0 to
    /// 1e6]
    pub kl_stop: f64,
    /// Smallest adapted rate. [default 1e-6; 0 to 1e3]
    pub rate_low: f64,
    /// Largest adapted rate. [default 1e-2; 0 to 1e3]
    pub rate_high: f64,
    /// Largest norm of a gradient. 0: no limit. [default 1; 0 to 1e9]
    pub gradient_norm: f64,
    /// Standard deviation of actions. [default 0.05; 1e-6 to 1e3]
    pub noise: f64,
    /// Whether the noise of each action is a parameter that is learned. [default false]
    pub learn_noise: bool,
    /// Weight of the logarithm of the noise in the objective. [default 0; 0 to 1e3]
    pub entropy: f64,
    /// Factor of the actor's last weights at the start. [default 0.01; 0 to 1e3]
    pub last_layer: f64,
    /// Observations are scaled by the first samples up to this number. 0: by all. [default 0; 0 to 1e18]
    pub normalise_samples: f64,
    /// Other processes that train with this one; copied. NULL: it trains alone. All ranks make a trainer
    /// with the same definition over an environment of their own with all copies, and call the same
    /// functions; each steps only its share of the copies. [default NULL]
    pub exchange: *const sn_exchange,
}

/// What an iteration did: a rollout in all copies, then some passes over it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_training {
    /// Iterations and samples so far.
    pub iterations: u64,
    /// Iterations and samples so far.
    pub samples: u64,
    /// Episodes that ended in this iteration.
    pub episodes: c_int,
    /// Their mean return, without discount; NaN: none ended.
    pub mean_return: f64,
    /// Their mean length, s; NaN: none ended.
    pub mean_length: f64,
    /// Mean reward per step, over all samples of the iteration.
    pub mean_reward: f64,
    /// The objective of the actor, mean over the minibatches.
    pub surrogate: f64,
    /// Half the mean squared error of the critic.
    pub value_loss: f64,
    /// Fraction of the variance of returns that the critic predicted; 1: all.
    pub explained: f64,
    /// How far the policy moved.
    pub kl: f64,
    /// Fraction of samples whose ratio was beyond the clip, in the last epoch.
    pub clipped: f64,
    /// Learning rate of the actor for the next iteration.
    pub actor_rate: f64,
    /// Mean standard deviation of actions.
    pub noise: f64,
    pub collect_seconds: f64,
    pub update_seconds: f64,
}

/// The joint that ties a body to its parent.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_joint_def {
    /// Set by sn_joint_def_default.
    pub struct_size: u32,
    /// How the body moves against its parent. [default SN_JOINT_WELD]
    pub r#type: sn_joint_type,
    /// Position of the joint in the frame of the body. [m; default 0 0 0]
    pub anchor: [f64; 3],
    /// Axis of a hinge, slide, cylindrical or screw joint, first axis of a universal joint, twist axis of a
    /// ball, normal of a planar joint. Any length but 0. [default 0 0 1]
    pub axis: [f64; 3],
    /// Second axis of a universal joint, fixed in the body; of a planar joint the first direction in which
    /// it slides. Any length but 0. [default 1 0 0]
    pub axis2: [f64; 3],
    /// How far a screw joint slides for each radian. [m/rad; default 0]
    pub pitch: f64,
    /// Whether `lower` and `upper` apply. [default false]
    pub limited: bool,
    /// Lower limits, one for each axis in the order of q; ball: [0] is the twist. [rad or m; default 0 0 0]
    pub lower: [f64; 3],
    /// Upper limits, in the same order; ball: [0] is the twist, [1] the swing, which is half the angle of
    /// the cone. [rad or m; default 0 0 0]
    pub upper: [f64; 3],
    /// Inertia that is added to each degree of freedom. [kg m^2 or kg; default 0; from 0]
    pub armature: f64,
    /// Passive damping, torque per rate. [N m s/rad or N s/m; default 0; from 0]
    pub damping: f64,
    /// Passive spring, torque per angle. [N m/rad or N/m; default 0; from 0]
    pub stiffness: f64,
    /// Largest torque or force of dry friction on each axis. Worlds solve it together with their rows. [N m
    /// or N; default 0; from 0]
    pub friction: f64,
    /// Where the spring rests, as in q. All zero: the zero pose. [default 0 0 0 0]
    pub rest: [f64; 4],
    /// Proportional gain that comes with the model, see sn_model_get. [N m/rad or N/m; default 0; from 0]
    pub kp: f64,
    /// Derivative gain that comes with the model. [N m s/rad or N s/m; default 0; from 0]
    pub kd: f64,
    /// Whether `home` applies. [default false]
    pub home_given: bool,
    /// Where the joint starts, as in q, see sn_model_home_pose. [default 0 0 0 0 0 0 0]
    pub home: [f64; 7],
    /// Largest torque or force of the drive on each axis. For a ball, and for each half of a free joint,
    /// this limits the length of the vector unless its axes have different gains. [N m or N; default
    /// infinity; 0 to infinity]
    pub torque_limit: f64,
    /// Name of the joint, as MJCF and URDF files have it, of which SN_MAX_NAME bytes are kept. NULL or "":
    /// it has none. [default NULL]
    pub name: *const c_char,
}

/// A body and its frame. Bodies may be added in any order.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_body_def {
    /// Set by sn_body_def_default.
    pub struct_size: u32,
    /// Name of the body: unique in the model, not empty. [default NULL]
    pub name: *const c_char,
    /// Name of the parent body. NULL: the world. [default NULL]
    pub parent: *const c_char,
    /// Position of the body's frame in the parent's frame at q = 0. [m; default 0 0 0]
    pub pos: [f64; 3],
    /// Orientation of the body's frame there. It is normalised. [default 1 0 0 0]
    pub rot: [f64; 4],
    /// The joint that ties the body to its parent: a weld by default.
    pub joint: sn_joint_def,
    /// Whether `mass`, `com` and `inertia` apply. Otherwise they follow from the shapes. [default false]
    pub mass_given: bool,
    /// Mass of the body. [kg; default 0]
    pub mass: f64,
    /// Centre of mass in the frame of the body. [m; default 0 0 0]
    pub com: [f64; 3],
    /// Inertia about the centre of mass, in the axes of the body: xx yy zz xy xz yz. [kg m^2; default 0 0 0
    /// 0 0 0]
    pub inertia: [f64; 6],
    /// Part of the weight that something else carries, water for example. 1 floats, more rises. [default 0]
    pub lift: f64,
}

/// A shape on a body, or on the world.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_shape_def {
    /// Set by sn_shape_def_default.
    pub struct_size: u32,
    /// What the shape is. [default SN_SHAPE_SPHERE]
    pub r#type: sn_shape_type,
    /// Its measures, see sn_shape_type. [m; default 0 0 0]
    pub size: [f64; 3],
    /// Position of its centre in the frame of the body. [m; default 0 0 0]
    pub pos: [f64; 3],
    /// Orientation in the frame of the body. It is normalised. [default 1 0 0 0]
    pub rot: [f64; 4],
    /// Density, which gives the mass where `mass` is 0. [kg/m^3; default 1000; from 0]
    pub density: f64,
    /// Mass of the shape. 0: from the density. [kg; default 0; from 0]
    pub mass: f64,
    /// Coulomb's coefficient. Between two shapes the geometric mean applies. [default 1; from 0]
    pub friction: f64,
    /// 0: does not bounce, 1: loses no speed. Between two shapes the larger one applies. [default 0; 0 to 1]
    pub restitution: f64,
    /// Category bits. [default 1]
    pub group: u32,
    /// Categories it collides with. Two shapes touch if either has a category bit in the mask of the other.
    /// A shape whose group and mask are 0 never touches anything. [default 0xffffffff]
    pub mask: u32,
    /// Form of an SN_SHAPE_HULL, from sn_hull_create. [default NULL]
    pub hull: *const sn_hull,
    /// Velocity of the surface along itself, as of a conveyor belt. In world axes for ground, in the axes of
    /// its body for a shape of a member. The part across the surface has no effect. [m/s; default 0 0 0]
    pub surface_velocity: [f64; 3],
    /// Whether it is a trigger: it touches nothing, has no mass, and reports which shapes are inside it. See
    /// sn_world_triggers. [default false]
    pub trigger: bool,
}

/// What a model has. Everything belongs to the model.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_model_info {
    /// Numbers of bodies, position values, velocity values (degrees of freedom), shapes and constraints.
    pub nbody: c_int,
    /// Numbers of bodies, position values, velocity values (degrees of freedom), shapes and constraints.
    pub nq: c_int,
    /// Numbers of bodies, position values, velocity values (degrees of freedom), shapes and constraints.
    pub nv: c_int,
    /// Numbers of bodies, position values, velocity values (degrees of freedom), shapes and constraints.
    pub nshape: c_int,
    /// Numbers of bodies, position values, velocity values (degrees of freedom), shapes and constraints.
    pub nconstraint: c_int,
    /// The largest number of degrees of freedom from the root to a leaf.
    pub depth: c_int,
    /// Mass of all bodies together, kg.
    pub mass: f64,
    /// [nv] Gains of the joint definitions.
    pub kp: *const f64,
    /// [nv] Gains of the joint definitions.
    pub kd: *const f64,
    /// [nshape] Grouped by body.
    pub shape: *const sn_shape_def,
    /// [nconstraint] Constraints that every member of the model brings along, see sn_builder_add_constraint.
    /// Their bodies are indices; member is 0, member2 is 0 or -1.
    pub constraint: *const sn_constraint_def,
}

/// A body of a finished model. Bodies are in depth-first order: parents come before their children.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_body_info {
    pub name: *const c_char,
    /// Index of the parent; -1 for the world.
    pub parent: c_int,
    /// Where the values of its joint begin in q, and how many there are.
    pub q_index: c_int,
    /// Where the values of its joint begin in q, and how many there are.
    pub nq: c_int,
    /// Where they begin in qd, and how many there are.
    pub v_index: c_int,
    /// Where they begin in qd, and how many there are.
    pub nv: c_int,
    /// Frame in the parent's frame at q = 0. rot has unit length.
    pub pos: [f64; 3],
    /// Frame in the parent's frame at q = 0. rot has unit length.
    pub rot: [f64; 4],
    /// Its joint, with axes of unit length. Its name is "" if it has none.
    pub joint: sn_joint_def,
    /// Mass (kg), centre of mass (m), inertia as in sn_body_def, part of the weight that something else
    /// carries.
    pub mass: f64,
    /// Mass (kg), centre of mass (m), inertia as in sn_body_def, part of the weight that something else
    /// carries.
    pub com: [f64; 3],
    /// Mass (kg), centre of mass (m), inertia as in sn_body_def, part of the weight that something else
    /// carries.
    pub inertia: [f64; 6],
    /// Mass (kg), centre of mass (m), inertia as in sn_body_def, part of the weight that something else
    /// carries.
    pub lift: f64,
    /// Its shapes, among those of the model.
    pub first_shape: c_int,
    /// Its shapes, among those of the model.
    pub nshape: c_int,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_clip_joint {
    pub name: *const c_char,
    /// Index of the parent, smaller than its own; -1 for the root, which is joint 0.
    pub parent: c_int,
    /// From the parent's joint, in the rest pose, m.
    pub offset: [f64; 3],
}

/// The data of a clip. Make one with sn_clip_def_default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_clip_def {
    /// Set by sn_clip_def_default.
    pub struct_size: u32,
    /// Number of joints. [default 0; from 0]
    pub njoint: c_int,
    /// Number of frames. [default 0; from 0]
    pub nframe: c_int,
    /// [njoint] The skeleton. [default NULL]
    pub joint: *const sn_clip_joint,
    /// [nframe] Times, from 0, increasing. [s; default NULL]
    pub time: *const f64,
    /// [nframe][3] Positions of the root. [m; default NULL]
    pub position: *const f64,
    /// [nframe][njoint][4] Rotations of the joints. [default NULL]
    pub rotation: *const f64,
    /// Whether the last frame is the first of the next round. The root has then moved on and turned about z.
    /// [default false]
    pub r#loop: bool,
}

/// What to change in a clip, in the order of the members. Make one with sn_clip_edit_def_default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_clip_edit_def {
    /// Set by sn_clip_edit_def_default.
    pub struct_size: u32,
    /// Start of the part to keep. [s; default 0; from 0]
    pub start: f64,
    /// End of the part to keep. 0: the end of the clip. [s; default 0; from 0]
    pub end: f64,
    /// Whether left and right change places, by names. The mirror is the xz plane, or yz for a skeleton that
    /// faces y. [default false]
    pub mirror: bool,
    /// Factor of the duration. [default 1; above 0]
    pub factor: f64,
    /// Whether feet that stand are kept in one place; the legs follow by inverse kinematics. For captures
    /// whose feet slide. [default false]
    pub plant: bool,
    /// Whether the floor of the clip (see sn_clip_floor) is moved to z = 0. [default false]
    pub ground: bool,
    /// A clip with the same skeleton and frames to blend with. NULL: none. [default NULL]
    pub other: *const sn_clip,
    /// Weight of that clip, from 0 to 1. [default 0; 0 to 1]
    pub weight: f64,
    /// Time in which the clip gains its speed from rest in its first pose, so that a character that follows
    /// it is not jerked. 0: it starts at full speed. [s; default 0; from 0]
    pub ease: f64,
    /// Frames per second of the result. 0: the frames stay as they are. [1/s; default 0; from 0]
    pub rate: f64,
}

/// Where the floor of a clip is: the level of the lowest joints while they stand still, whatever part of the
/// body they belong to. Tails and single frames far below do not count.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_floor {
    /// z of the floor, m.
    pub height: f64,
    /// Height of the lowest joint of the feet over the floor, m: quantiles of 10, 50 and 90 % over all
    /// frames.
    pub feet: [f64; 3],
    /// Fraction of the frames in which something stands on the floor or on another level.
    pub stance: f64,
    /// False: feet stand on several levels, as on stairs. `height` is then that of the lowest.
    pub level: bool,
}

/// What a motion has. It belongs to the motion.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_motion_info {
    /// s.
    pub duration: f64,
    pub loops: bool,
    /// How well a clip was carried over: the mean angle (rad) between the limbs of the model and those of
    /// the clip, each from where it begins to where it ends. 0 for other motions.
    pub apart: f64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_contact {
    /// Number of the copy.
    pub copy: c_int,
    /// Members of the first and the second body; -1: ground.
    pub member: [sn_member; 2],
    /// Their bodies, or the number of the ground.
    pub body: [c_int; 2],
    /// Their shapes in the model; 0 for ground.
    pub shape: [c_int; 2],
    /// Stays the same from step to step while the same corner, end or edge touches.
    pub feature: u32,
    pub phase: sn_contact_phase,
    /// Position in the world, halfway between the surfaces, when the step began.
    pub pos: [f64; 3],
    /// From the second to the first.
    pub normal: [f64; 3],
    /// m. Negative: penetration.
    pub gap: f64,
    /// Force on the first body, mean over the last step, N, world axes.
    pub force: [f64; 3],
    /// Whether friction is at its bound.
    pub sliding: bool,
    /// SN_FRICTION_ONE_WAY: sliding speed that friction at its bound leaves at the end of the step, m/s
    /// (kokkevis-2004 eq. 20, 21). 0 where it sticks, and for all other friction.
    pub slip_speed: f64,
}

/// What a ray or a moving shape meets.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_hit {
    /// Part of the way, 0 to 1.
    pub t: f64,
    /// -1: ground.
    pub member: sn_member,
    /// Body and shape, or the number of the ground and 0.
    pub body: c_int,
    /// Body and shape, or the number of the ground and 0.
    pub shape: c_int,
    pub pos: [f64; 3],
    pub normal: [f64; 3],
}

/// Reactions: the schedule of spd-2011 section 4.1. On an impact gains fall to `reaction` of what they are,
/// stay there for `hold` seconds (t_e), and return in a straight line over `recover` seconds (t_f). Each
/// impact starts the schedule afresh, also while the member recovers. kp and kd change together, so that kd
/// / (kp dt) stays. An impact is an impulse on one body, by other members or by pushes (SN_FIELD_PUSH),
/// above `threshold`. Impulses of the steps are added up with a memory of `window` seconds: many small ones
/// count as one blow does, whatever dt is. The lower gains act already in the step of the impact: the time
/// stepper repeats that step with them. With the event stepper, and for impacts of the ground (see
/// `ground`), they act from the next step on.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_reaction_def {
    /// Set by sn_reaction_def_default.
    pub struct_size: u32,
    /// Impulse above which a member reacts. [N s; default 5; from 0]
    pub threshold: f64,
    /// Time over which impulses are added up. [s; default 0.1; above 0]
    pub window: f64,
    /// Part of the gains that is left. [default 0.01; 0 to 1]
    pub reaction: f64,
    /// Time for which gains stay low, t_e. [s; default 0.1; from 0]
    pub hold: f64,
    /// Time in which gains return, t_f. [s; default 0.5; from 0]
    pub recover: f64,
    /// Joints that are at most this many joints away from the body that was hit give way. 0: its own joint,
    /// 1: its parent's and its children's, too; -1: all joints. [default -1; from -1]
    pub around: c_int,
    /// Whether the drive of a free root gives way as well. [default false]
    pub root: bool,
    /// Whether impacts of the ground count, footsteps among them. [default false]
    pub ground: bool,
}

/// Assistance: the drive of a free root is an outside force that helps the character stay upright.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_assistance {
    /// Force (world axes) and torque (axes of the root) in the last step.
    pub force: [f64; 3],
    /// Force (world axes) and torque (axes of the root) in the last step.
    pub torque: [f64; 3],
    /// Largest force and torque so far, N and N m.
    pub peak_force: f64,
    /// Largest force and torque so far, N and N m.
    pub peak_torque: f64,
    /// Integrals of their lengths over time, N s and N m s.
    pub impulse: f64,
    /// Integrals of their lengths over time, N s and N m s.
    pub angular_impulse: f64,
    /// Work done, J. Negative: it took energy out.
    pub work: f64,
    /// Sum of the absolute work of all steps, J.
    pub effort: f64,
    /// Time in which force or torque was within 0.1 % of the budget, s.
    pub at_budget: f64,
}

/// What to record. Make one with sn_recorder_def_default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_recorder_def {
    /// Set by sn_recorder_def_default.
    pub struct_size: u32,
    /// First copy to record. [default 0; from 0]
    pub first: c_int,
    /// Number of copies to record. [default 1; from 1]
    pub count: c_int,
    /// Frames per second of the time given to sn_recorder_take. [1/s; default 60; above 0]
    pub rate: f64,
    /// Whether to record contacts that push. [default true]
    pub contacts: bool,
    /// Whether to record torques of the drives, see report_torque of the world. [default false]
    pub torques: bool,
    /// Name of the first member's model. NULL: the name of its first body, as for the others. [default NULL]
    pub name: *const c_char,
}

/// Make one with sn_search_def_default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_search_def {
    /// Set by sn_search_def_default.
    pub struct_size: u32,
    /// How candidates follow from scores. [default SN_SEARCH_CMA]
    pub method: sn_search_method,
    /// Number of parameters. [default 0; from 0]
    pub n: c_int,
    /// The first mean [n], copied. NULL: zeros. [default NULL]
    pub start: *const f64,
    /// Standard deviation of candidates; of CMA-ES at the start. [default 0.3; above 0]
    pub width: f64,
    /// Candidates per generation. 0: 4 + 3 ln n, and 2 n + 16 for gradients. [default 0; from 0]
    pub candidates: c_int,
    /// Everything random follows from it. [default 0]
    pub seed: u64,
    /// Learning rate of Adam, for SN_SEARCH_GRADIENT. [default 0.03; above 0]
    pub rate: f64,
    /// Kullback-Leibler divergence of one step, for SN_SEARCH_NATURAL. .5 is a step of one width. [default
    /// 0.5; above 0]
    pub divergence: f64,
}

/// What a search has found so far. The arrays belong to the search and change with sn_search_tell.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_search_info {
    /// [n] The mean of the distribution, which is what gradients move.
    pub mean: *const f64,
    /// [n] The best candidate. The mean until there is one.
    pub best: *const f64,
    /// Its score; -infinity until there is one.
    pub score: f64,
}

/// What a world has.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_world_info {
    /// Number of copies.
    pub copies: c_int,
    /// One more than the largest index of a member, see sn_world_member.
    pub members: c_int,
    /// One more than the largest number of ground.
    pub grounds: c_int,
    /// The lane type in use, for example "f32x16".
    pub lanes: *const c_char,
    /// Duration of a substep, and the time that has passed since the world was made, s.
    pub dt: f64,
    /// Duration of a substep, and the time that has passed since the world was made, s.
    pub time: f64,
    /// The definition that the world was made with, as it is now. Numbers that were left to the setting have
    /// their values. It belongs to the world.
    pub definition: *const sn_world_def,
}

/// What the last step took, over all copies.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_world_stats {
    /// Contacts with a gap below the margin, in all copies.
    pub contacts: c_int,
    /// Rows of contacts, limits and constraints; the largest number of any copy.
    pub rows: c_int,
    /// Rounds in which members were solved again because of rows; the largest number of any copy.
    pub rounds: c_int,
    /// Iterations of Gauss-Seidel, or pivots; the largest number of any solve, recovery included.
    pub iterations: c_int,
    /// Solves by Gauss-Seidel where a study asked for pivoting, in all copies.
    pub fallbacks: c_int,
    /// How far the worst row is from its condition, m/s.
    pub residual: f64,
    /// Distance between the points of the worst rigid constraint after the step, m.
    pub apart: f64,
    /// Sweeps of implicit contact; the largest number of any block.
    pub sweeps: c_int,
    /// Copies whose implicit contacts, limits and torque limits did not converge.
    pub unsettled: c_int,
    /// How far the worst of their forces is from its law, relative.
    pub sweep_residual: f64,
    /// Substeps of the event stepper; the largest number of any copy.
    pub substeps: c_int,
    /// Impacts that the event stepper resolved, in all copies.
    pub impacts: c_int,
    /// Contacts dropped because of max_contacts, in all copies.
    pub dropped: c_int,
    /// Members that slept through the step, in all copies.
    pub asleep: c_int,
    /// Copies in which a member is frozen.
    pub diverged: c_int,
    /// Where a value last stopped being finite, or -1.
    pub bad_copy: c_int,
    pub bad_member: sn_member,
    pub bad_dof: c_int,
    /// The drive whose gains violate the stability condition of its form most, in that copy or else in copy
    /// 0. -1: none does. It is known before the first step.
    pub stiff_member: sn_member,
    pub stiff_dof: c_int,
    /// Time that each part of the step took, in the order of sn_step_part, if `measure_time` of the
    /// definition is set; otherwise zeros.
    pub microseconds: [f64; 6],
}

/// Energy and momentum of a member.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_summary {
    /// J, without armature; the potential is that of gravity and of passive springs.
    pub kinetic: f64,
    /// J, without armature; the potential is that of gravity and of passive springs.
    pub potential: f64,
    /// Centre of mass of all bodies, m.
    pub com: [f64; 3],
    /// kg m/s.
    pub linear_momentum: [f64; 3],
    /// About the centre of mass, kg m^2/s.
    pub angular_momentum: [f64; 3],
}

/// What a study changes. All zero changes nothing.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_study_def {
    pub row_solver: sn_row_solver,
    pub response: sn_row_response,
    pub drives: sn_drives,
    /// Velocity products are linearly implicit (Kahan's polarisation) and keep energy, in linear time;
    /// instead of what `products` of the world says.
    pub polarised: bool,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_position_def {
    /// Set by sn_position_def_default.
    pub struct_size: u32,
    /// Precision of all calculations. [default SN_PRECISION_DOUBLE]
    pub precision: sn_precision,
    /// Lane type by name. NULL: as the library chooses. [default NULL]
    pub lanes: *const c_char,
    /// Gravity. [m/s^2; default 0 0 -9.81]
    pub gravity: [f64; 3],
    /// Duration of a step. [s; default 1/60]
    pub dt: f64,
    /// The scheme. [default SN_POSITION_METHOD_PBAD2]
    pub method: sn_position_method,
    /// The optimiser. [default SN_POSITION_SOLVER_NEWTON]
    pub solver: sn_position_solver,
    /// Second derivatives that sweeps keep. For several poses SN_POSITION_HESSIAN_EXACT is best. [default
    /// SN_POSITION_HESSIAN_MIRRORED]
    pub hessian: sn_position_hessian,
    /// Number of sweeps of SN_POSITION_SOLVER_SWEEPS. [default 2]
    pub sweeps: c_int,
    /// Largest gradient left, as a part of the weight times the length. [default 1e-8]
    pub tolerance: f64,
    /// Most iterations of a step. [default 100]
    pub most: c_int,
    /// Whether SN_POSITION_SOLVER_LM_DENSE and _LBFGS solve schemes of one pose by eq. 7, too. [default
    /// false]
    pub squares: bool,
    /// Number of substeps of PBAD-2 between stages, if a step of several poses cannot be solved. 0: none.
    /// [default 4]
    pub substeps: c_int,
}

/// What a step took.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_position_report {
    /// Sweeps that moved it, or systems solved.
    pub iterations: c_int,
    /// Gradients, those of sweeps included.
    pub evaluations: c_int,
    /// Steps of the line search, or refused ones.
    pub backtracks: c_int,
    /// Directions that were replaced, steps that were restarted from substeps.
    pub fallbacks: c_int,
    /// Largest gradient left, as the tolerance counts it.
    pub residual: f64,
    pub converged: bool,
}

/// Points of bodies against the plane z = 0, and a fluid at rest. PBAD-2 only.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_position_ground_def {
    /// Set by sn_position_ground_def_default.
    pub struct_size: u32,
    /// Law of friction. [default SN_POSITION_FRICTION_COULOMB]
    pub friction: sn_position_friction,
    /// Stiffness D1. [N/m; default 1e5]
    pub d1: f64,
    /// Factor D2 of eq. 9. [N s^2/m^3; default 1e5]
    pub d2: f64,
    /// Coefficient of friction. [default 0.8]
    pub mu: f64,
    /// Speed below which friction falls off towards zero. [m/s; default 0.01]
    pub slow: f64,
    /// Drag of the fluid along the long axis a of each body, the principal axis about which it has the least
    /// inertia, as it stood at the start of the step. Every gram meets -(along a a^T + across (1 - a a^T)) v
    /// per kilogram. Along = across: the paper's (section 6.2, with D = along dt / 2), in proportion to
    /// mass. [1/s; default 0; from 0]
    pub drag_along: f64,
    /// Drag across that axis. [1/s; default 0; from 0]
    pub drag_across: f64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_trajectories_def {
    /// Set by sn_trajectories_def_default.
    pub struct_size: u32,
    /// Precision of all calculations. [default SN_PRECISION_DOUBLE]
    pub precision: sn_precision,
    /// Lane type by name. NULL: the widest. [default NULL]
    pub lanes: *const c_char,
    /// Number of threads. 0: one per core. [default 1]
    pub threads: c_int,
    /// Gravity. [m/s^2; default 0 0 -9.81]
    pub gravity: [f64; 3],
    /// Duration of a step. [s; default 1/60]
    pub dt: f64,
    /// SN_POSITION_METHOD_PBAD2 or _BDF2. [default SN_POSITION_METHOD_PBAD2]
    pub method: sn_position_method,
    /// Any but SN_POSITION_HESSIAN_EXACT. [default SN_POSITION_HESSIAN_MIRRORED]
    pub hessian: sn_position_hessian,
    /// Largest gradient left, as in sn_position_def. [default 1e-8]
    pub tolerance: f64,
    /// Most sweeps of a step. It then continues unsolved. [default 200]
    pub most: c_int,
    /// Whether a block of lanes waits at every step for the slowest of them. Otherwise each lane continues.
    /// [default false]
    pub wait: bool,
}

/// What happens in a run. Pointers that are NULL: zero, or not wanted.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_trajectories_run {
    pub count: c_int,
    pub steps: c_int,
    /// [nv] Gains, with target.
    pub kp: *const f64,
    /// [nv] Gains, with target.
    pub kd: *const f64,
    /// [count][steps][nq] Targets.
    pub target: *const f64,
    /// Out: [count][steps][nq] poses.
    pub path: *mut f64,
    /// Out: [count] of each, over all its steps.
    pub sweeps: *mut i32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_trajectories_report {
    /// Sweeps of a whole block of lanes.
    pub ticks: i64,
    /// Sweeps of all trajectories: at most the lanes of a block times ticks.
    pub sweeps: i64,
    /// Steps that went on after `most` sweeps.
    pub unsolved: i64,
    /// Sweeps of one step.
    pub most: c_int,
    /// Sweeps of one step.
    pub least: c_int,
    /// Trajectories that stopped being finite: they stay where they were.
    pub lost: c_int,
    /// Lanes of a block.
    pub lanes: c_int,
}

/// A run, and what comes of it. Start with {0}; dt, kp, kd and target are needed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_full_run {
    pub method: sn_full_method,
    pub repair: sn_full_repair,
    pub products: sn_full_products,
    pub precision: sn_precision,
    pub form: sn_form,
    pub dt: f64,
    pub gravity: [f64; 3],
    /// Solves once for the accelerations of q and qd and does not move. Otherwise steps are solved for
    /// velocities with which joints hold at the end.
    pub accelerations: bool,
    pub steps: c_int,
    /// [nv] Gains.
    pub kp: *const f64,
    /// [nv] Gains.
    pub kd: *const f64,
    /// [steps][nq] Poses to reach at the end of each step.
    pub target: *const f64,
    /// Out, each may be NULL: accelerations and torques [nv] of the last step.
    pub qdd: *mut f64,
    /// Out, each may be NULL: accelerations and torques [nv] of the last step.
    pub tau: *mut f64,
    /// Out: forces of the hard rows [6 nbody] in the last step, `rows` of them. Not by the null space.
    pub force: *mut f64,
    /// Out: [nbody][3] centres of mass at the end.
    pub com: *mut f64,
    /// Out: [6 + 6] linear momentum, and angular momentum about the common centre of mass, before and after.
    pub momentum: *mut f64,
    /// Out: [1] largest distance between the two ends of a joint after a step.
    pub gap: *mut f64,
    /// Out: number of hard rows.
    pub rows: c_int,
    /// Out: the step that was not finite, or whose matrix was not definite; 0: none.
    pub lost: c_int,
}

/// The running episode of one copy. The environment keeps it and tasks read it; only `begin` may change
/// something, by lowering `limit`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_episode {
    /// Everything random in the copy must follow from seed, item, count and steps.
    pub seed: u64,
    /// Tells copies with the same seed apart: the copy's number, or 0 once it was given a seed of its own.
    pub item: u32,
    /// Episodes begun in this copy, this one included.
    pub count: u32,
    /// Control steps done.
    pub steps: i32,
    /// Control steps after which the episode is truncated.
    pub limit: i32,
    /// Sum of its rewards so far.
    pub total: f64,
}

/// Copies that one thread runs together, in a world of their own. All parts of an environment have the same
/// number of copies.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_part {
    pub copies: c_int,
    /// Number of its first copy in the environment.
    pub first: c_int,
    /// [copies]
    pub episode: *mut sn_episode,
    /// [copies] blocks of sn_task.state bytes, zero at first.
    pub state: *mut c_void,
    /// Set by `open`; the environment saves, restores and frees it; NULL: the task has no world.
    pub world: *mut sn_world,
    /// Set by `open` to whatever the task needs besides; `close` frees it.
    pub own: *mut c_void,
}

/// A task: what a policy observes, what its actions do, and what earns a reward. It is a table of functions.
/// Different threads call them for different parts at the same time, never for the same part twice, so they
/// must write only to the part they are given. They return SN_OK, or an error that ends the training or the
/// call. Each control step calls `act`, `reward`, `ends` and `observe`, in this order; copies whose episode
/// has ended then go through `begin` and `observe`. `which` has one byte per copy of the part: functions
/// that get it serve the copies with which[i] != 0 and leave the others alone.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_task {
    /// The first argument of all functions.
    pub user: *mut c_void,
    /// Says what observations and actions mean; policies are for tasks with the same name and sizes.
    pub name: *const c_char,
    pub observations: c_int,
    pub actions: c_int,
    /// Number of terms of the reward, which is their sum.
    pub terms: c_int,
    /// Control steps per second.
    pub rate: c_int,
    /// Length of an episode in seconds; then it is truncated.
    pub limit: f64,
    /// Bytes of plain data per copy that the environment keeps, saves and restores; 0: none.
    pub state: usize,
    /// [observations], [actions] and [terms]; NULL: they have no names.
    pub observation_names: *const *const c_char,
    pub action_names: *const *const c_char,
    pub term_names: *const *const c_char,
    /// The character that policies are for; NULL: they are for any.
    pub model: *const sn_model,
    /// Hash of what observations and actions mean; 0: the name stands for it.
    pub meaning: u64,
    /// Hash of everything else a training depends on, checked when one is resumed; 0: unchecked.
    pub identity: u64,
    /// Makes the part's world and its own memory. May be NULL if neither is needed.
    pub open: Option<unsafe extern "C" fn(*mut c_void, *mut sn_part, *mut sn_error) -> sn_status>,
    /// Frees part->own; also called if `open` failed. May be NULL.
    pub close: Option<unsafe extern "C" fn(*mut c_void, *mut sn_part)>,
    /// Starts new episodes.
    pub begin: Option<unsafe extern "C" fn(*mut c_void, *mut sn_part, *const u8, *mut sn_error) -> sn_status>,
    /// Applies action [copies][actions] and steps the world up to the next control step.
    pub act: Option<unsafe extern "C" fn(*mut c_void, *mut sn_part, *const f32, *mut sn_error) -> sn_status>,
    /// Fills term [copies][terms] for the step that `act` made.
    pub reward: Option<unsafe extern "C" fn(*mut c_void, *mut sn_part, *mut f64, *mut sn_error) -> sn_status>,
    /// Sets flags that are false before: terminated, the task is over and nothing that could follow is worth
    /// anything (a fall); truncated, it only has to stop here. The environment adds the time limit. May be
    /// NULL.
    pub ends: Option<unsafe extern "C" fn(*mut c_void, *mut sn_part, *mut bool, *mut bool, *mut sn_error) -> sn_status>,
    /// Fills rows of observation [copies][observations] from the state as it is now.
    pub observe: Option<unsafe extern "C" fn(*mut c_void, *mut sn_part, *const u8, *mut f32, *mut sn_error) -> sn_status>,
    /// The pose q [nq] that a copy should have now, for pictures; false: there is none. May be NULL.
    pub reference: Option<unsafe extern "C" fn(*mut c_void, *const sn_part, c_int, *mut f64) -> bool>,
    /// Frees `user` when the environment is freed or could not be made. May be NULL.
    pub free: Option<unsafe extern "C" fn(*mut c_void)>,
}

/// A character that imitates a motion, as in DeepMimic, or that moves at a given speed if there is no
/// motion. Make one with sn_imitation_def_default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_imitation_def {
    /// Set by sn_imitation_def_default.
    pub struct_size: u32,
    /// The character. Its first body has a free joint; it must outlive the environment. [default NULL]
    pub model: *const sn_model,
    /// The motion to imitate, of this model, which is copied. NULL: locomotion at `speed`. [default NULL]
    pub motion: *const sn_motion,
    /// A list of motions instead of one: copy i imitates number i modulo `nmotions`, and the policy observes
    /// which it is. [default NULL]
    pub motions: *const *const sn_motion,
    /// Length of that list. [default 0; 0 to 4096]
    pub nmotions: c_int,
    /// Speed along the first heading, without a motion. [m/s; default 1; -100 to 100]
    pub speed: f64,
    /// Control steps per second. [default 30; 1 to 100000]
    pub rate: c_int,
    /// World steps in each control step. [default 8; 1 to 100000]
    pub substeps: c_int,
    /// How rotations are observed. [default SN_FEATURES_2018]
    pub features: sn_features,
    /// What actions mean. [default SN_TARGETS_RESIDUAL]
    pub targets: sn_targets,
    /// How far an action of 1 turns a joint; DeepMimic's is 1. 0: .4, or 1 if targets are absolute. [rad;
    /// default 0; from 0]
    pub action_scale: f64,
    /// Whether the distance and heading to the reference's root are not observed. [default false]
    pub hide_root: bool,
    /// Whether the model's torque limits apply. [default true]
    pub torque_limits: bool,
    /// Whether bodies of a character collide with each other. [default false]
    pub self_contact: bool,
    /// Length of an episode. [s; default 20; above 0 to 1e9]
    pub limit: f64,
    /// Friction of the ground. [default 0.9; from 0]
    pub friction: f64,
    /// Drag of a fluid along the bodies (sn_drag_push of dynamics.h): the character swims, without ground
    /// and gravity. For locomotion only, at most `drag_across`. [1/s; default 0; from 0]
    pub drag_along: f64,
    /// Drag across the bodies. 0: it walks. At most half the world steps per second. [1/s; default 0; from
    /// 0]
    pub drag_across: f64,
    /// Largest force on the root, for .2 s about every 2 s, from random sides. [N; default 0; 0 to 1e9]
    pub push: f64,
    /// Mass of a ball that is thrown at it about every 2 s, from any side. 0: none is. [kg; default 0; 0 to
    /// 1e4]
    pub ball: f64,
    /// Horizontal speed of the ball. 0: 5. [m/s; default 0; 0 to 100]
    pub ball_speed: f64,
    /// Each episode multiplies all masses and inertias by a factor from 1 - this to 1 + this. [default 0; 0
    /// to 0.95]
    pub mass_range: f64,
    /// Each episode multiplies the friction of the ground by such a factor. [default 0; 0 to 1]
    pub friction_range: f64,
    /// Each episode multiplies kp and kd together by such a factor. [default 0; 0 to 0.95]
    pub gain_range: f64,
    /// Mean time between commands: a heading and, without a motion, a speed, which the policy observes and
    /// is rewarded for following. 0: there are none. [s; default 0; 0 to 1e6]
    pub command: f64,
    /// Largest change of the heading in one command. 0: 1. [rad; default 0; 0 to 3.15]
    pub command_turn: f64,
    /// Slowest and fastest commanded speed, without a motion. Both 0: always `speed`. [m/s; default 0 0;
    /// -100 to 100]
    pub command_speed: [f64; 2],
    /// Shape of the ground. On any but flat ground the heights around the root are observed. [default
    /// SN_TERRAIN_FLAT]
    pub terrain: sn_terrain,
    /// Height from its lowest to its highest places. 0: .1. [m; default 0; 0 to 5]
    pub terrain_height: f64,
    /// Another ground of the same shape. [default 0]
    pub terrain_seed: u64,
    /// Where torques come from instead of the step, from studies.h. [default NULL]
    pub study: *const sn_study,
    /// Gains [nv], with 0 for the root. NULL: the model's, or chosen if it has none. [default NULL]
    pub kp: *const f64,
    /// Derivative gains, which come with kp. [default NULL]
    pub kd: *const f64,
    /// Weights [nbody] of joints in the reward. NULL: by name, as in DeepMimic. [default NULL]
    pub weight: *const f64,
    /// [nbody] 1: may touch the ground. NULL: ankle, foot, toe, paw or hoof in the name. [default NULL]
    pub foot: *const u8,
    /// [nbody] 1: end effector. NULL: bodies without children except head and neck. [default NULL]
    pub effector: *const u8,
    /// Whether a stick steers the character, which then has no motion: a gait that feels the character is
    /// its reference. For the built-in humanoid, on flat ground. docs/puppets.md explains it. [default
    /// false]
    pub stick: bool,
    /// Whether episodes with a stick begin lying, as a ragdoll has fallen, and the character learns to get
    /// up and to stand. [default false]
    pub get_up: bool,
    /// Mean time between random positions of the stick. 0: it stays at `stick_hold`. [s; default 2.5; 0 to
    /// 1e6]
    pub stick_time: f64,
    /// Speed ahead and to the left, and turn to the left. [m/s m/s rad/s; default 0 0 0; -5 to 5]
    pub stick_hold: [f64; 3],
    /// Whether each episode draws its motion from the list, instead of copy i with number i modulo
    /// `nmotions`. Motions that fail are drawn more often, and none is forgotten. [default false]
    pub draw_motions: bool,
    /// Whether the policy observes the poses after 1, 4 and 12 control steps, instead of the number of its
    /// motion. [default false]
    pub look_ahead: bool,
    /// Each episode multiplies the torque limits of all motors by a factor from 1 - this to 1 + this.
    /// [default 0; 0 to 0.95]
    pub strength_range: f64,
    /// Longest delay of actions: each episode draws one up to this, in whole world steps, at most one
    /// control step. [s; default 0; 0 to 1]
    pub action_delay: f64,
    /// Standard deviation of the noise on observed places (m) and rotations of bodies; on their velocities
    /// it is ten times as large. [default 0; 0 to 10]
    pub observation_noise: f64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct sn_world_def {
    /// Set by sn_world_def_default.
    pub struct_size: u32,
    /// How much work a step may do. [default SN_SETTING_GAME]
    pub setting: sn_setting,
    /// Number of copies of the scene. [default 1; from 1]
    pub copies: c_int,
    /// Threads that step the world, the caller's own among them. 0 uses one per core. [default 1; not
    /// hashed]
    pub threads: c_int,
    /// Steps of `dt` that one sn_world_step makes. [default 1; from 1]
    pub substeps: c_int,
    /// Duration of one substep. [s; default 1/240; 1e-9 to 1e3; not hashed]
    pub dt: f64,
    /// Gravity of all members; SN_FIELD_GRAVITY can give each copy its own. [m/s^2; default 0 0 -9.81]
    pub gravity: [f64; 3],
    /// How drives enter the equations of motion. [default SN_FORM_STABLE]
    pub form: sn_form,
    /// How contacts are solved. [default SN_CONTACT_IMPLICIT]
    pub contact: sn_contact_method,
    /// Whether joints stay within their limits. [default true]
    pub joint_limits: bool,
    /// Whether drives stay within SN_FIELD_TORQUE_LIMIT. Always so for models that have limits. [default
    /// false]
    pub torque_limits: bool,
    /// Whether bodies of one member touch each other. Parent and child never do. [default false]
    pub self_contact: bool,
    /// Whether each step fills SN_FIELD_TORQUE and SN_FIELD_MIDDLE_QD. [default false]
    pub report_torque: bool,
    /// Whether each step fills sn_world_contacts. [default true]
    pub report_contacts: bool,
    /// Free bodies that stay slower than this for half a second fall asleep, alone or in a heap, until
    /// something touches or changes them. 0: none does. docs/worlds.md has the details. [m/s and rad/s;
    /// default 0; from 0]
    pub sleep: f64,
    /// Largest number of contacts kept in each copy: the deepest. Others are dropped and counted. 0 keeps
    /// all, and memory grows as steps find more. [default 0; 0 to 1048576]
    pub max_contacts: c_int,
    /// Precision of states and responses. [default SN_PRECISION_DOUBLE]
    pub precision: sn_precision,
    /// Lane type by name, see sn_lanes_get. NULL: what suits the scene. [default NULL]
    pub lanes: *const c_char,
    /// How a world gets from one step to the next. [default SN_STEPPER_TIME]
    pub stepper: sn_stepper,
    /// What the position stepper takes for an acceleration. [default SN_SCHEME_PBAD2]
    pub scheme: sn_scheme,
    /// Law of friction. [default SN_FRICTION_CONE]
    pub friction: sn_friction,
    /// At which velocity the Coriolis, centrifugal and gyroscopic terms of a step are taken. [default
    /// SN_PRODUCTS_MIDPOINT]
    pub products: sn_products,
    /// Whether the three axes of a ball joint may have different gains, copy by copy. [default false]
    pub gains_by_axis: bool,
    /// Largest number of Gauss-Seidel iterations in a solve, recovery included. A step in which joints reach
    /// their limits may take up to 8 solves. 0 uses the number of the setting. [default 0; from 0]
    pub iterations: c_int,
    /// Gauss-Seidel ends when no row is off by more than this. 0 uses the value of the setting. [m/s;
    /// default 0; from 0]
    pub tolerance: f64,
    /// Penetration that rows do not correct. [m; default 1e-4; from 0]
    pub slop: f64,
    /// Time constant in which deeper penetration is pushed out; never less than 2 dt. [s; default 0.02; from
    /// 0]
    pub recovery: f64,
    /// Largest speed at which penetration is pushed out. [m/s; default 1; from 0]
    pub recovery_speed: f64,
    /// Largest speed at which joints beyond their limits come back. [rad/s or m/s; default 10; from 0]
    pub limit_speed: f64,
    /// Largest speed at which the ends of a pin that have come apart meet again. [m/s; default 2; from 0]
    pub pin_speed: f64,
    /// Distance ahead, beyond what a step may cover, at which contacts are looked for. [m; default 0.01;
    /// from 0]
    pub margin: f64,
    /// Speed of approach above which restitution acts. [m/s; default 0.1; from 0]
    pub bounce: f64,
    /// Compliance of a contact. 0: rigid rows, and implicit contacts as stiff as mass and dt allow. [m/N;
    /// default 0; from 0]
    pub compliance: f64,
    /// Largest number of sweeps per step for implicit contact. 0 uses the number of the setting. The
    /// position stepper makes exactly this many; its 0 means 2 sweeps for members with kp, or 4 over ground,
    /// and Newton's method for others, see docs/position.md. [default 0; from 0]
    pub sweeps: c_int,
    /// Implicit contact ends when no force is off its law by more than this, relative. 0 uses the value of
    /// the setting. [default 0; from 0]
    pub sweep_tolerance: f64,
    /// Shortest substep of the event stepper, as a part of dt. [default 1/1024; 1e-6 to 1]
    pub shortest: f64,
    /// Methods of papers in place of the world's own, from studies.h. NULL: none. [default NULL]
    pub study: *const sn_study,
    /// Your job system, see engine.h: the world uses it and starts no threads; `threads` is then ignored. It
    /// is copied. NULL: the world has threads of its own. [default NULL; not hashed]
    pub jobs: *const sn_jobs,
    /// Receives warnings as text, see engine.h. It is copied. NULL: there are none. [default NULL; not
    /// hashed]
    pub log: *const sn_log,
    /// Whether each step measures how long its parts take, for `microseconds` of sn_world_stats. [default
    /// false; not hashed]
    pub measure_time: bool,
    /// Device that steps the copies, by name: "opencl:0", or the first "opencl:gpu" or "opencl:cpu". `sinew
    /// devices` lists them, and docs/device.md says what a device can do. NULL: the processor. [default
    /// NULL; not hashed]
    pub device: *const c_char,
}

const _: () = assert!(std::mem::size_of::<sn_curve_def>() == 64);
const _: () = assert!(std::mem::size_of::<sn_surface_def>() == 64);
const _: () = assert!(std::mem::size_of::<sn_constraint_def>() == 344);
const _: () = assert!(std::mem::size_of::<sn_dynamics_def>() == 72);
const _: () = assert!(std::mem::size_of::<sn_load_def>() == 104);
const _: () = assert!(std::mem::size_of::<sn_gains_def>() == 96);
const _: () = assert!(std::mem::size_of::<sn_heightfield_def>() == 64);
const _: () = assert!(std::mem::size_of::<sn_mesh_def>() == 32);
const _: () = assert!(std::mem::size_of::<sn_keyframes_def>() == 80);
const _: () = assert!(std::mem::size_of::<sn_environment_def>() == 32);
const _: () = assert!(std::mem::size_of::<sn_trainer_def>() == 208);
const _: () = assert!(std::mem::size_of::<sn_joint_def>() == 304);
const _: () = assert!(std::mem::size_of::<sn_body_def>() == 480);
const _: () = assert!(std::mem::size_of::<sn_shape_def>() == 168);
const _: () = assert!(std::mem::size_of::<sn_clip_def>() == 56);
const _: () = assert!(std::mem::size_of::<sn_clip_edit_def>() == 80);
const _: () = assert!(std::mem::size_of::<sn_reaction_def>() == 56);
const _: () = assert!(std::mem::size_of::<sn_recorder_def>() == 40);
const _: () = assert!(std::mem::size_of::<sn_search_def>() == 64);
const _: () = assert!(std::mem::size_of::<sn_imitation_def>() == 336);
const _: () = assert!(std::mem::size_of::<sn_world_def>() == 256);

#[link(name = "sinew")]
extern "C" {
    /// The version of the library that runs, as "0.3.0".
    pub fn sn_version() -> *const c_char;
    /// A status in words, as "the model is not valid".
    pub fn sn_status_text(status: sn_status) -> *const c_char;
    /// Fills a definition with its defaults. The *_default functions call it. `name` is the name of its
    /// type, `inner` the size of the definition inside it, or 0.
    pub fn sn_def_default(name: *const c_char, definition: *mut c_void, size: usize, inner: usize);
    /// Changes the members that a JSON object names, as in {"dt": 0.01, "form": "full"}. If one of them is
    /// refused, nothing changes.
    pub fn sn_def_read(name: *const c_char, definition: *mut c_void, json: *const c_char, error: *mut sn_error) -> sn_status;
    /// Writes a definition as JSON, as far as there is room. Returns the whole length, without the final
    /// zero.
    pub fn sn_def_write(name: *const c_char, definition: *const c_void, text: *mut c_char, room: usize) -> usize;
    /// Writes the interface of the library as JSON in the same way: definitions, enumerations, fields,
    /// structures and functions with their comments. Bindings to other languages are made from it.
    /// docs/schema.json describes its form.
    pub fn sn_schema(text: *mut c_char, room: usize) -> usize;
    pub fn sn_world_add_constraint(world: *mut sn_world, definition: *const sn_constraint_def, error: *mut sn_error) -> sn_constraint;
    pub fn sn_world_remove_constraint(world: *mut sn_world, constraint: sn_constraint) -> sn_status;
    /// Sets target and velocity, as in the definition, of one copy or of all (copy -1). NULL leaves that
    /// half unchanged. A new target lets an impulse act again. With NULL for both it mends a constraint that
    /// is broken.
    pub fn sn_world_set_constraint(world: *mut sn_world, constraint: sn_constraint, copy: c_int, target: *const f64, velocity: *const f64) -> sn_status;
    pub fn sn_world_get_constraint(world: *const sn_world, constraint: sn_constraint, copy: c_int, state: *mut sn_constraint_state) -> sn_status;
    /// Adds a constraint that every member of the model brings along: a pin, weld, coupling or coupling
    /// limit (body2 NULL: the world). A pin or weld to the world is at the place that the definition says,
    /// in every copy. Members and bodies of the definition do not count. sn_builder_build reports a mistake.
    pub fn sn_builder_add_constraint(builder: *mut sn_builder, body: *const c_char, body2: *const c_char, definition: *const sn_constraint_def);
    /// The handle of a constraint that came with a member; 0 if there is none, or if it was removed.
    pub fn sn_world_model_constraint(world: *const sn_world, member: sn_member, index: c_int) -> sn_constraint;
    /// Asks `filter` about each pair of near shapes in which at least one has a category bit in `groups`, as
    /// in sn_shape_def. NULL: no filter. It acts on implicit contacts and on rows alike. Contacts with
    /// planes and height fields that a filter sees are found one copy at a time, not in lanes, so choose
    /// `groups` as small as you can. Snapshots do not contain the filter. SN_ERROR_UNSUPPORTED: the position
    /// stepper has none.
    pub fn sn_world_set_filter(world: *mut sn_world, groups: u32, filter: *mut c_void, user: *mut c_void) -> sn_status;
    /// Changes the surface_velocity of a piece of ground, in world axes: a belt that starts or stops.
    pub fn sn_world_set_surface_velocity(world: *mut sn_world, ground: c_int, velocity: *const f64) -> sn_status;
    /// What is inside the triggers of a copy after the last step, ordered by triggers. Valid until the next
    /// call that changes the world. A trigger is a shape with `trigger` set, on ground (any shape, or a
    /// plane) or on a body. It sees the shapes of other members, asleep or awake, that it would touch by
    /// group and mask; it does not see ground, other triggers or members that are not active. What moves
    /// fast is followed along the straight line between its places before and after the step. Rays and other
    /// casts do not see triggers.
    pub fn sn_world_triggers(world: *const sn_world, copy: c_int, count: *mut c_int) -> *const sn_trigger_visit;
    /// Draws one copy as it is now. `what` is a sum of sn_draw. Contacts and forces are those of the last
    /// step.
    pub fn sn_world_draw(world: *mut sn_world, copy: c_int, what: c_uint, drawer: *const sn_drawer) -> sn_status;
    pub fn sn_dynamics_create(model: *const sn_model, definition: *const sn_dynamics_def, error: *mut sn_error) -> *mut sn_dynamics;
    pub fn sn_dynamics_free(dynamics: *mut sn_dynamics);
    /// Frames of all bodies in the world: pose [nbody][7] position and orientation, velocity [nbody][6]
    /// linear and angular in world axes; energy and momentum. Each may be NULL.
    pub fn sn_dynamics_bodies(dynamics: *mut sn_dynamics, q: *const f64, qd: *const f64, pose: *mut f64, velocity: *mut f64, summary: *mut sn_summary) -> sn_status;
    /// Velocity (rows 0-2 linear, 3-5 angular, world axes) of a point of a body, given in the body's frame,
    /// for each unit qd: J [6][nv].
    pub fn sn_dynamics_jacobian(dynamics: *mut sn_dynamics, q: *const f64, body: c_int, point: *const f64, J: *mut f64) -> sn_status;
    /// M qdd + C = tau. M [nv][nv] includes armature; C includes gravity, passive damping and springs, and
    /// push [nbody][6], the force through each body's origin and the torque on it in world axes (NULL:
    /// none).
    pub fn sn_dynamics_mass_matrix(dynamics: *mut sn_dynamics, q: *const f64, M: *mut f64) -> sn_status;
    pub fn sn_dynamics_inverse(dynamics: *mut sn_dynamics, q: *const f64, qd: *const f64, push: *const f64, qdd: *const f64, tau: *mut f64) -> sn_status;
    pub fn sn_dynamics_forward(dynamics: *mut sn_dynamics, q: *const f64, qd: *const f64, push: *const f64, tau: *const f64, qdd: *mut f64) -> sn_status;
    /// What a fluid at rest does to bodies that move in it, as pushes for a world (SN_FIELD_PUSH) or for the
    /// questions above: every gram meets -(along a a^T + across (1 - a a^T)) v per kilogram, a the body's
    /// long axis, about which it has the least inertia; units 1/s. Pose [count][nbody][7] and velocity
    /// [count][nbody][6] as worlds and sn_dynamics_bodies have them; push [count][nbody][6]. Taken at the
    /// start of a step it is stable while across times dt is below 1.
    pub fn sn_drag_push(model: *const sn_model, along: f64, across: f64, count: c_int, pose: *const f64, velocity: *const f64, push: *mut f64) -> sn_status;
    /// Makes `steps` steps of dt from q [count][nq] and qd [count][nv], which become the state at the end;
    /// the target stays. qdd and tau [count][nv] are the accelerations and drive torques of the last step,
    /// by the solver and the route of the definition; either may be NULL. With 0 steps they are those that
    /// the first step would begin with, the torques by inverse dynamics (eq. 5); q and qd then stay as they
    /// are, and qd may be NULL. SN_ERROR_NOT_FINITE: some value stopped being finite; q and qd are left as
    /// they were.
    pub fn sn_dynamics_step(dynamics: *mut sn_dynamics, drive: *const sn_drive, steps: c_int, q: *mut f64, qd: *mut f64, qdd: *mut f64, tau: *mut f64) -> sn_status;
    /// Makes the library take all its memory from these functions, in the whole process; NULL goes back to
    /// malloc. The structure is copied. Call it before you make anything, or after you have freed
    /// everything: SN_ERROR_ARGUMENT if the library still holds memory, or if a function is missing. Steps
    /// do not allocate once a world has seen as many contacts as it will have. What other libraries allocate
    /// for themselves does not pass here: the C library for threads and open files, cJSON and libpng while a
    /// file is read, LAPACK.
    pub fn sn_set_memory(memory: *const sn_memory) -> sn_status;
    /// A pointer of yours on a member (body -1), on one of its bodies (shape -1) or on one of its shapes.
    /// For ground, `member` is -1, `body` is the number of the ground and `shape` is ignored. These are the
    /// numbers that sn_hit and sn_contact have. All copies share the pointer, and the library never looks at
    /// it. It is NULL until you set it. It stays when a snapshot is restored, unless the member or ground
    /// was removed since; what a snapshot brings back has NULL.
    pub fn sn_world_set_user_data(world: *mut sn_world, member: sn_member, body: c_int, shape: c_int, data: *mut c_void) -> sn_status;
    pub fn sn_world_user_data(world: *const sn_world, member: sn_member, body: c_int, shape: c_int) -> *mut c_void;
    /// What sn_world_cast_ray finds, for many rays in one copy: bodies are placed once for all of them.
    /// hits[i] belongs to rays[i]; where a ray meets nothing its t is 2 and its member -2. Returns the
    /// number of rays that meet something.
    pub fn sn_world_cast_rays(world: *const sn_world, copy: c_int, count: c_int, rays: *const sn_ray, hits: *mut sn_hit) -> c_int;
    /// The state of a world without its structure: poses, velocities, targets, pushes, contacts, warm
    /// starts, phases, sleep, reactions, targets of constraints, and ground that was moved. It is much
    /// smaller and faster than a snapshot, and restoring it gives the same bits again. Gains, parameters,
    /// motions and definitions are not part of it: if you change them, change them back. The bytes suit the
    /// same build of the library on the same kind of machine. Returns the number of bytes that the state
    /// takes, and writes them if `room` is large enough. With NULL and 0 it only counts. The number changes
    /// with the contacts.
    pub fn sn_world_save_state(world: *const sn_world, bytes: *mut c_void, room: usize) -> usize;
    /// Restores such a state. It is refused with a message, and nothing changes, if members, ground or
    /// constraints were added or removed since, or if the bytes are damaged or from a different world.
    pub fn sn_world_load_state(world: *mut sn_world, bytes: *const c_void, size: usize, error: *mut sn_error) -> sn_status;
    /// The lane types that can run on this machine, from index 0 on; NULL after the last one. Below 0 are
    /// the devices that `device` of sn_world_def can name, from -1 down: `name` is "opencl:0", `isa` what
    /// the device calls itself.
    pub fn sn_lanes_get(index: c_int) -> *const sn_lanes_info;
    /// Whether the library was built with a part: "lapack" (for SN_SOLVER_LAPACK), "lbfgs" (for studies.h)
    /// or "strict" (SINEW_STRICT: no contraction).
    pub fn sn_built_with(part: *const c_char) -> bool;
    /// The number of values of a field per copy; 0 if there is no such field.
    pub fn sn_world_size(world: *const sn_world, member: sn_member, field: sn_field) -> c_int;
    /// Sets a field of the copies first .. first + count - 1; values are [count][size]. If a value is
    /// refused, nothing changes.
    pub fn sn_world_set(world: *mut sn_world, member: sn_member, field: sn_field, first: c_int, count: c_int, values: *const f64) -> sn_status;
    /// Reads a field of the copies first .. first + count - 1.
    pub fn sn_world_get(world: *mut sn_world, member: sn_member, field: sn_field, first: c_int, count: c_int, values: *mut f64) -> sn_status;
    /// Sets a field of all copies with which[i] != 0, or of all if `which` is NULL. Values are
    /// [copies][size] in the precision of the world.
    pub fn sn_world_put(world: *mut sn_world, member: sn_member, field: sn_field, which: *const u8, values: *const c_void) -> sn_status;
    /// Returns a field of all copies, [copies][size] in the precision of the world, in memory of the world.
    /// You can read it until the world is changed or stepped. NULL if there is no such field or no memory.
    pub fn sn_world_view(world: *mut sn_world, member: sn_member, field: sn_field) -> *const c_void;
    /// Fills your own memory with a field of all copies, [copies][size] in the precision of the world, on
    /// the threads of the world.
    pub fn sn_world_take(world: *mut sn_world, member: sn_member, field: sn_field, values: *mut c_void) -> sn_status;
    /// Makes the copies with which[i] != 0, or all if `which` is NULL, the same as copy `source` in every
    /// respect, with contacts and warm starts, so that they continue with the same bits.
    pub fn sn_world_copy(world: *mut sn_world, source: c_int, which: *const u8) -> sn_status;
    /// Restarts the copies with which[i] != 0, or all if `which` is NULL: contacts are forgotten, flags
    /// cleared, and the member gets the pose q and the velocity qd. A member of -1 or a q of NULL keeps the
    /// states; a qd of NULL with a q means rest.
    pub fn sn_world_reset(world: *mut sn_world, member: sn_member, which: *const u8, q: *const f64, qd: *const f64) -> sn_status;
    /// Reads a model. The format is recognised by content: MJCF, URDF, a DeepMimic character or Sinew's own
    /// JSON. A bare BVH or ASF skeleton becomes a character. A controller file of DeepMimic can follow a
    /// '+': "dog3d.txt+dog3d_ctrl.txt" gives the gains.
    pub fn sn_model_load(path: *const c_char, options: *const sn_load_def, error: *mut sn_error) -> *mut sn_model;
    /// Writes a model, by the ending of the name: .json (Sinew's own format, exact) or .xml (MJCF).
    pub fn sn_model_save(model: *const sn_model, path: *const c_char, error: *mut sn_error) -> sn_status;
    /// Writes a model as JSON text, as far as there is room. sn_model_load reads it back to the last bit.
    /// Returns the whole length, without the final zero; 0 if memory runs out.
    pub fn sn_model_write(model: *const sn_model, text: *mut c_char, room: usize) -> usize;
    /// Reads a whole world. In an MJCF scene each character and free body becomes a member of its own; those
    /// that share joint couplings or exclusions become one. Geoms of the world and of bodies that cannot
    /// move become ground, and equalities constraints. A keyframe gives the state, and its controls, or
    /// zero, the targets. Gravity, timestep and disabled features are those of the file. Everything else is
    /// as in the definition (NULL: the default), and bodies of one member touch each other. From any other
    /// file the character stands on the plane z = 0 in its home pose. The models belong to the world.
    pub fn sn_world_load(path: *const c_char, definition: *const sn_world_def, options: *const sn_load_def, error: *mut sn_error) -> *mut sn_world;
    /// Chooses kp and kd [nv] for a model: kp = I w^2 + G, kd = 2 z I w, with w = 2 pi frequency and z the
    /// damping ratio. I is the inertia that the joint moves when all others are locked, and G the stiffness
    /// by which gravity would topple it. A joint between the ground and what stands on it moves everything
    /// that it carries, if that is more than what hangs on it; every standing body bears the same part of
    /// the weight. Ball joints get one gain for their three axes. If something stands, a free root gets no
    /// gains: nothing holds it. Gains that break the condition of the form at this dt (see sn_gains_check)
    /// are refused, with a message that names the joint and suggests other values, or widened. A definition
    /// of NULL means all defaults.
    pub fn sn_gains_choose(model: *const sn_model, definition: *const sn_gains_def, kp: *mut f64, kd: *mut f64, error: *mut sn_error) -> sn_status;
    /// Fills kps and kds [nv] with the same gains everywhere, apart from those of a free root. maba-2020
    /// section 4.1 uses 20000, 2000, 75000, 4000.
    pub fn sn_gains_uniform(model: *const sn_model, root_kp: f64, root_kd: f64, kp: f64, kd: f64, kps: *mut f64, kds: *mut f64);
    /// Checks gains for the pose, dt, form and precision of a definition (NULL: defaults); its other members
    /// do not matter. Fills one flag word per degree of freedom (flags may be NULL). Returns how many are
    /// not SN_GAIN_OK, or -1 if an argument is wrong. The error names the worst joint and suggests other
    /// values. With `widen`, kd is raised first to what the form needs; the flags then show what was wrong
    /// before and what could not be repaired.
    pub fn sn_gains_check(model: *const sn_model, definition: *const sn_gains_def, kp: *const f64, kd: *mut f64, flags: *mut c_uint, error: *mut sn_error) -> c_int;
    /// Adds a plane through a point. What is on the side of the normal is free.
    pub fn sn_world_add_plane(world: *mut sn_world, point: *const f64, normal: *const f64, material: *const sn_shape_def, error: *mut sn_error) -> c_int;
    /// Adds a shape of any kind. One that is neither sphere, capsule, box nor hull touches as a hull that is
    /// within 1 % of its surface.
    pub fn sn_world_add_shape(world: *mut sn_world, shape: *const sn_shape_def, pos: *const f64, rot: *const f64, error: *mut sn_error) -> c_int;
    /// Adds a height field.
    pub fn sn_world_add_heightfield(world: *mut sn_world, field: *const sn_heightfield_def, material: *const sn_shape_def, error: *mut sn_error) -> c_int;
    /// Adds a mesh. Meshes stand still. The position stepper does not support them.
    pub fn sn_world_add_mesh(world: *mut sn_world, mesh: *const sn_mesh_def, material: *const sn_shape_def, error: *mut sn_error) -> c_int;
    pub fn sn_world_remove_ground(world: *mut sn_world, ground: c_int) -> sn_status;
    /// Puts ground somewhere else in all copies and lets it move on with these velocities; NULL means zero.
    /// Height fields and meshes cannot move.
    pub fn sn_world_move(world: *mut sn_world, ground: c_int, pos: *const f64, rot: *const f64, linear: *const f64, angular: *const f64) -> sn_status;
    /// Fills a shape with ground in its place in the world, for pictures. Returns false if there is no such
    /// ground, or if it is a height field, a mesh or a hull. A plane becomes a box of no height (size 0)
    /// whose z axis is its normal.
    pub fn sn_world_ground_shape(world: *const sn_world, ground: c_int, shape: *mut sn_shape_def) -> bool;
    /// Makes the hull of n points, x, y, z each; at least four, not all in one plane. At most `most` of them
    /// become vertices (0: SN_MAX_HULL_VERTICES). Those furthest out come first, so that a few of them
    /// already have the form. Faces in one plane up to 3e-7 of the size become one face, and vertices within
    /// it are left out; volume and inertia include them. Returns NULL and a message if the points have no
    /// volume, are not finite or too many.
    pub fn sn_hull_create(points: *const f64, n: c_int, most: c_int, error: *mut sn_error) -> *mut sn_hull;
    /// Gives up one share. NULL is allowed.
    pub fn sn_hull_free(hull: *mut sn_hull);
    /// NULL for NULL.
    pub fn sn_hull_get(hull: *const sn_hull) -> *const sn_hull_info;
    /// Makes keyframes for a model, which must outlive them. Returns NULL and a message that names the key
    /// at fault.
    pub fn sn_keyframes_create(model: *const sn_model, definition: *const sn_keyframes_def, error: *mut sn_error) -> *mut sn_keyframes;
    /// Reads a JSON file with the format "sinew-keyframes", see docs/formats.md, or `text` of the options.
    pub fn sn_keyframes_load(path: *const c_char, model: *const sn_model, options: *const sn_load_def, error: *mut sn_error) -> *mut sn_keyframes;
    /// Frees keyframes. NULL is allowed.
    pub fn sn_keyframes_free(keyframes: *mut sn_keyframes);
    pub fn sn_keyframes_get(keyframes: *const sn_keyframes) -> *const sn_keyframes_info;
    /// Sets these drives for a member of the same model, before a step that ends at `time`, in one copy or
    /// in all (-1); each copy from its own pose.
    pub fn sn_keyframes_apply(keyframes: *const sn_keyframes, world: *mut sn_world, member: sn_member, copy: c_int, time: f64) -> sn_status;
    /// What animation programs do instead: a smooth cubic through the keys of each joint, at rest at the
    /// first and the last. qd may be NULL.
    pub fn sn_keyframes_spline(keyframes: *const sn_keyframes, time: f64, q: *mut f64, qd: *mut f64);
    /// Copies the table and takes over task->user: task->free is called when the environment is freed, or at
    /// once if this fails. Strings and arrays of names must outlive the environment. With def NULL
    /// everything has its default.
    pub fn sn_environment_create(task: *const sn_task, definition: *const sn_environment_def, error: *mut sn_error) -> *mut sn_environment;
    /// NULL is allowed.
    pub fn sn_environment_free(env: *mut sn_environment);
    pub fn sn_environment_get_info(env: *const sn_environment, info: *mut sn_environment_info);
    /// Starts new episodes in the copies with which[i] != 0 (NULL: all) and fills their rows of observation
    /// [copies][observations]. With seed [copies], everything random in a copy follows from its seed from
    /// then on; with NULL its random numbers continue.
    pub fn sn_environment_reset(env: *mut sn_environment, which: *const u8, seed: *const u64, observation: *mut f32, error: *mut sn_error) -> sn_status;
    /// One control step of all copies under action [copies][actions].
    pub fn sn_environment_step(env: *mut sn_environment, action: *const f32, out: *const sn_environment_out, error: *mut sn_error) -> sn_status;
    /// Fills observation [copies][observations] from the state as it is now, for example after you changed a
    /// world.
    pub fn sn_environment_observe(env: *mut sn_environment, observation: *mut f32, error: *mut sn_error) -> sn_status;
    /// Writes the state of all copies to `bytes`, if `size` is large enough, and returns the size that is
    /// needed; 0: out of memory. Restored, the environment continues with the same bits. A damaged snapshot
    /// is refused before anything changes. If the world itself refuses a later part, some copies are
    /// restored already: reset the environment then.
    pub fn sn_environment_save(env: *mut sn_environment, bytes: *mut c_void, size: usize) -> usize;
    pub fn sn_environment_restore(env: *mut sn_environment, bytes: *const c_void, size: usize, error: *mut sn_error) -> sn_status;
    /// The world that a copy is in, to look at, record and push, and the copy's number in it; NULL: there is
    /// none. In tasks of sn_imitation_task the character is member 0 and a ball member 1.
    pub fn sn_environment_world(env: *mut sn_environment, copy: c_int, number: *mut c_int) -> *mut sn_world;
    /// Fills the pose q [nq] that this copy should have now, if the task has one. Returns false if it has
    /// none.
    pub fn sn_environment_reference(env: *const sn_environment, copy: c_int, q: *mut f64) -> bool;
    /// Reads a policy file. docs/learning.md describes the format.
    pub fn sn_policy_load(path: *const c_char, error: *mut sn_error) -> *mut sn_policy;
    /// Writes a policy file or, if the name ends in .onnx, an ONNX file with the input "observation"
    /// [rows][observations] and the output "action" [rows][actions]. The file is replaced as a whole or
    /// stays as it was.
    pub fn sn_policy_save(policy: *const sn_policy, path: *const c_char, error: *mut sn_error) -> sn_status;
    /// The bytes of a policy file, in memory: sn_policy_write fills `bytes` if `size` is large enough and
    /// returns the size that is needed; 0: out of memory.
    pub fn sn_policy_parse(bytes: *const c_void, size: usize, error: *mut sn_error) -> *mut sn_policy;
    pub fn sn_policy_write(policy: *const sn_policy, bytes: *mut c_void, size: usize) -> usize;
    /// NULL is allowed.
    pub fn sn_policy_free(policy: *mut sn_policy);
    /// Fills `data` with pointers into the policy.
    pub fn sn_policy_get(policy: *const sn_policy, data: *mut sn_policy_data);
    /// A policy from arrays, which are copied. It is for the environment's task, or for any if `env` is
    /// NULL.
    pub fn sn_policy_create(data: *const sn_policy_data, env: *const sn_environment, error: *mut sn_error) -> *mut sn_policy;
    /// Actions without noise: observation [rows][observations], action [rows][actions].
    pub fn sn_policy_act(policy: *mut sn_policy, rows: c_int, observation: *const f32, action: *mut f32) -> sn_status;
    /// Checks that the policy is for the environment's character, observations and actions.
    pub fn sn_policy_check(policy: *const sn_policy, env: *const sn_environment, error: *mut sn_error) -> sn_status;
    /// Resets the environment and runs one episode [copies] in every copy, without noise. With seed [copies]
    /// an episode depends on its seed alone. You can therefore split episodes over environments or machines;
    /// sn_policy_add_up makes a score of them.
    pub fn sn_policy_evaluate(policy: *mut sn_policy, env: *mut sn_environment, seed: *const u64, episode: *mut sn_policy_episode, error: *mut sn_error) -> sn_status;
    pub fn sn_policy_add_up(episodes: c_int, episode: *const sn_policy_episode, score: *mut sn_policy_score);
    /// The trainer steps the environment, which must outlive it; do not step it otherwise meanwhile. def
    /// NULL: all defaults.
    pub fn sn_trainer_create(env: *mut sn_environment, definition: *const sn_trainer_def, error: *mut sn_error) -> *mut sn_trainer;
    /// NULL is allowed.
    pub fn sn_trainer_free(trainer: *mut sn_trainer);
    /// The first iteration only scales observations. `training` may be NULL.
    pub fn sn_trainer_iterate(trainer: *mut sn_trainer, training: *mut sn_training, error: *mut sn_error) -> sn_status;
    /// Writes everything that the next iteration depends on. The file is replaced as a whole or stays as it
    /// was. A trainer for the same task and definition, except threads and ranks, continues from there with
    /// the same bits. The first rank writes.
    pub fn sn_trainer_save(trainer: *mut sn_trainer, path: *const c_char, error: *mut sn_error) -> sn_status;
    /// Fills iterations and samples of `training`, unless NULL. The first rank reads.
    pub fn sn_trainer_restore(trainer: *mut sn_trainer, path: *const c_char, training: *mut sn_training, error: *mut sn_error) -> sn_status;
    /// What it has learned so far, with a text that is kept in policy files (NULL: none); to be freed. NULL:
    /// out of memory.
    pub fn sn_trainer_policy(trainer: *const sn_trainer, note: *const c_char, error: *mut sn_error) -> *mut sn_policy;
    /// Makes an empty builder. Returns NULL when memory runs out.
    pub fn sn_builder_create() -> *mut sn_builder;
    pub fn sn_builder_free(builder: *mut sn_builder);
    /// Adds a copy of a body. The builder remembers the first mistake, and sn_builder_build reports it.
    pub fn sn_builder_add_body(builder: *mut sn_builder, body: *const sn_body_def);
    /// Adds a copy of a shape to the body with that name.
    pub fn sn_builder_add_shape(builder: *mut sn_builder, body: *const c_char, shape: *const sn_shape_def);
    /// Keeps the shapes of two bodies from touching each other. Parent and child never touch anyway.
    pub fn sn_builder_exclude(builder: *mut sn_builder, body1: *const c_char, body2: *const c_char);
    /// Checks everything and returns the model, or NULL and a message that names the body at fault. The
    /// builder can still be used and must still be freed.
    pub fn sn_builder_build(builder: *const sn_builder, error: *mut sn_error) -> *mut sn_model;
    /// Makes a model that comes with the library: "humanoid" (34 degrees of freedom), "dog" (72), "snake36",
    /// "snake72", "snake195" or "mouse" (a toy with a long tail, 54).
    pub fn sn_builtin_create(name: *const c_char, error: *mut sn_error) -> *mut sn_model;
    /// Names of the built-in models, from index 0 on; NULL after the last one.
    pub fn sn_builtin_name(index: c_int) -> *const c_char;
    /// Frees a model. NULL is allowed.
    pub fn sn_model_free(model: *mut sn_model);
    pub fn sn_model_get(model: *const sn_model) -> *const sn_model_info;
    /// NULL if there is no such body.
    pub fn sn_model_body(model: *const sn_model, index: c_int) -> *const sn_body_info;
    /// The index of the body that has this name; if none has, of the body whose joint has it (see `name` of
    /// sn_joint_def). -1 if there is neither.
    pub fn sn_model_find_body(model: *const sn_model, name: *const c_char) -> c_int;
    /// Fills q [nq] with the zero pose. A free joint is at the body's pos and rot.
    pub fn sn_model_zero_pose(model: *const sn_model, q: *mut f64);
    /// Fills q [nq] with the zero pose, and with `home` of the joints that have one.
    pub fn sn_model_home_pose(model: *const sn_model, q: *mut f64);
    /// The poses result [n][nq] reached from q [n][nq] with the constant velocities dv [n][nv] in unit time.
    /// A pose between two others, part t of the way, is q0 + t (q1 - q0) with this sum and the difference
    /// below.
    pub fn sn_model_pose_add(model: *const sn_model, n: c_int, q: *const f64, dv: *const f64, result: *mut f64);
    /// The velocities dv [n][nv] that lead from q0 to q1 [n][nq] in unit time.
    pub fn sn_model_pose_subtract(model: *const sn_model, n: c_int, q1: *const f64, q0: *const f64, dv: *mut f64);
    /// Makes a clip of arrays, which are copied.
    pub fn sn_clip_create(definition: *const sn_clip_def, error: *mut sn_error) -> *mut sn_clip;
    /// Frees a clip. NULL is allowed.
    pub fn sn_clip_free(clip: *mut sn_clip);
    /// The data of a clip as it is now. Quaternions have unit length. Its last time is its duration. It
    /// belongs to the clip.
    pub fn sn_clip_data(clip: *const sn_clip) -> *const sn_clip_def;
    /// Reads BVH, AMC ("11.asf+11_01.amc" or an AMC beside its ASF), DeepMimic and motion_imitation motions,
    /// and Sinew's own JSON.
    pub fn sn_clip_load(path: *const c_char, options: *const sn_load_def, error: *mut sn_error) -> *mut sn_clip;
    /// Writes a clip, by the ending of the name: .json or .bvh.
    pub fn sn_clip_save(clip: *const sn_clip, path: *const c_char, error: *mut sn_error) -> sn_status;
    /// Makes a changed copy of a clip, or returns NULL and an error.
    pub fn sn_clip_edit(clip: *const sn_clip, edit: *const sn_clip_edit_def, error: *mut sn_error) -> *mut sn_clip;
    pub fn sn_clip_floor(clip: *const sn_clip, floor: *mut sn_floor) -> sn_status;
    /// The floor under anything whose lowest point is at `low` at these times; n values each, times
    /// ascending.
    pub fn sn_floor_under(n: c_int, time: *const f64, low: *const f64, height: *mut f64) -> sn_status;
    /// Makes a character for the skeleton: capsules along the bones, with masses by their volume and
    /// `total_mass` kg altogether.
    pub fn sn_clip_build_model(clip: *const sn_clip, total_mass: f64, error: *mut sn_error) -> *mut sn_model;
    /// Carries a clip over to a model, which must outlive the motion. With a map of NULL, joints are found
    /// by equal names or by what names mean (CMU, Mixamo-like, DeepMimic, Bip01, quadrupeds as FL_hip,
    /// robots with hinges in a row as left_hip_yaw). Otherwise `map` is a JSON text {"model body": "clip
    /// joint", ...}. Limb lengths are scaled.
    pub fn sn_motion_create(clip: *const sn_clip, model: *const sn_model, map: *const c_char, error: *mut sn_error) -> *mut sn_motion;
    /// Reads a clip and carries it over by options->map, or reads numbers that were written for this model,
    /// as a table or as "Frames".
    pub fn sn_motion_load(path: *const c_char, model: *const sn_model, options: *const sn_load_def, error: *mut sn_error) -> *mut sn_motion;
    /// Whether sn_motion_load would take the file for numbers that were written for this model, not for a
    /// clip. With a model of NULL: whether it is a table of numbers at all.
    pub fn sn_motion_is_numbers(path: *const c_char, model: *const sn_model) -> bool;
    /// The part between two times, which does not loop. NULL and an error if it is not inside the motion.
    pub fn sn_motion_cut(motion: *const sn_motion, start: f64, end: f64, error: *mut sn_error) -> *mut sn_motion;
    /// Makes a motion of poses: q [nframe][nq] at the given times. A loop of them moves on, but does not
    /// turn.
    pub fn sn_motion_from_poses(model: *const sn_model, nframe: c_int, time: *const f64, q: *const f64, r#loop: bool, error: *mut sn_error) -> *mut sn_motion;
    /// Frees a motion. NULL is allowed.
    pub fn sn_motion_free(motion: *mut sn_motion);
    pub fn sn_motion_get(motion: *const sn_motion) -> *const sn_motion_info;
    /// The way back: makes a clip of poses of the model, q [nframe][nq] at times that start with 0, on the
    /// skeleton of the clip that the motion came from. Joints that drive no body move as in the clip.
    pub fn sn_motion_clip(motion: *const sn_motion, nframe: c_int, time: *const f64, q: *const f64, error: *mut sn_error) -> *mut sn_clip;
    /// Pose q [nq] and velocity qd [nv] at a time. Either may be NULL.
    pub fn sn_motion_sample(motion: *const sn_motion, time: f64, q: *mut f64, qd: *mut f64);
    /// Poses q [n][nq] and velocities qd [n][nv] at n times. Either may be NULL.
    pub fn sn_motion_sample_many(motion: *const sn_motion, n: c_int, time: *const f64, q: *mut f64, qd: *mut f64);
    /// Makes a motion that comes with the library, for one of its models: "walk", "run", "cartwheel",
    /// "backflip" (humanoid), "pace", "trot", "canter" (dog), "slither" (snakes), "kick", "pass" or "catch"
    /// (humanoid, for balls).
    pub fn sn_builtin_motion_create(name: *const c_char, model: *const sn_model, error: *mut sn_error) -> *mut sn_motion;
    /// Their names, from index 0 on; NULL after the last one.
    pub fn sn_builtin_motion_name(index: c_int) -> *const c_char;
    /// Makes a puppet of one copy of a member, and sets the gains of that copy. The member must be the
    /// built-in humanoid; it should stand or go. `go` is a policy of `sinew train humanoid stick`. `get_up`
    /// is one of the same with --get-up; NULL: the puppet lies where it falls. Any number of puppets can
    /// share policies. World and policies must outlive the puppet. 1/30 s must be a whole number of steps of
    /// the world.
    pub fn sn_puppet_create(world: *mut sn_world, member: sn_member, copy: c_int, go: *mut sn_policy, get_up: *mut sn_policy, error: *mut sn_error) -> *mut sn_puppet;
    /// NULL is allowed.
    pub fn sn_puppet_free(puppet: *mut sn_puppet);
    /// Where to go: stick [3] is speed ahead and to the left, m/s, and turn to the left, rad/s, as the
    /// character sees it. It stays until you move it. Speeds beyond 4.5 ahead, 1.2 back and 1 aside are
    /// lowered, and so are turns that are too fast for the speed. NULL lets the puppet go: it is a ragdoll
    /// until you give it a stick again. Then it goes on if it is still on its feet, and lies otherwise.
    pub fn sn_puppet_stick(puppet: *mut sn_puppet, stick: *const f64);
    /// Call this before each step of the world, with all puppets: 30 times per second it sets new targets of
    /// the drives. One matrix product serves all puppets that share a policy.
    pub fn sn_puppets_step(puppets: *const *mut sn_puppet, count: c_int, error: *mut sn_error) -> sn_status;
    /// What it does. Fills planned [3], the stick that it can follow at the moment, and reference [nq], the
    /// pose that it should have now; both may be NULL.
    pub fn sn_puppet_get(puppet: *const sn_puppet, planned: *mut f64, reference: *mut f64) -> sn_puppet_mode;
    /// The state of a puppet beside the world's, for rollback: `size` bytes that you copy to keep and copy
    /// back to restore, together with a state or snapshot of the world. Both then go on with the same bits.
    pub fn sn_puppet_state(puppet: *mut sn_puppet, size: *mut usize) -> *mut c_void;
    /// Contacts of the last step in one copy, or in all of them one after the other (copy -1), ordered by
    /// bodies. You can read them until the next call that changes the world.
    pub fn sn_world_contacts(world: *const sn_world, copy: c_int, count: *mut c_int) -> *const sn_contact;
    /// Casts work in one copy, over members and ground whose group has a bit in the mask. A cast finds the
    /// first thing on the way origin + t way; what it starts in is met at t = 0. Shapes are solids of any
    /// kind and do not turn on their way. Returns true if something was met.
    pub fn sn_world_cast_ray(world: *const sn_world, copy: c_int, origin: *const f64, way: *const f64, mask: u32, hit: *mut sn_hit) -> bool;
    pub fn sn_world_cast_shape(world: *const sn_world, copy: c_int, shape: *const sn_shape_def, pos: *const f64, rot: *const f64, way: *const f64, mask: u32, hit: *mut sn_hit) -> bool;
    /// Finds everything that overlaps a shape. Fills at most `room` hits (t = 0) and returns how many there
    /// are.
    pub fn sn_world_overlap(world: *const sn_world, copy: c_int, shape: *const sn_shape_def, pos: *const f64, rot: *const f64, mask: u32, hits: *mut sn_hit, room: c_int) -> c_int;
    /// Makes a member react to impacts in all copies. NULL: it does not react any more.
    pub fn sn_world_set_reaction(world: *mut sn_world, member: sn_member, definition: *const sn_reaction_def) -> sn_status;
    /// Starts the reaction to an impact on a body (-1: on all), in one copy or in all (-1).
    pub fn sn_world_react(world: *mut sn_world, member: sn_member, copy: c_int, body: c_int) -> sn_status;
    /// Changes the mode of a body's joint and of all bodies that hang on it, over `blend` seconds (0: at
    /// once), in one copy or in all (-1). A body of -1, or the root's, is the whole member. Between driven
    /// and limp, gains change in a straight line; an animated limb lets go with the eighth power of the time
    /// that is left.
    pub fn sn_world_set_limb(world: *mut sn_world, member: sn_member, copy: c_int, body: c_int, mode: sn_limb_mode, blend: f64) -> sn_status;
    /// Limits the force (N) and torque (N m) of the root's drive in all copies (INFINITY: no limit), as
    /// SN_FIELD_TORQUE_LIMIT of the root does, and sets the sums above to zero. Returns SN_ERROR_UNSUPPORTED
    /// unless the definition of the world has report_torque, and torque_limits if one of them is finite.
    pub fn sn_world_set_assistance(world: *mut sn_world, member: sn_member, force: f64, torque: f64) -> sn_status;
    pub fn sn_world_get_assistance(world: *const sn_world, member: sn_member, copy: c_int, used: *mut sn_assistance) -> sn_status;
    /// Makes a recorder. The world must live until the last sn_recorder_take. With a world of NULL there is
    /// only what sn_recorder_pose shows. A definition of NULL means all defaults.
    pub fn sn_recorder_create(world: *mut sn_world, definition: *const sn_recorder_def, error: *mut sn_error) -> *mut sn_recorder;
    /// Frees a recorder. NULL is allowed.
    pub fn sn_recorder_free(recorder: *mut sn_recorder);
    /// Call it after each step. It takes a frame when one is due at this time (s), the first one at once.
    /// After an error the recording ends with the frame before.
    pub fn sn_recorder_take(recorder: *mut sn_recorder, time: f64) -> sn_status;
    /// Sets a pose, and torques or NULL, of another character, from the next frame on until changed. The
    /// role "reference" is a ghost that shows where the first member should be, "simulated" a character that
    /// no world steps. The model must live until the last sn_recorder_take.
    pub fn sn_recorder_pose(recorder: *mut sn_recorder, role: *const c_char, model: *const sn_model, q: *const f64, torque: *const f64) -> sn_status;
    /// Sets a number per frame, from the next frame on until changed. "effector" (m) and "joint" (rad) are
    /// plotted.
    pub fn sn_recorder_number(recorder: *mut sn_recorder, name: *const c_char, value: f64) -> sn_status;
    /// Adds something that happened: a kind, as "diverged", and a sentence.
    pub fn sn_recorder_event(recorder: *mut sn_recorder, time: f64, kind: *const c_char, text: *const c_char) -> sn_status;
    /// Adds a JSON value, which is not checked, under a key of its own: "settings", "result", "ground". The
    /// last value of a key counts.
    pub fn sn_recorder_note(recorder: *mut sn_recorder, key: *const c_char, json: *const c_char) -> sn_status;
    /// The recording as text. It belongs to the recorder until the next call. `size` may be NULL. Returns
    /// NULL if memory runs out or no frame was taken.
    pub fn sn_recorder_text(recorder: *mut sn_recorder, size: *mut usize) -> *const c_char;
    /// Writes a file by the ending of its name: .glb (binary glTF 2.0: all characters as mannequins that
    /// move, for Blender, three.js and others), .bvh (the first simulated character, Y up, metres), or else
    /// the recording itself.
    pub fn sn_recorder_save(recorder: *mut sn_recorder, path: *const c_char, error: *mut sn_error) -> sn_status;
    /// Reads a recording, to save it in another format.
    pub fn sn_recorder_load(path: *const c_char, error: *mut sn_error) -> *mut sn_recorder;
    pub fn sn_search_create(definition: *const sn_search_def, error: *mut sn_error) -> *mut sn_search;
    /// NULL is allowed.
    pub fn sn_search_free(search: *mut sn_search);
    /// The candidates of this generation, [candidates][n]; they stay until they are judged. `candidates` may
    /// be NULL.
    pub fn sn_search_ask(search: *mut sn_search, candidates: *mut c_int) -> *const f64;
    /// Scores [candidates] of the last sn_search_ask: more is better, and NaN is worse than all others.
    pub fn sn_search_tell(search: *mut sn_search, score: *const f64, error: *mut sn_error) -> sn_status;
    pub fn sn_search_get(search: *const sn_search) -> sn_search_info;
    /// A world is a scene in one copy or in thousands: members (characters and free bodies), ground, and
    /// constraints between them. The scene is described once; each copy has its own state. Contacts, joint
    /// limits and constraints are solved together with the drives. A copy has the same bits whether it runs
    /// alone or beside others, at any index, with any number of threads, and beside copies that diverge.
    /// Makes an empty world. A definition of NULL means all defaults: steps of 1/240 s, gravity, contact.
    /// Returns NULL and an error if the definition is refused.
    pub fn sn_world_create(definition: *const sn_world_def, error: *mut sn_error) -> *mut sn_world;
    /// Frees a world. NULL is allowed.
    pub fn sn_world_free(world: *mut sn_world);
    pub fn sn_world_get_info(world: *const sn_world) -> sn_world_info;
    /// Why the last call on this world that failed did so, as a sentence: "q of copy 5: value 12 is nan,
    /// which is not a number." It stays until the next call that fails; "" before the first. Functions with
    /// an sn_error write it there instead.
    pub fn sn_world_message(world: *const sn_world) -> *const c_char;
    /// Bytes that the world holds, for all threads together.
    pub fn sn_world_memory(world: *const sn_world) -> usize;
    /// Adds a member to all copies, in the zero pose, at rest and without gains. Returns its handle, or -1
    /// and an error. The model must outlive the world. Members can come and go at any time between steps, in
    /// time proportional to what is added.
    pub fn sn_world_add(world: *mut sn_world, model: *const sn_model, error: *mut sn_error) -> sn_member;
    pub fn sn_world_remove(world: *mut sn_world, member: sn_member) -> sn_status;
    /// The handle of the member with an index from 0 to `members` of sn_world_info; -1 if there is none
    /// there now. Members keep their index. It may be given to another member after they are removed.
    pub fn sn_world_member(world: *const sn_world, index: c_int) -> sn_member;
    /// The model of a member; NULL if there is no such member.
    pub fn sn_world_model(world: *const sn_world, member: sn_member) -> *const sn_model;
    /// The member that has a body of this name, and the index of the body (`body` may be NULL); -1 if none
    /// has.
    pub fn sn_world_find_body(world: *const sn_world, name: *const c_char, body: *mut c_int) -> sn_member;
    /// A member that is not active stays where it is and touches nothing. Members are active at first.
    pub fn sn_world_set_active(world: *mut sn_world, member: sn_member, active: bool) -> sn_status;
    /// Adds the plane z = 0 as ground, with the default material. Returns its number, or -1. ground.h has
    /// other kinds of ground.
    pub fn sn_world_add_floor(world: *mut sn_world) -> c_int;
    /// These functions act on all copies alike; fields.h gives each copy its own values. Quaternions are
    /// normalised. Puts a member in its home pose on the ground below it, at rest, and holds it there: the
    /// pose becomes its target, and every joint except a free root gets the gains kp (N m/rad) and kd (N m
    /// s/rad). If both are 0, it gets the gains of its model, or gains from sn_gains_choose if the model has
    /// none.
    pub fn sn_world_hold(world: *mut sn_world, member: sn_member, kp: f64, kd: f64) -> sn_status;
    /// Sets positions [nq] and velocities [nv]. NULL leaves that half unchanged.
    pub fn sn_world_set_state(world: *mut sn_world, member: sn_member, q: *const f64, qd: *const f64) -> sn_status;
    /// Reads positions and velocities of copy 0. NULL skips that half.
    pub fn sn_world_get_state(world: *const sn_world, member: sn_member, q: *mut f64, qd: *mut f64) -> sn_status;
    /// Sets the pose that the drives should reach at the END of the coming step, and the velocity there. A q
    /// of NULL keeps the pose; a qd of NULL means zero.
    pub fn sn_world_set_target(world: *mut sn_world, member: sn_member, q: *const f64, qd: *const f64) -> sn_status;
    /// Sets the drive gains of a member. `kp` and `kd` have one value per degree of freedom. NULL leaves
    /// that half unchanged. Returns SN_ERROR_ARGUMENT if a gain is negative or not finite; the gains are
    /// then unchanged.
    pub fn sn_world_set_gains(world: *mut sn_world, member: sn_member, kp: *const f64, kd: *const f64) -> sn_status;
    /// Takes the targets from a motion of the member's model. Each copy has its own phase (SN_FIELD_PHASE),
    /// which every step moves on by dt. The motion is copied. NULL: you set targets yourself again.
    pub fn sn_world_set_motion(world: *mut sn_world, member: sn_member, motion: *const sn_motion) -> sn_status;
    /// Moves the root in q against gravity until the lowest point of the member is on the ground below it.
    pub fn sn_world_stand(world: *const sn_world, member: sn_member, q: *mut f64) -> sn_status;
    /// Pushes a body with a force (N) through its origin and a torque (N m), both in world axes; NULL means
    /// zero. The push ends by itself after `duration` seconds, rounded to whole steps; INFINITY lasts until
    /// you change it. It replaces any other push on that body. When it ends, SN_FIELD_PUSH of that body is
    /// zero in all copies.
    pub fn sn_world_push(world: *mut sn_world, member: sn_member, body: c_int, force: *const f64, torque: *const f64, duration: f64) -> sn_status;
    /// Makes `substeps` steps of dt. If a velocity of a member would stop being finite, or exceed 1e5 m/s or
    /// rad/s, the member is frozen in that copy, in the state before the substep. Members that constraints
    /// join to it are frozen with it. The others continue, and a frozen member is a wall to them. It
    /// continues when its state is set or the copy is reset. Returns SN_ERROR_NOT_FINITE if no member of any
    /// copy is left that moves. sn_world_get_stats names the member and the degree of freedom, and the drive
    /// that is too stiff if there is one; sn_gains_check suggests gains that work.
    pub fn sn_world_step(world: *mut sn_world) -> sn_status;
    /// Changes the duration of a substep, s.
    pub fn sn_world_set_dt(world: *mut sn_world, dt: f64) -> sn_status;
    /// The time that has passed since the world was made, s.
    pub fn sn_world_time(world: *const sn_world) -> f64;
    pub fn sn_world_get_stats(world: *const sn_world, stats: *mut sn_world_stats);
    /// Reads where a body is in copy 0: the position of its frame in the world, and its orientation. Either
    /// may be NULL. sn_model_find_body and sn_world_find_body find a body by its name.
    pub fn sn_world_body_pose(world: *const sn_world, member: sn_member, body: c_int, pos: *mut f64, rot: *mut f64) -> sn_status;
    pub fn sn_world_summary(world: *mut sn_world, member: sn_member, copy: c_int, summary: *mut sn_summary) -> sn_status;
    /// A hash of all positions and velocities, bit by bit, for comparing runs.
    pub fn sn_world_hash(world: *const sn_world) -> u64;
    /// A snapshot is the whole world as one block of bytes: structure, state, warm starts, targets, gains,
    /// pushes and constraints of all copies. Restoring it gives the same bits again, even if members, ground
    /// or constraints have come and gone since; numbers and handles go back, too. The world must have been
    /// made with the same definition and must have held every model of the snapshot at some time. Returns
    /// the number of bytes that a snapshot takes, and writes it if `room` is large enough. With NULL and 0
    /// it only counts. In crowded scenes the number grows with the contacts. 0: out of memory.
    pub fn sn_world_snapshot(world: *const sn_world, bytes: *mut c_void, room: usize) -> usize;
    /// Refuses a block that is damaged or belongs to another world; the world is then unchanged.
    pub fn sn_world_restore(world: *mut sn_world, bytes: *const c_void, size: usize, error: *mut sn_error) -> sn_status;
    /// Random number `index` of this control step, in (0, 1). It depends on nothing but the episode, the
    /// step and the index, so nothing about a generator has to be saved.
    pub fn sn_episode_random(episode: *const sn_episode, index: u32) -> f64;
    /// Fills the table. Pass it to one sn_environment_create, which takes it over and frees it.
    pub fn sn_imitation_task(task: *mut sn_task, definition: *const sn_imitation_def, error: *mut sn_error) -> sn_status;
}

/// A definition of that name with all defaults; `inner`: the size of the definition inside it.
unsafe fn default_of<T>(name: &[u8], inner: usize) -> T {
    let mut def = std::mem::MaybeUninit::<T>::zeroed();
    sn_def_default(name.as_ptr().cast(), def.as_mut_ptr().cast(), std::mem::size_of::<T>(), inner);
    def.assume_init()
}

/// A sn_curve_def with all defaults.
pub fn sn_curve_def_default() -> sn_curve_def {
    unsafe { default_of(b"sn_curve_def\0", 0) }
}

/// A sn_surface_def with all defaults.
pub fn sn_surface_def_default(r#type: sn_surface_type) -> sn_surface_def {
    unsafe { sn_surface_def { r#type, ..default_of(b"sn_surface_def\0", 0) } }
}

/// A sn_constraint_def with all defaults.
pub fn sn_constraint_def_default(r#type: sn_constraint_type) -> sn_constraint_def {
    unsafe { sn_constraint_def { r#type, ..default_of(b"sn_constraint_def\0", 0) } }
}

/// A sn_dynamics_def with all defaults.
pub fn sn_dynamics_def_default() -> sn_dynamics_def {
    unsafe { default_of(b"sn_dynamics_def\0", 0) }
}

/// A sn_load_def with all defaults.
pub fn sn_load_def_default() -> sn_load_def {
    unsafe { default_of(b"sn_load_def\0", 0) }
}

/// A sn_gains_def with all defaults.
pub fn sn_gains_def_default() -> sn_gains_def {
    unsafe { default_of(b"sn_gains_def\0", 0) }
}

/// A sn_heightfield_def with all defaults.
pub fn sn_heightfield_def_default() -> sn_heightfield_def {
    unsafe { default_of(b"sn_heightfield_def\0", 0) }
}

/// A sn_mesh_def with all defaults.
pub fn sn_mesh_def_default() -> sn_mesh_def {
    unsafe { default_of(b"sn_mesh_def\0", 0) }
}

/// A sn_keyframes_def with all defaults.
pub fn sn_keyframes_def_default() -> sn_keyframes_def {
    unsafe { default_of(b"sn_keyframes_def\0", 0) }
}

/// A sn_environment_def with all defaults.
pub fn sn_environment_def_default() -> sn_environment_def {
    unsafe { default_of(b"sn_environment_def\0", 0) }
}

/// A sn_trainer_def with all defaults.
pub fn sn_trainer_def_default() -> sn_trainer_def {
    unsafe { default_of(b"sn_trainer_def\0", 0) }
}

/// A sn_joint_def with all defaults.
pub fn sn_joint_def_default(r#type: sn_joint_type) -> sn_joint_def {
    unsafe { sn_joint_def { r#type, ..default_of(b"sn_joint_def\0", 0) } }
}

/// A sn_body_def with all defaults.
pub fn sn_body_def_default() -> sn_body_def {
    unsafe { default_of(b"sn_body_def\0", std::mem::size_of::<sn_joint_def>()) }
}

/// A sn_shape_def with all defaults.
pub fn sn_shape_def_default(r#type: sn_shape_type) -> sn_shape_def {
    unsafe { sn_shape_def { r#type, ..default_of(b"sn_shape_def\0", 0) } }
}

/// A sn_clip_def with all defaults.
pub fn sn_clip_def_default() -> sn_clip_def {
    unsafe { default_of(b"sn_clip_def\0", 0) }
}

/// A sn_clip_edit_def with all defaults.
pub fn sn_clip_edit_def_default() -> sn_clip_edit_def {
    unsafe { default_of(b"sn_clip_edit_def\0", 0) }
}

/// A sn_reaction_def with all defaults.
pub fn sn_reaction_def_default() -> sn_reaction_def {
    unsafe { default_of(b"sn_reaction_def\0", 0) }
}

/// A sn_recorder_def with all defaults.
pub fn sn_recorder_def_default() -> sn_recorder_def {
    unsafe { default_of(b"sn_recorder_def\0", 0) }
}

/// A sn_search_def with all defaults.
pub fn sn_search_def_default(method: sn_search_method, n: c_int) -> sn_search_def {
    unsafe { sn_search_def { method, n, ..default_of(b"sn_search_def\0", 0) } }
}

/// A sn_imitation_def with all defaults.
pub fn sn_imitation_def_default(model: *const sn_model, motion: *const sn_motion) -> sn_imitation_def {
    unsafe { sn_imitation_def { model, motion, ..default_of(b"sn_imitation_def\0", 0) } }
}

/// A sn_world_def with all defaults.
pub fn sn_world_def_default() -> sn_world_def {
    unsafe { default_of(b"sn_world_def\0", 0) }
}
