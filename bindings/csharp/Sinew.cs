// Written by scripts/foreign.py from the public headers. Do not edit.
using System;
using System.Runtime.InteropServices;

namespace Sinew {
    public enum sn_status {
        SN_OK = 0,
        SN_ERROR_ARGUMENT = 1,
        SN_ERROR_MEMORY = 2,
        SN_ERROR_MODEL = 3,
        SN_ERROR_TOO_LARGE = 4,
        SN_ERROR_UNSUPPORTED = 5,
        SN_ERROR_NOT_FINITE = 6,
        SN_ERROR_FILE = 7,
        SN_ERROR_FORMAT = 8,
    }

    public enum sn_field {
        SN_FIELD_Q = 0,
        SN_FIELD_QD = 1,
        SN_FIELD_TARGET_Q = 2,
        SN_FIELD_TARGET_QD = 3,
        SN_FIELD_FEEDFORWARD = 4,
        SN_FIELD_KP = 5,
        SN_FIELD_KD = 6,
        SN_FIELD_TORQUE_LIMIT = 7,
        SN_FIELD_ARMATURE = 8,
        SN_FIELD_PUSH = 9,
        SN_FIELD_MASS_SCALE = 10,
        SN_FIELD_FRICTION = 11,
        SN_FIELD_GRAVITY = 12,
        SN_FIELD_DT = 13,
        SN_FIELD_PHASE = 14,
        SN_FIELD_QDD = 15,
        SN_FIELD_TORQUE = 16,
        SN_FIELD_BODY_POSE = 17,
        SN_FIELD_BODY_VELOCITY = 18,
        SN_FIELD_CONTACT_FORCE = 19,
        SN_FIELD_TOUCHING = 20,
        SN_FIELD_DIVERGED = 21,
        SN_FIELD_ASLEEP = 22,
        SN_FIELD_GAIN_SCALE = 23,
        SN_FIELD_IMPACTS = 24,
        SN_FIELD_MIDDLE_QD = 25,
    }

    public enum sn_constraint_type {
        SN_CONSTRAINT_PIN = 0,
        SN_CONSTRAINT_POINT_PATH = 1,
        SN_CONSTRAINT_JOINT_PATH = 2,
        SN_CONSTRAINT_SPRING = 3,
        SN_CONSTRAINT_DIRECTION_PATH = 4,
        SN_CONSTRAINT_ORIENTATION_PATH = 5,
        SN_CONSTRAINT_WELD = 6,
        SN_CONSTRAINT_POINT_ACCELERATION = 7,
        SN_CONSTRAINT_DIRECTION_ACCELERATION = 8,
        SN_CONSTRAINT_JOINT_ACCELERATION = 9,
        SN_CONSTRAINT_POINT_IMPULSE = 10,
        SN_CONSTRAINT_DIRECTION_IMPULSE = 11,
        SN_CONSTRAINT_JOINT_IMPULSE = 12,
        SN_CONSTRAINT_COUPLING = 13,
        SN_CONSTRAINT_COUPLING_LIMIT = 14,
        SN_CONSTRAINT_JOINT_FRICTION = 15,
        SN_CONSTRAINT_HINGE = 16,
        SN_CONSTRAINT_SLIDER = 17,
        SN_CONSTRAINT_ORIENTATION = 18,
        SN_CONSTRAINT_DISTANCE = 19,
        SN_CONSTRAINT_ROPE = 20,
        SN_CONSTRAINT_CURVE = 21,
        SN_CONSTRAINT_SURFACE = 22,
        SN_CONSTRAINT_MOTOR = 23,
        SN_CONSTRAINT_LINEAR_MOTOR = 24,
    }

    public enum sn_surface_type {
        SN_SURFACE_PLANE = 0,
        SN_SURFACE_SPHERE = 1,
        SN_SURFACE_CYLINDER = 2,
        SN_SURFACE_HEIGHTS = 3,
    }

    public enum sn_trigger_phase {
        SN_TRIGGER_PHASE_BEGAN = 0,
        SN_TRIGGER_PHASE_STAYED = 1,
        SN_TRIGGER_PHASE_ENDED = 2,
        SN_TRIGGER_PHASE_PASSED = 3,
    }

    public enum sn_draw {
        SN_DRAW_SHAPES = 1,
        SN_DRAW_GROUND = 2,
        SN_DRAW_TRIGGERS = 4,
        SN_DRAW_AXES = 8,
        SN_DRAW_JOINTS = 16,
        SN_DRAW_LIMITS = 32,
        SN_DRAW_CONSTRAINTS = 64,
        SN_DRAW_CONTACTS = 128,
        SN_DRAW_FORCES = 256,
        SN_DRAW_MASSES = 512,
        SN_DRAW_NAMES = 1024,
        SN_DRAW_ALL = 2047,
    }

    public enum sn_solver {
        SN_SOLVER_MABA = 0,
        SN_SOLVER_DENSE = 1,
        SN_SOLVER_LAPACK = 2,
        SN_SOLVER_SPARSE = 3,
        SN_SOLVER_PCG = 4,
    }

    public enum sn_integrator {
        SN_INTEGRATOR_SEMI_IMPLICIT_EULER = 0,
        SN_INTEGRATOR_EXPLICIT_EULER = 1,
        SN_INTEGRATOR_MIDPOINT = 2,
        SN_INTEGRATOR_RK2 = 3,
        SN_INTEGRATOR_RK3 = 4,
        SN_INTEGRATOR_RK4 = 5,
    }

    public enum sn_route {
        SN_ROUTE_DIRECT = 0,
        SN_ROUTE_TORQUE_RNEA = 1,
        SN_ROUTE_TORQUE_EQ6 = 2,
    }

    public enum sn_precision {
        SN_PRECISION_DOUBLE = 0,
        SN_PRECISION_FLOAT = 1,
    }

    public enum sn_form {
        SN_FORM_STABLE = 0,
        SN_FORM_EXPLICIT = 1,
        SN_FORM_IMPLICIT_D = 2,
        SN_FORM_FULL = 3,
    }

    public enum sn_contact_method {
        SN_CONTACT_IMPLICIT = 0,
        SN_CONTACT_ROWS = 1,
        SN_CONTACT_NONE = 2,
    }

    public enum sn_stepper {
        SN_STEPPER_TIME = 0,
        SN_STEPPER_EVENT = 1,
        SN_STEPPER_POSITION = 2,
    }

    public enum sn_scheme {
        SN_SCHEME_PBAD2 = 0,
        SN_SCHEME_BDF2 = 1,
    }

    public enum sn_friction {
        SN_FRICTION_CONE = 0,
        SN_FRICTION_PYRAMID = 1,
        SN_FRICTION_ONE_WAY = 2,
        SN_FRICTION_NONE = 3,
    }

    public enum sn_products {
        SN_PRODUCTS_MIDPOINT = 0,
        SN_PRODUCTS_EXPLICIT = 1,
    }

    public enum sn_stance {
        SN_STANCE_LOWEST = 0,
        SN_STANCE_BODIES = 1,
        SN_STANCE_NONE = 2,
    }

    public enum sn_gain_flag {
        SN_GAIN_OK = 0,
        SN_GAIN_UNDERDAMPED = 1,
        SN_GAIN_FLOAT_STIFF = 2,
        SN_GAIN_OVERSHOOTS = 4,
    }

    public enum sn_fade {
        SN_FADE_POLYNOMIAL = 0,
        SN_FADE_LINEAR = 1,
        SN_FADE_CURVE = 2,
    }

    public enum sn_autoreset {
        SN_AUTORESET_SAME_STEP = 0,
        SN_AUTORESET_NEXT_STEP = 1,
        SN_AUTORESET_OFF = 2,
    }

    public enum sn_joint_type {
        SN_JOINT_WELD = 0,
        SN_JOINT_HINGE = 1,
        SN_JOINT_SLIDE = 2,
        SN_JOINT_UNIVERSAL = 3,
        SN_JOINT_BALL = 4,
        SN_JOINT_FREE = 5,
        SN_JOINT_PLANAR = 6,
        SN_JOINT_CYLINDRICAL = 7,
        SN_JOINT_SCREW = 8,
    }

    public enum sn_shape_type {
        SN_SHAPE_SPHERE = 0,
        SN_SHAPE_CAPSULE = 1,
        SN_SHAPE_BOX = 2,
        SN_SHAPE_CYLINDER = 3,
        SN_SHAPE_ELLIPSOID = 4,
        SN_SHAPE_HULL = 5,
        SN_SHAPE_CONE = 6,
    }

    public enum sn_puppet_mode {
        SN_PUPPET_GOES = 0,
        SN_PUPPET_LIES = 1,
        SN_PUPPET_GETS_UP = 2,
        SN_PUPPET_LIMP = 3,
    }

    public enum sn_contact_phase {
        SN_CONTACT_PHASE_NEAR = 0,
        SN_CONTACT_PHASE_BEGAN = 1,
        SN_CONTACT_PHASE_STAYED = 2,
        SN_CONTACT_PHASE_ENDED = 3,
    }

    public enum sn_limb_mode {
        SN_LIMB_DRIVEN = 0,
        SN_LIMB_LIMP = 1,
        SN_LIMB_ANIMATED = 2,
    }

    public enum sn_search_method {
        SN_SEARCH_CMA = 0,
        SN_SEARCH_GRADIENT = 1,
        SN_SEARCH_NATURAL = 2,
    }

    public enum sn_row_solver {
        SN_ROW_SOLVER_PGS = 0,
        SN_ROW_SOLVER_LEMKE = 1,
        SN_ROW_SOLVER_DANTZIG = 2,
    }

    public enum sn_row_response {
        SN_ROW_RESPONSE_DELTAS = 0,
        SN_ROW_RESPONSE_TEST_FORCES = 1,
        SN_ROW_RESPONSE_CACHED = 2,
    }

    public enum sn_drives {
        SN_DRIVES_INSIDE = 0,
        SN_DRIVES_MABA = 1,
        SN_DRIVES_DENSE = 2,
        SN_DRIVES_LAPACK = 3,
    }

    public enum sn_position_method {
        SN_POSITION_METHOD_PBAD2 = 0,
        SN_POSITION_METHOD_BDF2 = 1,
        SN_POSITION_METHOD_PBAD3 = 2,
        SN_POSITION_METHOD_PBAD4 = 3,
        SN_POSITION_METHOD_RADAU2 = 4,
        SN_POSITION_METHOD_RADAU3 = 5,
    }

    public enum sn_position_solver {
        SN_POSITION_SOLVER_SWEEPS = 0,
        SN_POSITION_SOLVER_NEWTON = 1,
        SN_POSITION_SOLVER_LM_SWEEP = 2,
        SN_POSITION_SOLVER_LM_DENSE = 3,
        SN_POSITION_SOLVER_LBFGS = 4,
    }

    public enum sn_position_hessian {
        SN_POSITION_HESSIAN_GAUSS_NEWTON = 0,
        SN_POSITION_HESSIAN_CLAMPED = 1,
        SN_POSITION_HESSIAN_MIRRORED = 2,
        SN_POSITION_HESSIAN_EXACT = 3,
    }

    public enum sn_position_friction {
        SN_POSITION_FRICTION_EQUATION_9 = 0,
        SN_POSITION_FRICTION_COULOMB = 1,
    }

    public enum sn_full_method {
        SN_FULL_METHOD_COUPLED = 0,
        SN_FULL_METHOD_SOFT_ROWS = 1,
        SN_FULL_METHOD_NULL_SPACE = 2,
        SN_FULL_METHOD_KKT = 3,
    }

    public enum sn_full_repair {
        SN_FULL_REPAIR_NONE = 0,
        SN_FULL_REPAIR_PROJECTION = 1,
        SN_FULL_REPAIR_SNAP = 2,
    }

    public enum sn_full_products {
        SN_FULL_PRODUCTS_ROWS = 0,
        SN_FULL_PRODUCTS_START = 1,
        SN_FULL_PRODUCTS_MIDDLE = 2,
        SN_FULL_PRODUCTS_ENDS = 3,
        SN_FULL_PRODUCTS_CARRIED = 4,
    }

    public enum sn_features {
        SN_FEATURES_2018 = 0,
        SN_FEATURES_2021 = 1,
    }

    public enum sn_targets {
        SN_TARGETS_RESIDUAL = 0,
        SN_TARGETS_ABSOLUTE = 1,
    }

    public enum sn_terrain {
        SN_TERRAIN_FLAT = 0,
        SN_TERRAIN_BUMPS = 1,
        SN_TERRAIN_SLOPES = 2,
        SN_TERRAIN_STEPS = 3,
        SN_TERRAIN_MIXED = 4,
    }

    public enum sn_setting {
        SN_SETTING_GAME = 0,
        SN_SETTING_EXACT = 1,
        SN_SETTING_CROWD = 2,
    }

    public enum sn_step_part {
        SN_STEP_PART_ALL = 0,
        SN_STEP_PART_FIND = 1,
        SN_STEP_PART_SOLVE = 2,
        SN_STEP_PART_ROWS = 3,
        SN_STEP_PART_MOVE = 4,
        SN_STEP_PART_OTHER = 5,
    }

    /// Filled by functions that can fail in more ways than a code can tell. You can always pass NULL
    /// instead.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_error {
        public sn_status status;
        /// A sentence that names the body, joint, file or line at fault.
        public fixed byte message[1020];
    }

    /// A curve in the frame of body2 or of the world, with its origin at point2: points joined by straight
    /// lines, or a smooth curve through them. If it is open, its first and last parts continue straight.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_curve_def {
        /// Set by sn_curve_def_default.
        public uint struct_size;
        /// Number of points. [default 0; 0 to 1000000]
        public int npoint;
        /// [npoint][3] points; copied. [m; default NULL]
        public double* points;
        /// Whether the last point is joined to the first. [default false]
        public byte closed;
        /// Whether cubic pieces join the points, with `tangents` or with those of the chords beside each
        /// point. [default false]
        public byte smooth;
        /// [npoint][3] derivatives by the number of the point. NULL: from the points. [default NULL]
        public double* tangents;
        /// A function to use instead of points. It is asked npoint times as the constraint is added, at s =
        /// start ... end, for its place and its derivative by s. Cubic pieces replace it: four times the
        /// points leave 1/256 of the error. [default NULL]
        public IntPtr sample;
        /// First argument of `sample`. [default NULL]
        public void* user;
        /// First value of s. [default 0]
        public double start;
        /// Last value of s. [default 0]
        public double end;
    }

    /// A surface in the frame of body2 or of the world.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_surface_def {
        /// Set by sn_surface_def_default.
        public uint struct_size;
        /// What the surface is. [default SN_SURFACE_PLANE]
        public sn_surface_type type;
        /// Radius of a sphere or cylinder. [m; default 0]
        public double radius;
        /// Number of heights along x. [default 0; 0 to 4096]
        public int nx;
        /// Number of heights along y. [default 0; 0 to 4096]
        public int ny;
        /// Extent along x and y, from point2. Beyond it the heights of the edge continue. [m; default 0 0]
        public fixed double size[2];
        /// [ny][nx] heights; copied. [m; default NULL]
        public double* height;
        /// A function to use instead of heights. It is asked nx * ny times as the constraint is added.
        /// [default NULL]
        public IntPtr sample;
        /// First argument of `sample`. [default NULL]
        public void* user;
    }

    /// Make one with sn_constraint_def_default(type).
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_constraint_def {
        /// Set by sn_constraint_def_default.
        public uint struct_size;
        /// What the constraint does. [default SN_CONSTRAINT_PIN]
        public sn_constraint_type type;
        /// Member at the first end. [default 0]
        public int member;
        /// Body of that member. [default 0]
        public int body;
        /// Point of that body, in its frame. [m; default 0 0 0]
        public fixed double point[3];
        /// Member at the other end, for constraints that have one. -1: the world. [default -1]
        public int member2;
        /// Body of that member. [default 0]
        public int body2;
        /// Point of that body in its frame, or of the world. [m; default 0 0 0]
        public fixed double point2[3];
        /// Direction fixed in that body or in the world, for SN_CONSTRAINT_DIRECTION_*, hinges, sliders,
        /// motors and surfaces. Any length but 0. [default 0 0 1]
        public fixed double direction[3];
        /// What to reach; see sn_constraint_type. Points have three values, joints as many as in q. [default
        /// 0 0 0 0 0 0 0]
        public fixed double target[7];
        /// Velocity of the target, as in qd. [default 0 0 0 0 0 0]
        public fixed double target_velocity[6];
        /// Paths: the t of Kp = 1/t^2, Kd = sqrt(2)/t. After 2.65 t a tenth of the way is left. [s; default
        /// 0.1; above 0]
        public double settle;
        /// Paths: Kp. 0: from `settle`. [1/s^2; default 0; from 0]
        public double kp;
        /// Paths: Kd. 0: from `settle`. [1/s; default 0; from 0]
        public double kd;
        /// Stiffness of what holds (pin, weld, hinge, ... surface), of SN_CONSTRAINT_SPRING and of
        /// SN_CONSTRAINT_COUPLING. What has no stiffness, damping or frequency is rigid. [N/m or N m/rad;
        /// default 0; from 0]
        public double stiffness;
        /// Damping that goes with the stiffness. [N s/m or N m s/rad; default 0; from 0]
        public double damping;
        /// Frequency of the inertia that each row meets, instead of stiffness. [Hz; default 0; from 0]
        public double frequency;
        /// Damping ratio that goes with the frequency. 1 is critical. [default 1; from 0]
        public double damping_ratio;
        /// How stiffness and damping enter, as those of a drive do. SN_FORM_STABLE is spd-2011 eq. 13, where
        /// a damping of 0 means 1.5 stiffness dt; SN_FORM_EXPLICIT is the penalty method. [default
        /// SN_FORM_FULL]
        public sn_form form;
        /// Whether it is solved as rows in any case. Pins, distances, curves and surfaces of the world that
        /// have a stiffness and no max_force are otherwise terms inside MABA, at constant cost each.
        /// [default false]
        public byte rows;
        /// Whether the two members, or the two bodies of one member, that the constraint joins can touch
        /// each other. They always can once it is broken. [default false]
        public byte collide;
        /// The curve of SN_CONSTRAINT_CURVE; copied. [default NULL]
        public sn_curve_def* curve;
        /// The surface of SN_CONSTRAINT_SURFACE; copied. [default NULL]
        public sn_surface_def* surface;
        /// Polynomial of SN_CONSTRAINT_COUPLING and SN_CONSTRAINT_COUPLING_LIMIT. The default means equal
        /// angles. [default 0 1 0 0 0]
        public fixed double ratio[5];
        /// Largest force of each row; of an impulse, the largest impulse. [N or N m; default infinity; above
        /// 0 to infinity]
        public double max_force;
        /// The constraint breaks, in one copy, after a step in which its force was larger than this.
        /// Impulses do not break. [N; default infinity; above 0 to infinity]
        public double break_force;
        /// The constraint breaks after a step in which its torque was larger than this. [N m; default
        /// infinity; above 0 to infinity]
        public double break_torque;
    }

    /// How a constraint is doing in one copy.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_constraint_state {
        /// Whether it is broken. It then does nothing until sn_world_set_constraint mends it.
        public byte broken;
        /// How far it is from what it holds, as the copy is now: distance of the points (m) and angle of the
        /// turn (rad). Both are 0 for paths, springs, accelerations, impulses and motors.
        public double distance;
        /// How far it is from what it holds, as the copy is now: distance of the points (m) and angle of the
        /// turn (rad). Both are 0 for paths, springs, accelerations, impulses and motors.
        public double angle;
        /// Number of rows in the last step. 0: it did not act.
        public int rows;
        /// Force of each row in the last step, or its impulse.
        public fixed double force[6];
    }

    /// Two shapes that are near each other, before the step solves the contacts between them.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_near_pair {
        /// Number of the copy.
        public int copy;
        /// Members of the first and the second shape; -1: ground, which is always the second.
        public fixed int member[2];
        /// Their bodies, or the number of the ground.
        public fixed int body[2];
        /// Their numbers in the model; 0 for ground.
        public fixed int shape[2];
        /// Position of the contact point with the smallest gap, in the world.
        public fixed double pos[3];
        /// Normal there, from the second to the first.
        public fixed double normal[3];
        /// m; negative: penetration.
        public double gap;
        /// Coulomb's coefficient. A filter can change it and the next two, which hold what the two shapes
        /// say. A value that is negative or not finite has no effect.
        public double friction;
        /// 0 to 1.
        public double restitution;
        /// Velocity of the second surface against the first, world axes, m/s. Only the part along it counts.
        public fixed double surface_velocity[3];
    }

    /// A shape of a member that is inside a trigger.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_trigger_visit {
        /// Member of the trigger; -1: ground.
        public int trigger_member;
        /// Its body, or the number of the ground.
        public int trigger_body;
        /// Its number in the model; 0 for ground.
        public int trigger_shape;
        /// The member that is inside, its body, and its shape in the model.
        public int member;
        public int body;
        public int shape;
        public sn_trigger_phase phase;
    }

    /// Your functions. Colors are 0xRRGGBB. Zero it, then set what differs.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_drawer {
        /// First argument of the functions.
        public void* user;
        public IntPtr line;
        /// Draws a shape of a member or of ground at a place in the world; the shape's own pos and rot are
        /// already part of it. False, or NULL instead of the function: lines draw its outline.
        public IntPtr shape;
        /// NULL: no text.
        public IntPtr text;
        /// Length of axes, normals and ranges, m. 0: 0.1.
        public double size;
        /// Length that stands for 1 N, m. 0: 0.001.
        public double force;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_dynamics_def {
        /// Set by sn_dynamics_def_default.
        public uint struct_size;
        /// States that one call works on, side by side in lanes. [default 1; from 1]
        public int count;
        /// Precision of all calculations. [default SN_PRECISION_DOUBLE]
        public sn_precision precision;
        /// Lane type by name. NULL: the narrowest vector lanes for one state, else the widest. [default
        /// NULL]
        public byte* lanes;
        /// Gravity. [m/s^2; default 0 0 -9.81]
        public fixed double gravity[3];
        /// Duration of a step. [s; default 1/240; above 0]
        public double dt;
        /// How drives enter the equations of motion. [default SN_FORM_STABLE]
        public sn_form form;
        /// How the equations are solved. [default SN_SOLVER_MABA]
        public sn_solver solver;
        /// How states are integrated. [default SN_INTEGRATOR_SEMI_IMPLICIT_EULER]
        public sn_integrator integrator;
        /// What is integrated. [default SN_ROUTE_DIRECT]
        public sn_route route;
    }

    /// What drives the states of a call. Pointers that are NULL mean: zero, and for target_q: the zero pose.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_drive {
        /// [nv] Gains, none negative.
        public double* kp;
        /// [nv] Gains, none negative.
        public double* kd;
        /// [count][nq] Pose to reach at the end of the step.
        public double* target_q;
        /// [count][nv] Velocity to have there.
        public double* target_qd;
        /// [count][nv] Torque added to that of the drives.
        public double* feedforward;
        /// [count][nbody][6] Force and torque on each body, world axes.
        public double* push;
        /// [nv] Largest torques. NULL: those of the model.
        public double* torque_limit;
    }

    /// Where the library gets its memory. Every function receives `user`. Several threads may call them at
    /// the same time. `alignment` is a power of two. Sizes and alignments that come back are those of the
    /// request.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_memory {
        public void* user;
        /// Returns `bytes` bytes at a multiple of `alignment`, or NULL. They need not be zero.
        public IntPtr allocate;
        /// Changes the size of a block and keeps its contents, as realloc does. NULL: the library allocates,
        /// copies and releases.
        public IntPtr resize;
        /// Takes a block back. It is never NULL.
        public IntPtr release;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_ray {
        public fixed double origin[3];
        /// A ray meets what is between origin and origin + way.
        public fixed double way[3];
        /// Groups that it can meet.
        public uint mask;
    }

    /// A lane type is a precision and a width: how many values one vector holds, as in "f64", "f64x2",
    /// "f32x8" or "f32x16". The machine decides which types can run. The environment variable SINEW_LANES
    /// names the type to use if a definition does not, provided that the precision agrees. Scenes with rows
    /// use types of at most 256 bits. f64x8 steps by MABA on the direct route with Euler's methods only: in
    /// dynamics.h it has no mass matrix, forward dynamics and Jacobians (SN_ERROR_UNSUPPORTED).
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_lanes_info {
        /// "f32x16".
        public byte* name;
        /// "x86-64-v4", "x86-64-v3", "x86-64-v2" or "base".
        public byte* isa;
        public sn_precision precision;
        public int width;
        /// Whether multiply-adds are fused. All vector types with the same value here give the same bits.
        public byte fma;
    }

    /// How to read a file. Make one with sn_load_def_default; NULL means all defaults.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_load_def {
        /// Set by sn_load_def_default.
        public uint struct_size;
        /// Whether a mesh that cannot be read is left out with a warning. Otherwise it is an error. [default
        /// false]
        public byte allow_missing_mesh;
        /// Clips for a model: which joint drives which body, see sn_motion_create. [default NULL]
        public byte* map;
        /// MJCF: name or number of the pose to start with. NULL: the first. [default NULL]
        public byte* keyframe;
        /// Called for each thing that was ignored. [default NULL]
        public IntPtr warn;
        /// First argument of `warn` and `note`. [default NULL]
        public void* user;
        /// Clips: the axis of the file that points up, as "y" or "-z". NULL: decided from the motion.
        /// [default NULL]
        public byte* up;
        /// Clips: the axis of the file that the rest pose faces, which becomes x. NULL: directions stay as
        /// they are. [default NULL]
        public byte* facing;
        /// Clips: metres per unit of the file. 0: decided from the motion. [default 0; from 0]
        public double scale;
        /// Tables of poses: "wxyz" or "xyzw". NULL: decided from the motion. [default NULL]
        public byte* quaternion;
        /// Whether first frames with a pose of their own (a T-pose) are kept. [default false]
        public byte keep_first;
        /// Called for each thing that was decided because the file leaves it open. [default NULL]
        public IntPtr note;
        /// The content of a file that is in memory. The path is then its name in messages, and included
        /// files are looked for beside it. NULL: the file at the path is read. [default NULL]
        public byte* text;
        /// Number of bytes of `text`. [default 0]
        public ulong size;
    }

    /// What gains are for. Make one with sn_gains_def_default.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_gains_def {
        /// Set by sn_gains_def_default.
        public uint struct_size;
        /// [nq] The pose. NULL: the zero pose. [default NULL]
        public double* q;
        /// Frequency of each joint. 0: 8. [Hz; default 0; from 0]
        public double frequency;
        /// Damping ratio of each joint. 1 is critical. 0: 1. [default 0; from 0]
        public double damping_ratio;
        /// What holds the model up. [default SN_STANCE_LOWEST]
        public sn_stance stance;
        /// [nbody] 1: this body stands on the ground. For SN_STANCE_BODIES. [default NULL]
        public byte* standing;
        /// Gravity. All zero: 0 0 -9.81. [m/s^2; default 0 0 0]
        public fixed double gravity[3];
        /// Duration of the steps. 0: 1/240, as a world's. [s; default 0; from 0]
        public double dt;
        /// Form of the drives. [default SN_FORM_STABLE]
        public sn_form form;
        /// Precision of the steps. [default SN_PRECISION_DOUBLE]
        public sn_precision precision;
        /// Whether to raise kd where the form needs more. Otherwise such gains are refused. [default false]
        public byte widen;
    }

    /// Heights over a grid. Make one with sn_heightfield_def_default.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_heightfield_def {
        /// Set by sn_heightfield_def_default.
        public uint struct_size;
        /// Number of points along x. [default 2; 2 to 32768]
        public int nx;
        /// Number of points along y. [default 2; 2 to 32768]
        public int ny;
        /// Extent along x and y. [m; default 1 1; above 0]
        public fixed double size[2];
        /// The corner with the smallest x and y. Heights count from origin[2]. [m; default 0 0 0]
        public fixed double origin[3];
        /// [ny][nx] heights; copied. [m; default NULL]
        public double* height;
    }

    /// A triangle mesh: a level, a staircase, a cave. A triangle holds what is in front of it, where its
    /// corners run counterclockwise; what is behind it passes. Corners at the same place count as one, so
    /// that a mesh of many level triangles is as smooth as a plane. Make one with sn_mesh_def_default.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_mesh_def {
        /// Set by sn_mesh_def_default.
        public uint struct_size;
        /// Number of vertices. [default 0]
        public int nvertex;
        /// Number of triangles. [default 0]
        public int ntriangle;
        /// [nvertex] vertices; copied. [m; default NULL]
        public double* vertex;
        /// [ntriangle] three vertices each; copied. [default NULL]
        public int* triangle;
    }

    /// What a hull is. Everything belongs to the hull.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_hull_info {
        public int nvertex;
        public int nface;
        /// [nvertex] Vertices as they were given.
        public double* vertex;
        /// [nface + 1] Where the corners of each face begin in `corner`.
        public int* first;
        /// Vertices of the faces, counterclockwise seen from outside.
        public int* corner;
        public double volume;
        public fixed double centre[3];
        /// Inertia about the centre, for density 1: xx yy zz xy xz yz.
        public fixed double inertia[6];
        /// Distance of the furthest point outside, if `most` was too small.
        public double apart;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_keyframe {
        /// s; each later than the one before.
        public double time;
        /// [nq] The pose, of which the keyed joints count.
        public double* q;
        /// [nbody] 1: the joint of this body has a key here. NULL: all have.
        public byte* keyed;
    }

    /// Make one with sn_keyframes_def_default.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_keyframes_def {
        /// Set by sn_keyframes_def_default.
        public uint struct_size;
        /// Number of keys, at least two. [default 0]
        public int count;
        /// [count] The keys; copied. [default NULL]
        public sn_keyframe* key;
        /// How gains fade. [default SN_FADE_POLYNOMIAL]
        public sn_fade fade;
        /// Exponent n of the polynomial. [default 20]
        public double exponent;
        /// Least part of the gain with which the next key pulls. [default 0.005]
        public double floor;
        /// SN_FADE_CURVE: not negative for 0 <= a <= 1. [default NULL]
        public IntPtr curve;
        /// Last argument of `curve`. [default NULL]
        public void* user;
        /// Gain for each kilogram that the joint carries. [N/m or N m/rad; default 130]
        public double gain;
        /// kd / (k dt). [default 10]
        public double damping;
        /// [nbody] Factors of the gain. NULL: all 1. [default NULL]
        public double* weight;
    }

    /// What keyframes have. It belongs to them.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_keyframes_info {
        /// Number of keys.
        public int count;
        /// [count] Their times, s.
        public double* time;
    }

    /// How many copies of a task there are, and how many threads run them. Make one with
    /// sn_environment_def_default.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_environment_def {
        /// Set by sn_environment_def_default.
        public uint struct_size;
        /// Number of copies. [default 256; 1 to 1048576]
        public int copies;
        /// Threads that reset and step use, including the caller's. 0: one per core. [default 1; 0 to 4096;
        /// not hashed]
        public int threads;
        /// Everything random follows from it. [default 0]
        public ulong seed;
        /// What happens to a copy whose episode has ended. Trainers restart it in the same step in any case.
        /// [default SN_AUTORESET_SAME_STEP]
        public sn_autoreset autoreset;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_environment_info {
        public int copies;
        public int observations;
        public int actions;
        public int terms;
        /// Control steps per second.
        public int rate;
        /// Length of an episode in seconds.
        public double limit;
        /// Name of the task, and names of its observations, actions and terms, as the task gives them.
        public byte* name;
        public byte** observation_names;
        public byte*** action_names;
        public byte*** term_names;
        /// Hash of the character; 0: none.
        public ulong model;
        /// Hash of what observations and actions mean: a policy is for one of them.
        public ulong features;
        /// Hash of everything a training depends on.
        public ulong task;
        /// What the environment was made with.
        public sn_environment_def definition;
    }

    /// The arrays that a step fills. All but the first four may be NULL.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_environment_out {
        /// [copies][observations]
        public float* observation;
        /// [copies]
        public float* reward;
        /// [copies] the task is over, for example by a fall: nothing that could follow has any value.
        public byte* terminated;
        /// [copies] only the time was up.
        public byte* truncated;
        /// [copies][observations] of copies that ended and restarted in the same step.
        public float* final;
        /// [copies] sum of rewards of the episode, including this step's.
        public double* episode_return;
        /// [copies] control steps.
        public int* episode_length;
        /// [copies][terms] of the reward.
        public float* term;
    }

    /// A policy as arrays. An observation x becomes clamp((x - shift) * scale, -clip, clip), then each layer
    /// computes y = x W + b; hidden layers end with ReLU or tanh.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_policy_data {
        /// Number of layers: hidden ones and the last.
        public int layers;
        /// Observations, hidden widths, actions.
        public fixed int width[9];
        /// W of each layer, [width[i]][width[i + 1]].
        public float* weight0, weight1, weight2, weight3, weight4, weight5, weight6, weight7;
        /// b of each layer, [width[i + 1]].
        public float* bias0, bias1, bias2, bias3, bias4, bias5, bias6, bias7;
        /// Whether hidden layers end with tanh instead of ReLU.
        public byte tanh;
        /// Whether tanh follows the last layer. Policies of sn_trainer have none.
        public byte squash;
        /// [observations] Shift and scale of the observations.
        public float* shift;
        /// [observations] Shift and scale of the observations.
        public float* scale;
        /// Largest size of a scaled observation.
        public float clip;
        /// [actions] Standard deviation in training; NULL: 0.
        public float* noise;
        /// A text that is kept in the file; NULL: none.
        public byte* note;
    }

    /// How one episode went.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_policy_episode {
        /// Mean reward per step, counting 0 for the steps after a fall: DeepMimic's normalised return.
        public double normalised;
        /// How long it lasted, s.
        public double seconds;
        /// Whether it lasted to the end.
        public byte lasted;
    }

    /// How a number of episodes went.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_policy_score {
        public int episodes;
        /// Number of episodes that lasted to the end.
        public int lasted;
        /// Mean of their normalised returns.
        public double normalised;
        /// Shortest and mean duration, s.
        public double shortest;
        /// Shortest and mean duration, s.
        public double mean;
    }

    /// How processes that train one policy together, the ranks, exchange data, on one machine or many; for
    /// example by MPI (the command: `mpirun -n 4 sinew train ...`). The number of ranks never changes a bit
    /// if all machines are of the same kind.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_exchange {
        /// Number of this rank, from 0, and of all ranks, at most 256.
        public int rank;
        /// Number of this rank, from 0, and of all ranks, at most 256.
        public int ranks;
        /// `data` has the same size on all ranks. Rank r has filled its bytes from begin[r] up to begin[r +
        /// 1]; begin [ranks + 1]. On return, every rank has all of it. Ranks call it in the same order. Any
        /// status other than SN_OK means that a rank has died; the remaining ranks cannot continue.
        public IntPtr share;
        public void* user;
    }

    /// Settings of proximal policy optimisation (Schulman and others 2017). Make one with
    /// sn_trainer_def_default.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_trainer_def {
        /// Set by sn_trainer_def_default.
        public uint struct_size;
        /// Everything random follows from it. [default 0]
        public ulong seed;
        /// Number of threads. 0: one per core. [default 0; 0 to 4096; not hashed]
        public int threads;
        /// Widths of the hidden layers, up to the first 0. [default 128 128 0 0; 0 to 8192]
        public fixed int hidden[4];
        /// Whether hidden layers end with tanh instead of ReLU. [default false]
        public byte tanh;
        /// Whether weights follow SGD with momentum .9 instead of Adam. [default false]
        public byte momentum;
        /// Steps of a rollout. [default 16; 1 to 1048576]
        public int horizon;
        /// Samples per update. It must divide the rollout of all copies. [default 512; 16 to 16777216]
        public int minibatch;
        /// Passes over a rollout. [default 3; 1 to 1000]
        public int epochs;
        /// Discount of rewards. [default 0.95; 0 to 1]
        public double gamma;
        /// Discount of advantages: the lambda of generalised advantage estimation. [default 0.95; 0 to 1]
        public double gae_lambda;
        /// Largest change of the probability ratio that counts. [default 0.2; 1e-6 to 1e6]
        public double clip;
        /// Largest advantage, in standard deviations. 0: no limit. [default 4; 0 to 1e6]
        public double advantage_clip;
        /// Values are clamped to the range from value_low to value_high. Both 0: they are not. [default 0;
        /// -1e9 to 1e9]
        public double value_low;
        /// Upper end of that range. [default 0; -1e9 to 1e9]
        public double value_high;
        /// Learning rate of the actor. [default 5e-5; 0 to 1e3]
        public double actor_rate;
        /// Learning rate of the critic. [default 5e-4; 0 to 1e3]
        public double critic_rate;
        /// The actor's rate adapts to this divergence per iteration. 0: it is constant. [default 0.08; 0 to
        /// 1e3]
        public double kl_target;
        /// Beyond this many times the target, the actor waits for the next rollout. 0: never. [default 2; 0
        /// to 1e6]
        public double kl_stop;
        /// Smallest adapted rate. [default 1e-6; 0 to 1e3]
        public double rate_low;
        /// Largest adapted rate. [default 1e-2; 0 to 1e3]
        public double rate_high;
        /// Largest norm of a gradient. 0: no limit. [default 1; 0 to 1e9]
        public double gradient_norm;
        /// Standard deviation of actions. [default 0.05; 1e-6 to 1e3]
        public double noise;
        /// Whether the noise of each action is a parameter that is learned. [default false]
        public byte learn_noise;
        /// Weight of the logarithm of the noise in the objective. [default 0; 0 to 1e3]
        public double entropy;
        /// Factor of the actor's last weights at the start. [default 0.01; 0 to 1e3]
        public double last_layer;
        /// Observations are scaled by the first samples up to this number. 0: by all. [default 0; 0 to 1e18]
        public double normalise_samples;
        /// Other processes that train with this one; copied. NULL: it trains alone. All ranks make a trainer
        /// with the same definition over an environment of their own with all copies, and call the same
        /// functions; each steps only its share of the copies. [default NULL]
        public sn_exchange* exchange;
    }

    /// What an iteration did: a rollout in all copies, then some passes over it.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_training {
        /// Iterations and samples so far.
        public ulong iterations;
        /// Iterations and samples so far.
        public ulong samples;
        /// Episodes that ended in this iteration.
        public int episodes;
        /// Their mean return, without discount; NaN: none ended.
        public double mean_return;
        /// Their mean length, s; NaN: none ended.
        public double mean_length;
        /// Mean reward per step, over all samples of the iteration.
        public double mean_reward;
        /// The objective of the actor, mean over the minibatches.
        public double surrogate;
        /// Half the mean squared error of the critic.
        public double value_loss;
        /// Fraction of the variance of returns that the critic predicted; 1: all.
        public double explained;
        /// How far the policy moved.
        public double kl;
        /// Fraction of samples whose ratio was beyond the clip, in the last epoch.
        public double clipped;
        /// Learning rate of the actor for the next iteration.
        public double actor_rate;
        /// Mean standard deviation of actions.
        public double noise;
        public double collect_seconds;
        public double update_seconds;
    }

    /// The joint that ties a body to its parent.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_joint_def {
        /// Set by sn_joint_def_default.
        public uint struct_size;
        /// How the body moves against its parent. [default SN_JOINT_WELD]
        public sn_joint_type type;
        /// Position of the joint in the frame of the body. [m; default 0 0 0]
        public fixed double anchor[3];
        /// Axis of a hinge, slide, cylindrical or screw joint, first axis of a universal joint, twist axis
        /// of a ball, normal of a planar joint. Any length but 0. [default 0 0 1]
        public fixed double axis[3];
        /// Second axis of a universal joint, fixed in the body; of a planar joint the first direction in
        /// which it slides. Any length but 0. [default 1 0 0]
        public fixed double axis2[3];
        /// How far a screw joint slides for each radian. [m/rad; default 0]
        public double pitch;
        /// Whether `lower` and `upper` apply. [default false]
        public byte limited;
        /// Lower limits, one for each axis in the order of q; ball: [0] is the twist. [rad or m; default 0 0
        /// 0]
        public fixed double lower[3];
        /// Upper limits, in the same order; ball: [0] is the twist, [1] the swing, which is half the angle
        /// of the cone. [rad or m; default 0 0 0]
        public fixed double upper[3];
        /// Inertia that is added to each degree of freedom. [kg m^2 or kg; default 0; from 0]
        public double armature;
        /// Passive damping, torque per rate. [N m s/rad or N s/m; default 0; from 0]
        public double damping;
        /// Passive spring, torque per angle. [N m/rad or N/m; default 0; from 0]
        public double stiffness;
        /// Largest torque or force of dry friction on each axis. Worlds solve it together with their rows.
        /// [N m or N; default 0; from 0]
        public double friction;
        /// Where the spring rests, as in q. All zero: the zero pose. [default 0 0 0 0]
        public fixed double rest[4];
        /// Proportional gain that comes with the model, see sn_model_get. [N m/rad or N/m; default 0; from
        /// 0]
        public double kp;
        /// Derivative gain that comes with the model. [N m s/rad or N s/m; default 0; from 0]
        public double kd;
        /// Whether `home` applies. [default false]
        public byte home_given;
        /// Where the joint starts, as in q, see sn_model_home_pose. [default 0 0 0 0 0 0 0]
        public fixed double home[7];
        /// Largest torque or force of the drive on each axis. For a ball, and for each half of a free joint,
        /// this limits the length of the vector unless its axes have different gains. [N m or N; default
        /// infinity; 0 to infinity]
        public double torque_limit;
        /// Name of the joint, as MJCF and URDF files have it, of which SN_MAX_NAME bytes are kept. NULL or
        /// "": it has none. [default NULL]
        public byte* name;
    }

    /// A body and its frame. Bodies may be added in any order.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_body_def {
        /// Set by sn_body_def_default.
        public uint struct_size;
        /// Name of the body: unique in the model, not empty. [default NULL]
        public byte* name;
        /// Name of the parent body. NULL: the world. [default NULL]
        public byte* parent;
        /// Position of the body's frame in the parent's frame at q = 0. [m; default 0 0 0]
        public fixed double pos[3];
        /// Orientation of the body's frame there. It is normalised. [default 1 0 0 0]
        public fixed double rot[4];
        /// The joint that ties the body to its parent: a weld by default.
        public sn_joint_def joint;
        /// Whether `mass`, `com` and `inertia` apply. Otherwise they follow from the shapes. [default false]
        public byte mass_given;
        /// Mass of the body. [kg; default 0]
        public double mass;
        /// Centre of mass in the frame of the body. [m; default 0 0 0]
        public fixed double com[3];
        /// Inertia about the centre of mass, in the axes of the body: xx yy zz xy xz yz. [kg m^2; default 0
        /// 0 0 0 0 0]
        public fixed double inertia[6];
        /// Part of the weight that something else carries, water for example. 1 floats, more rises. [default
        /// 0]
        public double lift;
    }

    /// A shape on a body, or on the world.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_shape_def {
        /// Set by sn_shape_def_default.
        public uint struct_size;
        /// What the shape is. [default SN_SHAPE_SPHERE]
        public sn_shape_type type;
        /// Its measures, see sn_shape_type. [m; default 0 0 0]
        public fixed double size[3];
        /// Position of its centre in the frame of the body. [m; default 0 0 0]
        public fixed double pos[3];
        /// Orientation in the frame of the body. It is normalised. [default 1 0 0 0]
        public fixed double rot[4];
        /// Density, which gives the mass where `mass` is 0. [kg/m^3; default 1000; from 0]
        public double density;
        /// Mass of the shape. 0: from the density. [kg; default 0; from 0]
        public double mass;
        /// Coulomb's coefficient. Between two shapes the geometric mean applies. [default 1; from 0]
        public double friction;
        /// 0: does not bounce, 1: loses no speed. Between two shapes the larger one applies. [default 0; 0
        /// to 1]
        public double restitution;
        /// Category bits. [default 1]
        public uint group;
        /// Categories it collides with. Two shapes touch if either has a category bit in the mask of the
        /// other. A shape whose group and mask are 0 never touches anything. [default 0xffffffff]
        public uint mask;
        /// Form of an SN_SHAPE_HULL, from sn_hull_create. [default NULL]
        public IntPtr hull;
        /// Velocity of the surface along itself, as of a conveyor belt. In world axes for ground, in the
        /// axes of its body for a shape of a member. The part across the surface has no effect. [m/s;
        /// default 0 0 0]
        public fixed double surface_velocity[3];
        /// Whether it is a trigger: it touches nothing, has no mass, and reports which shapes are inside it.
        /// See sn_world_triggers. [default false]
        public byte trigger;
    }

    /// What a model has. Everything belongs to the model.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_model_info {
        /// Numbers of bodies, position values, velocity values (degrees of freedom), shapes and constraints.
        public int nbody;
        /// Numbers of bodies, position values, velocity values (degrees of freedom), shapes and constraints.
        public int nq;
        /// Numbers of bodies, position values, velocity values (degrees of freedom), shapes and constraints.
        public int nv;
        /// Numbers of bodies, position values, velocity values (degrees of freedom), shapes and constraints.
        public int nshape;
        /// Numbers of bodies, position values, velocity values (degrees of freedom), shapes and constraints.
        public int nconstraint;
        /// The largest number of degrees of freedom from the root to a leaf.
        public int depth;
        /// Mass of all bodies together, kg.
        public double mass;
        /// [nv] Gains of the joint definitions.
        public double* kp;
        /// [nv] Gains of the joint definitions.
        public double* kd;
        /// [nshape] Grouped by body.
        public sn_shape_def* shape;
        /// [nconstraint] Constraints that every member of the model brings along, see
        /// sn_builder_add_constraint. Their bodies are indices; member is 0, member2 is 0 or -1.
        public sn_constraint_def* constraint;
    }

    /// A body of a finished model. Bodies are in depth-first order: parents come before their children.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_body_info {
        public byte* name;
        /// Index of the parent; -1 for the world.
        public int parent;
        /// Where the values of its joint begin in q, and how many there are.
        public int q_index;
        /// Where the values of its joint begin in q, and how many there are.
        public int nq;
        /// Where they begin in qd, and how many there are.
        public int v_index;
        /// Where they begin in qd, and how many there are.
        public int nv;
        /// Frame in the parent's frame at q = 0. rot has unit length.
        public fixed double pos[3];
        /// Frame in the parent's frame at q = 0. rot has unit length.
        public fixed double rot[4];
        /// Its joint, with axes of unit length. Its name is "" if it has none.
        public sn_joint_def joint;
        /// Mass (kg), centre of mass (m), inertia as in sn_body_def, part of the weight that something else
        /// carries.
        public double mass;
        /// Mass (kg), centre of mass (m), inertia as in sn_body_def, part of the weight that something else
        /// carries.
        public fixed double com[3];
        /// Mass (kg), centre of mass (m), inertia as in sn_body_def, part of the weight that something else
        /// carries.
        public fixed double inertia[6];
        /// Mass (kg), centre of mass (m), inertia as in sn_body_def, part of the weight that something else
        /// carries.
        public double lift;
        /// Its shapes, among those of the model.
        public int first_shape;
        /// Its shapes, among those of the model.
        public int nshape;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_clip_joint {
        public byte* name;
        /// Index of the parent, smaller than its own; -1 for the root, which is joint 0.
        public int parent;
        /// From the parent's joint, in the rest pose, m.
        public fixed double offset[3];
    }

    /// The data of a clip. Make one with sn_clip_def_default.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_clip_def {
        /// Set by sn_clip_def_default.
        public uint struct_size;
        /// Number of joints. [default 0; from 0]
        public int njoint;
        /// Number of frames. [default 0; from 0]
        public int nframe;
        /// [njoint] The skeleton. [default NULL]
        public sn_clip_joint* joint;
        /// [nframe] Times, from 0, increasing. [s; default NULL]
        public double* time;
        /// [nframe][3] Positions of the root. [m; default NULL]
        public double* position;
        /// [nframe][njoint][4] Rotations of the joints. [default NULL]
        public double* rotation;
        /// Whether the last frame is the first of the next round. The root has then moved on and turned
        /// about z. [default false]
        public byte loop;
    }

    /// What to change in a clip, in the order of the members. Make one with sn_clip_edit_def_default.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_clip_edit_def {
        /// Set by sn_clip_edit_def_default.
        public uint struct_size;
        /// Start of the part to keep. [s; default 0; from 0]
        public double start;
        /// End of the part to keep. 0: the end of the clip. [s; default 0; from 0]
        public double end;
        /// Whether left and right change places, by names. The mirror is the xz plane, or yz for a skeleton
        /// that faces y. [default false]
        public byte mirror;
        /// Factor of the duration. [default 1; above 0]
        public double factor;
        /// Whether feet that stand are kept in one place; the legs follow by inverse kinematics. For
        /// captures whose feet slide. [default false]
        public byte plant;
        /// Whether the floor of the clip (see sn_clip_floor) is moved to z = 0. [default false]
        public byte ground;
        /// A clip with the same skeleton and frames to blend with. NULL: none. [default NULL]
        public IntPtr other;
        /// Weight of that clip, from 0 to 1. [default 0; 0 to 1]
        public double weight;
        /// Time in which the clip gains its speed from rest in its first pose, so that a character that
        /// follows it is not jerked. 0: it starts at full speed. [s; default 0; from 0]
        public double ease;
        /// Frames per second of the result. 0: the frames stay as they are. [1/s; default 0; from 0]
        public double rate;
    }

    /// Where the floor of a clip is: the level of the lowest joints while they stand still, whatever part of
    /// the body they belong to. Tails and single frames far below do not count.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_floor {
        /// z of the floor, m.
        public double height;
        /// Height of the lowest joint of the feet over the floor, m: quantiles of 10, 50 and 90 % over all
        /// frames.
        public fixed double feet[3];
        /// Fraction of the frames in which something stands on the floor or on another level.
        public double stance;
        /// False: feet stand on several levels, as on stairs. `height` is then that of the lowest.
        public byte level;
    }

    /// What a motion has. It belongs to the motion.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_motion_info {
        /// s.
        public double duration;
        public byte loops;
        /// How well a clip was carried over: the mean angle (rad) between the limbs of the model and those
        /// of the clip, each from where it begins to where it ends. 0 for other motions.
        public double apart;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_contact {
        /// Number of the copy.
        public int copy;
        /// Members of the first and the second body; -1: ground.
        public fixed int member[2];
        /// Their bodies, or the number of the ground.
        public fixed int body[2];
        /// Their shapes in the model; 0 for ground.
        public fixed int shape[2];
        /// Stays the same from step to step while the same corner, end or edge touches.
        public uint feature;
        public sn_contact_phase phase;
        /// Position in the world, halfway between the surfaces, when the step began.
        public fixed double pos[3];
        /// From the second to the first.
        public fixed double normal[3];
        /// m. Negative: penetration.
        public double gap;
        /// Force on the first body, mean over the last step, N, world axes.
        public fixed double force[3];
        /// Whether friction is at its bound.
        public byte sliding;
        /// SN_FRICTION_ONE_WAY: sliding speed that friction at its bound leaves at the end of the step, m/s
        /// (kokkevis-2004 eq. 20, 21). 0 where it sticks, and for all other friction.
        public double slip_speed;
    }

    /// What a ray or a moving shape meets.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_hit {
        /// Part of the way, 0 to 1.
        public double t;
        /// -1: ground.
        public int member;
        /// Body and shape, or the number of the ground and 0.
        public int body;
        /// Body and shape, or the number of the ground and 0.
        public int shape;
        public fixed double pos[3];
        public fixed double normal[3];
    }

    /// Reactions: the schedule of spd-2011 section 4.1. On an impact gains fall to `reaction` of what they
    /// are, stay there for `hold` seconds (t_e), and return in a straight line over `recover` seconds (t_f).
    /// Each impact starts the schedule afresh, also while the member recovers. kp and kd change together, so
    /// that kd / (kp dt) stays. An impact is an impulse on one body, by other members or by pushes
    /// (SN_FIELD_PUSH), above `threshold`. Impulses of the steps are added up with a memory of `window`
    /// seconds: many small ones count as one blow does, whatever dt is. The lower gains act already in the
    /// step of the impact: the time stepper repeats that step with them. With the event stepper, and for
    /// impacts of the ground (see `ground`), they act from the next step on.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_reaction_def {
        /// Set by sn_reaction_def_default.
        public uint struct_size;
        /// Impulse above which a member reacts. [N s; default 5; from 0]
        public double threshold;
        /// Time over which impulses are added up. [s; default 0.1; above 0]
        public double window;
        /// Part of the gains that is left. [default 0.01; 0 to 1]
        public double reaction;
        /// Time for which gains stay low, t_e. [s; default 0.1; from 0]
        public double hold;
        /// Time in which gains return, t_f. [s; default 0.5; from 0]
        public double recover;
        /// Joints that are at most this many joints away from the body that was hit give way. 0: its own
        /// joint, 1: its parent's and its children's, too; -1: all joints. [default -1; from -1]
        public int around;
        /// Whether the drive of a free root gives way as well. [default false]
        public byte root;
        /// Whether impacts of the ground count, footsteps among them. [default false]
        public byte ground;
    }

    /// Assistance: the drive of a free root is an outside force that helps the character stay upright.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_assistance {
        /// Force (world axes) and torque (axes of the root) in the last step.
        public fixed double force[3];
        /// Force (world axes) and torque (axes of the root) in the last step.
        public fixed double torque[3];
        /// Largest force and torque so far, N and N m.
        public double peak_force;
        /// Largest force and torque so far, N and N m.
        public double peak_torque;
        /// Integrals of their lengths over time, N s and N m s.
        public double impulse;
        /// Integrals of their lengths over time, N s and N m s.
        public double angular_impulse;
        /// Work done, J. Negative: it took energy out.
        public double work;
        /// Sum of the absolute work of all steps, J.
        public double effort;
        /// Time in which force or torque was within 0.1 % of the budget, s.
        public double at_budget;
    }

    /// What to record. Make one with sn_recorder_def_default.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_recorder_def {
        /// Set by sn_recorder_def_default.
        public uint struct_size;
        /// First copy to record. [default 0; from 0]
        public int first;
        /// Number of copies to record. [default 1; from 1]
        public int count;
        /// Frames per second of the time given to sn_recorder_take. [1/s; default 60; above 0]
        public double rate;
        /// Whether to record contacts that push. [default true]
        public byte contacts;
        /// Whether to record torques of the drives, see report_torque of the world. [default false]
        public byte torques;
        /// Name of the first member's model. NULL: the name of its first body, as for the others. [default
        /// NULL]
        public byte* name;
    }

    /// Make one with sn_search_def_default.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_search_def {
        /// Set by sn_search_def_default.
        public uint struct_size;
        /// How candidates follow from scores. [default SN_SEARCH_CMA]
        public sn_search_method method;
        /// Number of parameters. [default 0; from 0]
        public int n;
        /// The first mean [n], copied. NULL: zeros. [default NULL]
        public double* start;
        /// Standard deviation of candidates; of CMA-ES at the start. [default 0.3; above 0]
        public double width;
        /// Candidates per generation. 0: 4 + 3 ln n, and 2 n + 16 for gradients. [default 0; from 0]
        public int candidates;
        /// Everything random follows from it. [default 0]
        public ulong seed;
        /// Learning rate of Adam, for SN_SEARCH_GRADIENT. [default 0.03; above 0]
        public double rate;
        /// Kullback-Leibler divergence of one step, for SN_SEARCH_NATURAL. .5 is a step of one width.
        /// [default 0.5; above 0]
        public double divergence;
    }

    /// What a search has found so far. The arrays belong to the search and change with sn_search_tell.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_search_info {
        /// [n] The mean of the distribution, which is what gradients move.
        public double* mean;
        /// [n] The best candidate. The mean until there is one.
        public double* best;
        /// Its score; -infinity until there is one.
        public double score;
    }

    /// What a world has.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_world_info {
        /// Number of copies.
        public int copies;
        /// One more than the largest index of a member, see sn_world_member.
        public int members;
        /// One more than the largest number of ground.
        public int grounds;
        /// The lane type in use, for example "f32x16".
        public byte* lanes;
        /// Duration of a substep, and the time that has passed since the world was made, s.
        public double dt;
        /// Duration of a substep, and the time that has passed since the world was made, s.
        public double time;
        /// The definition that the world was made with, as it is now. Numbers that were left to the setting
        /// have their values. It belongs to the world.
        public sn_world_def* definition;
    }

    /// What the last step took, over all copies.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_world_stats {
        /// Contacts with a gap below the margin, in all copies.
        public int contacts;
        /// Rows of contacts, limits and constraints; the largest number of any copy.
        public int rows;
        /// Rounds in which members were solved again because of rows; the largest number of any copy.
        public int rounds;
        /// Iterations of Gauss-Seidel, or pivots; the largest number of any solve, recovery included.
        public int iterations;
        /// Solves by Gauss-Seidel where a study asked for pivoting, in all copies.
        public int fallbacks;
        /// How far the worst row is from its condition, m/s.
        public double residual;
        /// Distance between the points of the worst rigid constraint after the step, m.
        public double apart;
        /// Sweeps of implicit contact; the largest number of any block.
        public int sweeps;
        /// Copies whose implicit contacts, limits and torque limits did not converge.
        public int unsettled;
        /// How far the worst of their forces is from its law, relative.
        public double sweep_residual;
        /// Substeps of the event stepper; the largest number of any copy.
        public int substeps;
        /// Impacts that the event stepper resolved, in all copies.
        public int impacts;
        /// Contacts dropped because of max_contacts, in all copies.
        public int dropped;
        /// Members that slept through the step, in all copies.
        public int asleep;
        /// Copies in which a member is frozen.
        public int diverged;
        /// Where a value last stopped being finite, or -1.
        public int bad_copy;
        public int bad_member;
        public int bad_dof;
        /// The drive whose gains violate the stability condition of its form most, in that copy or else in
        /// copy 0. -1: none does. It is known before the first step.
        public int stiff_member;
        public int stiff_dof;
        /// Time that each part of the step took, in the order of sn_step_part, if `measure_time` of the
        /// definition is set; otherwise zeros.
        public fixed double microseconds[6];
    }

    /// Energy and momentum of a member.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_summary {
        /// J, without armature; the potential is that of gravity and of passive springs.
        public double kinetic;
        /// J, without armature; the potential is that of gravity and of passive springs.
        public double potential;
        /// Centre of mass of all bodies, m.
        public fixed double com[3];
        /// kg m/s.
        public fixed double linear_momentum[3];
        /// About the centre of mass, kg m^2/s.
        public fixed double angular_momentum[3];
    }

    /// What a study changes. All zero changes nothing.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_study_def {
        public sn_row_solver row_solver;
        public sn_row_response response;
        public sn_drives drives;
        /// Velocity products are linearly implicit (Kahan's polarisation) and keep energy, in linear time;
        /// instead of what `products` of the world says.
        public byte polarised;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_position_def {
        /// Set by sn_position_def_default.
        public uint struct_size;
        /// Precision of all calculations. [default SN_PRECISION_DOUBLE]
        public sn_precision precision;
        /// Lane type by name. NULL: as the library chooses. [default NULL]
        public byte* lanes;
        /// Gravity. [m/s^2; default 0 0 -9.81]
        public fixed double gravity[3];
        /// Duration of a step. [s; default 1/60]
        public double dt;
        /// The scheme. [default SN_POSITION_METHOD_PBAD2]
        public sn_position_method method;
        /// The optimiser. [default SN_POSITION_SOLVER_NEWTON]
        public sn_position_solver solver;
        /// Second derivatives that sweeps keep. For several poses SN_POSITION_HESSIAN_EXACT is best.
        /// [default SN_POSITION_HESSIAN_MIRRORED]
        public sn_position_hessian hessian;
        /// Number of sweeps of SN_POSITION_SOLVER_SWEEPS. [default 2]
        public int sweeps;
        /// Largest gradient left, as a part of the weight times the length. [default 1e-8]
        public double tolerance;
        /// Most iterations of a step. [default 100]
        public int most;
        /// Whether SN_POSITION_SOLVER_LM_DENSE and _LBFGS solve schemes of one pose by eq. 7, too. [default
        /// false]
        public byte squares;
        /// Number of substeps of PBAD-2 between stages, if a step of several poses cannot be solved. 0:
        /// none. [default 4]
        public int substeps;
    }

    /// What a step took.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_position_report {
        /// Sweeps that moved it, or systems solved.
        public int iterations;
        /// Gradients, those of sweeps included.
        public int evaluations;
        /// Steps of the line search, or refused ones.
        public int backtracks;
        /// Directions that were replaced, steps that were restarted from substeps.
        public int fallbacks;
        /// Largest gradient left, as the tolerance counts it.
        public double residual;
        public byte converged;
    }

    /// Points of bodies against the plane z = 0, and a fluid at rest. PBAD-2 only.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_position_ground_def {
        /// Set by sn_position_ground_def_default.
        public uint struct_size;
        /// Law of friction. [default SN_POSITION_FRICTION_COULOMB]
        public sn_position_friction friction;
        /// Stiffness D1. [N/m; default 1e5]
        public double d1;
        /// Factor D2 of eq. 9. [N s^2/m^3; default 1e5]
        public double d2;
        /// Coefficient of friction. [default 0.8]
        public double mu;
        /// Speed below which friction falls off towards zero. [m/s; default 0.01]
        public double slow;
        /// Drag of the fluid along the long axis a of each body, the principal axis about which it has the
        /// least inertia, as it stood at the start of the step. Every gram meets -(along a a^T + across (1 -
        /// a a^T)) v per kilogram. Along = across: the paper's (section 6.2, with D = along dt / 2), in
        /// proportion to mass. [1/s; default 0; from 0]
        public double drag_along;
        /// Drag across that axis. [1/s; default 0; from 0]
        public double drag_across;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_trajectories_def {
        /// Set by sn_trajectories_def_default.
        public uint struct_size;
        /// Precision of all calculations. [default SN_PRECISION_DOUBLE]
        public sn_precision precision;
        /// Lane type by name. NULL: the widest. [default NULL]
        public byte* lanes;
        /// Number of threads. 0: one per core. [default 1]
        public int threads;
        /// Gravity. [m/s^2; default 0 0 -9.81]
        public fixed double gravity[3];
        /// Duration of a step. [s; default 1/60]
        public double dt;
        /// SN_POSITION_METHOD_PBAD2 or _BDF2. [default SN_POSITION_METHOD_PBAD2]
        public sn_position_method method;
        /// Any but SN_POSITION_HESSIAN_EXACT. [default SN_POSITION_HESSIAN_MIRRORED]
        public sn_position_hessian hessian;
        /// Largest gradient left, as in sn_position_def. [default 1e-8]
        public double tolerance;
        /// Most sweeps of a step. It then continues unsolved. [default 200]
        public int most;
        /// Whether a block of lanes waits at every step for the slowest of them. Otherwise each lane
        /// continues. [default false]
        public byte wait;
    }

    /// What happens in a run. Pointers that are NULL: zero, or not wanted.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_trajectories_run {
        public int count;
        public int steps;
        /// [nv] Gains, with target.
        public double* kp;
        /// [nv] Gains, with target.
        public double* kd;
        /// [count][steps][nq] Targets.
        public double* target;
        /// Out: [count][steps][nq] poses.
        public double* path;
        /// Out: [count] of each, over all its steps.
        public int* sweeps;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_trajectories_report {
        /// Sweeps of a whole block of lanes.
        public long ticks;
        /// Sweeps of all trajectories: at most the lanes of a block times ticks.
        public long sweeps;
        /// Steps that went on after `most` sweeps.
        public long unsolved;
        /// Sweeps of one step.
        public int most;
        /// Sweeps of one step.
        public int least;
        /// Trajectories that stopped being finite: they stay where they were.
        public int lost;
        /// Lanes of a block.
        public int lanes;
    }

    /// A run, and what comes of it. Start with {0}; dt, kp, kd and target are needed.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_full_run {
        public sn_full_method method;
        public sn_full_repair repair;
        public sn_full_products products;
        public sn_precision precision;
        public sn_form form;
        public double dt;
        public fixed double gravity[3];
        /// Solves once for the accelerations of q and qd and does not move. Otherwise steps are solved for
        /// velocities with which joints hold at the end.
        public byte accelerations;
        public int steps;
        /// [nv] Gains.
        public double* kp;
        /// [nv] Gains.
        public double* kd;
        /// [steps][nq] Poses to reach at the end of each step.
        public double* target;
        /// Out, each may be NULL: accelerations and torques [nv] of the last step.
        public double* qdd;
        /// Out, each may be NULL: accelerations and torques [nv] of the last step.
        public double* tau;
        /// Out: forces of the hard rows [6 nbody] in the last step, `rows` of them. Not by the null space.
        public double* force;
        /// Out: [nbody][3] centres of mass at the end.
        public double* com;
        /// Out: [6 + 6] linear momentum, and angular momentum about the common centre of mass, before and
        /// after.
        public double* momentum;
        /// Out: [1] largest distance between the two ends of a joint after a step.
        public double* gap;
        /// Out: number of hard rows.
        public int rows;
        /// Out: the step that was not finite, or whose matrix was not definite; 0: none.
        public int lost;
    }

    /// The running episode of one copy. The environment keeps it and tasks read it; only `begin` may change
    /// something, by lowering `limit`.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_episode {
        /// Everything random in the copy must follow from seed, item, count and steps.
        public ulong seed;
        /// Tells copies with the same seed apart: the copy's number, or 0 once it was given a seed of its
        /// own.
        public uint item;
        /// Episodes begun in this copy, this one included.
        public uint count;
        /// Control steps done.
        public int steps;
        /// Control steps after which the episode is truncated.
        public int limit;
        /// Sum of its rewards so far.
        public double total;
    }

    /// Copies that one thread runs together, in a world of their own. All parts of an environment have the
    /// same number of copies.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_part {
        public int copies;
        /// Number of its first copy in the environment.
        public int first;
        /// [copies]
        public sn_episode* episode;
        /// [copies] blocks of sn_task.state bytes, zero at first.
        public void* state;
        /// Set by `open`; the environment saves, restores and frees it; NULL: the task has no world.
        public IntPtr world;
        /// Set by `open` to whatever the task needs besides; `close` frees it.
        public void* own;
    }

    /// A task: what a policy observes, what its actions do, and what earns a reward. It is a table of
    /// functions. Different threads call them for different parts at the same time, never for the same part
    /// twice, so they must write only to the part they are given. They return SN_OK, or an error that ends
    /// the training or the call. Each control step calls `act`, `reward`, `ends` and `observe`, in this
    /// order; copies whose episode has ended then go through `begin` and `observe`. `which` has one byte per
    /// copy of the part: functions that get it serve the copies with which[i] != 0 and leave the others
    /// alone.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_task {
        /// The first argument of all functions.
        public void* user;
        /// Says what observations and actions mean; policies are for tasks with the same name and sizes.
        public byte* name;
        public int observations;
        public int actions;
        /// Number of terms of the reward, which is their sum.
        public int terms;
        /// Control steps per second.
        public int rate;
        /// Length of an episode in seconds; then it is truncated.
        public double limit;
        /// Bytes of plain data per copy that the environment keeps, saves and restores; 0: none.
        public UIntPtr state;
        /// [observations], [actions] and [terms]; NULL: they have no names.
        public byte** observation_names;
        public byte** action_names;
        public byte** term_names;
        /// The character that policies are for; NULL: they are for any.
        public IntPtr model;
        /// Hash of what observations and actions mean; 0: the name stands for it.
        public ulong meaning;
        /// Hash of everything else a training depends on, checked when one is resumed; 0: unchecked.
        public ulong identity;
        /// Makes the part's world and its own memory. May be NULL if neither is needed.
        public IntPtr open;
        /// Frees part->own; also called if `open` failed. May be NULL.
        public IntPtr close;
        /// Starts new episodes.
        public IntPtr begin;
        /// Applies action [copies][actions] and steps the world up to the next control step.
        public IntPtr act;
        /// Fills term [copies][terms] for the step that `act` made.
        public IntPtr reward;
        /// Sets flags that are false before: terminated, the task is over and nothing that could follow is
        /// worth anything (a fall); truncated, it only has to stop here. The environment adds the time
        /// limit. May be NULL.
        public IntPtr ends;
        /// Fills rows of observation [copies][observations] from the state as it is now.
        public IntPtr observe;
        /// The pose q [nq] that a copy should have now, for pictures; false: there is none. May be NULL.
        public IntPtr reference;
        /// Frees `user` when the environment is freed or could not be made. May be NULL.
        public IntPtr free;
    }

    /// A character that imitates a motion, as in DeepMimic, or that moves at a given speed if there is no
    /// motion. Make one with sn_imitation_def_default.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_imitation_def {
        /// Set by sn_imitation_def_default.
        public uint struct_size;
        /// The character. Its first body has a free joint; it must outlive the environment. [default NULL]
        public IntPtr model;
        /// The motion to imitate, of this model, which is copied. NULL: locomotion at `speed`. [default
        /// NULL]
        public IntPtr motion;
        /// A list of motions instead of one: copy i imitates number i modulo `nmotions`, and the policy
        /// observes which it is. [default NULL]
        public IntPtr* motions;
        /// Length of that list. [default 0; 0 to 4096]
        public int nmotions;
        /// Speed along the first heading, without a motion. [m/s; default 1; -100 to 100]
        public double speed;
        /// Control steps per second. [default 30; 1 to 100000]
        public int rate;
        /// World steps in each control step. [default 8; 1 to 100000]
        public int substeps;
        /// How rotations are observed. [default SN_FEATURES_2018]
        public sn_features features;
        /// What actions mean. [default SN_TARGETS_RESIDUAL]
        public sn_targets targets;
        /// How far an action of 1 turns a joint; DeepMimic's is 1. 0: .4, or 1 if targets are absolute.
        /// [rad; default 0; from 0]
        public double action_scale;
        /// Whether the distance and heading to the reference's root are not observed. [default false]
        public byte hide_root;
        /// Whether the model's torque limits apply. [default true]
        public byte torque_limits;
        /// Whether bodies of a character collide with each other. [default false]
        public byte self_contact;
        /// Length of an episode. [s; default 20; above 0 to 1e9]
        public double limit;
        /// Friction of the ground. [default 0.9; from 0]
        public double friction;
        /// Drag of a fluid along the bodies (sn_drag_push of dynamics.h): the character swims, without
        /// ground and gravity. For locomotion only, at most `drag_across`. [1/s; default 0; from 0]
        public double drag_along;
        /// Drag across the bodies. 0: it walks. At most half the world steps per second. [1/s; default 0;
        /// from 0]
        public double drag_across;
        /// Largest force on the root, for .2 s about every 2 s, from random sides. [N; default 0; 0 to 1e9]
        public double push;
        /// Mass of a ball that is thrown at it about every 2 s, from any side. 0: none is. [kg; default 0; 0
        /// to 1e4]
        public double ball;
        /// Horizontal speed of the ball. 0: 5. [m/s; default 0; 0 to 100]
        public double ball_speed;
        /// Each episode multiplies all masses and inertias by a factor from 1 - this to 1 + this. [default
        /// 0; 0 to 0.95]
        public double mass_range;
        /// Each episode multiplies the friction of the ground by such a factor. [default 0; 0 to 1]
        public double friction_range;
        /// Each episode multiplies kp and kd together by such a factor. [default 0; 0 to 0.95]
        public double gain_range;
        /// Mean time between commands: a heading and, without a motion, a speed, which the policy observes
        /// and is rewarded for following. 0: there are none. [s; default 0; 0 to 1e6]
        public double command;
        /// Largest change of the heading in one command. 0: 1. [rad; default 0; 0 to 3.15]
        public double command_turn;
        /// Slowest and fastest commanded speed, without a motion. Both 0: always `speed`. [m/s; default 0 0;
        /// -100 to 100]
        public fixed double command_speed[2];
        /// Shape of the ground. On any but flat ground the heights around the root are observed. [default
        /// SN_TERRAIN_FLAT]
        public sn_terrain terrain;
        /// Height from its lowest to its highest places. 0: .1. [m; default 0; 0 to 5]
        public double terrain_height;
        /// Another ground of the same shape. [default 0]
        public ulong terrain_seed;
        /// Where torques come from instead of the step, from studies.h. [default NULL]
        public IntPtr study;
        /// Gains [nv], with 0 for the root. NULL: the model's, or chosen if it has none. [default NULL]
        public double* kp;
        /// Derivative gains, which come with kp. [default NULL]
        public double* kd;
        /// Weights [nbody] of joints in the reward. NULL: by name, as in DeepMimic. [default NULL]
        public double* weight;
        /// [nbody] 1: may touch the ground. NULL: ankle, foot, toe, paw or hoof in the name. [default NULL]
        public byte* foot;
        /// [nbody] 1: end effector. NULL: bodies without children except head and neck. [default NULL]
        public byte* effector;
        /// Whether a stick steers the character, which then has no motion: a gait that feels the character
        /// is its reference. For the built-in humanoid, on flat ground. docs/puppets.md explains it.
        /// [default false]
        public byte stick;
        /// Whether episodes with a stick begin lying, as a ragdoll has fallen, and the character learns to
        /// get up and to stand. [default false]
        public byte get_up;
        /// Mean time between random positions of the stick. 0: it stays at `stick_hold`. [s; default 2.5; 0
        /// to 1e6]
        public double stick_time;
        /// Speed ahead and to the left, and turn to the left. [m/s m/s rad/s; default 0 0 0; -5 to 5]
        public fixed double stick_hold[3];
        /// Whether each episode draws its motion from the list, instead of copy i with number i modulo
        /// `nmotions`. Motions that fail are drawn more often, and none is forgotten. [default false]
        public byte draw_motions;
        /// Whether the policy observes the poses after 1, 4 and 12 control steps, instead of the number of
        /// its motion. [default false]
        public byte look_ahead;
        /// Each episode multiplies the torque limits of all motors by a factor from 1 - this to 1 + this.
        /// [default 0; 0 to 0.95]
        public double strength_range;
        /// Longest delay of actions: each episode draws one up to this, in whole world steps, at most one
        /// control step. [s; default 0; 0 to 1]
        public double action_delay;
        /// Standard deviation of the noise on observed places (m) and rotations of bodies; on their
        /// velocities it is ten times as large. [default 0; 0 to 10]
        public double observation_noise;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct sn_world_def {
        /// Set by sn_world_def_default.
        public uint struct_size;
        /// How much work a step may do. [default SN_SETTING_GAME]
        public sn_setting setting;
        /// Number of copies of the scene. [default 1; from 1]
        public int copies;
        /// Threads that step the world, the caller's own among them. 0 uses one per core. [default 1; not
        /// hashed]
        public int threads;
        /// Steps of `dt` that one sn_world_step makes. [default 1; from 1]
        public int substeps;
        /// Duration of one substep. [s; default 1/240; 1e-9 to 1e3; not hashed]
        public double dt;
        /// Gravity of all members; SN_FIELD_GRAVITY can give each copy its own. [m/s^2; default 0 0 -9.81]
        public fixed double gravity[3];
        /// How drives enter the equations of motion. [default SN_FORM_STABLE]
        public sn_form form;
        /// How contacts are solved. [default SN_CONTACT_IMPLICIT]
        public sn_contact_method contact;
        /// Whether joints stay within their limits. [default true]
        public byte joint_limits;
        /// Whether drives stay within SN_FIELD_TORQUE_LIMIT. Always so for models that have limits. [default
        /// false]
        public byte torque_limits;
        /// Whether bodies of one member touch each other. Parent and child never do. [default false]
        public byte self_contact;
        /// Whether each step fills SN_FIELD_TORQUE and SN_FIELD_MIDDLE_QD. [default false]
        public byte report_torque;
        /// Whether each step fills sn_world_contacts. [default true]
        public byte report_contacts;
        /// Free bodies that stay slower than this for half a second fall asleep, alone or in a heap, until
        /// something touches or changes them. 0: none does. docs/worlds.md has the details. [m/s and rad/s;
        /// default 0; from 0]
        public double sleep;
        /// Largest number of contacts kept in each copy: the deepest. Others are dropped and counted. 0
        /// keeps all, and memory grows as steps find more. [default 0; 0 to 1048576]
        public int max_contacts;
        /// Precision of states and responses. [default SN_PRECISION_DOUBLE]
        public sn_precision precision;
        /// Lane type by name, see sn_lanes_get. NULL: what suits the scene. [default NULL]
        public byte* lanes;
        /// How a world gets from one step to the next. [default SN_STEPPER_TIME]
        public sn_stepper stepper;
        /// What the position stepper takes for an acceleration. [default SN_SCHEME_PBAD2]
        public sn_scheme scheme;
        /// Law of friction. [default SN_FRICTION_CONE]
        public sn_friction friction;
        /// At which velocity the Coriolis, centrifugal and gyroscopic terms of a step are taken. [default
        /// SN_PRODUCTS_MIDPOINT]
        public sn_products products;
        /// Whether the three axes of a ball joint may have different gains, copy by copy. [default false]
        public byte gains_by_axis;
        /// Largest number of Gauss-Seidel iterations in a solve, recovery included. A step in which joints
        /// reach their limits may take up to 8 solves. 0 uses the number of the setting. [default 0; from 0]
        public int iterations;
        /// Gauss-Seidel ends when no row is off by more than this. 0 uses the value of the setting. [m/s;
        /// default 0; from 0]
        public double tolerance;
        /// Penetration that rows do not correct. [m; default 1e-4; from 0]
        public double slop;
        /// Time constant in which deeper penetration is pushed out; never less than 2 dt. [s; default 0.02;
        /// from 0]
        public double recovery;
        /// Largest speed at which penetration is pushed out. [m/s; default 1; from 0]
        public double recovery_speed;
        /// Largest speed at which joints beyond their limits come back. [rad/s or m/s; default 10; from 0]
        public double limit_speed;
        /// Largest speed at which the ends of a pin that have come apart meet again. [m/s; default 2; from
        /// 0]
        public double pin_speed;
        /// Distance ahead, beyond what a step may cover, at which contacts are looked for. [m; default 0.01;
        /// from 0]
        public double margin;
        /// Speed of approach above which restitution acts. [m/s; default 0.1; from 0]
        public double bounce;
        /// Compliance of a contact. 0: rigid rows, and implicit contacts as stiff as mass and dt allow.
        /// [m/N; default 0; from 0]
        public double compliance;
        /// Largest number of sweeps per step for implicit contact. 0 uses the number of the setting. The
        /// position stepper makes exactly this many; its 0 means 2 sweeps for members with kp, or 4 over
        /// ground, and Newton's method for others, see docs/position.md. [default 0; from 0]
        public int sweeps;
        /// Implicit contact ends when no force is off its law by more than this, relative. 0 uses the value
        /// of the setting. [default 0; from 0]
        public double sweep_tolerance;
        /// Shortest substep of the event stepper, as a part of dt. [default 1/1024; 1e-6 to 1]
        public double shortest;
        /// Methods of papers in place of the world's own, from studies.h. NULL: none. [default NULL]
        public IntPtr study;
        /// Your job system, see engine.h: the world uses it and starts no threads; `threads` is then
        /// ignored. It is copied. NULL: the world has threads of its own. [default NULL; not hashed]
        public IntPtr jobs;
        /// Receives warnings as text, see engine.h. It is copied. NULL: there are none. [default NULL; not
        /// hashed]
        public IntPtr log;
        /// Whether each step measures how long its parts take, for `microseconds` of sn_world_stats.
        /// [default false; not hashed]
        public byte measure_time;
        /// Device that steps the copies, by name: "opencl:0", or the first "opencl:gpu" or "opencl:cpu".
        /// `sinew devices` lists them, and docs/device.md says what a device can do. NULL: the processor.
        /// [default NULL; not hashed]
        public byte* device;
    }

    public static unsafe class Api {
        const string Library = "sinew";
        public const int SN_MAX_HULL_POINTS = 4194304;
        public const int SN_MAX_HULL_VERTICES = 4096;
        public const int SN_MAX_POLICY_LAYERS = 8;
        public const int SN_MAX_BODIES = 4096;
        public const int SN_MAX_NAME = 63;
        public const int SN_MAX_SHAPES = 65536;
        public const int SN_MAX_PART_COPIES = 16;
        public const int SN_CONSTRAINT_TYPE_COUNT = 25;
        public const int SN_SURFACE_TYPE_COUNT = 4;
        public const int SN_TRIGGER_PHASE_COUNT = 4;
        public const int SN_DRAW_COUNT = 12;
        public const int SN_SOLVER_COUNT = 5;
        public const int SN_INTEGRATOR_COUNT = 6;
        public const int SN_ROUTE_COUNT = 3;
        public const int SN_PRECISION_COUNT = 2;
        public const int SN_FORM_COUNT = 4;
        public const int SN_CONTACT_METHOD_COUNT = 3;
        public const int SN_STEPPER_COUNT = 3;
        public const int SN_SCHEME_COUNT = 2;
        public const int SN_FRICTION_COUNT = 4;
        public const int SN_PRODUCTS_COUNT = 2;
        public const int SN_STANCE_COUNT = 3;
        public const int SN_GAIN_FLAG_COUNT = 4;
        public const int SN_FADE_COUNT = 3;
        public const int SN_AUTORESET_COUNT = 3;
        public const int SN_JOINT_TYPE_COUNT = 9;
        public const int SN_SHAPE_TYPE_COUNT = 7;
        public const int SN_PUPPET_MODE_COUNT = 4;
        public const int SN_CONTACT_PHASE_COUNT = 4;
        public const int SN_LIMB_MODE_COUNT = 3;
        public const int SN_SEARCH_METHOD_COUNT = 3;
        public const int SN_ROW_SOLVER_COUNT = 3;
        public const int SN_ROW_RESPONSE_COUNT = 3;
        public const int SN_DRIVES_COUNT = 4;
        public const int SN_POSITION_METHOD_COUNT = 6;
        public const int SN_POSITION_SOLVER_COUNT = 5;
        public const int SN_POSITION_HESSIAN_COUNT = 4;
        public const int SN_POSITION_FRICTION_COUNT = 2;
        public const int SN_FULL_METHOD_COUNT = 4;
        public const int SN_FULL_REPAIR_COUNT = 3;
        public const int SN_FULL_PRODUCTS_COUNT = 5;
        public const int SN_FEATURES_COUNT = 2;
        public const int SN_TARGETS_COUNT = 2;
        public const int SN_TERRAIN_COUNT = 5;
        public const int SN_SETTING_COUNT = 3;
        public const int SN_STEP_PART_COUNT = 6;

        /// The version of the library that runs, as "0.3.0".
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_version();

        /// A status in words, as "the model is not valid".
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_status_text(sn_status status);

        /// Fills a definition with its defaults. The *_default functions call it. `name` is the name of its
        /// type, `inner` the size of the definition inside it, or 0.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_def_default([MarshalAs(UnmanagedType.LPUTF8Str)] string name, void* definition, UIntPtr size, UIntPtr inner);

        /// Changes the members that a JSON object names, as in {"dt": 0.01, "form": "full"}. If one of them
        /// is refused, nothing changes.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_def_read([MarshalAs(UnmanagedType.LPUTF8Str)] string name, void* definition, [MarshalAs(UnmanagedType.LPUTF8Str)] string json, sn_error* error);

        /// Writes a definition as JSON, as far as there is room. Returns the whole length, without the final
        /// zero.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr sn_def_write([MarshalAs(UnmanagedType.LPUTF8Str)] string name, void* definition, byte* text, UIntPtr room);

        /// Writes the interface of the library as JSON in the same way: definitions, enumerations, fields,
        /// structures and functions with their comments. Bindings to other languages are made from it.
        /// docs/schema.json describes its form.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr sn_schema(byte* text, UIntPtr room);

        public static sn_curve_def sn_curve_def_default() {
            sn_curve_def def;
            sn_def_default("sn_curve_def", &def, (UIntPtr)sizeof(sn_curve_def), (UIntPtr)0);
            return def;
        }

        public static sn_surface_def sn_surface_def_default(sn_surface_type type) {
            sn_surface_def def;
            sn_def_default("sn_surface_def", &def, (UIntPtr)sizeof(sn_surface_def), (UIntPtr)0);
            def.type = type;
            return def;
        }

        public static sn_constraint_def sn_constraint_def_default(sn_constraint_type type) {
            sn_constraint_def def;
            sn_def_default("sn_constraint_def", &def, (UIntPtr)sizeof(sn_constraint_def), (UIntPtr)0);
            def.type = type;
            return def;
        }

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ulong sn_world_add_constraint(IntPtr world, sn_constraint_def* definition, sn_error* error);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_remove_constraint(IntPtr world, ulong constraint);

        /// Sets target and velocity, as in the definition, of one copy or of all (copy -1). NULL leaves that
        /// half unchanged. A new target lets an impulse act again. With NULL for both it mends a constraint
        /// that is broken.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_set_constraint(IntPtr world, ulong constraint, int copy, double* target, double* velocity);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_get_constraint(IntPtr world, ulong constraint, int copy, sn_constraint_state* state);

        /// Adds a constraint that every member of the model brings along: a pin, weld, coupling or coupling
        /// limit (body2 NULL: the world). A pin or weld to the world is at the place that the definition
        /// says, in every copy. Members and bodies of the definition do not count. sn_builder_build reports
        /// a mistake.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_builder_add_constraint(IntPtr builder, [MarshalAs(UnmanagedType.LPUTF8Str)] string body, [MarshalAs(UnmanagedType.LPUTF8Str)] string body2, sn_constraint_def* definition);

        /// The handle of a constraint that came with a member; 0 if there is none, or if it was removed.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ulong sn_world_model_constraint(IntPtr world, int member, int index);

        /// Asks `filter` about each pair of near shapes in which at least one has a category bit in
        /// `groups`, as in sn_shape_def. NULL: no filter. It acts on implicit contacts and on rows alike.
        /// Contacts with planes and height fields that a filter sees are found one copy at a time, not in
        /// lanes, so choose `groups` as small as you can. Snapshots do not contain the filter.
        /// SN_ERROR_UNSUPPORTED: the position stepper has none.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_set_filter(IntPtr world, uint groups, IntPtr filter, void* user);

        /// Changes the surface_velocity of a piece of ground, in world axes: a belt that starts or stops.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_set_surface_velocity(IntPtr world, int ground, double* velocity);

        /// What is inside the triggers of a copy after the last step, ordered by triggers. Valid until the
        /// next call that changes the world. A trigger is a shape with `trigger` set, on ground (any shape,
        /// or a plane) or on a body. It sees the shapes of other members, asleep or awake, that it would
        /// touch by group and mask; it does not see ground, other triggers or members that are not active.
        /// What moves fast is followed along the straight line between its places before and after the step.
        /// Rays and other casts do not see triggers.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_trigger_visit* sn_world_triggers(IntPtr world, int copy, int* count);

        /// Draws one copy as it is now. `what` is a sum of sn_draw. Contacts and forces are those of the
        /// last step.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_draw(IntPtr world, int copy, uint what, sn_drawer* drawer);

        public static sn_dynamics_def sn_dynamics_def_default() {
            sn_dynamics_def def;
            sn_def_default("sn_dynamics_def", &def, (UIntPtr)sizeof(sn_dynamics_def), (UIntPtr)0);
            return def;
        }

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_dynamics_create(IntPtr model, sn_dynamics_def* definition, sn_error* error);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_dynamics_free(IntPtr dynamics);

        /// Frames of all bodies in the world: pose [nbody][7] position and orientation, velocity [nbody][6]
        /// linear and angular in world axes; energy and momentum. Each may be NULL.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_dynamics_bodies(IntPtr dynamics, double* q, double* qd, double* pose, double* velocity, sn_summary* summary);

        /// Velocity (rows 0-2 linear, 3-5 angular, world axes) of a point of a body, given in the body's
        /// frame, for each unit qd: J [6][nv].
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_dynamics_jacobian(IntPtr dynamics, double* q, int body, double* point, double* J);

        /// M qdd + C = tau. M [nv][nv] includes armature; C includes gravity, passive damping and springs,
        /// and push [nbody][6], the force through each body's origin and the torque on it in world axes
        /// (NULL: none).
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_dynamics_mass_matrix(IntPtr dynamics, double* q, double* M);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_dynamics_inverse(IntPtr dynamics, double* q, double* qd, double* push, double* qdd, double* tau);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_dynamics_forward(IntPtr dynamics, double* q, double* qd, double* push, double* tau, double* qdd);

        /// What a fluid at rest does to bodies that move in it, as pushes for a world (SN_FIELD_PUSH) or for
        /// the questions above: every gram meets -(along a a^T + across (1 - a a^T)) v per kilogram, a the
        /// body's long axis, about which it has the least inertia; units 1/s. Pose [count][nbody][7] and
        /// velocity [count][nbody][6] as worlds and sn_dynamics_bodies have them; push [count][nbody][6].
        /// Taken at the start of a step it is stable while across times dt is below 1.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_drag_push(IntPtr model, double along, double across, int count, double* pose, double* velocity, double* push);

        /// Makes `steps` steps of dt from q [count][nq] and qd [count][nv], which become the state at the
        /// end; the target stays. qdd and tau [count][nv] are the accelerations and drive torques of the
        /// last step, by the solver and the route of the definition; either may be NULL. With 0 steps they
        /// are those that the first step would begin with, the torques by inverse dynamics (eq. 5); q and qd
        /// then stay as they are, and qd may be NULL. SN_ERROR_NOT_FINITE: some value stopped being finite;
        /// q and qd are left as they were.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_dynamics_step(IntPtr dynamics, sn_drive* drive, int steps, double* q, double* qd, double* qdd, double* tau);

        /// Makes the library take all its memory from these functions, in the whole process; NULL goes back
        /// to malloc. The structure is copied. Call it before you make anything, or after you have freed
        /// everything: SN_ERROR_ARGUMENT if the library still holds memory, or if a function is missing.
        /// Steps do not allocate once a world has seen as many contacts as it will have. What other
        /// libraries allocate for themselves does not pass here: the C library for threads and open files,
        /// cJSON and libpng while a file is read, LAPACK.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_set_memory(sn_memory* memory);

        /// A pointer of yours on a member (body -1), on one of its bodies (shape -1) or on one of its
        /// shapes. For ground, `member` is -1, `body` is the number of the ground and `shape` is ignored.
        /// These are the numbers that sn_hit and sn_contact have. All copies share the pointer, and the
        /// library never looks at it. It is NULL until you set it. It stays when a snapshot is restored,
        /// unless the member or ground was removed since; what a snapshot brings back has NULL.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_set_user_data(IntPtr world, int member, int body, int shape, void* data);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void* sn_world_user_data(IntPtr world, int member, int body, int shape);

        /// What sn_world_cast_ray finds, for many rays in one copy: bodies are placed once for all of them.
        /// hits[i] belongs to rays[i]; where a ray meets nothing its t is 2 and its member -2. Returns the
        /// number of rays that meet something.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int sn_world_cast_rays(IntPtr world, int copy, int count, sn_ray* rays, sn_hit* hits);

        /// The state of a world without its structure: poses, velocities, targets, pushes, contacts, warm
        /// starts, phases, sleep, reactions, targets of constraints, and ground that was moved. It is much
        /// smaller and faster than a snapshot, and restoring it gives the same bits again. Gains,
        /// parameters, motions and definitions are not part of it: if you change them, change them back. The
        /// bytes suit the same build of the library on the same kind of machine. Returns the number of bytes
        /// that the state takes, and writes them if `room` is large enough. With NULL and 0 it only counts.
        /// The number changes with the contacts.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr sn_world_save_state(IntPtr world, void* bytes, UIntPtr room);

        /// Restores such a state. It is refused with a message, and nothing changes, if members, ground or
        /// constraints were added or removed since, or if the bytes are damaged or from a different world.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_load_state(IntPtr world, void* bytes, UIntPtr size, sn_error* error);

        /// The lane types that can run on this machine, from index 0 on; NULL after the last one. Below 0
        /// are the devices that `device` of sn_world_def can name, from -1 down: `name` is "opencl:0", `isa`
        /// what the device calls itself.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_lanes_info* sn_lanes_get(int index);

        /// Whether the library was built with a part: "lapack" (for SN_SOLVER_LAPACK), "lbfgs" (for
        /// studies.h) or "strict" (SINEW_STRICT: no contraction).
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool sn_built_with([MarshalAs(UnmanagedType.LPUTF8Str)] string part);

        /// The number of values of a field per copy; 0 if there is no such field.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int sn_world_size(IntPtr world, int member, sn_field field);

        /// Sets a field of the copies first .. first + count - 1; values are [count][size]. If a value is
        /// refused, nothing changes.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_set(IntPtr world, int member, sn_field field, int first, int count, double* values);

        /// Reads a field of the copies first .. first + count - 1.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_get(IntPtr world, int member, sn_field field, int first, int count, double* values);

        /// Sets a field of all copies with which[i] != 0, or of all if `which` is NULL. Values are
        /// [copies][size] in the precision of the world.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_put(IntPtr world, int member, sn_field field, byte* which, void* values);

        /// Returns a field of all copies, [copies][size] in the precision of the world, in memory of the
        /// world. You can read it until the world is changed or stepped. NULL if there is no such field or
        /// no memory.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void* sn_world_view(IntPtr world, int member, sn_field field);

        /// Fills your own memory with a field of all copies, [copies][size] in the precision of the world,
        /// on the threads of the world.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_take(IntPtr world, int member, sn_field field, void* values);

        /// Makes the copies with which[i] != 0, or all if `which` is NULL, the same as copy `source` in
        /// every respect, with contacts and warm starts, so that they continue with the same bits.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_copy(IntPtr world, int source, byte* which);

        /// Restarts the copies with which[i] != 0, or all if `which` is NULL: contacts are forgotten, flags
        /// cleared, and the member gets the pose q and the velocity qd. A member of -1 or a q of NULL keeps
        /// the states; a qd of NULL with a q means rest.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_reset(IntPtr world, int member, byte* which, double* q, double* qd);

        public static sn_load_def sn_load_def_default() {
            sn_load_def def;
            sn_def_default("sn_load_def", &def, (UIntPtr)sizeof(sn_load_def), (UIntPtr)0);
            return def;
        }

        /// Reads a model. The format is recognised by content: MJCF, URDF, a DeepMimic character or Sinew's
        /// own JSON. A bare BVH or ASF skeleton becomes a character. A controller file of DeepMimic can
        /// follow a '+': "dog3d.txt+dog3d_ctrl.txt" gives the gains.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_model_load([MarshalAs(UnmanagedType.LPUTF8Str)] string path, sn_load_def* options, sn_error* error);

        /// Writes a model, by the ending of the name: .json (Sinew's own format, exact) or .xml (MJCF).
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_model_save(IntPtr model, [MarshalAs(UnmanagedType.LPUTF8Str)] string path, sn_error* error);

        /// Writes a model as JSON text, as far as there is room. sn_model_load reads it back to the last
        /// bit. Returns the whole length, without the final zero; 0 if memory runs out.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr sn_model_write(IntPtr model, byte* text, UIntPtr room);

        /// Reads a whole world. In an MJCF scene each character and free body becomes a member of its own;
        /// those that share joint couplings or exclusions become one. Geoms of the world and of bodies that
        /// cannot move become ground, and equalities constraints. A keyframe gives the state, and its
        /// controls, or zero, the targets. Gravity, timestep and disabled features are those of the file.
        /// Everything else is as in the definition (NULL: the default), and bodies of one member touch each
        /// other. From any other file the character stands on the plane z = 0 in its home pose. The models
        /// belong to the world.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_world_load([MarshalAs(UnmanagedType.LPUTF8Str)] string path, sn_world_def* definition, sn_load_def* options, sn_error* error);

        public static sn_gains_def sn_gains_def_default() {
            sn_gains_def def;
            sn_def_default("sn_gains_def", &def, (UIntPtr)sizeof(sn_gains_def), (UIntPtr)0);
            return def;
        }

        /// Chooses kp and kd [nv] for a model: kp = I w^2 + G, kd = 2 z I w, with w = 2 pi frequency and z
        /// the damping ratio. I is the inertia that the joint moves when all others are locked, and G the
        /// stiffness by which gravity would topple it. A joint between the ground and what stands on it
        /// moves everything that it carries, if that is more than what hangs on it; every standing body
        /// bears the same part of the weight. Ball joints get one gain for their three axes. If something
        /// stands, a free root gets no gains: nothing holds it. Gains that break the condition of the form
        /// at this dt (see sn_gains_check) are refused, with a message that names the joint and suggests
        /// other values, or widened. A definition of NULL means all defaults.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_gains_choose(IntPtr model, sn_gains_def* definition, double* kp, double* kd, sn_error* error);

        /// Fills kps and kds [nv] with the same gains everywhere, apart from those of a free root. maba-2020
        /// section 4.1 uses 20000, 2000, 75000, 4000.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_gains_uniform(IntPtr model, double root_kp, double root_kd, double kp, double kd, double* kps, double* kds);

        /// Checks gains for the pose, dt, form and precision of a definition (NULL: defaults); its other
        /// members do not matter. Fills one flag word per degree of freedom (flags may be NULL). Returns how
        /// many are not SN_GAIN_OK, or -1 if an argument is wrong. The error names the worst joint and
        /// suggests other values. With `widen`, kd is raised first to what the form needs; the flags then
        /// show what was wrong before and what could not be repaired.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int sn_gains_check(IntPtr model, sn_gains_def* definition, double* kp, double* kd, uint* flags, sn_error* error);

        /// Adds a plane through a point. What is on the side of the normal is free.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int sn_world_add_plane(IntPtr world, double* point, double* normal, sn_shape_def* material, sn_error* error);

        /// Adds a shape of any kind. One that is neither sphere, capsule, box nor hull touches as a hull
        /// that is within 1 % of its surface.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int sn_world_add_shape(IntPtr world, sn_shape_def* shape, double* pos, double* rot, sn_error* error);

        public static sn_heightfield_def sn_heightfield_def_default() {
            sn_heightfield_def def;
            sn_def_default("sn_heightfield_def", &def, (UIntPtr)sizeof(sn_heightfield_def), (UIntPtr)0);
            return def;
        }

        /// Adds a height field.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int sn_world_add_heightfield(IntPtr world, sn_heightfield_def* field, sn_shape_def* material, sn_error* error);

        public static sn_mesh_def sn_mesh_def_default() {
            sn_mesh_def def;
            sn_def_default("sn_mesh_def", &def, (UIntPtr)sizeof(sn_mesh_def), (UIntPtr)0);
            return def;
        }

        /// Adds a mesh. Meshes stand still. The position stepper does not support them.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int sn_world_add_mesh(IntPtr world, sn_mesh_def* mesh, sn_shape_def* material, sn_error* error);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_remove_ground(IntPtr world, int ground);

        /// Puts ground somewhere else in all copies and lets it move on with these velocities; NULL means
        /// zero. Height fields and meshes cannot move.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_move(IntPtr world, int ground, double* pos, double* rot, double* linear, double* angular);

        /// Fills a shape with ground in its place in the world, for pictures. Returns false if there is no
        /// such ground, or if it is a height field, a mesh or a hull. A plane becomes a box of no height
        /// (size 0) whose z axis is its normal.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool sn_world_ground_shape(IntPtr world, int ground, sn_shape_def* shape);

        /// Makes the hull of n points, x, y, z each; at least four, not all in one plane. At most `most` of
        /// them become vertices (0: SN_MAX_HULL_VERTICES). Those furthest out come first, so that a few of
        /// them already have the form. Faces in one plane up to 3e-7 of the size become one face, and
        /// vertices within it are left out; volume and inertia include them. Returns NULL and a message if
        /// the points have no volume, are not finite or too many.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_hull_create(double* points, int n, int most, sn_error* error);

        /// Gives up one share. NULL is allowed.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_hull_free(IntPtr hull);

        /// NULL for NULL.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_hull_info* sn_hull_get(IntPtr hull);

        public static sn_keyframes_def sn_keyframes_def_default() {
            sn_keyframes_def def;
            sn_def_default("sn_keyframes_def", &def, (UIntPtr)sizeof(sn_keyframes_def), (UIntPtr)0);
            return def;
        }

        /// Makes keyframes for a model, which must outlive them. Returns NULL and a message that names the
        /// key at fault.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_keyframes_create(IntPtr model, sn_keyframes_def* definition, sn_error* error);

        /// Reads a JSON file with the format "sinew-keyframes", see docs/formats.md, or `text` of the
        /// options.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_keyframes_load([MarshalAs(UnmanagedType.LPUTF8Str)] string path, IntPtr model, sn_load_def* options, sn_error* error);

        /// Frees keyframes. NULL is allowed.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_keyframes_free(IntPtr keyframes);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_keyframes_info* sn_keyframes_get(IntPtr keyframes);

        /// Sets these drives for a member of the same model, before a step that ends at `time`, in one copy
        /// or in all (-1); each copy from its own pose.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_keyframes_apply(IntPtr keyframes, IntPtr world, int member, int copy, double time);

        /// What animation programs do instead: a smooth cubic through the keys of each joint, at rest at the
        /// first and the last. qd may be NULL.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_keyframes_spline(IntPtr keyframes, double time, double* q, double* qd);

        public static sn_environment_def sn_environment_def_default() {
            sn_environment_def def;
            sn_def_default("sn_environment_def", &def, (UIntPtr)sizeof(sn_environment_def), (UIntPtr)0);
            return def;
        }

        /// Copies the table and takes over task->user: task->free is called when the environment is freed,
        /// or at once if this fails. Strings and arrays of names must outlive the environment. With def NULL
        /// everything has its default.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_environment_create(sn_task* task, sn_environment_def* definition, sn_error* error);

        /// NULL is allowed.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_environment_free(IntPtr env);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_environment_get_info(IntPtr env, sn_environment_info* info);

        /// Starts new episodes in the copies with which[i] != 0 (NULL: all) and fills their rows of
        /// observation [copies][observations]. With seed [copies], everything random in a copy follows from
        /// its seed from then on; with NULL its random numbers continue.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_environment_reset(IntPtr env, byte* which, ulong* seed, float* observation, sn_error* error);

        /// One control step of all copies under action [copies][actions].
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_environment_step(IntPtr env, float* action, sn_environment_out* @out, sn_error* error);

        /// Fills observation [copies][observations] from the state as it is now, for example after you
        /// changed a world.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_environment_observe(IntPtr env, float* observation, sn_error* error);

        /// Writes the state of all copies to `bytes`, if `size` is large enough, and returns the size that
        /// is needed; 0: out of memory. Restored, the environment continues with the same bits. A damaged
        /// snapshot is refused before anything changes. If the world itself refuses a later part, some
        /// copies are restored already: reset the environment then.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr sn_environment_save(IntPtr env, void* bytes, UIntPtr size);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_environment_restore(IntPtr env, void* bytes, UIntPtr size, sn_error* error);

        /// The world that a copy is in, to look at, record and push, and the copy's number in it; NULL:
        /// there is none. In tasks of sn_imitation_task the character is member 0 and a ball member 1.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_environment_world(IntPtr env, int copy, int* number);

        /// Fills the pose q [nq] that this copy should have now, if the task has one. Returns false if it
        /// has none.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool sn_environment_reference(IntPtr env, int copy, double* q);

        /// Reads a policy file. docs/learning.md describes the format.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_policy_load([MarshalAs(UnmanagedType.LPUTF8Str)] string path, sn_error* error);

        /// Writes a policy file or, if the name ends in .onnx, an ONNX file with the input "observation"
        /// [rows][observations] and the output "action" [rows][actions]. The file is replaced as a whole or
        /// stays as it was.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_policy_save(IntPtr policy, [MarshalAs(UnmanagedType.LPUTF8Str)] string path, sn_error* error);

        /// The bytes of a policy file, in memory: sn_policy_write fills `bytes` if `size` is large enough
        /// and returns the size that is needed; 0: out of memory.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_policy_parse(void* bytes, UIntPtr size, sn_error* error);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr sn_policy_write(IntPtr policy, void* bytes, UIntPtr size);

        /// NULL is allowed.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_policy_free(IntPtr policy);

        /// Fills `data` with pointers into the policy.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_policy_get(IntPtr policy, sn_policy_data* data);

        /// A policy from arrays, which are copied. It is for the environment's task, or for any if `env` is
        /// NULL.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_policy_create(sn_policy_data* data, IntPtr env, sn_error* error);

        /// Actions without noise: observation [rows][observations], action [rows][actions].
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_policy_act(IntPtr policy, int rows, float* observation, float* action);

        /// Checks that the policy is for the environment's character, observations and actions.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_policy_check(IntPtr policy, IntPtr env, sn_error* error);

        /// Resets the environment and runs one episode [copies] in every copy, without noise. With seed
        /// [copies] an episode depends on its seed alone. You can therefore split episodes over environments
        /// or machines; sn_policy_add_up makes a score of them.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_policy_evaluate(IntPtr policy, IntPtr env, ulong* seed, sn_policy_episode* episode, sn_error* error);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_policy_add_up(int episodes, sn_policy_episode* episode, sn_policy_score* score);

        public static sn_trainer_def sn_trainer_def_default() {
            sn_trainer_def def;
            sn_def_default("sn_trainer_def", &def, (UIntPtr)sizeof(sn_trainer_def), (UIntPtr)0);
            return def;
        }

        /// The trainer steps the environment, which must outlive it; do not step it otherwise meanwhile. def
        /// NULL: all defaults.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_trainer_create(IntPtr env, sn_trainer_def* definition, sn_error* error);

        /// NULL is allowed.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_trainer_free(IntPtr trainer);

        /// The first iteration only scales observations. `training` may be NULL.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_trainer_iterate(IntPtr trainer, sn_training* training, sn_error* error);

        /// Writes everything that the next iteration depends on. The file is replaced as a whole or stays as
        /// it was. A trainer for the same task and definition, except threads and ranks, continues from
        /// there with the same bits. The first rank writes.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_trainer_save(IntPtr trainer, [MarshalAs(UnmanagedType.LPUTF8Str)] string path, sn_error* error);

        /// Fills iterations and samples of `training`, unless NULL. The first rank reads.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_trainer_restore(IntPtr trainer, [MarshalAs(UnmanagedType.LPUTF8Str)] string path, sn_training* training, sn_error* error);

        /// What it has learned so far, with a text that is kept in policy files (NULL: none); to be freed.
        /// NULL: out of memory.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_trainer_policy(IntPtr trainer, [MarshalAs(UnmanagedType.LPUTF8Str)] string note, sn_error* error);

        public static sn_joint_def sn_joint_def_default(sn_joint_type type) {
            sn_joint_def def;
            sn_def_default("sn_joint_def", &def, (UIntPtr)sizeof(sn_joint_def), (UIntPtr)0);
            def.type = type;
            return def;
        }

        public static sn_body_def sn_body_def_default() {
            sn_body_def def;
            sn_def_default("sn_body_def", &def, (UIntPtr)sizeof(sn_body_def), (UIntPtr)sizeof(sn_joint_def));
            return def;
        }

        public static sn_shape_def sn_shape_def_default(sn_shape_type type) {
            sn_shape_def def;
            sn_def_default("sn_shape_def", &def, (UIntPtr)sizeof(sn_shape_def), (UIntPtr)0);
            def.type = type;
            return def;
        }

        /// Makes an empty builder. Returns NULL when memory runs out.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_builder_create();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_builder_free(IntPtr builder);

        /// Adds a copy of a body. The builder remembers the first mistake, and sn_builder_build reports it.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_builder_add_body(IntPtr builder, sn_body_def* body);

        /// Adds a copy of a shape to the body with that name.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_builder_add_shape(IntPtr builder, [MarshalAs(UnmanagedType.LPUTF8Str)] string body, sn_shape_def* shape);

        /// Keeps the shapes of two bodies from touching each other. Parent and child never touch anyway.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_builder_exclude(IntPtr builder, [MarshalAs(UnmanagedType.LPUTF8Str)] string body1, [MarshalAs(UnmanagedType.LPUTF8Str)] string body2);

        /// Checks everything and returns the model, or NULL and a message that names the body at fault. The
        /// builder can still be used and must still be freed.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_builder_build(IntPtr builder, sn_error* error);

        /// Makes a model that comes with the library: "humanoid" (34 degrees of freedom), "dog" (72),
        /// "snake36", "snake72", "snake195" or "mouse" (a toy with a long tail, 54).
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_builtin_create([MarshalAs(UnmanagedType.LPUTF8Str)] string name, sn_error* error);

        /// Names of the built-in models, from index 0 on; NULL after the last one.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_builtin_name(int index);

        /// Frees a model. NULL is allowed.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_model_free(IntPtr model);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_model_info* sn_model_get(IntPtr model);

        /// NULL if there is no such body.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_body_info* sn_model_body(IntPtr model, int index);

        /// The index of the body that has this name; if none has, of the body whose joint has it (see `name`
        /// of sn_joint_def). -1 if there is neither.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int sn_model_find_body(IntPtr model, [MarshalAs(UnmanagedType.LPUTF8Str)] string name);

        /// Fills q [nq] with the zero pose. A free joint is at the body's pos and rot.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_model_zero_pose(IntPtr model, double* q);

        /// Fills q [nq] with the zero pose, and with `home` of the joints that have one.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_model_home_pose(IntPtr model, double* q);

        /// The poses result [n][nq] reached from q [n][nq] with the constant velocities dv [n][nv] in unit
        /// time. A pose between two others, part t of the way, is q0 + t (q1 - q0) with this sum and the
        /// difference below.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_model_pose_add(IntPtr model, int n, double* q, double* dv, double* result);

        /// The velocities dv [n][nv] that lead from q0 to q1 [n][nq] in unit time.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_model_pose_subtract(IntPtr model, int n, double* q1, double* q0, double* dv);

        public static sn_clip_def sn_clip_def_default() {
            sn_clip_def def;
            sn_def_default("sn_clip_def", &def, (UIntPtr)sizeof(sn_clip_def), (UIntPtr)0);
            return def;
        }

        /// Makes a clip of arrays, which are copied.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_clip_create(sn_clip_def* definition, sn_error* error);

        /// Frees a clip. NULL is allowed.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_clip_free(IntPtr clip);

        /// The data of a clip as it is now. Quaternions have unit length. Its last time is its duration. It
        /// belongs to the clip.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_clip_def* sn_clip_data(IntPtr clip);

        /// Reads BVH, AMC ("11.asf+11_01.amc" or an AMC beside its ASF), DeepMimic and motion_imitation
        /// motions, and Sinew's own JSON.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_clip_load([MarshalAs(UnmanagedType.LPUTF8Str)] string path, sn_load_def* options, sn_error* error);

        /// Writes a clip, by the ending of the name: .json or .bvh.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_clip_save(IntPtr clip, [MarshalAs(UnmanagedType.LPUTF8Str)] string path, sn_error* error);

        public static sn_clip_edit_def sn_clip_edit_def_default() {
            sn_clip_edit_def def;
            sn_def_default("sn_clip_edit_def", &def, (UIntPtr)sizeof(sn_clip_edit_def), (UIntPtr)0);
            return def;
        }

        /// Makes a changed copy of a clip, or returns NULL and an error.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_clip_edit(IntPtr clip, sn_clip_edit_def* edit, sn_error* error);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_clip_floor(IntPtr clip, sn_floor* floor);

        /// The floor under anything whose lowest point is at `low` at these times; n values each, times
        /// ascending.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_floor_under(int n, double* time, double* low, double* height);

        /// Makes a character for the skeleton: capsules along the bones, with masses by their volume and
        /// `total_mass` kg altogether.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_clip_build_model(IntPtr clip, double total_mass, sn_error* error);

        /// Carries a clip over to a model, which must outlive the motion. With a map of NULL, joints are
        /// found by equal names or by what names mean (CMU, Mixamo-like, DeepMimic, Bip01, quadrupeds as
        /// FL_hip, robots with hinges in a row as left_hip_yaw). Otherwise `map` is a JSON text {"model
        /// body": "clip joint", ...}. Limb lengths are scaled.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_motion_create(IntPtr clip, IntPtr model, [MarshalAs(UnmanagedType.LPUTF8Str)] string map, sn_error* error);

        /// Reads a clip and carries it over by options->map, or reads numbers that were written for this
        /// model, as a table or as "Frames".
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_motion_load([MarshalAs(UnmanagedType.LPUTF8Str)] string path, IntPtr model, sn_load_def* options, sn_error* error);

        /// Whether sn_motion_load would take the file for numbers that were written for this model, not for
        /// a clip. With a model of NULL: whether it is a table of numbers at all.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool sn_motion_is_numbers([MarshalAs(UnmanagedType.LPUTF8Str)] string path, IntPtr model);

        /// The part between two times, which does not loop. NULL and an error if it is not inside the
        /// motion.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_motion_cut(IntPtr motion, double start, double end, sn_error* error);

        /// Makes a motion of poses: q [nframe][nq] at the given times. A loop of them moves on, but does not
        /// turn.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_motion_from_poses(IntPtr model, int nframe, double* time, double* q, [MarshalAs(UnmanagedType.I1)] bool loop, sn_error* error);

        /// Frees a motion. NULL is allowed.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_motion_free(IntPtr motion);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_motion_info* sn_motion_get(IntPtr motion);

        /// The way back: makes a clip of poses of the model, q [nframe][nq] at times that start with 0, on
        /// the skeleton of the clip that the motion came from. Joints that drive no body move as in the
        /// clip.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_motion_clip(IntPtr motion, int nframe, double* time, double* q, sn_error* error);

        /// Pose q [nq] and velocity qd [nv] at a time. Either may be NULL.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_motion_sample(IntPtr motion, double time, double* q, double* qd);

        /// Poses q [n][nq] and velocities qd [n][nv] at n times. Either may be NULL.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_motion_sample_many(IntPtr motion, int n, double* time, double* q, double* qd);

        /// Makes a motion that comes with the library, for one of its models: "walk", "run", "cartwheel",
        /// "backflip" (humanoid), "pace", "trot", "canter" (dog), "slither" (snakes), "kick", "pass" or
        /// "catch" (humanoid, for balls).
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_builtin_motion_create([MarshalAs(UnmanagedType.LPUTF8Str)] string name, IntPtr model, sn_error* error);

        /// Their names, from index 0 on; NULL after the last one.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_builtin_motion_name(int index);

        /// Makes a puppet of one copy of a member, and sets the gains of that copy. The member must be the
        /// built-in humanoid; it should stand or go. `go` is a policy of `sinew train humanoid stick`.
        /// `get_up` is one of the same with --get-up; NULL: the puppet lies where it falls. Any number of
        /// puppets can share policies. World and policies must outlive the puppet. 1/30 s must be a whole
        /// number of steps of the world.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_puppet_create(IntPtr world, int member, int copy, IntPtr go, IntPtr get_up, sn_error* error);

        /// NULL is allowed.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_puppet_free(IntPtr puppet);

        /// Where to go: stick [3] is speed ahead and to the left, m/s, and turn to the left, rad/s, as the
        /// character sees it. It stays until you move it. Speeds beyond 4.5 ahead, 1.2 back and 1 aside are
        /// lowered, and so are turns that are too fast for the speed. NULL lets the puppet go: it is a
        /// ragdoll until you give it a stick again. Then it goes on if it is still on its feet, and lies
        /// otherwise.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_puppet_stick(IntPtr puppet, double* stick);

        /// Call this before each step of the world, with all puppets: 30 times per second it sets new
        /// targets of the drives. One matrix product serves all puppets that share a policy.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_puppets_step(IntPtr* puppets, int count, sn_error* error);

        /// What it does. Fills planned [3], the stick that it can follow at the moment, and reference [nq],
        /// the pose that it should have now; both may be NULL.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_puppet_mode sn_puppet_get(IntPtr puppet, double* planned, double* reference);

        /// The state of a puppet beside the world's, for rollback: `size` bytes that you copy to keep and
        /// copy back to restore, together with a state or snapshot of the world. Both then go on with the
        /// same bits.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void* sn_puppet_state(IntPtr puppet, UIntPtr* size);

        /// Contacts of the last step in one copy, or in all of them one after the other (copy -1), ordered
        /// by bodies. You can read them until the next call that changes the world.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_contact* sn_world_contacts(IntPtr world, int copy, int* count);

        /// Casts work in one copy, over members and ground whose group has a bit in the mask. A cast finds
        /// the first thing on the way origin + t way; what it starts in is met at t = 0. Shapes are solids
        /// of any kind and do not turn on their way. Returns true if something was met.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool sn_world_cast_ray(IntPtr world, int copy, double* origin, double* way, uint mask, sn_hit* hit);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool sn_world_cast_shape(IntPtr world, int copy, sn_shape_def* shape, double* pos, double* rot, double* way, uint mask, sn_hit* hit);

        /// Finds everything that overlaps a shape. Fills at most `room` hits (t = 0) and returns how many
        /// there are.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int sn_world_overlap(IntPtr world, int copy, sn_shape_def* shape, double* pos, double* rot, uint mask, sn_hit* hits, int room);

        public static sn_reaction_def sn_reaction_def_default() {
            sn_reaction_def def;
            sn_def_default("sn_reaction_def", &def, (UIntPtr)sizeof(sn_reaction_def), (UIntPtr)0);
            return def;
        }

        /// Makes a member react to impacts in all copies. NULL: it does not react any more.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_set_reaction(IntPtr world, int member, sn_reaction_def* definition);

        /// Starts the reaction to an impact on a body (-1: on all), in one copy or in all (-1).
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_react(IntPtr world, int member, int copy, int body);

        /// Changes the mode of a body's joint and of all bodies that hang on it, over `blend` seconds (0: at
        /// once), in one copy or in all (-1). A body of -1, or the root's, is the whole member. Between
        /// driven and limp, gains change in a straight line; an animated limb lets go with the eighth power
        /// of the time that is left.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_set_limb(IntPtr world, int member, int copy, int body, sn_limb_mode mode, double blend);

        /// Limits the force (N) and torque (N m) of the root's drive in all copies (INFINITY: no limit), as
        /// SN_FIELD_TORQUE_LIMIT of the root does, and sets the sums above to zero. Returns
        /// SN_ERROR_UNSUPPORTED unless the definition of the world has report_torque, and torque_limits if
        /// one of them is finite.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_set_assistance(IntPtr world, int member, double force, double torque);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_get_assistance(IntPtr world, int member, int copy, sn_assistance* used);

        public static sn_recorder_def sn_recorder_def_default() {
            sn_recorder_def def;
            sn_def_default("sn_recorder_def", &def, (UIntPtr)sizeof(sn_recorder_def), (UIntPtr)0);
            return def;
        }

        /// Makes a recorder. The world must live until the last sn_recorder_take. With a world of NULL there
        /// is only what sn_recorder_pose shows. A definition of NULL means all defaults.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_recorder_create(IntPtr world, sn_recorder_def* definition, sn_error* error);

        /// Frees a recorder. NULL is allowed.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_recorder_free(IntPtr recorder);

        /// Call it after each step. It takes a frame when one is due at this time (s), the first one at
        /// once. After an error the recording ends with the frame before.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_recorder_take(IntPtr recorder, double time);

        /// Sets a pose, and torques or NULL, of another character, from the next frame on until changed. The
        /// role "reference" is a ghost that shows where the first member should be, "simulated" a character
        /// that no world steps. The model must live until the last sn_recorder_take.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_recorder_pose(IntPtr recorder, [MarshalAs(UnmanagedType.LPUTF8Str)] string role, IntPtr model, double* q, double* torque);

        /// Sets a number per frame, from the next frame on until changed. "effector" (m) and "joint" (rad)
        /// are plotted.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_recorder_number(IntPtr recorder, [MarshalAs(UnmanagedType.LPUTF8Str)] string name, double value);

        /// Adds something that happened: a kind, as "diverged", and a sentence.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_recorder_event(IntPtr recorder, double time, [MarshalAs(UnmanagedType.LPUTF8Str)] string kind, [MarshalAs(UnmanagedType.LPUTF8Str)] string text);

        /// Adds a JSON value, which is not checked, under a key of its own: "settings", "result", "ground".
        /// The last value of a key counts.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_recorder_note(IntPtr recorder, [MarshalAs(UnmanagedType.LPUTF8Str)] string key, [MarshalAs(UnmanagedType.LPUTF8Str)] string json);

        /// The recording as text. It belongs to the recorder until the next call. `size` may be NULL.
        /// Returns NULL if memory runs out or no frame was taken.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_recorder_text(IntPtr recorder, UIntPtr* size);

        /// Writes a file by the ending of its name: .glb (binary glTF 2.0: all characters as mannequins that
        /// move, for Blender, three.js and others), .bvh (the first simulated character, Y up, metres), or
        /// else the recording itself.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_recorder_save(IntPtr recorder, [MarshalAs(UnmanagedType.LPUTF8Str)] string path, sn_error* error);

        /// Reads a recording, to save it in another format.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_recorder_load([MarshalAs(UnmanagedType.LPUTF8Str)] string path, sn_error* error);

        public static sn_search_def sn_search_def_default(sn_search_method method, int n) {
            sn_search_def def;
            sn_def_default("sn_search_def", &def, (UIntPtr)sizeof(sn_search_def), (UIntPtr)0);
            def.method = method;
            def.n = n;
            return def;
        }

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_search_create(sn_search_def* definition, sn_error* error);

        /// NULL is allowed.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_search_free(IntPtr search);

        /// The candidates of this generation, [candidates][n]; they stay until they are judged. `candidates`
        /// may be NULL.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern double* sn_search_ask(IntPtr search, int* candidates);

        /// Scores [candidates] of the last sn_search_ask: more is better, and NaN is worse than all others.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_search_tell(IntPtr search, double* score, sn_error* error);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_search_info sn_search_get(IntPtr search);

        /// A world is a scene in one copy or in thousands: members (characters and free bodies), ground, and
        /// constraints between them. The scene is described once; each copy has its own state. Contacts,
        /// joint limits and constraints are solved together with the drives. A copy has the same bits
        /// whether it runs alone or beside others, at any index, with any number of threads, and beside
        /// copies that diverge. Makes an empty world. A definition of NULL means all defaults: steps of
        /// 1/240 s, gravity, contact. Returns NULL and an error if the definition is refused.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_world_create(sn_world_def* definition, sn_error* error);

        /// Frees a world. NULL is allowed.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_world_free(IntPtr world);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_world_info sn_world_get_info(IntPtr world);

        /// Why the last call on this world that failed did so, as a sentence: "q of copy 5: value 12 is nan,
        /// which is not a number." It stays until the next call that fails; "" before the first. Functions
        /// with an sn_error write it there instead.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_world_message(IntPtr world);

        /// Bytes that the world holds, for all threads together.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr sn_world_memory(IntPtr world);

        /// Adds a member to all copies, in the zero pose, at rest and without gains. Returns its handle, or
        /// -1 and an error. The model must outlive the world. Members can come and go at any time between
        /// steps, in time proportional to what is added.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int sn_world_add(IntPtr world, IntPtr model, sn_error* error);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_remove(IntPtr world, int member);

        /// The handle of the member with an index from 0 to `members` of sn_world_info; -1 if there is none
        /// there now. Members keep their index. It may be given to another member after they are removed.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int sn_world_member(IntPtr world, int index);

        /// The model of a member; NULL if there is no such member.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr sn_world_model(IntPtr world, int member);

        /// The member that has a body of this name, and the index of the body (`body` may be NULL); -1 if
        /// none has.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int sn_world_find_body(IntPtr world, [MarshalAs(UnmanagedType.LPUTF8Str)] string name, int* body);

        /// A member that is not active stays where it is and touches nothing. Members are active at first.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_set_active(IntPtr world, int member, [MarshalAs(UnmanagedType.I1)] bool active);

        /// Adds the plane z = 0 as ground, with the default material. Returns its number, or -1. ground.h
        /// has other kinds of ground.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int sn_world_add_floor(IntPtr world);

        /// These functions act on all copies alike; fields.h gives each copy its own values. Quaternions are
        /// normalised. Puts a member in its home pose on the ground below it, at rest, and holds it there:
        /// the pose becomes its target, and every joint except a free root gets the gains kp (N m/rad) and
        /// kd (N m s/rad). If both are 0, it gets the gains of its model, or gains from sn_gains_choose if
        /// the model has none.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_hold(IntPtr world, int member, double kp, double kd);

        /// Sets positions [nq] and velocities [nv]. NULL leaves that half unchanged.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_set_state(IntPtr world, int member, double* q, double* qd);

        /// Reads positions and velocities of copy 0. NULL skips that half.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_get_state(IntPtr world, int member, double* q, double* qd);

        /// Sets the pose that the drives should reach at the END of the coming step, and the velocity there.
        /// A q of NULL keeps the pose; a qd of NULL means zero.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_set_target(IntPtr world, int member, double* q, double* qd);

        /// Sets the drive gains of a member. `kp` and `kd` have one value per degree of freedom. NULL leaves
        /// that half unchanged. Returns SN_ERROR_ARGUMENT if a gain is negative or not finite; the gains are
        /// then unchanged.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_set_gains(IntPtr world, int member, double* kp, double* kd);

        /// Takes the targets from a motion of the member's model. Each copy has its own phase
        /// (SN_FIELD_PHASE), which every step moves on by dt. The motion is copied. NULL: you set targets
        /// yourself again.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_set_motion(IntPtr world, int member, IntPtr motion);

        /// Moves the root in q against gravity until the lowest point of the member is on the ground below
        /// it.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_stand(IntPtr world, int member, double* q);

        /// Pushes a body with a force (N) through its origin and a torque (N m), both in world axes; NULL
        /// means zero. The push ends by itself after `duration` seconds, rounded to whole steps; INFINITY
        /// lasts until you change it. It replaces any other push on that body. When it ends, SN_FIELD_PUSH
        /// of that body is zero in all copies.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_push(IntPtr world, int member, int body, double* force, double* torque, double duration);

        /// Makes `substeps` steps of dt. If a velocity of a member would stop being finite, or exceed 1e5
        /// m/s or rad/s, the member is frozen in that copy, in the state before the substep. Members that
        /// constraints join to it are frozen with it. The others continue, and a frozen member is a wall to
        /// them. It continues when its state is set or the copy is reset. Returns SN_ERROR_NOT_FINITE if no
        /// member of any copy is left that moves. sn_world_get_stats names the member and the degree of
        /// freedom, and the drive that is too stiff if there is one; sn_gains_check suggests gains that
        /// work.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_step(IntPtr world);

        /// Changes the duration of a substep, s.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_set_dt(IntPtr world, double dt);

        /// The time that has passed since the world was made, s.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern double sn_world_time(IntPtr world);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void sn_world_get_stats(IntPtr world, sn_world_stats* stats);

        /// Reads where a body is in copy 0: the position of its frame in the world, and its orientation.
        /// Either may be NULL. sn_model_find_body and sn_world_find_body find a body by its name.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_body_pose(IntPtr world, int member, int body, double* pos, double* rot);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_summary(IntPtr world, int member, int copy, sn_summary* summary);

        /// A hash of all positions and velocities, bit by bit, for comparing runs.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ulong sn_world_hash(IntPtr world);

        /// A snapshot is the whole world as one block of bytes: structure, state, warm starts, targets,
        /// gains, pushes and constraints of all copies. Restoring it gives the same bits again, even if
        /// members, ground or constraints have come and gone since; numbers and handles go back, too. The
        /// world must have been made with the same definition and must have held every model of the snapshot
        /// at some time. Returns the number of bytes that a snapshot takes, and writes it if `room` is large
        /// enough. With NULL and 0 it only counts. In crowded scenes the number grows with the contacts. 0:
        /// out of memory.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr sn_world_snapshot(IntPtr world, void* bytes, UIntPtr room);

        /// Refuses a block that is damaged or belongs to another world; the world is then unchanged.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_world_restore(IntPtr world, void* bytes, UIntPtr size, sn_error* error);

        /// Random number `index` of this control step, in (0, 1). It depends on nothing but the episode, the
        /// step and the index, so nothing about a generator has to be saved.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern double sn_episode_random(sn_episode* episode, uint index);

        public static sn_imitation_def sn_imitation_def_default(IntPtr model, IntPtr motion) {
            sn_imitation_def def;
            sn_def_default("sn_imitation_def", &def, (UIntPtr)sizeof(sn_imitation_def), (UIntPtr)0);
            def.model = model;
            def.motion = motion;
            return def;
        }

        /// Fills the table. Pass it to one sn_environment_create, which takes it over and frees it.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern sn_status sn_imitation_task(sn_task* task, sn_imitation_def* definition, sn_error* error);

        public static sn_world_def sn_world_def_default() {
            sn_world_def def;
            sn_def_default("sn_world_def", &def, (UIntPtr)sizeof(sn_world_def), (UIntPtr)0);
            return def;
        }

        /// Whether structures are laid out as in the library.
        public static bool LayoutIsRight() {
            return sizeof(sn_curve_def) == 64
                && sizeof(sn_surface_def) == 64
                && sizeof(sn_constraint_def) == 344
                && sizeof(sn_dynamics_def) == 72
                && sizeof(sn_load_def) == 104
                && sizeof(sn_gains_def) == 96
                && sizeof(sn_heightfield_def) == 64
                && sizeof(sn_mesh_def) == 32
                && sizeof(sn_keyframes_def) == 80
                && sizeof(sn_environment_def) == 32
                && sizeof(sn_trainer_def) == 208
                && sizeof(sn_joint_def) == 304
                && sizeof(sn_body_def) == 480
                && sizeof(sn_shape_def) == 168
                && sizeof(sn_clip_def) == 56
                && sizeof(sn_clip_edit_def) == 80
                && sizeof(sn_reaction_def) == 56
                && sizeof(sn_recorder_def) == 40
                && sizeof(sn_search_def) == 64
                && sizeof(sn_imitation_def) == 336
                && sizeof(sn_world_def) == 256;
        }
    }
}
