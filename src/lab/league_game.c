// See league_game.h.
#include "lab/league_game.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/stop.h"

// ---- Minds ----

static bool init_hand(LeagueMind *mind, const Dna *dna, Error *error)
{
    Weight weights[TERM_COUNT];
    if (!twodepth_hand_from_dna(dna, weights, error))
        return false;
    mind->hand = malloc(sizeof *mind->hand);
    if (!mind->hand)
        return error_set(error, "out of memory");
    hand_setup_with(mind->hand, &VARIANTS[VARIANT_CHESS], weights);
    mind->how.hand = mind->hand;
    mind->mark = checksum_fnv(CHECKSUM_FNV_START, weights, sizeof weights);
    return true;
}

static bool init_network(LeagueMind *mind, const Dna *dna, Error *error)
{
    Brain *brain = brain_from_dna(dna, error);
    if (!brain)
        return false;
    mind->brain = brain_fast_new(brain, mind->how.reset != RESET_EVALUATION, error);
    brain_free(brain);
    if (!mind->brain)
        return false;
    for (int p = 0; p < TWODEPTH_PHASES; p++)
        mind->how.brains[p] = mind->brain;
    mind->mark = brain_fast_mark(mind->brain);
    return true;
}

bool league_mind_init(LeagueMind *mind, const LeagueStyle *style, const Dna *dna, Error *error)
{
    *mind = (LeagueMind){.how = style->how};
    return style->genome == GENOME_HAND ? init_hand(mind, dna, error)
                                        : init_network(mind, dna, error);
}

void league_mind_release(LeagueMind *mind)
{
    brain_fast_free(mind->brain);
    free(mind->hand);
    *mind = (LeagueMind){0};
}

// ---- A game ----

bool league_play(const LeagueMind *white, const LeagueMind *black, const Position *start,
                 int plies_max, GameStep *steps, const atomic_bool *stop, LeagueResult *result)
{
    const LeagueMind *const minds[2] = {white, black};
    TwoDepthMemory memories[2] = {0};
    Game game;
    Outcome outcome;
    game_init(&game, start, steps, plies_max);
    *result = (LeagueResult){0};
    while ((outcome = game_outcome(&game)).result == RESULT_NONE && game.count < plies_max) {
        const Color side = game.now.side;
        TwoDepthChoice choice;
        twodepth_choose(&minds[side]->how, &game, &memories[side], stop, &choice);
        if (stop_is_set(stop))
            return false;
        result->nodes += choice.nodes;
        game_play(&game, choice.move, NULL);
    }
    if (outcome.result == RESULT_NONE)
        outcome = (Outcome){RESULT_DRAW, REASON_ADJUDICATION};
    const double material = twodepth_material(&game.now);
    result->result = (uint8_t)outcome.result;
    result->reason = (uint8_t)outcome.reason;
    result->plies = (uint16_t)game.count;
    result->material = (float)(game.now.side == WHITE ? material : -material);
    return true;
}

double league_points(const LeagueResult *result)
{
    return result->result == RESULT_WHITE ? 1 : result->result == RESULT_BLACK ? 0 : 0.5;
}

double league_fitness(const LeagueResult *result, Color side)
{
    const double moves = result->plies / 1000.0;
    const double material = side == WHITE ? result->material : -result->material;
    if (result->result == RESULT_DRAW)
        return 0.5 + 0.05 * tanh(material);
    return (result->result == RESULT_WHITE) == (side == WHITE) ? 1 - moves : moves;
}
