"""Written by scripts/bindings.py from the public headers. Do not edit.

Each class is one enumeration of the library. Settings take these, or the same words as strings."""
from enum import IntEnum


class ConstraintType(IntEnum):
    """A path is followed as kokkevis-2004 eq. 22 has it: with e the deviation from the target, e'' + Kd e' + Kp e = 0, solved exactly over each step: a deviation dies away as that oscillator does, whatever dt is, and a target that moves on by its target_velocity is followed without lag. The target is what shall be reached at the END of the coming step, the velocity is the one it has there; set both before every step of a target that moves. A velocity that jumps is followed at once, a target that jumps is not. An acceleration is given as it is, without any feedback: positions drift as they would under it. An impulse takes a velocity to v+ in the coming step, at whose end it is v+, and is then spent: the constraint stays, without effect, until its target is set again. Both are in `target`, and have no target_velocity.

        pin: a point of a body stays on a point of another body, or of the world: 3 rows

        point_path: a point of a body follows target and target_velocity: 3 rows

        joint_path: the joint of a body follows target (as in q) and target_velocity (as in qd); kokkevis-2004 section 8.3: one row per degree of freedom

        spring: a point of a body is drawn to target by an implicit spring: the mouse

        direction_path: direction . (point - point2) follows target[0] and target_velocity[0], the other two directions are free: 1 row

        orientation_path: a body's orientation follows target (a quaternion, body to world) and target_velocity (angular velocity, world axes): 3 rows

        weld: a pin that also keeps the orientation of one body in the other's frame, or the world's, at target (a quaternion; all 0: as it is in each copy now): 6 rows

        point_acceleration: a point of a body has the acceleration target[3]: 3 rows

        direction_acceleration: direction . (point - point2) has the second derivative target[0]: 1 row

        joint_acceleration: the joint of a body has the acceleration target (as in qd): one row per degree of freedom

        point_impulse: a point of a body gets the velocity target[3]: 3 rows

        direction_impulse: direction . (point - point2) gets the rate of change target[0]: 1 row

        joint_impulse: the joint of a body gets the velocity target (as in qd): one row per degree of freedom

        coupling: of joints with one degree of freedom, q1 of body and q2 of body2 (member2 -1: 0), the difference s = q1 - (ratio[0] + ratio[1] q2 + ... + ratio[4] q2^4) is held at target[0]; or, where stiffness or damping is given, drawn to target[0] and target_velocity[0] by an implicit spring: 1 row

        coupling_limit: the s of a coupling stays between target[0] and target[1]: 1 row

        joint_friction: the joint of a body resists its motion, with max_force at most: one row per degree of freedom

        hinge: These hold something where it is, as SN_CONSTRAINT_PIN and SN_CONSTRAINT_WELD do: rigidly, or softly by stiffness or frequency. The orientation that they keep is in target as for SN_CONSTRAINT_WELD: all 0, as it is in each copy now. a pin that leaves one turn free, about direction: 5 rows

        slider: keeps the orientation, and the point on the line through point2 along direction: 5 rows

        orientation: keeps the orientation of one body in the other's frame, or the world's: 3 rows

        distance: point and point2 stay target[0] apart: 1 row

        rope: point and point2 come no further apart than target[0]: 1 row, which only pulls

        curve: the point stays on a curve, and slides along it: 2 rows

        surface: the point stays on a surface, and slides over it: 1 row

        motor: These drive something at target_velocity[0] with at most max_force. the turn of a body against the other about direction: 1 row

        linear_motor: the point against the other body along direction: 1 row"""
    PIN = 0
    POINT_PATH = 1
    JOINT_PATH = 2
    SPRING = 3
    DIRECTION_PATH = 4
    ORIENTATION_PATH = 5
    WELD = 6
    POINT_ACCELERATION = 7
    DIRECTION_ACCELERATION = 8
    JOINT_ACCELERATION = 9
    POINT_IMPULSE = 10
    DIRECTION_IMPULSE = 11
    JOINT_IMPULSE = 12
    COUPLING = 13
    COUPLING_LIMIT = 14
    JOINT_FRICTION = 15
    HINGE = 16
    SLIDER = 17
    ORIENTATION = 18
    DISTANCE = 19
    ROPE = 20
    CURVE = 21
    SURFACE = 22
    MOTOR = 23
    LINEAR_MOTOR = 24


class SurfaceType(IntEnum):
    """Words of sn_surface_type.

        plane: through point2, across direction

        sphere: around point2

        cylinder: around the line through point2 along direction

        heights: z over x and y, from point2: smooth through a grid of heights"""
    PLANE = 0
    SPHERE = 1
    CYLINDER = 2
    HEIGHTS = 3


class TriggerPhase(IntEnum):
    """Words of sn_trigger_phase.

        began: it is inside, and was not after the step before

        stayed: it is inside, and was so already

        ended: it was inside after the step before, and is not any more; comes once

        passed: it went all the way through within the step: it was inside neither before nor after it"""
    BEGAN = 0
    STAYED = 1
    ENDED = 2
    PASSED = 3


class Draw(IntEnum):
    """What to draw; add up what you want.

        shapes: of members

        ground: planes as grids of 1 m, height fields and meshes by their edges

        triggers: of members and ground

        axes: of bodies: x red, y green, z blue

        joints: a line from each joint to its parent's, and the axis of each hinge and slide

        limits: the range of hinges, slides and balls, and where they are in it

        constraints: a line between the two points; not of those that are broken

        contacts: a cross and the normal

        forces: of contacts on the first body, and pushes, with their size as text

        masses: centres of mass of bodies

        names: of bodies, as text"""
    SHAPES = 1
    GROUND = 2
    TRIGGERS = 4
    AXES = 8
    JOINTS = 16
    LIMITS = 32
    CONSTRAINTS = 64
    CONTACTS = 128
    FORCES = 256
    MASSES = 512
    NAMES = 1024
    ALL = 2047


class Solver(IntEnum):
    """How (M + K) qdd = Q - C is solved.

        maba: inside the articulated-body algorithm, O(n)

        dense: mass matrix and dense LDL^T in the same lanes, O(n^3)

        lapack: mass matrix and LAPACK's Cholesky, where the library was built with it

        sparse: mass matrix and LTL with branch-induced sparsity, O(n d^2)

        pcg: mass matrix and conjugate gradients with Jacobi preconditioning"""
    MABA = 0
    DENSE = 1
    LAPACK = 2
    SPARSE = 3
    PCG = 4


class Integrator(IntEnum):
    """All take the velocity products in C at the velocity they are given: as the papers do, and as methods of several stages need it. Worlds have other ways (sn_products).

        rk2: Heun

        rk3: Kutta"""
    SEMI_IMPLICIT_EULER = 0
    EXPLICIT_EULER = 1
    MIDPOINT = 2
    RK2 = 3
    RK3 = 4
    RK4 = 5


class Route(IntEnum):
    """What is integrated. The torque routes solve for qdd, make torques of it and run the plain forward dynamics on those: for studying torques that are monitored or changed in between (maba-2020 section 5).

        direct: the qdd of the solve itself

        torque_rnea: torques by inverse dynamics, eq. 5, then forward dynamics

        torque_eq6: torques by the PD formula, eq. 6, then forward dynamics; fragile in float"""
    DIRECT = 0
    TORQUE_RNEA = 1
    TORQUE_EQ6 = 2


class GainFlag(IntEnum):
    """Of one degree of freedom: I is the inertia it shows with all others free.

        underdamped: stable form: kd < kp dt, the condition of spd-2011 is broken

        float_stiff: eps K / I > 0.1 in float, K what the form adds to the inertia (stable: kd dt): torques by the PD formula would be mostly rounding; steps bear it

        overshoots: swings up under semi-implicit Euler; explicit form: kp dt^2 + 2 kd dt > 4 I, implicit D: kp dt^2 > 4 I + 2 kd dt, stable: 3 kp dt^2 > 4 I + 2 kd dt, full: never; unless the damping of others holds it; or all joints that could bear less together do: see theory.md, section 6"""
    OK = 0
    UNDERDAMPED = 1
    FLOAT_STIFF = 2
    OVERSHOOTS = 4


class Stance(IntEnum):
    """What holds a model up in its pose.

        lowest: the ground, below the lowest bodies: those with a shape that reaches down to the lowest point of all, within 2 % of the height, of every tree with a free root

        bodies: the ground, below the bodies of `standing`

        none: its roots, which the world or drives hold: everything hangs"""
    LOWEST = 0
    BODIES = 1
    NONE = 2


class Fade(IntEnum):
    """Words of sn_fade."""
    POLYNOMIAL = 0
    LINEAR = 1
    CURVE = 2


class Features(IntEnum):
    """How rotations are observed, and how actions name them.

        2018: DeepMimic's first version: quaternions; absolute actions of ball joints are an angle and an axis

        2021: its second: normal and tangent; exponential maps, 3 numbers"""
    V2018 = 0
    V2021 = 1


class Targets(IntEnum):
    """Words of sn_targets.

        residual: actions turn the pose that the reference has at the end of the control step

        absolute: actions are poses, as in DeepMimic"""
    RESIDUAL = 0
    ABSOLUTE = 1


class Terrain(IntEnum):
    """Shape of the ground; docs/learning.md has the formulas. All copies share one height field, and every episode starts somewhere else on it.

        bumps: a new height every metre

        slopes: a new height every six metres

        steps: level squares of one metre

        mixed: all of these, in patches"""
    FLAT = 0
    BUMPS = 1
    SLOPES = 2
    STEPS = 3
    MIXED = 4


class Autoreset(IntEnum):
    """What happens to a copy whose episode has ended.

        same_step: it restarts at once: `observation` is the first of the new episode, `final` the last of the old

        next_step: it restarts in the next step, which ignores its action and reports reward 0 and no flag

        off: the caller resets it"""
    SAME_STEP = 0
    NEXT_STEP = 1
    OFF = 2


class SearchMethod(IntEnum):
    """For problems with some parameters and a score instead of actions and rewards: a gait, gains, a design. You judge the candidates, in any order and on as many threads as you like: sn_search_def def = sn_search_def_default(SN_SEARCH_CMA, n); sn_search *search = sn_search_create(&def, &error); while (...) { int candidates; const double *x = sn_search_ask(search, &candidates); for (int i = 0; i < candidates; i++) score[i] = ... x + i * n ...; sn_search_tell(search, score, &error); } const double *found = sn_search_best(search, NULL); The same seed and scores give the same candidates.

        cma: CMA-ES (Hansen 2016): a normal distribution whose mean, width and axes adapt

        gradient: Episodic policy gradient (REINFORCE with the best constant baseline, Peters and Schaal 2006): candidates come from a normal distribution of fixed width; Adam moves its mean.

        natural: its natural form: steps are measured by how much the distribution changes"""
    CMA = 0
    GRADIENT = 1
    NATURAL = 2


class ContactPhase(IntEnum):
    """Words of sn_contact_phase.

        near: looked at in the step, but carried no force

        began: carries force, and did not in the step before

        ended: carried force in the step before and does not any more; comes once, with zero force"""
    NEAR = 0
    BEGAN = 1
    STAYED = 2
    ENDED = 3


class LimbMode(IntEnum):
    """What moves a limb.

        driven: its drives, with the gains that it has

        limp: nothing but what touches it and gravity; passive damping and springs of its joints stay

        animated: it is where its target is, whatever pushes it: drives in the full form (sn_form) with 1e4 times the stiffness that the inertia shows in a step (1e3 in float). Not with SN_STEPPER_EVENT"""
    DRIVEN = 0
    LIMP = 1
    ANIMATED = 2


class JointType(IntEnum):
    """Words of sn_joint_type.

        free: only on bodies whose parent is the world

        planar: slides along axis2 and along axis x axis2, then turns about axis

        cylindrical: slides along axis, then turns about it

        screw: turns about axis and slides along it, by pitch for each radian"""
    WELD = 0
    HINGE = 1
    SLIDE = 2
    UNIVERSAL = 3
    BALL = 4
    FREE = 5
    PLANAR = 6
    CYLINDRICAL = 7
    SCREW = 8


class ShapeType(IntEnum):
    """Words of sn_shape_type.

        sphere: size[0] radius

        capsule: size[0] radius, size[1] half length of the cylinder part, along local z

        box: size[0..2] half extents

        cylinder: size[0] radius, size[1] half length, along local z

        ellipsoid: size[0..2] semi-axes

        hull: the convex hull `hull`; size is not used

        cone: size[0] radius of the base, size[1] half height, along local z; the tip is up"""
    SPHERE = 0
    CAPSULE = 1
    BOX = 2
    CYLINDER = 3
    ELLIPSOID = 4
    HULL = 5
    CONE = 6


class Precision(IntEnum):
    """Of states and responses. Rows are solved in double either way; in float each has a compliance of no less than 1e-6 of its own response, since rounding alone leaves a matrix of them indefinite: a contact under ten thousand times its body's weight gives by a millimetre."""
    DOUBLE = 0
    FLOAT = 1


class Form(IntEnum):
    """How a drive enters the equations of motion; e = q - target, h = dt. explicit tau = -kp e - kd qd the classical PD controller implicit D tau = -kp e - kd (qd + h qdd) stable tau = -kp (e + h qd) - kd (qd + h qdd) spd-2011 eq. 3, maba-2020 eq. 6 full tau = -kp (e + h qd + h^2 qdd) - kd (qd + h qdd) stable for any gains >= 0"""
    STABLE = 0
    EXPLICIT = 1
    IMPLICIT_D = 2
    FULL = 3


class ContactMethod(IntEnum):
    """Words of sn_contact_method.

        implicit: contacts with the ground, joint limits and torque limits are one convex problem inside MABA, linear in the size of the character; contacts of two members, and those that bounce, are rows

        rows: every contact is three rows of one complementarity problem

        none: nothing touches"""
    IMPLICIT = 0
    ROWS = 1
    NONE = 2


class Stepper(IntEnum):
    """Words of sn_stepper.

        time: velocity level, one solve per step, fixed cost

        event: kokkevis-2004 section 7: accelerations, impacts, steps halved back to the time of contact; contact by rows only

        position: pbad-2018 in linear time: the step looks for the pose at its end, where an energy is least. Stiff drives at long steps, where every solver of accelerations gives up: with SN_FORM_FULL a drive is a spring and a damper at the end of the step; what other forms take from its start is a given torque. Ground of planes and height fields, implicit contact or none; members that do not meet: of several at most one has shapes, unless contact is none; no bounces, no constraints, no sleep. docs/position.md"""
    TIME = 0
    EVENT = 1
    POSITION = 2


class Scheme(IntEnum):
    """Of the position stepper: what an acceleration is, in terms of poses.

        pbad2: implicit Euler: first order, takes energy out of all that swings

        bdf2: second order: spin and swing last; stiff drives lag a little more"""
    PBAD2 = 0
    BDF2 = 1


class Friction(IntEnum):
    """Words of sn_friction.

        cone: |f_t| <= mu f_n

        pyramid: |f_x| <= mu f_n and |f_y| <= mu f_n; of rows

        one_way: of rows, kokkevis-2004 eq. 19-21: one tangent t, against the sliding; with u_t the velocity along it at the end of the step u_t + lambda >= 0 complementary to f_t >= 0 mu f_n - f_t >= 0 complementary to lambda >= 0; lambda is in sn_contact"""
    CONE = 0
    PYRAMID = 1
    ONE_WAY = 2
    NONE = 3


class Products(IntEnum):
    """What velocities do to accelerations (Coriolis, centrifugal and gyroscopic terms) in a step. Where limp limbs turn so far in a step with implicit contacts or joint limits that it would win energy even at the middle or implicitly, the joints of that character are damped in it, except with SN_SETTING_CROWD.

        midpoint: at the velocity halfway through the step: keeps energy of spinning bodies, linear time

        explicit: at the start of the step: cheapest, wins energy"""
    MIDPOINT = 0
    EXPLICIT = 1


class Setting(IntEnum):
    """How much work a step may do. Where `iterations`, `tolerance`, `sweeps` or `sweep_tolerance` of the definition are 0 they are what the setting says.

        game: bounded cost: 30 iterations to 1e-4 m/s, 32 sweeps to 1e-3

        exact: 1000 iterations to 1e-7 m/s, 128 sweeps to 1e-6 (1e-4 in float)

        crowd: the same cost in every step: as game, with 4 sweeps"""
    GAME = 0
    EXACT = 1
    CROWD = 2
