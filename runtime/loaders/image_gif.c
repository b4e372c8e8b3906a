// The first frame of a GIF by giflib, on a canvas of the logical screen's size that is transparent where the frame does
// not reach.
#include <gif_lib.h>
#include <string.h>

#include "loaders/image.h"

// A code of up to 12 bits stands for at most 4096 pixels.
enum { MAX_PIXELS_PER_BYTE = 4096 };

typedef struct GifReader {
  Memory *memory;
  const char *path;
  Bytes bytes;
  size_t offset;
  Image *image;
  Error *error;
  GifFileType *file;
  int transparent_index;  // -1 without
} GifReader;

static bool matches_gif(Bytes bytes) {
  return bytes.size >= 6 && (memcmp(bytes.data, "GIF87a", 6) == 0 || memcmp(bytes.data, "GIF89a", 6) == 0);
}

static int read_gif_bytes(GifFileType *file, GifByteType *target, int size) {
  GifReader *reader = file->UserData;
  size_t left = reader->bytes.size - reader->offset;
  size_t count = size > 0 && (size_t)size < left ? (size_t)size : left;
  memcpy(target, reader->bytes.data + reader->offset, count);
  reader->offset += count;
  return (int)count;
}

static bool set_gif_error(const GifReader *reader, int code) {
  const char *text = GifErrorString(code);
  bool is_at_end = reader->offset == reader->bytes.size;
  return error_set(reader->error, "%s: offset 0x%zx: %s: %s", reader->path, reader->offset,
                   is_at_end ? "the file ends inside of the picture" : "damaged GIF", text ? text : "unknown error");
}

/// Reads over an extension, but takes the transparent colour from it.
static bool read_extension(GifReader *reader) {
  int code = 0;
  GifByteType *block = NULL;
  if (DGifGetExtension(reader->file, &code, &block) == GIF_ERROR) return set_gif_error(reader, reader->file->Error);
  while (block) {
    GraphicsControlBlock control;
    if (code == GRAPHICS_EXT_FUNC_CODE && DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK) {
      reader->transparent_index = control.TransparentColor;
    }
    if (DGifGetExtensionNext(reader->file, &block) == GIF_ERROR) return set_gif_error(reader, reader->file->Error);
  }
  return true;
}

/// Goes on to the header of the first frame.
static bool find_frame(GifReader *reader) {
  for (;;) {
    GifRecordType kind = UNDEFINED_RECORD_TYPE;
    if (DGifGetRecordType(reader->file, &kind) == GIF_ERROR) return set_gif_error(reader, reader->file->Error);
    if (kind == EXTENSION_RECORD_TYPE && !read_extension(reader)) return false;
    if (kind == TERMINATE_RECORD_TYPE) {
      return error_set(reader->error, "%s: offset 0x%zx: the file ends, expected a picture", reader->path,
                       reader->offset);
    }
    if (kind != IMAGE_DESC_RECORD_TYPE) continue;
    if (DGifGetImageDesc(reader->file) == GIF_ERROR) return set_gif_error(reader, reader->file->Error);
    return true;
  }
}

/// The canvas is the logical screen, or more where the frame leaves it.
static bool allocate_canvas(GifReader *reader) {
  const GifFileType *file = reader->file;
  const GifImageDesc *frame = &file->Image;
  int right = frame->Left + frame->Width, bottom = frame->Top + frame->Height;
  int width = right > file->SWidth ? right : file->SWidth;
  int height = bottom > file->SHeight ? bottom : file->SHeight;
  if (frame->Width < 1 || frame->Height < 1) {
    return error_set(reader->error, "%s: offset 0x%zx: the frame is %d x %d pixels, expected at least 1 x 1",
                     reader->path, reader->offset, frame->Width, frame->Height);
  }
  if (!frame->ColorMap && !file->SColorMap) {
    return error_set(reader->error, "%s: offset 0x%zx: neither the file nor its first frame has a palette",
                     reader->path, reader->offset);
  }
  if (width != file->SWidth || height != file->SHeight) {
    image_warn(reader->image, "the frame reaches to %d, %d, beyond the screen of %d x %d", right, bottom, file->SWidth,
               file->SHeight);
  }
  bool is_covered = frame->Width == width && frame->Height == height;
  reader->image->source_channels = reader->transparent_index >= 0 || !is_covered ? 4 : 3;
  return image_check_density(reader->path, width, height, reader->bytes, MAX_PIXELS_PER_BYTE, reader->error) &&
         image_allocate(reader->memory, reader->path, width, height, reader->image, reader->error);
}

static void write_row(const GifReader *reader, const GifPixelType *indexes, int y) {
  const GifImageDesc *frame = &reader->file->Image;
  const ColorMapObject *palette = frame->ColorMap ? frame->ColorMap : reader->file->SColorMap;
  size_t first = (size_t)(frame->Top + y) * (size_t)reader->image->width + (size_t)frame->Left;
  uint8_t *target = reader->image->pixels + first * 4;
  for (int x = 0; x < frame->Width; x++, target += 4) {
    if (indexes[x] == reader->transparent_index) continue;
    if (indexes[x] < palette->ColorCount) {
      const GifColorType *color = &palette->Colors[indexes[x]];
      target[0] = color->Red, target[1] = color->Green, target[2] = color->Blue;
    }
    target[3] = 255;
  }
}

/// Rows come in order, or interlaced in four passes: every eighth, the fourths between, the seconds, the rest.
static bool read_rows(GifReader *reader, GifPixelType *indexes) {
  static const int FIRST_ROWS[4] = {0, 4, 2, 1}, ROW_STEPS[4] = {8, 8, 4, 2};
  const GifImageDesc *frame = &reader->file->Image;
  for (int pass = 0; pass < (frame->Interlace ? 4 : 1); pass++) {
    int step = frame->Interlace ? ROW_STEPS[pass] : 1;
    for (int y = frame->Interlace ? FIRST_ROWS[pass] : 0; y < frame->Height; y += step) {
      if (DGifGetLine(reader->file, indexes, frame->Width) == GIF_ERROR)
        return set_gif_error(reader, reader->file->Error);
      write_row(reader, indexes, y);
    }
  }
  return true;
}

static bool load_gif(Memory *memory, const char *path, Bytes bytes, Image *image, Error *error) {
  if (!matches_gif(bytes)) return error_set(error, "%s: offset 0x0: no GIF signature", path);
  GifReader reader = {.memory = memory, .path = path, .bytes = bytes, .image = image, .error = error};
  reader.transparent_index = -1;
  int code = 0;
  reader.file = DGifOpen(&reader, read_gif_bytes, &code);
  if (!reader.file) return set_gif_error(&reader, code);
  bool is_good = find_frame(&reader) && allocate_canvas(&reader);
  if (is_good) {
    GifPixelType *indexes = memory_alloc(memory, (size_t)reader.file->Image.Width);
    is_good = indexes ? read_rows(&reader, indexes) : error_set_out_of_memory(error);
    memory_free(memory, indexes);
  }
  DGifCloseFile(reader.file, &code);
  return is_good;
}

const ImageLoader GIF_LOADER = {.name = "gif", .extensions = {"gif"}, .matches = matches_gif, .load = load_gif};
