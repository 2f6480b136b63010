// SPDX-License-Identifier: Apache-2.0
// The peer of `steelpin convert` in scripts/bench-convert, and the maker of its bundle.
//
//   baseline make BASE.pem COUNT   writes COUNT certificates, those of BASE again and again, each with an end of its own
//   baseline decode BUNDLE.pem     reads a bundle and decodes its base64, and does nothing else
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static int8_t values[256];

static void fill_values(void) {
  memset(values, -1, sizeof values);
  for (int i = 0; i < 64; i++) values[(unsigned char)alphabet[i]] = (int8_t)i;
}

static char *read_file(const char *name, size_t *size) {
  FILE *file = fopen(name, "rb");
  if (!file || fseek(file, 0, SEEK_END)) exit(66);
  *size = (size_t)ftell(file);
  rewind(file);
  char *text = malloc(*size + 1);
  if (!text || fread(text, 1, *size, file) != *size) exit(74);
  text[*size] = 0;
  fclose(file);
  return text;
}

// Decodes the first block at or after *text into der, and moves *text behind it; 0 if there is none.
static size_t decode_block(char **text, unsigned char *der) {
  char *begin = strstr(*text, "-----BEGIN CERTIFICATE-----");
  if (!begin) return 0;
  size_t count = 0;
  uint32_t group = 0;
  int bits = 0;
  char *cursor = begin + 27;
  for (; *cursor && *cursor != '-'; cursor++) {
    int8_t value = values[(unsigned char)*cursor];
    if (value < 0) continue;
    group = group << 6 | (uint32_t)value;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      der[count++] = (unsigned char)(group >> bits);
    }
  }
  *text = cursor + 25;
  return count;
}

static void write_block(const unsigned char *der, size_t count) {
  char line[65];
  size_t column = 0;
  puts("-----BEGIN CERTIFICATE-----");
  for (size_t i = 0; i < count; i += 3) {
    uint32_t group = (uint32_t)der[i] << 16 | (i + 1 < count ? (uint32_t)der[i + 1] << 8 : 0) |
                     (i + 2 < count ? der[i + 2] : 0);
    line[column++] = alphabet[group >> 18];
    line[column++] = alphabet[group >> 12 & 63];
    line[column++] = i + 1 < count ? alphabet[group >> 6 & 63] : '=';
    line[column++] = i + 2 < count ? alphabet[group & 63] : '=';
    if (column == 64 || i + 3 >= count) {
      line[column] = 0;
      puts(line);
      column = 0;
    }
  }
  puts("-----END CERTIFICATE-----");
}

int main(int argc, char **argv) {
  static unsigned char der[1 << 16];
  if (argc < 3) return 64;
  fill_values();
  size_t size, total = 0;
  char *text = read_file(argv[2], &size), *cursor = text;
  if (!strcmp(argv[1], "make") && argc == 4) {
    for (long number = 0, wanted = atol(argv[3]); number < wanted; number++) {
      size_t count = decode_block(&cursor, der);
      if (!count) {
        cursor = text;
        count = decode_block(&cursor, der);
      }
      if (count < 64) return 65;
      // The end of the signature: no certificate is the same as another, and all are as long as real ones.
      for (int i = 0; i < 4; i++) der[count - 1 - (size_t)i] = (unsigned char)(number >> 8 * i);
      write_block(der, count);
    }
    return 0;
  }
  if (strcmp(argv[1], "decode")) return 64;
  long blocks = 0;
  for (size_t count; (count = decode_block(&cursor, der)); blocks++) total += count + der[count / 2];
  printf("%ld blocks, check %zu\n", blocks, total);
  return 0;
}
