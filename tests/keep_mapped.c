// Linked into builds with sanitizers only: libraries stay mapped until the end, so that a leak report can name the one
// that leaked and tests/lsan.supp can tell the driver's leaks from ours.
int dlclose(void *library);

int dlclose(void *library) {
  (void)library;
  return 0;
}
