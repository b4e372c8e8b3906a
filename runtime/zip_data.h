#ifndef PALFREY_ZIP_DATA_H
#define PALFREY_ZIP_DATA_H
// The bytes of a zip's entries, held to what its directory says of them: as many as declared, from exactly the packed
// bytes that are there, with their CRC-32.
#include "zip_directory.h"

/// Reads all of an entry that zip_check found no fault with. `bytes` has room for its size, or is NULL to check only. The
/// error's text says what is wrong, without the names of zip and entry.
bool zip_data_read(const ZipDirectory *directory, const ZipEntry *entry, uint8_t *bytes, Error *error);

#endif
