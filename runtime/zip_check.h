#ifndef PALFREY_ZIP_CHECK_H
#define PALFREY_ZIP_CHECK_H
// What is wrong with a zip, or would be used against whoever opens it. The same rules hold when a game is opened and for
// `palfrey verify`:
// - names start at the root and lead nowhere else, and none is there twice or is both file and folder. Names that differ
//   in letter case only are two names, as on the systems where they matter; `palfrey pack` refuses to make them;
// - entries are plain files and folders, neither encrypted nor packed in another way than stored or deflated, and each
//   has its own bytes of the zip, in front of the directory;
// - local headers say what the directory says, but for what a streamed zip could not know yet when it wrote them;
// - no file is larger than FILES_MAX_SIZE, all together no larger than ZIP_MAX_TOTAL, and none declares more than its
//   packed bytes can hold.
#include "zip_directory.h"

#define ZIP_MAX_TOTAL ((int64_t)2 << 30)  ///< of all files, unpacked

/// `entry` is NULL for what concerns the zip as a whole.
typedef void ZipFaultVisitor(void *user, const ZipEntry *entry, const char *what);

/// Calls for every fault that directory and local headers show, and marks the entries. False when memory ran out.
bool zip_check(ZipDirectory *directory, ZipFaultVisitor *visit, void *user, Error *error);

/// As zip_check, and reads all entries that have no fault so far.
bool zip_check_data(ZipDirectory *directory, ZipFaultVisitor *visit, void *user, Error *error);

/// As zip_check; the first fault becomes the error.
bool zip_check_or_refuse(ZipDirectory *directory, Error *error);

/// Writes "path: entry: what", with "?" in place of control characters.
void zip_fault_text(const ZipDirectory *directory, const ZipEntry *entry, const char *what, char *text, size_t size);

#endif
