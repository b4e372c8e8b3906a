# embed_files(TARGET NAME FILE...) compiles the bytes of the files into TARGET. NAME.h then declares
#   typedef struct EmbeddedFile_NAME { const char *path; const unsigned char *data; unsigned long size; } EmbeddedFile_NAME;
#   extern const EmbeddedFile_NAME NAME[]; extern const int NAME_count;
# with paths relative to the project's root. The work is done at build time by cmake/embed_script.cmake.
function(embed_files target name)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded/${name}.c)
  set(header ${CMAKE_CURRENT_BINARY_DIR}/embedded/${name}.h)
  add_custom_command(
    OUTPUT ${source} ${header}
    COMMAND ${CMAKE_COMMAND} -DNAME=${name} -DSOURCE=${source} -DHEADER=${header} -DROOT=${PROJECT_SOURCE_DIR}
            "-DFILES=${ARGN}" -P ${PROJECT_SOURCE_DIR}/cmake/embed_script.cmake
    DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/embed_script.cmake
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    COMMENT "Embedding ${name}"
    VERBATIM)
  target_sources(${target} PRIVATE ${source})
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/embedded)
endfunction()
