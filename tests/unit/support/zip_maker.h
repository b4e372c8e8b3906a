#ifndef TESTS_ZIP_MAKER_H
#define TESTS_ZIP_MAKER_H
// Zips made by hand, right or wrong in ways that no library would write.
#include <stdint.h>

#include "support/temp_folder.h"

typedef struct ZipPart {
  const char *name, *content;
  int name_length;  ///< 0: that of the text
  int method, flags;
  uint32_t size;        ///< declared; 0: the right one. Of what is not deflated, both sizes
  uint32_t crc32;       ///< declared; 0: the right one
  uint32_t attributes;  ///< "external", mode << 16
  bool is_of_dos;
  bool is_deflated;  ///< method 8, with the content packed
  bool is_streamed;  ///< a local header without sizes and sum, which stand behind the bytes
  int extra_packed;  ///< bytes more than there are (less where negative) belong to the packed content
  int shares_part;   ///< the number, from 1, of an earlier part: there are no bytes of its own
  // What the local header says instead, where it is not 0.
  const char *local_name;
  int local_method;
  uint32_t local_size, local_crc32;
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
