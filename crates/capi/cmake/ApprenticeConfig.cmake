# find_package(Apprentice) and target_link_libraries(game Apprentice::apprentice), where this file lies in
# PREFIX/lib/cmake/Apprentice, the library in PREFIX/lib and the headers in PREFIX/include.
get_filename_component(_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
find_library(Apprentice_LIBRARY NAMES apprentice_c PATHS "${_prefix}/lib" NO_DEFAULT_PATH REQUIRED)
if(NOT TARGET Apprentice::apprentice)
  add_library(Apprentice::apprentice UNKNOWN IMPORTED)
  set_target_properties(Apprentice::apprentice PROPERTIES
    IMPORTED_LOCATION "${Apprentice_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${_prefix}/include")
  if(UNIX)
    set_target_properties(Apprentice::apprentice PROPERTIES INTERFACE_LINK_LIBRARIES "pthread;dl;m")
  endif()
endif()
