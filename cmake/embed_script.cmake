# Run by embed_files: writes ${SOURCE} and ${HEADER} with the bytes of ${FILES}.
file(WRITE ${HEADER} "#ifndef PALFREY_EMBEDDED_${NAME}_H
#define PALFREY_EMBEDDED_${NAME}_H
typedef struct EmbeddedFile_${NAME} {
  const char *path;
  const unsigned char *data;
  unsigned long size;
} EmbeddedFile_${NAME};
extern const EmbeddedFile_${NAME} ${NAME}[];
extern const int ${NAME}_count;
#endif
")
set(arrays "")
set(table "")
set(index 0)
foreach(path IN LISTS FILES)
  file(READ ${ROOT}/${path} hex HEX)
  string(LENGTH "${hex}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND arrays "static const unsigned char file_${index}[] = {${bytes}0};\n")
  string(APPEND table "  {\"${path}\", file_${index}, ${size}},\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE ${SOURCE} "#include \"${NAME}.h\"\n${arrays}const EmbeddedFile_${NAME} ${NAME}[] = {\n${table}};\nconst int ${NAME}_count = ${index};\n")
