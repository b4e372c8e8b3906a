// Any bytes as a 3DS model.
#include "model_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Memory memory = {0};
  LoadRequest request = {.memory = &memory, .path = "fuzz.3ds"};
  load_input_or_fail(&request, data, size);
  return 0;
}
