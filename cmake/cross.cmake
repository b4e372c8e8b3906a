# Toolchain file for Debian's cross compilers: -DCMAKE_TOOLCHAIN_FILE=cmake/cross.cmake -DTRIPLET=aarch64-linux-gnu. What is
# built runs under qemu's user emulation.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TRIPLET)
string(REGEX MATCH "^[^-]+" CMAKE_SYSTEM_PROCESSOR ${TRIPLET})
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_C_COMPILER ${TRIPLET}-gcc)
set(CMAKE_LIBRARY_ARCHITECTURE ${TRIPLET})
set(PKG_CONFIG_EXECUTABLE /usr/bin/${TRIPLET}-pkg-config)
set(CMAKE_CROSSCOMPILING_EMULATOR /usr/bin/qemu-${CMAKE_SYSTEM_PROCESSOR}-static)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
