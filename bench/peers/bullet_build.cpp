/* The character, the ground and the motors as Bullet has them. */
#include "bullet.hpp"

namespace {

/* Principal axes: those of its first shape where they are, so that a lone shape needs no frame of its own. */
void set_axes(Body &part, const peer_body &b, const peer_shape *shape) {
    const double *i = b.inertia;
    Eigen::Matrix3d inertia, turned;
    inertia << i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2];
    Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
    if (shape) axes = Eigen::Quaterniond(shape->rot[0], shape->rot[1], shape->rot[2], shape->rot[3]);
    turned = axes.transpose() * inertia * axes;
    if (std::abs(turned(0, 1)) + std::abs(turned(0, 2)) + std::abs(turned(1, 2)) > 1e-12 * inertia.norm()) {
        axes = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(inertia).eigenvectors();
        if (axes.determinant() < 0) axes.col(0) *= -1;
        turned = axes.transpose() * inertia * axes;
    }
    const Eigen::Quaterniond q(axes);
    const double quaternion[4] = {q.w(), q.x(), q.y(), q.z()};
    const double diagonal[3] = {turned(0, 0), turned(1, 1), turned(2, 2)};
    part.axes = quaternion_of(quaternion);
    part.inertia = vector_of(diagonal);
    part.com = vector_of(b.com);
}

void add_link(Scene &s, int i) {
    const peer_body &b = s.tree.body[i];
    const Body &part = s.part[std::size_t(i)], &parent = s.part[std::size_t(b.parent)];
    const btQuaternion turn = part.axes.inverse() * quaternion_of(b.rot).inverse() * parent.axes;
    const btVector3 pivot = quatRotate(parent.axes.inverse(), vector_of(b.pos) - parent.com);
    const btVector3 centre = quatRotate(part.axes.inverse(), part.com);
    const btVector3 axis = quatRotate(part.axes.inverse(), vector_of(b.axis));
    if (b.joint == PEER_BALL)
        s.body->setupSpherical(i - 1, btScalar(b.mass), part.inertia, b.parent - 1, turn, pivot, centre,
                               true);
    else if (b.joint == PEER_HINGE)
        s.body->setupRevolute(i - 1, btScalar(b.mass), part.inertia, b.parent - 1, turn, axis, pivot, centre,
                              true);
    else
        peer_die("a free root, ball and hinge joints, please", b.name);
}

} // namespace

void add_body(Scene &s) {
    const peer_tree &tree = s.tree;
    if (tree.body[0].joint != PEER_FREE || tree.body[0].v != 0)
        peer_die("the root has no free joint", nullptr);
    s.part.resize(std::size_t(tree.nbody));
    for (int i = 0; i < tree.nbody; i++) {
        const peer_shape *shape = nullptr;
        for (int k = tree.nshape - 1; k >= 0; k--)
            if (tree.shape[k].body == i) shape = &tree.shape[k];
        set_axes(s.part[std::size_t(i)], tree.body[i], shape);
        s.part[std::size_t(i)].kp = btScalar(peer_kp(&s.options, &tree.body[i]));
        s.part[std::size_t(i)].kd = btScalar(peer_kd(&s.options, &tree.body[i]));
    }
    s.body = std::make_unique<btMultiBody>(tree.nbody - 1, btScalar(tree.body[0].mass), s.part[0].inertia,
                                           false, false);
    for (int i = 1; i < tree.nbody; i++)
        add_link(s, i);
    s.body->setLinearDamping(0);
    s.body->setAngularDamping(0);
    s.body->setHasSelfCollision(false);
    s.body->setMaxCoordinateVelocity(btScalar(1e30));
    s.body->finalizeMultiDof();
}

static btCollisionShape *make_shape(Scene &s, const peer_shape &shape) {
    const btScalar radius = btScalar(shape.size[0]);
    if (shape.form == PEER_SPHERE)
        s.shapes.push_back(std::make_unique<btSphereShape>(radius));
    else if (shape.form == PEER_CAPSULE)
        s.shapes.push_back(std::make_unique<btCapsuleShapeZ>(radius, btScalar(2 * shape.size[1])));
    else
        s.shapes.push_back(std::make_unique<btBoxShape>(vector_of(shape.size)));
    return s.shapes.back().get();
}

/* In the link's frame; one that fills it is taken as it is, others go into a compound. */
static btCollisionShape *link_shape(Scene &s, int body) {
    const Body &part = s.part[std::size_t(body)];
    std::vector<std::pair<btTransform, btCollisionShape *>> found;
    for (int i = 0; i < s.tree.nshape; i++) {
        const peer_shape &shape = s.tree.shape[i];
        if (shape.body != body) continue;
        const btTransform at(part.axes.inverse() * quaternion_of(shape.rot),
                             quatRotate(part.axes.inverse(), vector_of(shape.pos) - part.com));
        found.emplace_back(at, make_shape(s, shape));
    }
    if (found.empty()) return nullptr;
    const btTransform &first = found[0].first;
    if (found.size() == 1 && first.getOrigin().length() < btScalar(1e-6) &&
        std::abs(first.getRotation().w()) > btScalar(1 - 1e-6))
        return found[0].second;
    auto compound = std::make_unique<btCompoundShape>();
    for (auto &shape : found)
        compound->addChildShape(shape.first, shape.second);
    s.shapes.push_back(std::move(compound));
    return s.shapes.back().get();
}

/* The ground is of group 1 and meets 2, bodies the other way round: they do not meet each other. Motors without ground
   need them too, since Bullet sorts its constraints by what touches. */
void add_colliders(Scene &s) {
    for (int i = 0; i < s.tree.nbody; i++) {
        btCollisionShape *shape = link_shape(s, i);
        if (!shape) continue;
        s.colliders.push_back(std::make_unique<btMultiBodyLinkCollider>(s.body.get(), i - 1));
        btMultiBodyLinkCollider *collider = s.colliders.back().get();
        collider->setCollisionShape(shape);
        collider->setFriction(1);
        s.world->world.addCollisionObject(collider, 2, 1);
        if (i == 0)
            s.body->setBaseCollider(collider);
        else
            s.body->getLink(i - 1).m_collider = collider;
    }
}

void add_ground(Scene &s) {
    s.shapes.push_back(std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), btScalar(0)));
    s.ground = std::make_unique<btRigidBody>(btScalar(0), nullptr, s.shapes.back().get());
    s.ground->setFriction(1);
    s.world->world.addRigidBody(s.ground.get(), 1, 2);
}

void add_motors(Scene &s) {
    const btScalar most = btScalar(1e9);
    if (is_method(s, "motor-100")) {
        s.world->world.getSolverInfo().m_numIterations = 100;
        s.world->configuration.setPlaneConvexMultipointIterations();
    }
    for (int i = 0; i < s.tree.nbody; i++) {
        const int joint = s.tree.body[i].joint;
        std::unique_ptr<btMultiBodyConstraint> motor;
        if (joint == PEER_HINGE)
            motor = std::make_unique<btMultiBodyJointMotor>(s.body.get(), i - 1, btScalar(0), most);
        if (joint == PEER_BALL)
            motor = std::make_unique<btMultiBodySphericalJointMotor>(s.body.get(), i - 1, most);
        if (joint == PEER_FREE && s.options.driven_root)
            motor = std::make_unique<btMultiBodyFixedConstraint>(
                s.body.get(), -1, static_cast<btRigidBody *>(nullptr), btVector3(0, 0, 0), btVector3(0, 0, 0),
                btMatrix3x3::getIdentity(), btMatrix3x3::getIdentity());
        if (motor) {
            motor->finalizeMultiDof();
            motor->setMaxAppliedImpulse(most);
            s.world->world.addMultiBodyConstraint(motor.get());
        }
        s.motors.push_back(std::move(motor));
    }
}
