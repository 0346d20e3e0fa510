"""Written by scripts/bindings.py from the public headers. Do not edit.

Each class is one enumeration of the library. Settings take these, or the same words as strings."""
from enum import IntEnum


class ConstraintType(IntEnum):
    """A path is followed as in kokkevis-2004 eq. 22: with e the deviation from the target, e'' + Kd e' + Kp e = 0, solved exactly over each step. A deviation dies away as that oscillator does, whatever dt is, and a target that moves by its target_velocity is followed without lag. The target is what the constraint should reach at the END of the coming step, with its velocity there. Set both before every step of a target that moves. A velocity that jumps is followed at once, a target that jumps is not. An acceleration acts as it is, without feedback: positions drift. An impulse takes a velocity to its target in the coming step and is then spent: the constraint has no effect until its target is set again. Both use `target` and have no target_velocity.

        pin: A point of a body stays on a point of another body, or of the world: 3 rows.

        point_path: A point of a body follows target and target_velocity: 3 rows.

        joint_path: The joint of a body follows target (as in q) and target_velocity (as in qd), kokkevis-2004 section 8.3: one row per degree of freedom.

        spring: An implicit spring pulls a point of a body to target: the mouse.

        direction_path: direction . (point - point2) follows target[0] and target_velocity[0]; the other two directions are free: 1 row.

        orientation_path: The orientation of a body follows target (a quaternion, body to world) and target_velocity (angular velocity, world axes): 3 rows.

        weld: A pin that also keeps the orientation of one body in the frame of the other, or of the world, at target (a quaternion; all 0: as it is in each copy now): 6 rows.

        point_acceleration: A point of a body has the acceleration target[3]: 3 rows.

        direction_acceleration: direction . (point - point2) has the second derivative target[0]: 1 row.

        joint_acceleration: The joint of a body has the acceleration target (as in qd): one row per degree of freedom.

        point_impulse: A point of a body gets the velocity target[3]: 3 rows.

        direction_impulse: direction . (point - point2) gets the rate of change target[0]: 1 row.

        joint_impulse: The joint of a body gets the velocity target (as in qd): one row per degree of freedom.

        coupling: Couples two joints with one degree of freedom each, q1 of body and q2 of body2 (member2 -1: q2 is 0). The difference s = q1 - (ratio[0] + ratio[1] q2 + ... + ratio[4] q2^4) is held at target[0]. With stiffness or damping, an implicit spring pulls s to target[0] and target_velocity[0] instead: 1 row.

        coupling_limit: The s of a coupling stays between target[0] and target[1]: 1 row.

        joint_friction: The joint of a body resists its motion, with max_force at most: one row per degree of freedom.

        hinge: A pin that leaves one turn free, about direction: 5 rows. Like SN_CONSTRAINT_PIN, _WELD and those up to _SURFACE it is rigid, or soft with a stiffness or a frequency. The orientation to keep is in target as for SN_CONSTRAINT_WELD.

        slider: Keeps the orientation, and the point on the line through point2 along direction: 5 rows.

        orientation: Keeps the orientation of one body in the frame of the other, or of the world: 3 rows.

        distance: point and point2 stay target[0] apart: 1 row.

        rope: point and point2 come no further apart than target[0]: 1 row, which only pulls.

        curve: The point stays on a curve and slides along it: 2 rows.

        surface: The point stays on a surface and slides over it: 1 row.

        motor: Drives the turn of a body against the other about direction at target_velocity[0], with at most max_force: 1 row.

        linear_motor: Drives the point against the other body along direction at target_velocity[0], with at most max_force: 1 row."""
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

        plane: Through point2, across direction.

        sphere: Around point2.

        cylinder: Around the line through point2 along direction.

        heights: z over x and y, from point2: smooth through a grid of heights."""
    PLANE = 0
    SPHERE = 1
    CYLINDER = 2
    HEIGHTS = 3


class TriggerPhase(IntEnum):
    """Words of sn_trigger_phase.

        began: It is inside, and was not after the step before.

        stayed: It is inside, and was so already.

        ended: It was inside after the step before, and is not any more. It is reported once.

        passed: It went all the way through within the step: it was inside neither before nor after it."""
    BEGAN = 0
    STAYED = 1
    ENDED = 2
    PASSED = 3


class Draw(IntEnum):
    """What to draw; add up what you want.

        shapes: Shapes of members.

        ground: Planes as grids of 1 m, height fields and meshes by their edges.

        triggers: Triggers of members and ground.

        axes: Axes of bodies: x red, y green, z blue.

        joints: A line from each joint to its parent's, and the axis of each hinge and slide.

        limits: The range of hinges, slides and balls, and where they are in it.

        constraints: A line between the two points of each constraint that is not broken.

        contacts: A cross and the normal of each contact.

        forces: Forces of contacts on the first body, and pushes, with their size as text.

        masses: Centres of mass of bodies.

        names: Names of bodies, as text."""
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

        maba: Inside the articulated-body algorithm, O(n).

        dense: Mass matrix and dense LDL^T in the same lanes, O(n^3).

        lapack: Mass matrix and LAPACK's Cholesky, where the library was built with it.

        sparse: Mass matrix and LTL with branch-induced sparsity, O(n d^2).

        pcg: Mass matrix and conjugate gradients with Jacobi preconditioning."""
    MABA = 0
    DENSE = 1
    LAPACK = 2
    SPARSE = 3
    PCG = 4


class Integrator(IntEnum):
    """All take the velocity products in C at the velocity they are given: as the papers do, and as methods of several stages need it. Worlds have other ways (sn_products).

        rk2: Heun.

        rk3: Kutta."""
    SEMI_IMPLICIT_EULER = 0
    EXPLICIT_EULER = 1
    MIDPOINT = 2
    RK2 = 3
    RK3 = 4
    RK4 = 5


class Route(IntEnum):
    """What is integrated. The torque routes solve for qdd, make torques of it and run the plain forward dynamics on those: for studying torques that are monitored or changed in between (maba-2020 section 5).

        direct: The qdd of the solve itself.

        torque_rnea: Torques by inverse dynamics, eq. 5, then forward dynamics.

        torque_eq6: Torques by the PD formula, eq. 6, then forward dynamics; fragile in float."""
    DIRECT = 0
    TORQUE_RNEA = 1
    TORQUE_EQ6 = 2


class Precision(IntEnum):
    """Precision of states and responses. Rows are always solved in double. In float each row has a compliance of at least 1e-6 of its own response, because rounding would otherwise make the matrix of rows indefinite: a contact under ten thousand times the weight of its body gives way by a millimetre."""
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

        implicit: Contacts with the ground, joint limits and torque limits are one convex problem inside MABA, linear in the size of the character. Contacts between two members, and contacts that bounce, are rows.

        rows: Every contact is three rows of one complementarity problem.

        none: Nothing touches."""
    IMPLICIT = 0
    ROWS = 1
    NONE = 2


class Stepper(IntEnum):
    """Words of sn_stepper.

        time: Velocity level: one solve per step, at a fixed cost.

        event: Accelerations and impacts, with steps halved back to the time of contact (kokkevis-2004 section 7). Contact by rows only.

        position: The step finds the pose at its end where an energy is least (pbad-2018, in linear time). It is for stiff drives at long steps, where solvers of accelerations give up. With SN_FORM_FULL a drive is a spring and a damper at the end of the step; what other forms take from its start is a given torque. It works with planes and height fields, and with implicit contact or none. It has no constraints, no bounces and no sleep, and members do not touch each other: of several, at most one has shapes unless contact is none. See docs/position.md."""
    TIME = 0
    EVENT = 1
    POSITION = 2


class Scheme(IntEnum):
    """What the position stepper takes for an acceleration.

        pbad2: Implicit Euler: first order. It takes energy out of everything that swings.

        bdf2: Second order: spin and swing last, and stiff drives lag a little more."""
    PBAD2 = 0
    BDF2 = 1


class Friction(IntEnum):
    """Words of sn_friction.

        cone: |f_t| <= mu f_n.

        pyramid: |f_x| <= mu f_n and |f_y| <= mu f_n. For rows.

        one_way: For rows, kokkevis-2004 eq. 19-21: one tangent t against the sliding. With u_t the velocity along it at the end of the step and s the slip_speed of sn_contact, u_t + s >= 0 complementary to f_t >= 0 mu f_n - f_t >= 0 complementary to s >= 0"""
    CONE = 0
    PYRAMID = 1
    ONE_WAY = 2
    NONE = 3


class Products(IntEnum):
    """At which velocity a step takes Coriolis, centrifugal and gyroscopic terms. If limp limbs turn so fast that a step with implicit contacts or joint limits would still gain energy, the world damps the joints of that character, except with SN_SETTING_CROWD.

        midpoint: At the velocity halfway through the step: keeps the energy of spinning bodies, in linear time.

        explicit: At the start of the step: cheapest, but it gains energy."""
    MIDPOINT = 0
    EXPLICIT = 1


class Stance(IntEnum):
    """What holds a model up in its pose.

        lowest: The ground, below the lowest bodies. These are all bodies with a shape that reaches down to the lowest point of all, within 2 % of the height, of every tree with a free root.

        bodies: The ground, below the bodies of `standing`.

        none: Its roots, which the world or drives hold: everything hangs."""
    LOWEST = 0
    BODIES = 1
    NONE = 2


class GainFlag(IntEnum):
    """What is wrong with the gains of one degree of freedom. I is the inertia it shows with all others free.

        underdamped: Stable form: kd < kp dt. This breaks the condition of spd-2011.

        float_stiff: eps K / I > 0.1 in float, with K what the form adds to the inertia (stable: kd dt). Torques by the PD formula would be mostly rounding; steps are not affected.

        overshoots: Swings up under semi-implicit Euler. Explicit form: kp dt^2 + 2 kd dt > 4 I; implicit D: kp dt^2 > 4 I + 2 kd dt; stable: 3 kp dt^2 > 4 I + 2 kd dt; full: never. Other joints can prevent it by their damping, or cause it together: see theory.md, section 6."""
    OK = 0
    UNDERDAMPED = 1
    FLOAT_STIFF = 2
    OVERSHOOTS = 4


class Fade(IntEnum):
    """Words of sn_fade."""
    POLYNOMIAL = 0
    LINEAR = 1
    CURVE = 2


class Autoreset(IntEnum):
    """What happens to a copy whose episode has ended.

        same_step: It restarts at once: `observation` is the first of the new episode, `final` the last of the old.

        next_step: It restarts in the next step, which ignores its action and reports reward 0 and no flag.

        off: The caller resets it."""
    SAME_STEP = 0
    NEXT_STEP = 1
    OFF = 2


class JointType(IntEnum):
    """How a body moves against its parent. sinew.h says what each joint has in q and qd.

        free: Moves in any way. Only on bodies whose parent is the world.

        planar: Slides along axis2 and along axis x axis2, then turns about axis.

        cylindrical: Slides along axis, then turns about it.

        screw: Turns about axis and slides along it, by pitch for each radian."""
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

        sphere: size[0] is the radius.

        capsule: size[0] is the radius, size[1] half the length of the cylindrical part, along local z.

        box: size[0..2] are half the edges.

        cylinder: size[0] is the radius, size[1] half the length, along local z.

        ellipsoid: size[0..2] are the semi-axes.

        hull: The convex hull `hull`. size is not used.

        cone: size[0] is the radius of the base, size[1] half the height, along local z. The tip is up."""
    SPHERE = 0
    CAPSULE = 1
    BOX = 2
    CYLINDER = 3
    ELLIPSOID = 4
    HULL = 5
    CONE = 6


class ContactPhase(IntEnum):
    """Words of sn_contact_phase.

        near: Considered in the step, but it carried no force.

        began: Carries force, and did not in the step before.

        stayed: Carries force, as in the step before.

        ended: Carried force in the step before and does not any more. It is reported once, with zero force."""
    NEAR = 0
    BEGAN = 1
    STAYED = 2
    ENDED = 3


class LimbMode(IntEnum):
    """What moves a limb.

        driven: Its drives, with the gains that it has.

        limp: Gravity and what touches it. Passive damping and springs of its joints remain.

        animated: It is where its target is, whatever pushes it: drives in the full form (sn_form) with 1e4 times the stiffness that the inertia shows in a step (1e3 in float). Not with SN_STEPPER_EVENT."""
    DRIVEN = 0
    LIMP = 1
    ANIMATED = 2


class SearchMethod(IntEnum):
    """For problems with some parameters and a score instead of actions and rewards: a gait, gains, a design. You judge the candidates, in any order and on as many threads as you like: sn_search_def def = sn_search_def_default(SN_SEARCH_CMA, n); sn_search *search = sn_search_create(&def, &error); while (...) { int candidates; const double *x = sn_search_ask(search, &candidates); for (int i = 0; i < candidates; i++) score[i] = ... x + i * n ...; sn_search_tell(search, score, &error); } const double *found = sn_search_get(search).best; The same seed and scores give the same candidates.

        cma: CMA-ES (Hansen 2016): a normal distribution whose mean, width and axes adapt.

        gradient: Episodic policy gradient (REINFORCE with the best constant baseline, Peters and Schaal 2006): candidates come from a normal distribution of fixed width; Adam moves its mean.

        natural: Its natural form: steps are measured by how much the distribution changes."""
    CMA = 0
    GRADIENT = 1
    NATURAL = 2


class Features(IntEnum):
    """How rotations are observed, and how actions name them.

        2018: DeepMimic's first version: quaternions; absolute actions of ball joints are an angle and an axis.

        2021: Its second: normal and tangent; exponential maps, 3 numbers."""
    V2018 = 0
    V2021 = 1


class Targets(IntEnum):
    """Words of sn_targets.

        residual: Actions turn the pose that the reference has at the end of the control step.

        absolute: Actions are poses, as in DeepMimic."""
    RESIDUAL = 0
    ABSOLUTE = 1


class Terrain(IntEnum):
    """Shape of the ground; docs/learning.md has the formulas. All copies share one height field, and every episode starts somewhere else on it.

        bumps: A new height every metre.

        slopes: A new height every six metres.

        steps: Level squares of one metre.

        mixed: All of these, in patches."""
    FLAT = 0
    BUMPS = 1
    SLOPES = 2
    STEPS = 3
    MIXED = 4


class Setting(IntEnum):
    """How much work a step may do. `iterations`, `tolerance`, `sweeps` and `sweep_tolerance` override it where they are not 0.

        game: Bounded cost: 30 iterations to 1e-4 m/s, 32 sweeps to 1e-3.

        exact: 1000 iterations to 1e-7 m/s, 128 sweeps to 1e-6 (1e-4 in float).

        crowd: The same cost in every step: as game, with 4 sweeps."""
    GAME = 0
    EXACT = 1
    CROWD = 2


class StepPart(IntEnum):
    """Parts of a step whose time a world measures, see `measure_time`.

        all: The whole step, by the clock; the parts below are summed over all threads.

        find: Where bodies are, and which shapes touch.

        solve: Drives, joint limits and contacts with the ground, member by member. If no rows can occur in a scene, all copies pass through one kernel, and this part contains the finding and moving, too.

        rows: Contacts between members, constraints, and what they do to the members.

        move: The new velocities and positions, and their checks.

        other: Motions, reactions, sleep and reports."""
    ALL = 0
    FIND = 1
    SOLVE = 2
    ROWS = 3
    MOVE = 4
    OTHER = 5
