#ifndef PALFREY_PACK_SCRIPT_H
#define PALFREY_PACK_SCRIPT_H
// Looks in a script for what it names: paths of assets and modules to require. Warns of those that no file of the package
// has, and marks the files that are named.
#include "pack.h"
#include "pack_list.h"

/// `text` ends in a zero byte that its size does not count.
void pack_script_check(PackList *list, const char *script, Bytes text, PackReport *report);

#endif
