# How tests are registered with ctest. Labels say where a test belongs: unit, spec, game, sample, golden, acceptance,
# robust, lint, fuzz; those of the labels tidy and soak take long and run with ctest -C Full only. A test that cannot be
# run here exits with 77 and says why.

pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
find_program(LUA_PROGRAM lua5.4)
find_program(BUSTED_PROGRAM busted)
if(NOT LUA_PROGRAM OR NOT BUSTED_PROGRAM)
  message(STATUS "lua5.4 or busted is not installed: ctest leaves out specs and lints")
endif()

# The environment in which tests run: the software driver held to ES 2.0, no sound, saves in the build tree. PALFREY is
# the program.
set(TEST_ENVIRONMENT
  SDL_VIDEODRIVER=offscreen SDL_AUDIODRIVER=dummy SDL_JOYSTICK_ALLOW_BACKGROUND_EVENTS=1
  MESA_GLES_VERSION_OVERRIDE=2.0 LIBGL_ALWAYS_SOFTWARE=1
  "LSAN_OPTIONS=suppressions=${CMAKE_CURRENT_SOURCE_DIR}/lsan.supp:print_suppressions=0"
  UBSAN_OPTIONS=print_stacktrace=1)

# keep_mapped(TARGET) lets leak reports of a program name the graphics driver, in builds with sanitizers.
function(keep_mapped target)
  if(PALFREY_SANITIZE)
    target_sources(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/keep_mapped.c)
  endif()
endfunction()
keep_mapped(palfrey)
list(APPEND TEST_ENVIRONMENT PALFREY=$<TARGET_FILE:palfrey>
     MESA_SHADER_CACHE_DIR=${CMAKE_CURRENT_BINARY_DIR}/home/shaders)

# register(NAME LABEL TIMEOUT COMMAND...) adds one test, run from the root of the project. TIMEOUT is in seconds, ten times
# as long under an emulator.
function(register name label timeout)
  if(CMAKE_CROSSCOMPILING_EMULATOR)
    math(EXPR timeout "${timeout} * 10")
  endif()
  set(only "")
  if(label MATCHES "^(tidy|soak)$")
    set(only CONFIGURATIONS Full)
  endif()
  set(home ${CMAKE_CURRENT_BINARY_DIR}/home)
  add_test(NAME ${name} COMMAND ${ARGN} ${only} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT ${timeout} SKIP_RETURN_CODE 77
    ENVIRONMENT "${TEST_ENVIRONMENT};XDG_DATA_HOME=${home}/${name};XDG_CACHE_HOME=${home}/${name}/cache")
endfunction()

# unit_test(NAME LIBRARY...) builds tests/unit/NAME.c with cmocka and registers it as the test unit/NAME.
function(unit_test name)
  add_executable(unit_${name} unit/${name}.c)
  target_link_libraries(unit_${name} PRIVATE ${ARGN} PkgConfig::CMOCKA)
  keep_mapped(unit_${name})
  register(unit/${name} unit 120 unit_${name})
endfunction()

# spec_test(NAME...) registers tests/spec/NAME_spec.lua, which needs no runtime, as the test spec/NAME.
function(spec_test)
  foreach(name IN LISTS ARGN)
    if(LUA_PROGRAM AND BUSTED_PROGRAM)
      register(spec/${name} spec 120 ${LUA_PROGRAM} ${BUSTED_PROGRAM} tests/spec/${name}_spec.lua)
    endif()
  endforeach()
endfunction()

# game_test([COPIED] NAME...) runs the specs of the game tests/games/NAME inside the runtime, as the test game/NAME; COPIED in
# a copy of its folder, for games that change their own files.
function(game_test)
  cmake_parse_arguments(PARSE_ARGV 0 game "COPIED" "" "")
  foreach(name IN LISTS game_UNPARSED_ARGUMENTS)
    set(folder tests/games/${name})
    set(prefix "")
    if(game_COPIED)
      set(folder ${CMAKE_CURRENT_BINARY_DIR}/games/${name})
      set(prefix sh tests/in_copy.sh tests/games/${name} ${folder})
    endif()
    if(BUSTED_PROGRAM)
      register(game/${name} game 300
               ${prefix} $<TARGET_FILE:palfrey> test ${folder} --output=${CMAKE_CURRENT_SOURCE_DIR}/busted_handler.lua)
    endif()
  endforeach()
endfunction()

add_executable(golden_compare golden/compare.c)
target_link_libraries(golden_compare PRIVATE PkgConfig::PNG)

# golden_test(NAME ARGUMENT...) draws `palfrey ARGUMENT...` at 320x240 and compares with tests/golden/NAME.png.
function(golden_test name)
  if(LUA_PROGRAM)
    register(golden/${name} golden 120 ${LUA_PROGRAM} tests/golden/run.lua $<TARGET_FILE:palfrey>
             $<TARGET_FILE:golden_compare> ${CMAKE_CURRENT_BINARY_DIR}/golden ${name} ${ARGN})
  endif()
endfunction()

# lint_test(NAME...) registers checks of tests/lint/lint.lua as the tests lint/NAME.
function(lint_test)
  foreach(name IN LISTS ARGN)
    if(LUA_PROGRAM)
      register(lint/${name} lint 300 ${LUA_PROGRAM} tests/lint/lint.lua --build ${PROJECT_BINARY_DIR} ${name})
    endif()
  endforeach()
endfunction()

# fuzz_target(NAME LIBRARY... [SEEDS FOLDER...]) builds tests/fuzz/NAME.c with libFuzzer where the build asks for it, and
# runs it for PALFREY_FUZZ_SECONDS (20) from the inputs in the folders, as the test fuzz/NAME.
if(PALFREY_FUZZ)
  add_custom_target(fuzzers)
endif()
function(fuzz_target name)
  if(PALFREY_FUZZ)
    cmake_parse_arguments(PARSE_ARGV 1 fuzz "" "" SEEDS)
    add_executable(fuzz_${name} fuzz/${name}.c)
    target_link_libraries(fuzz_${name} PRIVATE ${fuzz_UNPARSED_ARGUMENTS} -fsanitize=fuzzer)
    add_dependencies(fuzzers fuzz_${name})
    register(fuzz/${name} fuzz 3600 sh ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/run.sh $<TARGET_FILE:fuzz_${name}>
             ${CMAKE_CURRENT_BINARY_DIR}/fuzz ${name} ${fuzz_SEEDS})
  endif()
endfunction()

# bench_program(NAME LIBRARY...) builds tests/bench/NAME.c, which ./dev bench NAME runs.
function(bench_program name)
  add_executable(bench_${name} bench/${name}.c)
  target_link_libraries(bench_${name} PRIVATE ${ARGN})
endfunction()
