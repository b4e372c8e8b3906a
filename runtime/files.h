#ifndef PALFREY_FILES_H
#define PALFREY_FILES_H
// The files of a game: the game's folder or zip, read-only, with the save folder on top of it. The only user of PhysFS,
// behind a thin layer of safety: paths are checked here, sizes are capped, a read that comes out short is an error, zips
// are looked through before they are mounted (zip_directory.h), and links are not followed. There is one Files at a time.
// Paths are UTF-8, relative to the game's root, with "/" between parts (a "\" counts as one); "" is the root.
#include "error.h"
#include "memory.h"

enum {
  FILES_MAX_PATH = 512,
  FILES_MAX_SIZE = 256 * 1024 * 1024,  ///< of one file
  FILES_MAX_ENTRIES = 5000,            ///< of a package
};

typedef struct Files Files;

typedef struct FileInfo {
  bool is_folder;
  int64_t size;
  int64_t modified;  ///< seconds since 1970, or -1; not for decisions of the simulation
} FileInfo;

/// `program` is argv[0].
Files *files_create(Memory *memory, const char *program, Error *error);
void files_free(Files *files);

/// Opens a folder, a zip, or the folder of a single .lua file. The error names main.lua's place when it is not at the root.
bool files_open_game(Files *files, const char *path, Error *error);

/// Opens a folder or zip in which no main.lua is needed, for tools.
bool files_open_folder(Files *files, const char *path, Error *error);

/// The file to run first: "main.lua", or the name of the single .lua file.
const char *files_main(const Files *files);
bool files_is_packaged(const Files *files);

/// The name of the folder or zip without its ending, or of the .lua file: the default identity. What cannot stand in an
/// identity is "_".
const char *files_game_name(const Files *files);

/// Makes the save folder known: XDG_DATA_HOME/palfrey/IDENTITY, or below HOME/.local/share. It is created at the first
/// write. An identity is one path part. Another one takes the place of the first.
bool files_set_identity(Files *files, const char *identity, Error *error);

/// Whether a path may be used at all; writes the cleaned form. Refused: "..", absolute paths, drive letters, control
/// characters, what is not UTF-8, a length above the limit.
bool files_clean_path(const char *path, char clean[FILES_MAX_PATH], Error *error);

/// The bytes belong to the caller (memory_free); one zero byte follows the content, not counted in size.
bool files_read(Files *files, const char *path, Bytes *bytes, Error *error);

/// Replaces a file in the save folder at once or not at all; makes its folders. From then on it hides the game's.
bool files_write(Files *files, const char *path, Bytes bytes, Error *error);

/// Writes a file of the game itself, which must be a folder, as an editor would: for tests.
bool files_write_source(Files *files, const char *path, Bytes bytes, Error *error);

/// Reads a file of the game's folder for caches, which scripts do not see; false when there is none. The bytes belong to the
/// caller (memory_free).
bool files_read_cache(Files *files, const char *name, Bytes *bytes);

/// Replaces one; nothing tells whether it could be done.
void files_write_cache(Files *files, const char *name, Bytes bytes);

/// A number for the running program that another build does not have; 0 where the system does not tell.
uint64_t files_program_stamp(void);

/// Removes a file or an empty folder from the save folder.
bool files_remove(Files *files, const char *path, Error *error);

bool files_get_info(Files *files, const char *path, FileInfo *info);

/// Calls for each entry of a folder, sorted bytewise; false when there is no such folder.
typedef void FileVisitor(void *user, const char *name, bool is_folder);
bool files_each(Files *files, const char *folder, FileVisitor *visit, void *user, Error *error);

/// Finds a file whose path equals `path` but for letter case; false when there is none.
bool files_find_any_case(Files *files, const char *path, char found[FILES_MAX_PATH]);

/// The real path of a file of an unpacked game, or of the save folder with `in_save_folder`; false for packages.
bool files_real_path(Files *files, const char *path, bool in_save_folder, char *real, size_t size);

#endif
