// See agents.h. A new agent is a row here and a file with its SimpleChooser (or a `make` of its
// own).
#include "lab/agents/agents.h"

#include "lab/agents/material.h"

const PlayerKind AGENT_KINDS[] = {{.name = "material",
                                   .title = "Material counter",
                                   .usage = "material [depth=N]",
                                   .help = "alpha-beta to a fixed depth (3) that counts 1/3/3/5/9",
                                   .guest_depth = 5,
                                   .choose = material_player},
                                  {0}};
