#ifndef PALFREY_PACK_SCRIPT_H
#define PALFREY_PACK_SCRIPT_H
// Looks in a script for paths of assets written out, and warns of those that no file of the package has.
#include "pack.h"
#include "pack_list.h"

/// `text` ends in a zero byte that its size does not count.
void pack_script_check(const PackList *list, const char *script, Bytes text, PackReport *report);

#endif
