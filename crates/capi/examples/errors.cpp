// What goes wrong is thrown in C++, and what a callback throws stays on its side.

#include <cstdio>
#include <cstring>

#include "apprentice.hpp"

static int32_t place(void *, uint64_t state, uint64_t, uint64_t *answer) {
    return apprentice::callback([&] { *answer = state; });
}

static int32_t successors(void *, uint64_t state, void *) {
    return apprentice::callback([&] { throw std::runtime_error("at " + std::to_string(state)); });
}

int main(int count, char **words) {
    if (count != 2) return 2;
    apprentice::Handle level = apprentice::load(words[1]);
    if (apprentice::plan(level).find("\"status\": \"found\"") == std::string::npos) return 3;
    try {
        apprentice::plan(level, "{\"settings\":{\"planner\":\"aut\"}}");
        return 4;
    } catch (const apprentice::Error &error) {
        if (std::strstr(error.what(), "did you mean `auto`?") == nullptr) return 5;
    }
    ApprenticePlace places[2] = {{0, 0, 0}, {1, 0, 0}};
    ApprenticeWay ways[1] = {{0, 1, 1}};
    uint64_t goal = 1;
    ApprenticeGame game = {};
    game.places = places, game.place_count = 2;
    game.ways = ways, game.way_count = 1;
    game.goals = &goal, game.goal_count = 1;
    game.top_speed = 1;
    game.place = place, game.successors = successors;
    apprentice::Handle document;
    try {
        apprentice::check(apprentice_game_plan(&game, nullptr, 0, 0, document.out()));
        return 6;
    } catch (const apprentice::Error &error) {
        if (error.status != APPRENTICE_STATUS_CALLBACK_FAILED) return 7;
    }
    level = apprentice::Handle();
    std::printf("%zu handles left\n", apprentice_handles());
    return apprentice_handles() == 0 ? 0 : 8;
}
