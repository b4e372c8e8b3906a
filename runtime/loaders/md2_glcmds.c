#include <math.h>

#include "bytes.h"
#include "loaders/md2.h"

enum { COMMAND_VERTEX_WORDS = 3 };  // s, t and the vertex

typedef struct Command {
  const uint8_t *vertices;
  int vertex_count;
  bool is_fan;
} Command;

static uint16_t command_vertex(const Command *command, int i) {
  return (uint16_t)read_i32(command->vertices + (size_t)i * COMMAND_VERTEX_WORDS * 4 + 8);
}

static const char *find_problem(const Command *command, int vertex_count) {
  for (int i = 0; i < command->vertex_count; i++) {
    const uint8_t *vertex = command->vertices + (size_t)i * COMMAND_VERTEX_WORDS * 4;
    int32_t index = read_i32(vertex + 8);
    if (index < 0 || index >= vertex_count) return "a vertex index is out of range";
    if (!isfinite(read_f32(vertex)) || !isfinite(read_f32(vertex + 4))) return "a texture coordinate is not finite";
  }
  return NULL;
}

static void write_triangles(const Command *command, uint16_t *triangles) {
  for (int i = 0; i + 2 < command->vertex_count; i++, triangles += 3) {
    // Every second triangle of a strip is wound the other way.
    int turned = !command->is_fan && i % 2 == 1;
    triangles[0] = command_vertex(command, command->is_fan ? 0 : i + turned);
    triangles[1] = command_vertex(command, i + 1 - turned);
    triangles[2] = command_vertex(command, i + 2);
  }
}

int md2_read_glcmds(const uint8_t *words, int word_count, int vertex_count, uint16_t *triangles, const char **problem) {
  int triangle_count = 0;
  *problem = NULL;
  for (int word = 0; word < word_count;) {
    // A strip has a positive count, a fan a negative one; 64 bits because the smallest count has no opposite.
    int64_t count = read_i32(words + (size_t)word++ * 4);
    if (count == 0) return triangle_count;
    Command command = {.vertices = words + (size_t)word * 4, .is_fan = count < 0};
    if (command.is_fan) count = -count;
    if (count > (word_count - word) / COMMAND_VERTEX_WORDS) {
      *problem = "a command runs past the end of the list";
      return -1;
    }
    command.vertex_count = (int)count;
    *problem = find_problem(&command, vertex_count);
    if (*problem) return -1;
    if (triangles) write_triangles(&command, triangles + 3 * (size_t)triangle_count);
    triangle_count += count > 2 ? (int)count - 2 : 0;
    word += (int)count * COMMAND_VERTEX_WORDS;
  }
  *problem = "the list lacks its end";
  return triangle_count;
}
