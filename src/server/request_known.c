// Requests for what is known by heart: endgame tables and the opening book. As with the engine,
// nobody gets help against another person.
#include "server/request_int.h"

// Not while a game against another person goes on, here or with this position elsewhere.
static bool may_be_helped(Request *r, const Game *game)
{
    if (room_is_playing(r->room) && r->member->rights &&
        room_has_other_human(r->room, r->member->rights))
        return request_refuse(r, "not-allowed", "no-help", "no help against people");
    for (int i = 0; i < game->count; i++)
        r->hub->moves[i] = game->steps[i].move;
    return request_may_help(r, &game->start, r->hub->moves, game->count);
}

bool request_known(Request *r)
{
    int node = 0;
    Game game;
    const Knowledge *known = &r->hub->config.knowledge;
    if (!request_node(r, &node))
        return false;
    tree_game(&r->room->tree, node, &game, r->hub->steps);
    if (!may_be_helped(r, &game))
        return false;
    answer_int(r, "node", node);
    answer_json(r, "table", knowledge_table(known, &game.now));
    answer_json(r, "book", knowledge_book(known, &game.now));
    return true;
}

bool request_course(Request *r)
{
    const Room *room = r->room;
    if (!room->is_over && !room->is_analysis)
        return request_refuse(r, "not-allowed", "game-goes-on", "the game is still going on");
    int last = room->is_analysis ? tree_end(&room->tree, 0) : room->live;
    answer_json(r, "course", knowledge_course(&r->hub->config.knowledge, &room->tree, last));
    return true;
}
