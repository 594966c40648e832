/* Apprentice for C: game characters that learn from demonstrations.
 *
 * Everything is asked for by handles, which are numbers: one that was freed, or never was, is an error
 * and no crash. Texts go in with their lengths, as UTF-8, and need no zero at the end; a pointer may be
 * null where the length is 0. Every function that can fail returns APPRENTICE_OK or what kind of thing
 * is wrong; apprentice_last_error says it in words, for the thread that was told. Nothing of Rust ever
 * unwinds into C. Any thread may call anything; a handle that another thread is using is BUSY.
 *
 * Made by cbindgen from crates/capi/src; the tests look whether it still fits. */

#ifndef APPRENTICE_H
#define APPRENTICE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/**
 * In place of the number of a character: everybody.
 */
#define APPRENTICE_EVERYBODY UINT32_MAX

/**
 * How a call ended. Numbers stay.
 */
typedef enum ApprenticeStatus {
    /**
     * It was done.
     */
    APPRENTICE_STATUS_OK = 0,
    /**
     * A pointer is null that must not be.
     */
    APPRENTICE_STATUS_NULL_POINTER = 1,
    /**
     * A text is no UTF-8.
     */
    APPRENTICE_STATUS_BAD_TEXT = 2,
    /**
     * A handle was freed, never was, or is of another kind.
     */
    APPRENTICE_STATUS_BAD_HANDLE = 3,
    /**
     * Another thread, or a function further up, is using it.
     */
    APPRENTICE_STATUS_BUSY = 4,
    /**
     * A question is no JSON, or a word or a field of it is missing, or nobody knows it.
     */
    APPRENTICE_STATUS_NOT_UNDERSTOOD = 5,
    /**
     * Nothing, or nobody, of that name or number is there.
     */
    APPRENTICE_STATUS_NO_SUCH = 6,
    /**
     * A file cannot be read, or a level, a log, a plan or a domain has a mistake in it.
     */
    APPRENTICE_STATUS_BAD_FILE = 7,
    /**
     * A planner, its numbers or its events make no sense here.
     */
    APPRENTICE_STATUS_BAD_SETTINGS = 8,
    /**
     * A number or a place makes no sense.
     */
    APPRENTICE_STATUS_BAD_VALUE = 9,
    /**
     * A callback has failed.
     */
    APPRENTICE_STATUS_CALLBACK_FAILED = 10,
    /**
     * A mistake of ours: please report it.
     */
    APPRENTICE_STATUS_BUG = 11,
} ApprenticeStatus;

/**
 * What this library keeps for its caller; 0 is nothing.
 */
typedef uint64_t ApprenticeHandle;

/**
 * A place: in cells on grids, in metres on navmeshes.
 */
typedef struct ApprenticePlace {
    /**
     * To the east.
     */
    double x;
    /**
     * To the south.
     */
    double y;
    /**
     * Upwards.
     */
    double z;
} ApprenticePlace;

/**
 * What the budget went to.
 */
typedef struct ApprenticeSpent {
    /**
     * Units that were spent: never more than were given.
     */
    uint64_t units;
    /**
     * How many looked whether their plan still holds.
     */
    uint64_t looked;
    /**
     * How many have made a plan and follow it now.
     */
    uint64_t planned;
    /**
     * How many make a plan.
     */
    uint64_t thinking;
    /**
     * How many wait for their turn.
     */
    uint64_t waiting;
} ApprenticeSpent;

/**
 * What a character is to do now.
 */
typedef struct ApprenticeOrder {
    /**
     * 0 wait, 1 go to the neighbour at `east` and `south`, 2 follow a link of a navmesh, 3 use what is
     * here.
     */
    int32_t kind;
    /**
     * -1, 0 or 1.
     */
    int32_t east;
    /**
     * -1, 0 or 1.
     */
    int32_t south;
    /**
     * 0 walk, 1 sneak, 2 run.
     */
    int32_t gait;
    /**
     * 1 if it is willing to fight.
     */
    int32_t fights;
    /**
     * 1 if it blocks.
     */
    int32_t blocks;
    /**
     * 0 following, 1 thinking, 2 done, 3 stuck, 4 dead.
     */
    int32_t doing;
    /**
     * How many plans it has made so far.
     */
    uint32_t plans;
    /**
     * 1 if it is to go somewhere else.
     */
    int32_t has_destination;
    /**
     * Where to: where the step it is in the middle of leads, or else its order.
     */
    struct ApprenticePlace destination;
    /**
     * Where the character is thought to be.
     */
    struct ApprenticePlace at;
} ApprenticeOrder;

/**
 * A way from one place to another, by their numbers.
 */
typedef struct ApprenticeWay {
    /**
     * Where it begins.
     */
    uint64_t from;
    /**
     * Where it ends.
     */
    uint64_t to;
    /**
     * How long it is; at the top speed it takes this divided by that.
     */
    double length;
} ApprenticeWay;

/**
 * A key, or whatever keys open.
 */
typedef struct ApprenticeLock {
    /**
     * The place it is in.
     */
    uint64_t place;
    /**
     * 1 if nobody enters its place until it is open: a door.
     */
    int32_t bars;
    /**
     * 1 if it uses up what opens it.
     */
    int32_t uses_up;
    /**
     * Each of these opens it, by their numbers in the list.
     */
    const uint32_t *opened_by;
    /**
     * How many those are.
     */
    size_t opened_by_count;
} ApprenticeLock;

/**
 * Answers a question about a state by writing to `answer`, and returns 0. Anything else ends the plan.
 * It must not throw.
 */
typedef int32_t (*ApprenticeQuestion)(void *context,
                                      uint64_t state,
                                      uint64_t number,
                                      uint64_t *answer);

/**
 * Lists the steps that leave a state: calls `apprentice_push` with `sink` for each, always in the same
 * order, and returns 0. Anything else ends the plan. It must not throw.
 */
typedef int32_t (*ApprenticeSuccessors)(void *context, uint64_t state, void *sink);

/**
 * A game of one's own. States and actions are numbers that only the game understands.
 */
typedef struct ApprenticeGame {
    /**
     * Handed to every callback.
     */
    void *context;
    /**
     * Where places are.
     */
    const struct ApprenticePlace *places;
    /**
     * How many there are.
     */
    size_t place_count;
    /**
     * The ways between them. Every step of the game from one place to another is one of these, and
     * takes no less time: bounds rest on it.
     */
    const struct ApprenticeWay *ways;
    /**
     * How many there are.
     */
    size_t way_count;
    /**
     * Keys and doors; none if there are none.
     */
    const struct ApprenticeLock *locks;
    /**
     * How many there are.
     */
    size_t lock_count;
    /**
     * The places where it may end; none if `is_goal` says so.
     */
    const uint64_t *goals;
    /**
     * How many there are.
     */
    size_t goal_count;
    /**
     * A line that was shown; none if nothing was.
     */
    const struct ApprenticePlace *shown;
    /**
     * How many points it has.
     */
    size_t shown_count;
    /**
     * The greatest speed over the ways.
     */
    double top_speed;
    /**
     * The state it begins in.
     */
    uint64_t start;
    /**
     * Which place somebody is at in a state; `number` is 0.
     */
    ApprenticeQuestion place;
    /**
     * The steps that leave a state.
     */
    ApprenticeSuccessors successors;
    /**
     * 1 if it may end in a state; null if `goals` says where. `number` is 0.
     */
    ApprenticeQuestion is_goal;
    /**
     * 1 if the lock `number` is open in a state, or its key taken; null if there are no locks.
     */
    ApprenticeQuestion is_done;
} ApprenticeGame;

/**
 * Asked for a file that a level names: whoever is asked calls `apprentice_supply` with `sink` and what
 * is in it, and returns 0; anything else says that there is no such file. The name is UTF-8 without a
 * zero at its end. It must not throw.
 */
typedef int32_t (*ApprenticeFiles)(void *context, const char *name, size_t name_length, void *sink);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Frees whatever a handle stands for. Another thread that is using it goes on to its end. A handle that
 * was freed already is an error and no harm.
 */
enum ApprenticeStatus apprentice_free(ApprenticeHandle handle);

/**
 * How many handles there are that were not freed: to look for those that were forgotten.
 */
size_t apprentice_handles(void);

/**
 * A cast for a level as it is now: nobody yet.
 *
 * # Safety
 *
 * `cast` points to room for a handle; null is an error.
 */
enum ApprenticeStatus apprentice_cast_new(ApprenticeHandle level, ApprenticeHandle *cast);

/**
 * Somebody joins. `recruit` is JSON, such as {"at":[3,4],"goal":{"holds":"amulet"},"importance":8}, or
 * empty for the character of the level. `number` is what it goes by.
 *
 * # Safety
 *
 * Texts point to as many bytes as their lengths say, and `number` to room for a number.
 */
enum ApprenticeStatus apprentice_cast_add(ApprenticeHandle cast,
                                          const char *name,
                                          size_t name_length,
                                          const char *recruit,
                                          size_t recruit_length,
                                          uint32_t *number);

/**
 * Somebody is after something else: a goal in JSON, as scenario files write it.
 *
 * # Safety
 *
 * `goal` points to `length` bytes.
 */
enum ApprenticeStatus apprentice_cast_pursue(ApprenticeHandle cast,
                                             uint32_t number,
                                             const char *goal,
                                             size_t length);

/**
 * Somebody leaves.
 */
enum ApprenticeStatus apprentice_cast_dismiss(ApprenticeHandle cast, uint32_t number);

/**
 * Time passes: everybody goes on by its last order, in the world it sees. At most 60 seconds.
 */
enum ApprenticeStatus apprentice_cast_pass(ApprenticeHandle cast, double seconds);

/**
 * What the character `by` sees, or everybody: where somebody is. `id` is its id in the level; empty for
 * the one who sees it.
 *
 * # Safety
 *
 * `id` points to `length` bytes.
 */
enum ApprenticeStatus apprentice_cast_observe_place(ApprenticeHandle cast,
                                                    uint32_t by,
                                                    const char *id,
                                                    size_t length,
                                                    struct ApprenticePlace place);

/**
 * How well somebody is, from 0, which is dead.
 *
 * # Safety
 *
 * `id` points to `length` bytes.
 */
enum ApprenticeStatus apprentice_cast_observe_health(ApprenticeHandle cast,
                                                     uint32_t by,
                                                     const char *id,
                                                     size_t length,
                                                     double health);

/**
 * What somebody holds: all of it, as ids with a comma between any two. What it held besides is gone.
 *
 * # Safety
 *
 * Texts point to as many bytes as their lengths say.
 */
enum ApprenticeStatus apprentice_cast_observe_holding(ApprenticeHandle cast,
                                                      uint32_t by,
                                                      const char *id,
                                                      size_t length,
                                                      const char *items,
                                                      size_t items_length);

/**
 * Whether a door is open.
 *
 * # Safety
 *
 * `id` points to `length` bytes.
 */
enum ApprenticeStatus apprentice_cast_observe_door(ApprenticeHandle cast,
                                                   uint32_t by,
                                                   const char *id,
                                                   size_t length,
                                                   int32_t open);

/**
 * Whether an item lies where it lay at the beginning; otherwise it is gone, unless somebody has it.
 *
 * # Safety
 *
 * `id` points to `length` bytes.
 */
enum ApprenticeStatus apprentice_cast_observe_item(ApprenticeHandle cast,
                                                   uint32_t by,
                                                   const char *id,
                                                   size_t length,
                                                   int32_t lies);

/**
 * Whether a lever was pulled.
 *
 * # Safety
 *
 * `id` points to `length` bytes.
 */
enum ApprenticeStatus apprentice_cast_observe_lever(ApprenticeHandle cast,
                                                    uint32_t by,
                                                    const char *id,
                                                    size_t length,
                                                    int32_t pulled);

/**
 * Everybody looks up and thinks, for at most so many units together, and has an order. `spent` may be
 * null.
 *
 * # Safety
 *
 * `spent` points to room for what it says, or is null.
 */
enum ApprenticeStatus apprentice_cast_think(ApprenticeHandle cast,
                                            uint64_t units,
                                            struct ApprenticeSpent *spent);

/**
 * What somebody is to do now.
 *
 * # Safety
 *
 * `order` points to room for one; null is an error.
 */
enum ApprenticeStatus apprentice_cast_order(ApprenticeHandle cast,
                                            uint32_t number,
                                            struct ApprenticeOrder *order);

/**
 * Why somebody is stuck, or left its last plan; a text without letters if it never did.
 *
 * # Safety
 *
 * `why` points to room for a handle; null is an error.
 */
enum ApprenticeStatus apprentice_cast_why(ApprenticeHandle cast,
                                          uint32_t number,
                                          ApprenticeHandle *why);

/**
 * What somebody means to do, step by step, as a JSON document.
 *
 * # Safety
 *
 * `steps` points to room for a handle; null is an error.
 */
enum ApprenticeStatus apprentice_cast_ahead(ApprenticeHandle cast,
                                            uint32_t number,
                                            ApprenticeHandle *steps);

/**
 * The orders of several characters at once, for games with many: those of the numbers from `first` on.
 *
 * # Safety
 *
 * `orders` points to room for `count` of them.
 */
enum ApprenticeStatus apprentice_cast_orders(ApprenticeHandle cast,
                                             uint32_t first,
                                             struct ApprenticeOrder *orders,
                                             size_t count);

/**
 * Says that a step leaves the state that was asked about.
 *
 * # Safety
 *
 * `sink` is what `ApprenticeSuccessors` was just called with.
 */
enum ApprenticeStatus apprentice_push(void *sink, uint64_t action, uint64_t state, double seconds);

/**
 * Plans in a game of one's own, by any planner, for at most so many units; 0 is as many as usual. The
 * text is JSON: status, cost, bound, guarantee, expansions, and steps with action, state, place and t.
 * `settings` is JSON, such as {"planner":"auto","bound":2}, or empty.
 *
 * # Safety
 *
 * `game` points to one whose pointers are null or point to as many as it says, and whose callbacks take
 * what they say with its context; `settings` points to `length` bytes, `document` to room for a handle.
 */
enum ApprenticeStatus apprentice_game_plan(const struct ApprenticeGame *game,
                                           const char *settings,
                                           size_t length,
                                           uint64_t units,
                                           ApprenticeHandle *document);

/**
 * Reads a level from a file, with whatever it names from beside it.
 *
 * # Safety
 *
 * `path` points to `length` bytes, and `level` to room for a handle; null is an error.
 */
enum ApprenticeStatus apprentice_level_load(const char *path,
                                            size_t length,
                                            ApprenticeHandle *level);

/**
 * Reads a level from a text. `name` is what it is to be called, as the name of its file would be;
 * `files` is asked for whatever it names, and may be null if that is nothing.
 *
 * # Safety
 *
 * Texts point to as many bytes as their lengths say, `level` to room for a handle, and `files` takes
 * what it says, with this context.
 */
enum ApprenticeStatus apprentice_level_read(const char *name,
                                            size_t name_length,
                                            const char *content,
                                            size_t content_length,
                                            ApprenticeFiles files,
                                            void *context,
                                            ApprenticeHandle *level);

/**
 * Says what is in a file that was asked for.
 *
 * # Safety
 *
 * `sink` is what `ApprenticeFiles` was just called with, and `content` points to `length` bytes.
 */
enum ApprenticeStatus apprentice_supply(void *sink, const char *content, size_t length);

/**
 * Shows a recorded log in a level, to plans and to casts that are made later.
 *
 * # Safety
 *
 * Texts point to as many bytes as their lengths say.
 */
enum ApprenticeStatus apprentice_level_show_log(ApprenticeHandle level,
                                                const char *name,
                                                size_t name_length,
                                                const char *log,
                                                size_t log_length);

/**
 * Shows a line that was drawn: `points` are `count` times x and y.
 *
 * # Safety
 *
 * The name points to as many bytes as its length says, and `points` to twice `count` numbers.
 */
enum ApprenticeStatus apprentice_level_show_line(ApprenticeHandle level,
                                                 const char *name,
                                                 size_t name_length,
                                                 const double *points,
                                                 size_t count);

/**
 * Plans a quest: the text is what `apprentice plan --format json` prints. `ask` is JSON, such as
 * {"settings":{"bound":2},"expansions":100000,"explain":true}, or empty for a plan as usual.
 *
 * # Safety
 *
 * `ask` points to `length` bytes, and `document` to room for a handle; null is an error.
 */
enum ApprenticeStatus apprentice_plan(ApprenticeHandle level,
                                      const char *ask,
                                      size_t length,
                                      ApprenticeHandle *document);

/**
 * Plans a quest, and says in words what was found, what is proven, what is followed, and why.
 *
 * # Safety
 *
 * As `apprentice_plan`.
 */
enum ApprenticeStatus apprentice_explain(ApprenticeHandle level,
                                         const char *ask,
                                         size_t length,
                                         ApprenticeHandle *words);

/**
 * Lives through a plan, without any search code. `valid` is 1 if it works; if not it is 0, and `why`,
 * unless it is null, a text that says why.
 *
 * # Safety
 *
 * `document` points to `length` bytes, `valid` to room for a number, and `why` to room for a handle or
 * is null.
 */
enum ApprenticeStatus apprentice_verify(ApprenticeHandle level,
                                        const char *document,
                                        size_t length,
                                        int32_t *valid,
                                        ApprenticeHandle *why);

/**
 * What went wrong last on this thread, and what to try. Writes at most `capacity` bytes, the last of
 * which is a zero, and returns how many bytes the whole needs without it; 0 if nothing went wrong yet.
 *
 * # Safety
 *
 * `buffer` has room for `capacity` bytes, or is null.
 */
size_t apprentice_last_error(char *buffer,
                             size_t capacity);

/**
 * The version of this library, such as "0.1.0", with a zero at its end. It is there for good.
 */
const char *apprentice_version(void);

/**
 * Reads a domain of tasks, in the designers' language.
 *
 * # Safety
 *
 * Texts point to as many bytes as their lengths say, and `tasks` to room for a handle.
 */
enum ApprenticeStatus apprentice_tasks_read(const char *name,
                                            size_t name_length,
                                            const char *content,
                                            size_t content_length,
                                            ApprenticeHandle *tasks);

/**
 * Plans tasks: the text is what `apprentice htn plan --format json` prints. `ask` is JSON, such as
 * {"goal":"ordered(Guard(gate))","best":true,"iterations":10000}, or empty for the problem of the
 * domain.
 *
 * # Safety
 *
 * `ask` points to `length` bytes, and `document` to room for a handle; null is an error.
 */
enum ApprenticeStatus apprentice_tasks_plan(ApprenticeHandle tasks,
                                            const char *ask,
                                            size_t length,
                                            ApprenticeHandle *document);

/**
 * How many bytes a text has, without a zero at its end.
 *
 * # Safety
 *
 * `length` points to room for a number, or is null, which is an error.
 */
enum ApprenticeStatus apprentice_text_length(ApprenticeHandle text, size_t *length);

/**
 * Copies a text: at most `capacity` bytes, the last of which is a zero. A buffer that is too small has
 * the beginning of it, and it is an error.
 *
 * # Safety
 *
 * `buffer` has room for `capacity` bytes, or is null, which is an error.
 */
enum ApprenticeStatus apprentice_text_copy(ApprenticeHandle text,
                                           char *buffer,
                                           size_t capacity);

/**
 * Begins a session, which answers questions in JSON as `apprentice serve --stdio` does.
 *
 * # Safety
 *
 * `session` points to room for a handle, or is null, which is an error.
 */
enum ApprenticeStatus apprentice_session_new(ApprenticeHandle *session);

/**
 * Answers a question: a line without its end, in JSON. The answer is a text, also where it says that
 * something is wrong.
 *
 * # Safety
 *
 * `line` points to `length` bytes, and `answer` to room for a handle; null is an error.
 */
enum ApprenticeStatus apprentice_session_answer(ApprenticeHandle session,
                                                const char *line,
                                                size_t length,
                                                ApprenticeHandle *answer);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* APPRENTICE_H */
