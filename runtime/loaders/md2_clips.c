#include <string.h>

#include "array.h"
#include "loaders/md2.h"
#include "loaders/text.h"

enum { MD2_FRAMES_PER_SECOND = 10 };  // Quake II thinks ten times a second

typedef ARRAY(ModelClip) ClipArray;

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

void md2_clip_name(const char frame_name[17], char clip_name[17]) {
  size_t length = strlen(frame_name), stem = length;
  while (stem > 0 && is_digit(frame_name[stem - 1]))
    stem--;
  size_t variant_end = length - stem >= 3 ? length - 2 : stem, variant = stem;
  while (variant < variant_end && frame_name[variant] == '0')
    variant++;
  memcpy(clip_name, frame_name, stem);
  memcpy(clip_name + stem, frame_name + variant, variant_end - variant);
  size_t end = stem + variant_end - variant;
  if (end > 0 && clip_name[end - 1] == '_') end--;
  clip_name[end] = 0;
}

// How many of the kept frames come before the frame `end`, from position `from` on.
static int count_kept(const int *kept, int kept_count, int from, int end) {
  int position = from;
  while (position < kept_count && kept[position] < end)
    position++;
  return position - from;
}

static bool push_clip(Model *model, ClipArray *clips, const char *name, int first, int count) {
  if (count == 0) return true;
  const char *copy = text_copy_utf8(&model->arena, name, strlen(name));
  return copy && array_push(model->arena.memory, clips,
                            (ModelClip){.name = copy,
                                        .kind = CLIP_VERTEX,
                                        .first_frame = first,
                                        .frame_count = count,
                                        .start = (float)first / MD2_FRAMES_PER_SECOND,
                                        .end = (float)(first + count) / MD2_FRAMES_PER_SECOND,
                                        .fps = MD2_FRAMES_PER_SECOND});
}

static bool collect_clips(Model *model, const VertexFrames *frames, const int *kept, int kept_count, ClipArray *clips) {
  char current[17], frame_name[17], name[17];
  int loaded_first = 0;
  for (int first = 0, frame = 0; frame <= frames->frame_count; frame++) {
    if (frame < frames->frame_count) {
      vertex_frames_name(frames, frame, frame_name);
      md2_clip_name(frame_name, name);
      if (frame > 0 && strcmp(current, name) == 0) continue;
    }
    if (frame > 0) {
      int count = kept ? count_kept(kept, kept_count, loaded_first, frame) : frame - first;
      if (!push_clip(model, clips, current, loaded_first, count)) return false;
      loaded_first += count;
    }
    memcpy(current, name, sizeof name);
    first = frame;
  }
  return true;
}

bool md2_add_clips(Model *model, const VertexFrames *frames, const int *kept, int kept_count) {
  Memory *memory = model->arena.memory;
  ClipArray clips = {0};
  bool is_good = collect_clips(model, frames, kept, kept_count, &clips);
  ModelClip *copy = is_good ? arena_alloc_array(&model->arena, (size_t)clips.count, sizeof *copy) : NULL;
  if (copy) {
    memcpy(copy, clips.items, (size_t)clips.count * sizeof *copy);
    model->clips = copy;
    model->clip_count = clips.count;
  }
  array_free(memory, &clips);
  return copy != NULL;
}
