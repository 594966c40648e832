// Apprentice for C++, on top of apprentice.h: handles that free themselves, errors that are thrown, and
// callbacks whose exceptions stay on this side. One screen; copy what you need.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "apprentice.h"

namespace apprentice {

struct Error : std::runtime_error {
    ApprenticeStatus status;
    Error(ApprenticeStatus status, const std::string &what) : runtime_error(what), status(status) {}
};

inline void check(ApprenticeStatus status) {
    if (status == APPRENTICE_STATUS_OK) return;
    std::string what(apprentice_last_error(nullptr, 0) + 1, '\0');
    apprentice_last_error(what.data(), what.size());
    what.pop_back();
    throw Error(status, what);
}

class Handle {
    ApprenticeHandle handle = 0;

public:
    Handle() = default;
    Handle(Handle &&other) noexcept : handle(std::exchange(other.handle, 0)) {}
    Handle &operator=(Handle &&other) noexcept { return std::swap(handle, other.handle), *this; }
    ~Handle() { if (handle != 0) apprentice_free(handle); }
    ApprenticeHandle get() const { return handle; }
    ApprenticeHandle *out() { return *this = Handle(), &handle; }
    std::string text() const {
        size_t length = 0;
        check(apprentice_text_length(handle, &length));
        std::string text(length + 1, '\0');
        check(apprentice_text_copy(handle, text.data(), text.size()));
        return text.pop_back(), text;
    }
};

inline Handle load(std::string_view path) {
    Handle level;
    check(apprentice_level_load(path.data(), path.size(), level.out()));
    return level;
}

inline std::string plan(const Handle &level, std::string_view ask = {}) {
    Handle document;
    check(apprentice_plan(level.get(), ask.data(), ask.size(), document.out()));
    return document.text();
}

// Runs what a callback does; an exception ends the plan with CALLBACK_FAILED instead of the program.
template <class Work> int32_t callback(Work work) noexcept {
    try { return work(), 0; } catch (...) { return 1; }
}

} // namespace apprentice
