#include "nearest.h"

#include <ctype.h>
#include <string.h>

enum { MAX_LENGTH = 48, EDIT = 2, CASE_EDIT = 1 };

static int change_cost(char a, char b) {
  if (a == b) return 0;
  return tolower((unsigned char)a) == tolower((unsigned char)b) ? CASE_EDIT : EDIT;
}

static int least(int a, int b) {
  return a < b ? a : b;
}

// The edit distance with swaps of neighbours (optimal string alignment), row by row.
static int edit_distance(const char *a, int a_length, const char *b, int b_length) {
  int rows[3][MAX_LENGTH + 1];
  for (int j = 0; j <= b_length; j++)
    rows[0][j] = j * EDIT;
  for (int i = 1; i <= a_length; i++) {
    int *row = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
    row[0] = i * EDIT;
    for (int j = 1; j <= b_length; j++) {
      row[j] = above[j - 1] + change_cost(a[i - 1], b[j - 1]);
      row[j] = least(row[j], above[j] + EDIT);
      row[j] = least(row[j], row[j - 1] + EDIT);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = least(row[j], two_above[j - 2] + EDIT);
    }
  }
  return rows[a_length % 3][b_length];
}

const char *nearest_name(const char *name, const char *const *names, int count) {
  int length = (int)strlen(name);
  if (length == 0 || length > MAX_LENGTH) return NULL;
  // A third of the letters may be wrong, and at least one.
  int most = EDIT * (length / 3 > 1 ? length / 3 : 1), best = most + 1;
  const char *nearest = NULL;
  for (int i = 0; i < count; i++) {
    int other = (int)strlen(names[i]);
    if (other > MAX_LENGTH) continue;
    int distance = edit_distance(name, length, names[i], other);
    if (distance >= best) continue;
    best = distance;
    nearest = names[i];
  }
  return nearest;
}
