#ifndef PALFREY_NEAREST_H
#define PALFREY_NEAREST_H
// The right name for a mistyped one.

/// The name with the fewest edits (insert, delete, change, swap of neighbours; letter case counts half) from `name`, if
/// they are few for its length; else NULL. The first wins a tie.
const char *nearest_name(const char *name, const char *const *names, int count);

#endif
