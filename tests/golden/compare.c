// golden_compare WANTED GOT MOST_DIFFERENCE SHARE: whether two PNG images are alike: at least SHARE (0..1) of the pixels
// differ by at most MOST_DIFFERENCE in each channel. Prints what was found; exit status 0 when alike, 1 when not.
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Reads a PNG as RGBA, top row first; the caller frees the pixels. NULL after a message.
static unsigned char *image_read(const char *path, png_image *image) {
  memset(image, 0, sizeof *image);
  image->version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(image, path)) {
    printf("%s: %s\n", path, image->message);
    return NULL;
  }
  image->format = PNG_FORMAT_RGBA;
  unsigned char *pixels = malloc(PNG_IMAGE_SIZE(*image));
  if (!pixels || !png_image_finish_read(image, NULL, pixels, 0, NULL)) {
    printf("%s: %s\n", path, pixels ? image->message : "out of memory");
    free(pixels);
    return NULL;
  }
  return pixels;
}

/// Whether the pixels are alike, which it prints with the worst one.
static int pixels_compare(const png_image *image, const unsigned char *wanted, const unsigned char *got, int limit,
                          double share) {
  size_t count = (size_t)image->width * image->height, over = 0, worst_index = 0;
  int worst = 0;
  for (size_t i = 0; i < count; i++) {
    int most = 0;
    for (size_t channel = 0; channel < 4; channel++) {
      int difference = abs(wanted[4 * i + channel] - got[4 * i + channel]);
      if (difference > most) most = difference;
    }
    if (most > limit) over++;
    if (most > worst) worst = most, worst_index = i;
  }
  size_t at = 4 * worst_index;
  printf("%zu of %zu pixels differ by more than %d; worst %d at %zu,%zu: wanted %d %d %d %d, got %d %d %d %d\n", over,
         count, limit, worst, worst_index % image->width, worst_index / image->width, wanted[at], wanted[at + 1],
         wanted[at + 2], wanted[at + 3], got[at], got[at + 1], got[at + 2], got[at + 3]);
  return (double)(count - over) >= share * (double)count;
}

int main(int argc, char **argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: golden_compare WANTED GOT MOST_DIFFERENCE SHARE\n");
    return 2;
  }
  png_image wanted_image, got_image;
  unsigned char *wanted = image_read(argv[1], &wanted_image);
  unsigned char *got = image_read(argv[2], &got_image);
  int alike = 0;
  if (wanted && got) {
    if (wanted_image.width == got_image.width && wanted_image.height == got_image.height) {
      alike = pixels_compare(&wanted_image, wanted, got, atoi(argv[3]), atof(argv[4]));
    } else {
      printf("the sizes differ: wanted %ux%u, got %ux%u\n", wanted_image.width, wanted_image.height, got_image.width,
             got_image.height);
    }
  }
  free(wanted);
  free(got);
  return alike ? 0 : 1;
}
