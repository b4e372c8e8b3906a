#ifndef PALFREY_PACK_REFERENCES_H
#define PALFREY_PACK_REFERENCES_H
// Which assets of a package something names. Scripts put names together as they run, so an asset is only said to be left
// over when no text of the package has any part of its path.
#include "pack.h"
#include "pack_list.h"

/// A string of a script: the name of an asset or the end of one, its stem, the folder it is in, or how its path begins.
void pack_references_in_literal(PackList *list, const char *text);

/// Names of assets in any text or model.
void pack_references_in_bytes(PackList *list, Bytes bytes);

/// Warns of the assets that nothing names, when all files were looked through.
void pack_references_warn(PackList *list, PackReport *report);

#endif
