#include <math.h>

#include "bytes.h"
#include "loaders/md2.h"

enum { COMMAND_VERTEX_WORDS = 3 };  // s, t and the vertex

static const char *find_problem(const uint8_t *command, int64_t count, int vertex_count) {
  for (int64_t i = 0; i < count; i++) {
    const uint8_t *vertex = command + (size_t)i * COMMAND_VERTEX_WORDS * 4;
    int32_t index = read_i32(vertex + 8);
    if (index < 0 || index >= vertex_count) return "a vertex index is out of range";
    if (!isfinite(read_f32(vertex)) || !isfinite(read_f32(vertex + 4))) return "a texture coordinate is not finite";
  }
  return NULL;
}

int md2_count_glcmds_triangles(const uint8_t *words, int word_count, int vertex_count, const char **problem) {
  int triangle_count = 0;
  *problem = NULL;
  for (int word = 0; word < word_count;) {
    // A strip has a positive count, a fan a negative one; either has two triangles fewer than vertices. 64 bits because the
    // smallest count has no opposite.
    int64_t count = read_i32(words + (size_t)word++ * 4);
    if (count == 0) return triangle_count;
    if (count < 0) count = -count;
    if (count > (word_count - word) / COMMAND_VERTEX_WORDS) {
      *problem = "a command runs past the end of the list";
      return -1;
    }
    *problem = find_problem(words + (size_t)word * 4, count, vertex_count);
    if (*problem) return -1;
    triangle_count += count > 2 ? (int)count - 2 : 0;
    word += (int)count * COMMAND_VERTEX_WORDS;
  }
  *problem = "the list lacks its end";
  return triangle_count;
}
