/* A guard in a game written in C: a level, a plan, a character that is told what is so and says what to
 * do, tasks, a game of one's own, and everything one can do wrong. Ends with 0 if all of it went well. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apprentice.h"

#define CHECK(what)                                                                                \
    do {                                                                                           \
        if (!(what)) {                                                                             \
            char why[500];                                                                         \
            apprentice_last_error(why, sizeof why);                                                \
            fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #what, why);                   \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static const char HALL[] = "format = 1\n"
                           "start = [0, 1]\n"
                           "goal = { within = { at = [8, 1], radius = 0.0 } }\n"
                           "map = { rows = ['....#....', '.........', '....#....', '.........'] }\n"
                           "door = [{ id = 'gate', at = [[4, 1]], open = true }]\n"
                           "demonstration = [{ file = 'anna.jsonl' }]\n";

static const char LOG[] = "{\"format\":1}\n{\"t\":0,\"x\":0,\"y\":1}\n{\"t\":8,\"x\":8,\"y\":1}\n";

/* Files that a level names come from the game's own package. */
static int32_t files(void *context, const char *name, size_t length, void *sink) {
    int *asked = context;
    ++*asked;
    if (length != 10 || memcmp(name, "anna.jsonl", 10) != 0) {
        return 1;
    }
    return apprentice_supply(sink, LOG, strlen(LOG)) == APPRENTICE_STATUS_OK ? 0 : 1;
}

static char *copied(ApprenticeHandle text) {
    size_t length = 0;
    CHECK(apprentice_text_length(text, &length) == APPRENTICE_STATUS_OK);
    char *copy = malloc(length + 1);
    CHECK(copy != NULL);
    CHECK(apprentice_text_copy(text, copy, length + 1) == APPRENTICE_STATUS_OK);
    CHECK(apprentice_free(text) == APPRENTICE_STATUS_OK);
    return copy;
}

static ApprenticeHandle hall(void) {
    ApprenticeHandle level = 0;
    int asked = 0;
    CHECK(apprentice_level_read("hall", 4, HALL, strlen(HALL), files, &asked, &level) ==
          APPRENTICE_STATUS_OK);
    CHECK(asked == 1);
    return level;
}

static void plans(ApprenticeHandle level) {
    ApprenticeHandle text = 0;
    CHECK(apprentice_plan(level, NULL, 0, &text) == APPRENTICE_STATUS_OK);
    char *plan = copied(text);
    CHECK(strstr(plan, "\"status\": \"found\"") != NULL);
    int32_t valid = 0;
    ApprenticeHandle why = 7;
    CHECK(apprentice_verify(level, plan, strlen(plan), &valid, &why) == APPRENTICE_STATUS_OK);
    CHECK(valid == 1 && why == 0);
    const char *wrong = "{\"steps\":[{\"action\":\"walk north\"}]}";
    CHECK(apprentice_verify(level, wrong, strlen(wrong), &valid, &why) == APPRENTICE_STATUS_OK);
    CHECK(valid == 0);
    free(copied(why));
    free(plan);
    CHECK(apprentice_explain(level, NULL, 0, &text) == APPRENTICE_STATUS_OK);
    char *words = copied(text);
    CHECK(strstr(words, "anna") != NULL);
    free(words);
}

static double nearer(double from, double to) {
    const double step = 0.05;
    return to - from > step ? from + step : from - to > step ? from - step : to;
}

static void plays(ApprenticeHandle level) {
    ApprenticeHandle cast = 0;
    uint32_t anna = 0;
    CHECK(apprentice_cast_new(level, &cast) == APPRENTICE_STATUS_OK);
    CHECK(apprentice_cast_add(cast, "anna", 4, NULL, 0, &anna) == APPRENTICE_STATUS_OK);
    ApprenticePlace at = {0, 1, 0};
    ApprenticeOrder order = {0};
    for (int frame = 0; order.doing != 2; frame++) {
        CHECK(frame < 2000);
        CHECK(apprentice_cast_pass(cast, 0.05) == APPRENTICE_STATUS_OK);
        CHECK(apprentice_cast_observe_place(cast, anna, NULL, 0, at) == APPRENTICE_STATUS_OK);
        if (frame == 40) {
            CHECK(apprentice_cast_observe_door(cast, APPRENTICE_EVERYBODY, "gate", 4, 0) ==
                  APPRENTICE_STATUS_OK);
        }
        ApprenticeSpent spent;
        CHECK(apprentice_cast_think(cast, 300, &spent) == APPRENTICE_STATUS_OK);
        CHECK(spent.units <= 300);
        CHECK(apprentice_cast_order(cast, anna, &order) == APPRENTICE_STATUS_OK);
        if (order.has_destination) {
            /* The engine's own way to move. */
            at.x = nearer(at.x, order.destination.x);
            at.y = nearer(at.y, order.destination.y);
        }
    }
    ApprenticeHandle why = 0, steps = 0;
    CHECK(apprentice_cast_why(cast, anna, &why) == APPRENTICE_STATUS_OK);
    char *words = copied(why);
    printf("anna has arrived after %u plans; the last time she changed her mind: %s\n", order.plans,
           words);
    CHECK(order.plans >= 2);
    free(words);
    const char *goal = "{\"within\":{\"at\":[0,3],\"radius\":0}}";
    CHECK(apprentice_cast_pursue(cast, anna, goal, strlen(goal)) == APPRENTICE_STATUS_OK);
    CHECK(apprentice_cast_think(cast, 5000, NULL) == APPRENTICE_STATUS_OK);
    CHECK(apprentice_cast_ahead(cast, anna, &steps) == APPRENTICE_STATUS_OK);
    free(copied(steps));
    CHECK(apprentice_cast_dismiss(cast, anna) == APPRENTICE_STATUS_OK);
    CHECK(apprentice_cast_order(cast, anna, &order) == APPRENTICE_STATUS_NO_SUCH);
    CHECK(apprentice_free(cast) == APPRENTICE_STATUS_OK);
}

static void does_tasks(void) {
    const char *text = "task Nap() { { true; } }";
    const char *ask = "{\"goal\":\"ordered(Nap(), Nap())\"}";
    ApprenticeHandle tasks = 0, plan = 0;
    CHECK(apprentice_tasks_read("nap", 3, text, strlen(text), &tasks) == APPRENTICE_STATUS_OK);
    CHECK(apprentice_tasks_plan(tasks, ask, strlen(ask), &plan) == APPRENTICE_STATUS_OK);
    char *words = copied(plan);
    CHECK(strstr(words, "[[\"Nap\"],[\"Nap\"]]") != NULL);
    free(words);
    CHECK(apprentice_free(tasks) == APPRENTICE_STATUS_OK);
}

/* A game of one's own: a corridor of ten places, a key in the first, a door in the seventh. The state is
 * the place, and 100 more with the key. */
static int32_t place(void *context, uint64_t state, uint64_t number, uint64_t *answer) {
    (void)context, (void)number;
    *answer = state % 100;
    return 0;
}

static int32_t is_done(void *context, uint64_t state, uint64_t number, uint64_t *answer) {
    (void)context;
    *answer = number == 0 ? state >= 100 : state % 100 >= 7 && state >= 100;
    return 0;
}

static int32_t successors(void *context, uint64_t state, void *sink) {
    int *failing = context;
    if (*failing) {
        return 42;
    }
    uint64_t at = state % 100, key = state - at;
    for (int step = -1; step <= 1; step += 2) {
        if ((at == 0 && step < 0) || (at == 9 && step > 0)) {
            continue;
        }
        uint64_t to = at + (uint64_t)step;
        if (to == 7 && key == 0) {
            continue;
        }
        uint64_t next = to + (to == 0 ? 100 : key);
        apprentice_push(sink, to, next, 1.0);
    }
    return 0;
}

static void plays_its_own_game(void) {
    ApprenticePlace places[10];
    ApprenticeWay ways[18];
    for (int x = 0; x < 10; x++) {
        places[x] = (ApprenticePlace){x, 0, 0};
    }
    for (int x = 0; x < 9; x++) {
        ways[2 * x] = (ApprenticeWay){(uint64_t)x, (uint64_t)x + 1, 1};
        ways[2 * x + 1] = (ApprenticeWay){(uint64_t)x + 1, (uint64_t)x, 1};
    }
    uint32_t key = 0;
    ApprenticeLock locks[2] = {{0, 0, 0, NULL, 0}, {7, 1, 0, &key, 1}};
    uint64_t goal = 9;
    int failing = 0;
    ApprenticeGame game = {0};
    game.context = &failing;
    game.places = places, game.place_count = 10;
    game.ways = ways, game.way_count = 18;
    game.locks = locks, game.lock_count = 2;
    game.goals = &goal, game.goal_count = 1;
    game.top_speed = 1, game.start = 4;
    game.place = place, game.successors = successors, game.is_done = is_done;
    ApprenticeHandle plan = 0;
    CHECK(apprentice_game_plan(&game, NULL, 0, 0, &plan) == APPRENTICE_STATUS_OK);
    char *words = copied(plan);
    CHECK(strstr(words, "\"status\":\"found\",\"cost\":13.0") != NULL);
    free(words);

    failing = 1;
    CHECK(apprentice_game_plan(&game, NULL, 0, 0, &plan) == APPRENTICE_STATUS_CALLBACK_FAILED);
    failing = 0;
    game.successors = NULL;
    CHECK(apprentice_game_plan(&game, NULL, 0, 0, &plan) == APPRENTICE_STATUS_CALLBACK_FAILED);
    game.successors = successors;
    game.places = NULL;
    CHECK(apprentice_game_plan(&game, NULL, 0, 0, &plan) == APPRENTICE_STATUS_NULL_POINTER);
    game.places = places;
    goal = 99;
    CHECK(apprentice_game_plan(&game, NULL, 0, 0, &plan) == APPRENTICE_STATUS_BAD_VALUE);
    CHECK(apprentice_game_plan(NULL, NULL, 0, 0, &plan) == APPRENTICE_STATUS_NULL_POINTER);
}

static void is_misused(ApprenticeHandle level) {
    ApprenticeHandle handle = 0, text = 0;
    char small[8];
    CHECK(apprentice_plan(0, NULL, 0, &text) == APPRENTICE_STATUS_BAD_HANDLE);
    CHECK(apprentice_plan(1234567890123, NULL, 0, &text) == APPRENTICE_STATUS_BAD_HANDLE);
    CHECK(apprentice_plan(level, NULL, 0, NULL) == APPRENTICE_STATUS_NULL_POINTER);
    CHECK(apprentice_plan(level, NULL, 5, &text) == APPRENTICE_STATUS_NULL_POINTER);
    CHECK(apprentice_plan(level, "\xff\xfe", 2, &text) == APPRENTICE_STATUS_BAD_TEXT);
    CHECK(apprentice_plan(level, "{", 1, &text) == APPRENTICE_STATUS_NOT_UNDERSTOOD);
    CHECK(apprentice_plan(level, "{\"settings\":{\"bound\":0}}", 24, &text) ==
          APPRENTICE_STATUS_BAD_SETTINGS);
    CHECK(apprentice_plan(level, "{}", (size_t)-1, &text) == APPRENTICE_STATUS_BAD_VALUE);
    CHECK(apprentice_cast_pass(level, 1) == APPRENTICE_STATUS_BAD_HANDLE);
    CHECK(apprentice_level_load("nowhere.toml", 12, &handle) == APPRENTICE_STATUS_BAD_FILE);
    CHECK(apprentice_last_error(small, sizeof small) > 8 && strlen(small) == 7);
    CHECK(apprentice_last_error(NULL, 0) > 8);
    CHECK(apprentice_level_read("x", 1, HALL, strlen(HALL), NULL, NULL, &handle) ==
          APPRENTICE_STATUS_BAD_FILE);

    CHECK(apprentice_cast_new(level, &handle) == APPRENTICE_STATUS_OK);
    CHECK(apprentice_cast_pass(handle, -1) == APPRENTICE_STATUS_BAD_VALUE);
    CHECK(apprentice_cast_observe_door(handle, APPRENTICE_EVERYBODY, "gaet", 4, 0) ==
          APPRENTICE_STATUS_NO_SUCH);
    CHECK(apprentice_cast_observe_door(handle, 3, "gate", 4, 0) == APPRENTICE_STATUS_NO_SUCH);
    CHECK(apprentice_free(handle) == APPRENTICE_STATUS_OK);
    /* Use after free, twice freed, and a new one in the same slot. */
    CHECK(apprentice_cast_pass(handle, 1) == APPRENTICE_STATUS_BAD_HANDLE);
    CHECK(apprentice_free(handle) == APPRENTICE_STATUS_BAD_HANDLE);
    CHECK(apprentice_cast_new(level, &text) == APPRENTICE_STATUS_OK);
    CHECK(text != handle && apprentice_cast_pass(handle, 1) == APPRENTICE_STATUS_BAD_HANDLE);
    CHECK(apprentice_free(text) == APPRENTICE_STATUS_OK);
}

/* So many calls take no more memory than a few. */
static void calls_often(ApprenticeHandle level, long calls) {
    ApprenticeHandle cast = 0, text = 0;
    uint32_t anna = 0;
    ApprenticeOrder order;
    CHECK(apprentice_cast_new(level, &cast) == APPRENTICE_STATUS_OK);
    CHECK(apprentice_cast_add(cast, "anna", 4, NULL, 0, &anna) == APPRENTICE_STATUS_OK);
    for (long call = 0; call < calls; call += 5) {
        CHECK(apprentice_cast_pass(cast, 0.016) == APPRENTICE_STATUS_OK);
        CHECK(apprentice_cast_think(cast, 50, NULL) == APPRENTICE_STATUS_OK);
        CHECK(apprentice_cast_order(cast, anna, &order) == APPRENTICE_STATUS_OK);
        if (call % 50000 == 0) {
            const char *goal = call % 100000 == 0 ? "{\"within\":{\"at\":[0,3],\"radius\":0}}"
                                                  : "{\"within\":{\"at\":[8,0],\"radius\":0}}";
            CHECK(apprentice_cast_pursue(cast, anna, goal, strlen(goal)) == APPRENTICE_STATUS_OK);
        }
        CHECK(apprentice_cast_why(cast, anna, &text) == APPRENTICE_STATUS_OK);
        CHECK(apprentice_free(text) == APPRENTICE_STATUS_OK);
    }
    CHECK(apprentice_free(cast) == APPRENTICE_STATUS_OK);
}

static long resident_kilobytes(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file != NULL) {
        if (fscanf(file, "%*s %ld", &pages) != 1) {
            pages = 0;
        }
        fclose(file);
    }
    return pages * 4;
}

/* Prints the plan of a scenario, as the command line does. */
static int prints(const char *path) {
    ApprenticeHandle level = 0, text = 0;
    CHECK(apprentice_level_load(path, strlen(path), &level) == APPRENTICE_STATUS_OK);
    const char *ask = "{\"expansions\":200000,\"explain\":true}";
    CHECK(apprentice_plan(level, ask, strlen(ask), &text) == APPRENTICE_STATUS_OK);
    char *plan = copied(text);
    fputs(plan, stdout);
    free(plan);
    CHECK(apprentice_free(level) == APPRENTICE_STATUS_OK);
    return 0;
}

int main(int count, char **words) {
    if (count == 3 && strcmp(words[1], "plan") == 0) {
        return prints(words[2]);
    }
    long calls = count == 3 && strcmp(words[1], "calls") == 0 ? atol(words[2]) : 1000;
    printf("apprentice %s\n", apprentice_version());
    ApprenticeHandle level = hall();
    plans(level);
    plays(level);
    does_tasks();
    plays_its_own_game();
    is_misused(level);
    calls_often(level, calls / 10);
    long before = resident_kilobytes();
    calls_often(level, calls);
    long grown = resident_kilobytes() - before;
    printf("%ld calls more, %ld KB more\n", calls, grown > 0 ? grown : 0);
    CHECK(apprentice_free(level) == APPRENTICE_STATUS_OK);
    CHECK(apprentice_handles() == 0);
    return 0;
}
