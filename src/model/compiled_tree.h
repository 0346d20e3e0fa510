/* Included by compiled.h once for each precision, with TREE_ELEM the element type and TREE_NAME the
   suffix. */

struct TREE_NAME(tree_body) {
    int32_t parent;      /* index, -1 for the world */
    int32_t joint;       /* sn__joint */
    int32_t q, v;        /* place of its joint in q and in qd */
    int32_t nv;          /* degrees of freedom of its joint */
    int32_t naxes;       /* axes of its joint: nv, but 0 of a ball and a free joint */
    int32_t way[3];      /* sn__axis_way of each axis */
    int32_t nslide;      /* degrees of freedom that come first and turn nothing; 3 of a free joint */
    int32_t rotated;     /* rot is not the identity */
    int32_t leaf;        /* has no children */
    int32_t child;       /* the first of them, -1 */
    int32_t sibling;     /* the next child of its parent, -1 */
    int32_t slot;        /* where its children add up their articulated inertia; -1 for a leaf */
    int32_t parent_slot; /* the same of the parent; -1 for the world */
    int32_t first;       /* 1: the first child to be left stores into the parent's slot, later ones add */
    int32_t has_spring;  /* stiffness is not 0 */
    int32_t diagonal;    /* J has no products of inertia */
    TREE_ELEM offset[3]; /* from the parent's kernel origin to this one at q = 0, parent's axes */
    TREE_ELEM rot[4];    /* own axes in the parent's at q = 0 */
    TREE_ELEM
    axis[3][3]; /* each axis in own axes, before it and all later ones have turned. Ball: [0] is its twist axis */
    TREE_ELEM pitch[3];  /* how far an axis moves the body along itself: 1 if it slides, 0 if it turns */
    TREE_ELEM mass;      /* m */
    TREE_ELEM mc[3];     /* m times the centre of mass, about the kernel origin, own axes */
    TREE_ELEM J[6];      /* inertia about the kernel origin, own axes: xx yy zz xy xz yz */
    TREE_ELEM origin[3]; /* the body frame's origin in the kernel frame: minus the anchor */
    TREE_ELEM stiffness; /* passive spring */
    TREE_ELEM rest[4];   /* its rest position, as in q */
    TREE_ELEM lift;      /* part of its weight that is carried */
};

struct TREE_NAME(tree) {
    int32_t nbody, nq, nv;
    int32_t nslot; /* slots that the walk needs */
    const SHARED struct TREE_NAME(tree_body) * body;
    const SHARED struct tree_visit *visit; /* [2 * nbody] depth-first */
    const SHARED int32_t *dof_parent;      /* [nv] next degree of freedom towards the root, -1 */
};
