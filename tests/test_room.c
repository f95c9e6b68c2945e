// A room's clocks, and what of a room survives a restart. No sockets, no waiting: the moment is an
// argument, or the clock is long.
#include "test_data.h"

#include "hub_help.h"

#include "base/clock.h"
#include "core/game.h"
#include "core/notation.h"
#include "server/play.h"
#include "server/room_file.h"

enum { MINUTE = 60000, INCREMENT = 7000 };

// Two people at one board, with a clock for the game.
static Room *make_room(HubBed *bed, ClockKind kind)
{
    Position start;
    assert_true(position_start(&start, &VARIANTS[VARIANT_CHESS], 0, NULL));
    Room *room = room_new(&start);
    assert_non_null(room);
    strcpy(room->seats[WHITE].name, "Ann");
    strcpy(room->seats[BLACK].name, "Ben");
    room->clock = (RoomClock){
        .kind = kind, .time_ms = {5 * MINUTE, 5 * MINUTE}, .increment_ms = {INCREMENT, INCREMENT}};
    room_reset_clock(room);
    assert_true(hub_add_room(&bed->hub, room));
    return room;
}

static void play_moves(HubBed *bed, Room *room, const char *moves)
{
    char word[8];
    int used;
    for (; sscanf(moves, "%7s%n", word, &used) == 1; moves += used) {
        Game game;
        Error error;
        tree_game(&room->tree, room->live, &game, bed->hub.steps);
        Move move = move_from_uci(&game.now, word, &error);
        assert_int_not_equal(move, MOVE_NONE);
        assert_int_not_equal(play_move(&bed->hub, room, move, &error), NODE_NONE);
    }
}

// Time left, but for what the test itself took.
static bool is_left(const Room *room, Color c, int64_t ms)
{
    int64_t left = room_left_ms(room, c, clock_ms());
    return left <= ms && left > ms - MINUTE / 2;
}

// Only the clock of the side to move runs, from the third half-move on, and each move adds the
// increment.
static void test_clock_runs(void **state)
{
    (void)state;
    HubBed bed;
    assert_true(bed_open(&bed));
    Room *room = make_room(&bed, CLOCK_GAME);
    play_moves(&bed, room, "e2e4");
    assert_int_equal(room->clock.since_ms, 0); // not yet
    play_moves(&bed, room, "e7e5");
    assert_true(room->clock.since_ms);
    int64_t later = room->clock.since_ms + MINUTE;
    assert_int_equal(room_left_ms(room, WHITE, later), 4 * MINUTE);
    assert_int_equal(room_left_ms(room, BLACK, later), 5 * MINUTE);
    assert_int_equal(room_due_ms(room), room->clock.since_ms + 5 * MINUTE);
    play_moves(&bed, room, "g1f3 b8c6 f1b5");
    assert_true(is_left(room, WHITE, 5 * MINUTE + 2 * INCREMENT));
    assert_true(is_left(room, BLACK, 5 * MINUTE + INCREMENT));
    assert_true(room_left_ms(room, WHITE, clock_ms()) > 5 * MINUTE + INCREMENT);
    bed_close(&bed);
}

static void test_clock_of_a_move(void **state)
{
    (void)state;
    HubBed bed;
    assert_true(bed_open(&bed));
    Room *room = make_room(&bed, CLOCK_MOVE);
    play_moves(&bed, room, "e2e4 e7e5");
    room->clock.since_ms -= 2 * MINUTE;
    play_moves(&bed, room, "g1f3 b8c6"); // a new move, a new clock
    assert_true(is_left(room, WHITE, 5 * MINUTE));
    bed_close(&bed);
}

static void test_flag_falls(void **state)
{
    (void)state;
    HubBed bed;
    assert_true(bed_open(&bed));
    Room *room = make_room(&bed, CLOCK_GAME);
    play_moves(&bed, room, "e2e4 e7e5 g1f3");
    int64_t end = room_due_ms(room);
    play_due(&bed.hub, room, end - 1);
    assert_false(room->is_over);
    play_due(&bed.hub, room, end);
    assert_true(room->is_over);
    assert_int_equal(room->result, RESULT_WHITE);
    assert_string_equal(room->reason, reason_code(REASON_TIME));
    bed_close(&bed);
}

// A pause stops the clock, and it goes on from there.
static void test_pause(void **state)
{
    (void)state;
    HubBed bed;
    assert_true(bed_open(&bed));
    Room *room = make_room(&bed, CLOCK_GAME);
    play_moves(&bed, room, "e2e4 e7e5");
    room->clock.since_ms -= MINUTE;
    play_pause(&bed.hub, room);
    assert_int_equal(room->clock.since_ms, 0);
    assert_int_equal(room_due_ms(room), 0);
    assert_true(is_left(room, WHITE, 4 * MINUTE));
    int64_t left = room->clock.left_ms[WHITE];
    play_due(&bed.hub, room, clock_ms() + 60 * MINUTE);
    assert_false(room->is_over);
    play_resume(&bed.hub, room);
    assert_true(room->clock.since_ms);
    assert_int_equal(room->clock.left_ms[WHITE], left);
    bed_close(&bed);
}

// What was stored of a room, read again.
static Room *load_again(HubBed *bed, Room *room)
{
    int64_t updated;
    Error error = {0};
    room_touch(room, FIELD_ALL);
    hub_mark(&bed->hub, room);
    hub_turn(&bed->hub);
    Room *again = room_load(bed->store, room->id, &updated, &error);
    if (!again)
        fail_msg("%s", error.text);
    return again;
}

static void test_reload(void **state)
{
    (void)state;
    HubBed bed;
    assert_true(bed_open(&bed));
    Room *room = make_room(&bed, CLOCK_GAME);
    play_moves(&bed, room, "e2e4 e7e5 g1f3");
    play_pause(&bed.hub, room);
    room->clock.left_ms[WHITE] = 4 * MINUTE;
    room->clock.left_ms[BLACK] = 3 * MINUTE;
    room->seats[BLACK] = (Seat){.kind = SEAT_PLAYER, .move_ms = 1234};
    strcpy(room->seats[BLACK].name, "level=5");
    room->seats[WHITE].is_remote = room->seats[WHITE].has_come = true;
    room->draw_by = BLACK;
    room->clock.time_ms[BLACK] = 7 * MINUTE;
    room->clock.increment_ms[BLACK] = 2 * INCREMENT;
    room->takeback_by = WHITE;
    room->takeback_plies = 2;
    room->series_games = 6;
    room->series_alternates = room->is_swapped = true;
    room->speed_ms = 777;
    room->own[WHITE].last_score = 55;
    room->own[BLACK].last_score = -66;

    Room *again = load_again(&bed, room);
    assert_true(again->is_paused && !again->is_over);
    assert_int_equal(again->clock.kind, CLOCK_GAME);
    assert_int_equal(again->clock.time_ms[WHITE], 5 * MINUTE);
    assert_int_equal(again->clock.time_ms[BLACK], 7 * MINUTE);
    assert_int_equal(again->clock.increment_ms[WHITE], INCREMENT);
    assert_int_equal(again->clock.increment_ms[BLACK], 2 * INCREMENT);
    assert_int_equal(again->clock.left_ms[WHITE], 4 * MINUTE);
    assert_int_equal(again->clock.left_ms[BLACK], 3 * MINUTE);
    assert_int_equal(again->clock.since_ms, 0);
    for (Color c = WHITE; c <= BLACK; c++) {
        assert_int_equal(again->seats[c].kind, room->seats[c].kind);
        assert_string_equal(again->seats[c].name, room->seats[c].name);
        assert_int_equal(again->seats[c].is_remote, room->seats[c].is_remote);
        assert_int_equal(again->seats[c].has_come, room->seats[c].has_come);
        assert_int_equal(again->seats[c].move_ms, room->seats[c].move_ms);
        assert_int_equal(again->own[c].last_score, room->own[c].last_score);
    }
    for (int i = 0; i < KEY_COUNT; i++)
        assert_string_equal(again->keys[i], room->keys[i]);
    assert_int_equal(again->live, room->live);
    assert_int_equal(again->draw_by, BLACK);
    assert_int_equal(again->takeback_by, WHITE);
    assert_int_equal(again->takeback_plies, 2);
    assert_int_equal(again->rematch_by, -1);
    assert_int_equal(again->series_games, 6);
    assert_true(again->series_alternates && again->is_swapped);
    assert_int_equal(again->speed_ms, 777);
    room_free(again);

    // A running clock is kept as it shows.
    room->seats[BLACK] = (Seat){.kind = SEAT_HUMAN};
    play_resume(&bed.hub, room);
    room->clock.since_ms -= MINUTE;
    again = load_again(&bed, room);
    assert_false(again->is_paused);
    assert_true(again->clock.left_ms[BLACK] <= 2 * MINUTE && again->clock.left_ms[BLACK] > MINUTE);
    assert_int_equal(again->clock.left_ms[WHITE], 4 * MINUTE);
    room_free(again);

    // So is the end.
    play_end(&bed.hub, room, RESULT_BLACK, "resignation");
    again = load_again(&bed, room);
    assert_true(again->is_over);
    assert_int_equal(again->result, RESULT_BLACK);
    assert_string_equal(again->reason, "resignation");
    room_free(again);
    bed_close(&bed);
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clock_runs), cmocka_unit_test(test_clock_of_a_move),
        cmocka_unit_test(test_flag_falls), cmocka_unit_test(test_pause),
        cmocka_unit_test(test_reload),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
