#include "engine/bvh.h"

#include <math.h>
#include <string.h>

// Below DEEPEST_SPLIT nodes are halved by count, which bounds the depth of any tree to that and 31 more.
enum { BIN_COUNT = 12, LEAF_TRIANGLES = 4, DEEPEST_SPLIT = 48, WALK_SIZE = 96 };

typedef ModelTreeNode BvhNode;

struct Bvh {
  TriangleSoup soup;
  BvhNode *nodes;
  int32_t *order;   // triangles, so that those of a leaf lie together
  bool is_adopted;  // nodes and order belong to the model
  int node_count, triangle_count;
};

static Vec3 corner(const TriangleSoup *soup, int triangle, int index) {
  const float *p = soup->positions + 3 * (size_t)soup->indices[3 * (size_t)triangle + (size_t)index];
  return vec3(p[0], p[1], p[2]);
}

static Bounds triangle_bounds(const TriangleSoup *soup, int triangle) {
  Bounds bounds = BOUNDS_EMPTY;
  for (int i = 0; i < 3; i++)
    bounds = bounds_add_point(bounds, corner(soup, triangle, i));
  return bounds;
}

// Boxes are a little too large, so that rounding cannot hide a triangle that fills its box flatly.
static Bounds loosen(Bounds bounds) {
  const float SLACK = 1e-6f, LEAST = 1e-20f;
  Vec3 most = vec3_max(vec3_abs(bounds.min), vec3_abs(bounds.max));
  Vec3 reach = vec3_add_scaled(vec3(LEAST, LEAST, LEAST), most, SLACK);
  return (Bounds){vec3_sub(bounds.min, reach), vec3_add(bounds.max, reach)};
}

static bool has_area(const TriangleSoup *soup, int triangle) {
  Vec3 a = corner(soup, triangle, 0), b = corner(soup, triangle, 1), c = corner(soup, triangle, 2);
  Vec3 normal = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
  return vec3_is_finite(normal) && (normal.x != 0 || normal.y != 0 || normal.z != 0);
}

static float half_area(Bounds bounds) {
  if (bounds_is_empty(bounds)) return 0;
  Vec3 size = vec3_sub(bounds.max, bounds.min);
  return size.x * size.y + size.y * size.z + size.z * size.x;
}

static float axis_of(Vec3 v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// ------------------------------------------------------------------------------------------------- building

typedef struct Builder {
  Bvh *bvh;
  Bounds *bounds;  // of each triangle
  struct Waiting {
    int32_t node, depth;
  } * stack;  // nodes still to be split
} Builder;

typedef struct Bin {
  Bounds bounds;
  int count;
} Bin;

typedef struct Split {
  int axis, bin;  // triangles in bins up to this one go to the left; axis -1: none
  float low, scale;
} Split;

static int bin_of(const Builder *builder, int triangle, const Split *split) {
  float center = axis_of(bounds_center(builder->bounds[triangle]), split->axis);
  float bin = (center - split->low) * split->scale;
  return bin >= BIN_COUNT - 1 ? BIN_COUNT - 1 : bin > 0 ? (int)bin : 0;
}

// The cheapest of the splits between bins along one axis, by the surface area heuristic (I. Wald, "On fast construction of
// SAH-based bounding volume hierarchies", 2007).
static float best_split_on_axis(const Builder *builder, const BvhNode *node, Bounds centers, int axis, Split *split) {
  float low = axis_of(centers.min, axis), extent = axis_of(centers.max, axis) - low;
  if (!(extent > 0) || !isfinite(extent)) return INFINITY;
  Split tried = {axis, 0, low, BIN_COUNT / extent};
  if (!isfinite(tried.scale)) return INFINITY;
  Bin bins[BIN_COUNT];
  for (int i = 0; i < BIN_COUNT; i++)
    bins[i] = (Bin){BOUNDS_EMPTY, 0};
  for (int i = 0; i < node->count; i++) {
    int triangle = builder->bvh->order[node->first + i];
    Bin *bin = &bins[bin_of(builder, triangle, &tried)];
    bin->bounds = bounds_union(bin->bounds, builder->bounds[triangle]);
    bin->count++;
  }
  float right_cost[BIN_COUNT], best = INFINITY;
  Bounds right = BOUNDS_EMPTY, left = BOUNDS_EMPTY;
  int right_count = 0, left_count = 0;
  for (int i = BIN_COUNT - 1; i > 0; i--) {
    right = bounds_union(right, bins[i].bounds);
    right_count += bins[i].count;
    right_cost[i] = half_area(right) * (float)right_count;
  }
  for (int i = 0; i < BIN_COUNT - 1; i++) {
    left = bounds_union(left, bins[i].bounds);
    left_count += bins[i].count;
    float cost = half_area(left) * (float)left_count + right_cost[i + 1];
    if (left_count == 0 || left_count == node->count || cost >= best) continue;
    best = cost;
    *split = tried;
    split->bin = i;
  }
  return best;
}

static Split choose_split(const Builder *builder, const BvhNode *node) {
  Bounds centers = BOUNDS_EMPTY;
  for (int i = 0; i < node->count; i++)
    centers = bounds_add_point(centers, bounds_center(builder->bounds[builder->bvh->order[node->first + i]]));
  Split best = {.axis = -1}, split = {0};
  float best_cost = half_area(node->bounds) * (float)node->count;
  for (int axis = 0; axis < 3; axis++) {
    float cost = best_split_on_axis(builder, node, centers, axis, &split);
    if (cost >= best_cost) continue;
    best_cost = cost;
    best = split;
  }
  return best;
}

// Brings the left triangles of a split to the front, keeping the order on both sides apart from that; returns how many.
static int partition(const Builder *builder, const BvhNode *node, const Split *split) {
  int32_t *order = builder->bvh->order + node->first;
  int left = 0;
  for (int i = 0; i < node->count; i++) {
    if (split->axis >= 0 ? bin_of(builder, order[i], split) > split->bin : i >= node->count / 2) continue;
    int32_t moved = order[i];
    order[i] = order[left];
    order[left++] = moved;
  }
  return left;
}

static void make_leaf(const Builder *builder, int index, int first, int count) {
  BvhNode *node = &builder->bvh->nodes[index];
  *node = (BvhNode){BOUNDS_EMPTY, first, count};
  for (int i = 0; i < count; i++)
    node->bounds = bounds_union(node->bounds, builder->bounds[builder->bvh->order[first + i]]);
}

static void split_nodes(Builder *builder) {
  Bvh *bvh = builder->bvh;
  int waiting = 0;
  make_leaf(builder, 0, 0, bvh->triangle_count);
  bvh->node_count = 1;
  builder->stack[waiting++] = (struct Waiting){0, 0};
  while (waiting > 0) {
    struct Waiting at = builder->stack[--waiting];
    BvhNode node = bvh->nodes[at.node];
    if (node.count <= 2) continue;
    Split split = at.depth < DEEPEST_SPLIT ? choose_split(builder, &node) : (Split){.axis = -1};
    // A split that costs more than the leaf is only made where the leaf would be large.
    if (split.axis < 0 && node.count <= LEAF_TRIANGLES) continue;
    int left = partition(builder, &node, &split), child = bvh->node_count;
    bvh->node_count += 2;
    make_leaf(builder, child, node.first, left);
    make_leaf(builder, child + 1, node.first + left, node.count - left);
    bvh->nodes[at.node].first = child;
    bvh->nodes[at.node].count = 0;
    builder->stack[waiting++] = (struct Waiting){child + 1, at.depth + 1};
    builder->stack[waiting++] = (struct Waiting){child, at.depth + 1};
  }
}

static bool allocate(Builder *builder, Memory *memory, size_t count) {
  builder->bvh->nodes = memory_alloc_array(memory, 2 * count + 1, sizeof *builder->bvh->nodes);
  builder->bvh->order = memory_alloc_array(memory, count, sizeof *builder->bvh->order);
  builder->bounds = memory_alloc_array(memory, count, sizeof *builder->bounds);
  builder->stack = memory_alloc_array(memory, count + 2, sizeof *builder->stack);
  return builder->bvh->nodes && builder->bvh->order && builder->bounds && builder->stack;
}

Bvh *bvh_build(Memory *memory, TriangleSoup soup, Error *error) {
  Builder builder = {.bvh = memory_alloc(memory, sizeof *builder.bvh)};
  if (!builder.bvh || !allocate(&builder, memory, (size_t)soup.triangle_count)) {
    memory_free(memory, builder.bounds);
    memory_free(memory, builder.stack);
    bvh_free(memory, builder.bvh);
    error_set_out_of_memory(error);
    return NULL;
  }
  builder.bvh->soup = soup;
  for (int i = 0; i < soup.triangle_count; i++) {
    if (!has_area(&soup, i)) continue;
    builder.bounds[i] = triangle_bounds(&soup, i);
    builder.bvh->order[builder.bvh->triangle_count++] = i;
  }
  if (builder.bvh->triangle_count > 0) split_nodes(&builder);
  for (int i = 0; i < builder.bvh->node_count; i++)
    builder.bvh->nodes[i].bounds = loosen(builder.bvh->nodes[i].bounds);
  memory_free(memory, builder.bounds);
  memory_free(memory, builder.stack);
  return builder.bvh;
}

void bvh_free(Memory *memory, Bvh *bvh) {
  if (!bvh) return;
  if (!bvh->is_adopted) {
    memory_free(memory, bvh->nodes);
    memory_free(memory, bvh->order);
  }
  memory_free(memory, bvh);
}

Bvh *bvh_adopt(Memory *memory, TriangleSoup soup, const ModelTree *tree, Error *error) {
  Bvh *bvh = memory_alloc(memory, sizeof *bvh);
  if (!bvh) {
    error_set_out_of_memory(error);
    return NULL;
  }
  // Nothing is written through these: an adopted tree is built already.
  *bvh = (Bvh){.soup = soup,
               .nodes = (BvhNode *)(uintptr_t)tree->nodes,
               .order = (int32_t *)(uintptr_t)tree->order,
               .is_adopted = true,
               .node_count = tree->node_count,
               .triangle_count = tree->order_count};
  return bvh;
}

ModelTree bvh_tree(const Bvh *bvh) {
  return (ModelTree){bvh->nodes, bvh->order, bvh->node_count, bvh->triangle_count};
}

size_t bvh_bytes(const Bvh *bvh) {
  if (bvh->is_adopted) return sizeof *bvh;
  size_t count = (size_t)bvh->soup.triangle_count;
  return sizeof *bvh + (2 * count + 1) * sizeof *bvh->nodes + count * sizeof *bvh->order;
}

Bounds bvh_bounds(const Bvh *bvh) {
  return bvh->node_count > 0 ? bvh->nodes[0].bounds : BOUNDS_EMPTY;
}

// ------------------------------------------------------------------------------------------------- walking

typedef struct Walk {
  Vec3 origin, inverse, half;
  int32_t nodes[WALK_SIZE];
  int count;
} Walk;

static bool meets(const Walk *walk, Bounds bounds, float end, float *entry) {
  bounds.min = vec3_sub(bounds.min, walk->half);
  bounds.max = vec3_add(bounds.max, walk->half);
  return ray_frame_hits_bounds(walk->origin, walk->inverse, end, bounds, entry);
}

static Walk start_walk(const Bvh *bvh, const Ray *ray, const RayFrame *frame, Vec3 half) {
  float entry;
  Walk walk;
  walk.origin = ray->origin;
  walk.inverse = frame->inverse;
  walk.half = half;
  walk.count = 0;
  if (bvh->node_count > 0 && meets(&walk, bvh->nodes[0].bounds, ray->max_distance, &entry))
    walk.nodes[walk.count++] = 0;
  return walk;
}

// Puts the children that are met on the stack, the nearer one on top. The stack holds one node a level.
static void push_children(const Bvh *bvh, const BvhNode *node, float end, Walk *walk) {
  float left, right;
  bool meets_left = meets(walk, bvh->nodes[node->first].bounds, end, &left);
  bool meets_right = meets(walk, bvh->nodes[node->first + 1].bounds, end, &right);
  bool left_first = !meets_right || (meets_left && left <= right);
  if (meets_right && left_first) walk->nodes[walk->count++] = node->first + 1;
  if (meets_left) walk->nodes[walk->count++] = node->first;
  if (meets_right && !left_first) walk->nodes[walk->count++] = node->first + 1;
}

// The next leaf, or NULL.
static const BvhNode *next_leaf(const Bvh *bvh, float end, Walk *walk) {
  while (walk->count > 0) {
    const BvhNode *node = &bvh->nodes[walk->nodes[--walk->count]];
    if (node->count > 0) return node;
    push_children(bvh, node, end, walk);
  }
  return NULL;
}

// The least step further than a hit, so that of two at the same distance the lower number can win.
static float next_float(float distance) {
  uint32_t bits;
  memcpy(&bits, &distance, sizeof bits);
  bits++;
  memcpy(&distance, &bits, sizeof bits);
  return distance;
}

bool bvh_raycast(const Bvh *bvh, const Ray *ray, TriangleHit *hit) {
  RayFrame frame = ray_frame(ray);
  Ray shortened = *ray;
  Walk walk = start_walk(bvh, ray, &frame, vec3(0, 0, 0));
  bool is_hit = false;
  for (const BvhNode *leaf; (leaf = next_leaf(bvh, shortened.max_distance, &walk));) {
    for (int i = 0; i < leaf->count; i++) {
      int triangle = bvh->order[leaf->first + i];
      TriangleHit found;
      if (!ray_frame_hits_triangle(&shortened, &frame, corner(&bvh->soup, triangle, 0), corner(&bvh->soup, triangle, 1),
                                   corner(&bvh->soup, triangle, 2), &found))
        continue;
      if (is_hit && (found.distance > hit->distance || (found.distance == hit->distance && triangle > hit->triangle)))
        continue;
      found.triangle = triangle;
      *hit = found;
      float end = next_float(found.distance);
      if (end < shortened.max_distance) shortened.max_distance = end;
      is_hit = true;
    }
  }
  return is_hit;
}

void bvh_sweep_box(const Bvh *bvh, const Ray *ray, Vec3 half, BvhVisitor *visit, void *user) {
  RayFrame frame = ray_frame(ray);
  Walk walk = start_walk(bvh, ray, &frame, half);
  float end = ray->max_distance, entry;
  for (const BvhNode *leaf; (leaf = next_leaf(bvh, end, &walk));) {
    for (int i = 0; i < leaf->count; i++) {
      int triangle = bvh->order[leaf->first + i];
      if (!meets(&walk, loosen(triangle_bounds(&bvh->soup, triangle)), end, &entry)) continue;
      float wanted = visit(user, triangle, corner(&bvh->soup, triangle, 0), corner(&bvh->soup, triangle, 1),
                           corner(&bvh->soup, triangle, 2), end);
      if (wanted < end) end = wanted;
    }
  }
}

void bvh_query(const Bvh *bvh, Bounds bounds, BvhVisitor *visit, void *user) {
  if (bounds_is_empty(bounds)) return;
  Ray standing = {bounds_center(bounds), {0, 0, 0}, 1, true};
  bvh_sweep_box(bvh, &standing, bounds_half_size(bounds), visit, user);
}
