// Every kind of player at the board and on the laboratory page: node players.mjs FILE, with lines KIND, tab, DESCRIPTION
// (tests/test_players.sh writes them from the program's own list).
import fs from 'node:fs';
import path from 'node:path';
import { Client, is, LOVAC, ok, run, scratch, sleep, startServer } from './client.mjs';

const rows = fs.readFileSync(process.argv[2], 'utf8').trim().split('\n').map((line) => line.split('\t'));
process.argv.splice(2);
// Strangers may not start processes or read files: such players come from the file of the server's owner.
const isExternal = (kind) => ['uci', 'xboard', 'network', 'fullnet'].includes(kind);
const folder = scratch(), file = path.join(folder, 'engines.conf');
fs.writeFileSync(file, rows.filter(([kind]) => isExternal(kind)).map(([kind, text]) => `My ${kind}: ${text}\n`).join(''));
const server = await startServer({ args: ['--engines', file] });
const code = (answer) => answer.error?.code ?? 'none';
const nameOf = ([kind, text]) => (isExternal(kind) ? `My ${kind}` : text);

async function answers(c, player, name, variant = 'chess') {
  const made = await c.ask({ do: 'create', variant, ...(variant === 'chess' ? {} : { start: 0 }), white: { kind: 'human', name: 'A' }, black: player });
  if (!made.ok) throw new Error(JSON.stringify(made));
  const { moves } = c.rooms.get(made.room).position;
  const [from, [to]] = Object.entries(moves)[0];
  await c.ask({ do: 'move', room: made.room, ply: 0, uci: from + to.slice(0, 2) });
  await c.until(made.room, (r) => r.position.ply === 2);
  ok(true, name);
  return made.room;
}

async function whole(c, choices) {
  const answer = await c.ask({ do: 'run', experiment: 'match', choices });
  if (!answer.ok) throw new Error(JSON.stringify(answer));
  // Slowly enough that a long run does not make too many requests of it.
  for (;; await sleep(200)) {
    const { run: shown } = await c.ask({ do: 'look', run: answer.run });
    if (['done', 'stopped', 'failed', 'interrupted'].includes(shown.state)) return shown;
  }
}

await run({
  async board() {
    // A person may make only so many rooms in a row: each list has a client of its own.
    const [c, d, e] = await Promise.all([1, 2, 3].map(() => Client.open(server)));
    // People's levels take their time, so all play at once.
    const listed = c.welcome.engines.map((engine) => engine.name);
    await Promise.all([
      ...rows.map((row) => answers(c, { kind: 'engine', engine: nameOf(row), move_ms: 100 }, `board: ${row[0]} plays`)),
      ...listed.map((engine) => answers(d, { kind: 'engine', engine, move_ms: 100 }, `board: ${engine} is listed and plays`)),
      ...c.welcome.levels.map(({ level }) => answers(e, { kind: 'lovac', level, move_ms: 100 }, `board: level ${level} plays`)),
    ]);
    ok(rows.filter(([kind]) => isExternal(kind)).every((row) => listed.includes(nameOf(row))), 'board: the players of the file are listed');
    const room = await answers(c, { kind: 'search', evaluation: 'hand', nodes: 50 }, 'board: the engine with a number of nodes');
    is(c.rooms.get(room).black.nodes, 50, 'and it is shown as what it is');
    await answers(c, { kind: 'engine', engine: 'material depth=2', move_ms: 100 }, 'board: another game', 'legan');
    await answers(c, { kind: 'engine', engine: 'textbook-d level=easy null=off', move_ms: 100 }, 'board: an agent with switches', 'legan');
    const minimax = c.welcome.engines.find((engine) => engine.name === 'Minimax');
    ok(minimax.depth === 4 && /whole tree/.test(minimax.help) && !minimax.words, 'a listed player tells its depth and what it is', minimax);
    await answers(c, { kind: 'engine', engine: 'Minimax depth=2', move_ms: 100 }, 'board: a name of the list with its depth');
    await answers(c, { kind: 'engine', engine: 'Textbook D (extensions) depth=2 null=off', move_ms: 100 }, 'board: and with other words');
    const bot = await answers(c, { kind: 'engine', engine: 'textbook-m', move_ms: 1000 }, 'board: an agent tells what it thought');
    const { line } = c.events.filter((event) => event.event === 'thinking' && event.room === bot).at(-1);
    ok(line.depth === 3 && line.pv.length === 3 && line.nodes > 100, 'its depth, nodes and expected line', line);
  },

  async laboratory() {
    const c = await Client.open(server);
    await c.ask({ do: 'lab' });
    const random = { kind: 'engine', engine: 'Random mover' };
    for (const row of rows) {
      const shown = await whole(c, { first: { kind: 'engine', engine: nameOf(row) }, second: random, games: 2 });
      ok(shown.state === 'done' && shown.tables.games.length === 2, `laboratory: ${row[0]} plays`, shown);
      const how = shown.tables.games.map((r) => r[4]);
      ok(!how.includes('abandoned') && !how.includes('illegal-move'), `laboratory: ${row[0]} breaks nothing`, how);
    }
  },

  // What strangers must not be able to ask for.
  async strangers() {
    const c = await Client.open(server);
    const bad = ['rm -rf /', LOVAC, `uci ${LOVAC}`, `xboard ${LOVAC}`, 'lovac hash=100000', 'lovac net=/etc/passwd', 'lovac threads=64', 'lovac nodes=1000000000',
      'random log=/tmp/x', 'material depth=20', 'textbook-g depth=20', 'textbook-g hash=4096', 'textbook-d level=brutal', 'textbook-m pv=perhaps', 'level=13', 'lovac elo=9999', 'lovac movetime=10000', 'Minimax depth=9', 'Minimax log=/tmp/x', '', 'x'.repeat(300)];
    for (const engine of bad) {
      is(code(await c.ask({ do: 'create', black: { kind: 'engine', engine } })), 'bad-request', `board: refused: ${engine.slice(0, 40)}`);
      is(code(await c.ask({ do: 'run', experiment: 'match', choices: { first: { kind: 'engine', engine } } })), 'bad-request', `laboratory: refused: ${engine.slice(0, 40)}`);
    }
  },

  // Two games under one engine: the clock of one must not rule the other.
  async clocks() {
    const s = await startServer({ args: ['--threads', '1'] });
    const c = await Client.open(s);
    const begin = (time_ms) => c.ask({ do: 'create', clock: { kind: 'game', time_ms, increment_ms: 0 }, white: { kind: 'human', name: 'A' }, black: { kind: 'lovac', level: 12 } });
    const long = await begin(40000), short = await begin(12000);
    const turn = async ({ room }, ply, uci) => {
      const moved = c.event((e) => e.event === 'thinking' && e.room === room);
      await c.ask({ do: 'move', room, ply, uci });
      await moved;
      await c.until(room, (r) => r.position.ply === ply + 2);
      return c.events.filter((e) => e.event === 'thinking' && e.room === room).at(-1).line.time_ms;
    };
    await turn(short, 0, 'e2e4');
    await turn(long, 0, 'e2e4');
    const time = await turn(short, 2, 'd2d4');
    ok(time >= 60, 'a game beside another has its own clock', `${time} ms`);
    await s.kill('SIGTERM');
  },
});
