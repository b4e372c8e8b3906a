// Any bytes as an MBJ model.
#include "model_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Memory memory = {0};
  LoadRequest request = {.memory = &memory, .path = "fuzz.mbj"};
  load_input_or_fail(&request, data, size);
  return 0;
}
