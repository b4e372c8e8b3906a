#ifndef TESTS_ZIP_MAKER_H
#define TESTS_ZIP_MAKER_H
// Zips made by hand, right or wrong in ways that no library would write. Everything is stored.
#include <stdint.h>

#include "support/temp_folder.h"

typedef struct ZipPart {
  const char *name, *content;
  int name_length;  ///< 0: that of the text
  int method, flags;
  uint32_t size;        ///< declared; 0: the right one
  uint32_t attributes;  ///< "external", mode << 16
  bool is_of_dos;
} ZipPart;

typedef struct ZipShape {
  const ZipPart *parts;
  int count;
  int declared_count;  ///< 0: the right one
  const char *before;  ///< bytes in front of the zip, or NULL
  const char *after;   ///< bytes behind it, or NULL
  const char *comment;
} ZipShape;

void zip_make(const TempFolder *folder, const char *path, const ZipShape *shape);

/// The same for the usual case.
void zip_make_parts(const TempFolder *folder, const char *path, const ZipPart *parts, int count);

#endif
