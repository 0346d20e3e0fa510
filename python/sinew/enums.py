"""Written by scripts/bindings.py from the public headers. Do not edit.

Each class is one enumeration of the library. Settings take these, or the same words as strings."""
from enum import IntEnum


class ConstraintType(IntEnum):
    """A path is followed as kokkevis-2004 eq. 22 has it: with e the deviation from the target, e'' + Kd e' + Kp e = 0, solved exactly over each step: a deviation dies away as that oscillator does, whatever dt is, and a target that moves on by its target_velocity is followed without lag. The target is what shall be reached at the END of the coming step, the velocity is the one it has there; set both before every step of a target that moves. A velocity that jumps is followed at once, a target that jumps is not. An acceleration is given as it is, without any feedback: positions drift as they would under it. An impulse takes a velocity to v+ in the coming step, at whose end it is v+, and is then spent: the constraint stays, without effect, until its target is set again. Both are in `target`, and have no target_velocity."""
    PIN = 0  # a point of a body stays on a point of another body, or of the world: 3 rows
    POINT_PATH = 1  # a point of a body follows target and target_velocity: 3 rows
    JOINT_PATH = 2  # the joint of a body follows target (as in q) and target_velocity (as in qd); kokkevis-2004 section 8.3: one row per degree of freedom
    SPRING = 3  # a point of a body is drawn to target by an implicit spring: the mouse
    DIRECTION_PATH = 4  # direction . (point - point2) follows target[0] and target_velocity[0], the other two directions are free: 1 row
    ORIENTATION_PATH = 5  # a body's orientation follows target (a quaternion, body to world) and target_velocity (angular velocity, world axes): 3 rows
    WELD = 6  # a pin that also keeps the orientation of one body in the other's frame, or the world's, at target (a quaternion; all 0: as it is in each copy now): 6 rows
    POINT_ACCELERATION = 7  # a point of a body has the acceleration target[3]: 3 rows
    DIRECTION_ACCELERATION = 8  # direction . (point - point2) has the second derivative target[0]: 1 row
    JOINT_ACCELERATION = 9  # the joint of a body has the acceleration target (as in qd): one row per degree of freedom
    POINT_IMPULSE = 10  # a point of a body gets the velocity target[3]: 3 rows
    DIRECTION_IMPULSE = 11  # direction . (point - point2) gets the rate of change target[0]: 1 row
    JOINT_IMPULSE = 12  # the joint of a body gets the velocity target (as in qd): one row per degree of freedom
    COUPLING = 13  # of joints with one degree of freedom, q1 of body and q2 of body2 (member2 -1: 0), the difference s = q1 - (ratio[0] + ratio[1] q2 + ... + ratio[4] q2^4) is held at target[0]; or, where stiffness or damping is given, drawn to target[0] and target_velocity[0] by an implicit spring: 1 row
    COUPLING_LIMIT = 14  # the s of a coupling stays between target[0] and target[1]: 1 row
    JOINT_FRICTION = 15  # the joint of a body resists its motion, with max_force at most: one row per degree of freedom
    HINGE = 16  # These hold something where it is, as SN_PIN and SN_WELD do: rigidly, or softly by stiffness or frequency. The orientation that they keep is in target as for SN_WELD: all 0, as it is in each copy now. a pin that leaves one turn free, about direction: 5 rows
    SLIDER = 17  # keeps the orientation, and the point on the line through point2 along direction: 5 rows
    ORIENTATION = 18  # keeps the orientation of one body in the other's frame, or the world's: 3 rows
    DISTANCE = 19  # point and point2 stay target[0] apart: 1 row
    ROPE = 20  # point and point2 come no further apart than target[0]: 1 row, which only pulls
    CURVE = 21  # the point stays on a curve, and slides along it: 2 rows
    SURFACE = 22  # the point stays on a surface, and slides over it: 1 row
    MOTOR = 23  # These drive something at target_velocity[0] with at most max_force. the turn of a body against the other about direction: 1 row
    LINEAR_MOTOR = 24  # the point against the other body along direction: 1 row


class SurfaceType(IntEnum):
    """Words of sn_surface_type."""
    PLANE = 0  # through point2, across direction
    SPHERE = 1  # around point2
    CYLINDER = 2  # around the line through point2 along direction
    HEIGHTS = 3  # z over x and y, from point2: smooth through a grid of heights


class Solver(IntEnum):
    """How (M + K) qdd = Q - C is solved."""
    MABA = 0  # inside the articulated-body algorithm, O(n)
    DENSE = 1  # mass matrix and dense LDL^T in the same lanes, O(n^3)
    LAPACK = 2  # mass matrix and LAPACK's Cholesky, where the library was built with it
    SPARSE = 3  # mass matrix and LTL with branch-induced sparsity, O(n d^2)
    PCG = 4  # mass matrix and conjugate gradients with Jacobi preconditioning


class Integrator(IntEnum):
    """All take the velocity products in C at the velocity they are given: as the papers do, and as methods of several stages need it. Worlds have other ways (sn_products)."""
    SEMI_IMPLICIT_EULER = 0
    EXPLICIT_EULER = 1
    MIDPOINT = 2
    RK2 = 3  # Heun
    RK3 = 4  # Kutta
    RK4 = 5


class Route(IntEnum):
    """What is integrated. The torque routes solve for qdd, make torques of it and run the plain forward dynamics on those: for studying torques that are monitored or changed in between (maba-2020 section 5)."""
    DIRECT = 0  # the qdd of the solve itself
    TORQUE_RNEA = 1  # torques by inverse dynamics, eq. 5, then forward dynamics
    TORQUE_EQ6 = 2  # torques by the PD formula, eq. 6, then forward dynamics; fragile in float


class GainFlag(IntEnum):
    """Of one degree of freedom: I is the inertia it shows with all others free."""
    OK = 0
    UNDERDAMPED = 1  # stable form: kd < kp dt, the condition of spd-2011 is broken
    FLOAT_STIFF = 2  # eps K / I > 0.1 in float, K what the form adds to the inertia (stable: kd dt): torques by the PD formula would be mostly rounding; steps bear it
    OVERSHOOTS = 4  # swings up under semi-implicit Euler; explicit form: kp dt^2 + 2 kd dt > 4 I, implicit D: kp dt^2 > 4 I + 2 kd dt, stable: 3 kp dt^2 > 4 I + 2 kd dt, full: never; unless the damping of others holds it; or all joints that could bear less together do: see theory.md, section 6


class Stance(IntEnum):
    """What holds a model up in its pose."""
    LOWEST = 0  # the ground, below the lowest bodies: those with a shape that reaches down to the lowest point of all, within 2 % of the height, of every tree with a free root
    BODIES = 1  # the ground, below the bodies of `standing`
    NONE = 2  # its roots, which the world or drives hold: everything hangs


class Fade(IntEnum):
    """Words of sn_fade."""
    POLYNOMIAL = 0
    LINEAR = 1
    CURVE = 2


class Features(IntEnum):
    """How rotations are observed, and how actions name them."""
    V2018 = 0  # DeepMimic's first version: quaternions; absolute actions of ball joints are an angle and an axis
    V2021 = 1  # its second: normal and tangent; exponential maps, 3 numbers


class Targets(IntEnum):
    """Words of sn_targets."""
    RESIDUAL = 0  # actions turn the pose that the reference has at the end of the control step
    ABSOLUTE = 1  # actions are poses, as in DeepMimic


class Terrain(IntEnum):
    """Shape of the ground; docs/learning.md has the formulas. All copies share one height field, and every episode starts somewhere else on it."""
    FLAT = 0
    BUMPS = 1  # a new height every metre
    SLOPES = 2  # a new height every six metres
    STEPS = 3  # level squares of one metre
    MIXED = 4  # all of these, in patches


class Autoreset(IntEnum):
    """What happens to a copy whose episode has ended."""
    SAME_STEP = 0  # it restarts at once: `observation` is the first of the new episode, `final` the last of the old
    NEXT_STEP = 1  # it restarts in the next step, which ignores its action and reports reward 0 and no flag
    OFF = 2  # the caller resets it


class SearchMethod(IntEnum):
    """For problems with some parameters and a score instead of actions and rewards: a gait, gains, a design. You judge the candidates, in any order and on as many threads as you like: sn_search_def def = sn_search_def_default(SN_SEARCH_CMA, n); sn_search *search = sn_search_create(&def, &error); while (...) { int candidates; const double *x = sn_search_ask(search, &candidates); for (int i = 0; i < candidates; i++) score[i] = ... x + i * n ...; sn_search_tell(search, score, &error); } const double *found = sn_search_best(search, NULL); The same seed and scores give the same candidates."""
    CMA = 0  # CMA-ES (Hansen 2016): a normal distribution whose mean, width and axes adapt
    GRADIENT = 1  # Episodic policy gradient (REINFORCE with the best constant baseline, Peters and Schaal 2006): candidates come from a normal distribution of fixed width; Adam moves its mean.
    NATURAL = 2  # its natural form: steps are measured by how much the distribution changes


class ContactPhase(IntEnum):
    """Words of sn_contact_phase."""
    NEAR = 0  # looked at in the step, but carried no force
    BEGAN = 1  # carries force, and did not in the step before
    STAYED = 2
    ENDED = 3  # carried force in the step before and does not any more; comes once, with zero force


class LimbMode(IntEnum):
    """What moves a limb."""
    DRIVEN = 0  # its drives, with the gains that it has
    LIMP = 1  # nothing but what touches it and gravity; passive damping and springs of its joints stay
    ANIMATED = 2  # it is where its target is, whatever pushes it: drives in the full form (sn_form) with 1e4 times the stiffness that the inertia shows in a step (1e3 in float). Not with SN_STEPPER_EVENT


class JointType(IntEnum):
    """Words of sn_joint_type."""
    WELD = 0
    HINGE = 1
    SLIDE = 2
    UNIVERSAL = 3
    BALL = 4
    FREE = 5  # only on bodies whose parent is the world
    PLANAR = 6  # slides along axis2 and along axis x axis2, then turns about axis
    CYLINDRICAL = 7  # slides along axis, then turns about it
    SCREW = 8  # turns about axis and slides along it, by pitch for each radian


class ShapeType(IntEnum):
    """Words of sn_shape_type."""
    SPHERE = 0  # size[0] radius
    CAPSULE = 1  # size[0] radius, size[1] half length of the cylinder part, along local z
    BOX = 2  # size[0..2] half extents
    CYLINDER = 3  # size[0] radius, size[1] half length, along local z
    ELLIPSOID = 4  # size[0..2] semi-axes
    HULL = 5  # the convex hull `hull`; size is not used
    CONE = 6  # size[0] radius of the base, size[1] half height, along local z; the tip is up


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
    """Words of sn_contact_method."""
    IMPLICIT = 0  # contacts with the ground, joint limits and torque limits are one convex problem inside MABA, linear in the size of the character; contacts of two members, and those that bounce, are rows
    ROWS = 1  # every contact is three rows of one complementarity problem
    NONE = 2  # nothing touches


class Stepper(IntEnum):
    """Words of sn_stepper."""
    TIME = 0  # velocity level, one solve per step, fixed cost
    EVENT = 1  # kokkevis-2004 section 7: accelerations, impacts, steps halved back to the time of contact; contact by rows only
    POSITION = 2  # pbad-2018 in linear time: the step looks for the pose at its end, where an energy is least. Stiff drives at long steps, where every solver of accelerations gives up: with SN_FORM_FULL a drive is a spring and a damper at the end of the step; what other forms take from its start is a given torque. Ground of planes and height fields, implicit contact or none; members that do not meet: of several at most one has shapes, unless contact is none; no bounces, no constraints, no sleep. docs/position.md


class Scheme(IntEnum):
    """Of the position stepper: what an acceleration is, in terms of poses."""
    PBAD2 = 0  # implicit Euler: first order, takes energy out of all that swings
    BDF2 = 1  # second order: spin and swing last; stiff drives lag a little more


class Friction(IntEnum):
    """Words of sn_friction."""
    CONE = 0  # |f_t| <= mu f_n
    PYRAMID = 1  # |f_x| <= mu f_n and |f_y| <= mu f_n; of rows
    ONE_WAY = 2  # of rows, kokkevis-2004 eq. 19-21: one tangent t, against the sliding; with u_t the velocity along it at the end of the step u_t + lambda >= 0 complementary to f_t >= 0 mu f_n - f_t >= 0 complementary to lambda >= 0; lambda is in sn_contact
    NONE = 3


class Products(IntEnum):
    """What velocities do to accelerations (Coriolis, centrifugal and gyroscopic terms) in a step. Where limp limbs turn so far in a step with implicit contacts or joint limits that it would win energy even at the middle or implicitly, the joints of that character are damped in it, except with SN_SETTING_CROWD."""
    MIDPOINT = 0  # at the velocity halfway through the step: keeps energy of spinning bodies, linear time
    EXPLICIT = 1  # at the start of the step: cheapest, wins energy


class Setting(IntEnum):
    """How much work a step may do. Where `iterations`, `tolerance`, `sweeps` or `sweep_tolerance` of the definition are 0 they are what the setting says."""
    GAME = 0  # bounded cost: 30 iterations to 1e-4 m/s, 32 sweeps to 1e-3
    EXACT = 1  # 1000 iterations to 1e-7 m/s, 128 sweeps to 1e-6 (1e-4 in float)
    CROWD = 2  # the same cost in every step: as game, with 4 sweeps
