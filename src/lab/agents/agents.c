// See agents.h. A new agent is a row here and a file with its `make` (agent.h) or SimpleChooser.
#include "lab/agents/agents.h"

#include "lab/agents/agent.h"
#include "lab/agents/g.h"
#include "lab/agents/m.h"
#include "lab/agents/material.h"
#include "lab/agents/naive.h"
#include "lab/agents/steps.h"

const PlayerKind AGENT_KINDS[] = {
    {.name = "naive",
     .title = "Naive board",
     .usage = "naive [depth=N]",
     .help = "negamax (2) on an 8x8 array of names, its legal moves found by trying",
     .plays = agent_plays_plain,
     .guest_depth = 3,
     .make = naive_player},
    {.name = "minimax",
     .title = "Minimax",
     .usage = "minimax [depth=N]",
     .help = "the whole tree to a fixed depth (3), counting 1/3/3/5/9",
     .guest_depth = 4,
     .make = minimax_player},
    {.name = "negamax",
     .title = "Negamax",
     .usage = "negamax [depth=N]",
     .help = "the same (3) with one rule for both sides",
     .guest_depth = 4,
     .make = negamax_player},
    {.name = "alphabeta",
     .title = "Alpha-beta",
     .usage = "alphabeta [depth=N]",
     .help = "the same moves (4) without what cannot matter; no ordering",
     .guest_depth = 5,
     .make = alpha_beta_player},
    {.name = "material",
     .title = "Material counter",
     .usage = "material [depth=N]",
     .help = "alpha-beta to a fixed depth (3) that counts 1/3/3/5/9",
     .guest_depth = 5,
     .choose = material_player},
    {.name = "textbook-g",
     .title = "Textbook G",
     .usage = "textbook-g [depth=N]",
     .help = "bitboards, table, killers, quiescence (10); pv= table= mvvlva= killers= quiescence=",
     .plays = agent_plays_plain,
     .has_options = true,
     .check = g_check,
     .guest_depth = 10,
     .make = g_player},
    {.name = "textbook-m",
     .title = "Textbook M",
     .usage = "textbook-m [depth=N]",
     .help = "120-square mailbox, PV table, no quiescence (3, to 5); pv= mvvlva=",
     .plays = agent_plays_plain,
     .has_options = true,
     .check = m_check,
     .guest_depth = M_DEPTH_MOST,
     .make = m_player},
    {0}};
