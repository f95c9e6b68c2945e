// The laboratory as browsers use it: each experiment run small, its figures checked against known ones; watching,
// stopping, limits, a restart.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client, LOVAC, is, ok, patience, run, scratch, sleep, startServer } from './client.mjs';

const data = scratch();
let server = await startServer({ data });
const code = (answer) => answer.error?.code ?? 'none';
const labNames = execFileSync(LOVAC, ['lab', 'list'], { encoding: 'utf8' }).match(/^[a-z][a-z-]+/gm);
const OVER = ['done', 'stopped', 'failed', 'interrupted'];

// A client that hears of runs.
async function visitor(options) {
  const c = await Client.open(server, options);
  c.lab = await c.ask({ do: 'lab' });
  return c;
}
const begin = (c, experiment, choices = {}) => c.ask({ do: 'run', experiment, choices });
const look = async (c, number) => (await c.ask({ do: 'look', run: number })).run;
async function ended(c, number, limit = 60000) {
  for (const end = Date.now() + limit; Date.now() < end; await sleep(200)) {
    const shown = await look(c, number);
    if (OVER.includes(shown.state)) return shown;
  }
  throw new Error(`run ${number} did not end`);
}
// Waits until a run has so many rows in a table, or is over: events that came with the answer would be missed.
async function hasRows(c, number, table, least = 1) {
  for (const end = Date.now() + 60000; Date.now() < end; await sleep(100)) {
    const shown = await look(c, number);
    if ((shown.tables?.[table]?.length ?? 0) >= least || OVER.includes(shown.state)) return shown;
  }
  throw new Error(`run ${number} has no ${least} rows of ${table}`);
}
async function whole(c, experiment, choices) {
  const answer = await begin(c, experiment, choices);
  if (!answer.ok) throw new Error(JSON.stringify(answer));
  return ended(c, answer.run);
}

await run({
  async experiments() {
    const c = await visitor();
    const keys = c.lab.experiments.map((e) => e.key);
    is(keys.slice(0, 5), ['depth', 'perft', 'match', 'league', 'steps'], 'the experiments are listed');
    is(keys.slice(5), labNames, 'and after them those of `lovac lab list`');
    for (const e of c.lab.experiments) {
      ok(e.title && e.text && e.choices.length && e.tables.length, `${e.key}: with title, text, choices and tables`);
      const columns = (key) => e.tables.find((t) => t.key === key).columns.map((x) => x.key);
      ok(e.charts.every((x) => columns(x.table).includes(x.x) && x.series.every((s) => [s.column, s.low, s.high].every((k) => !k || columns(x.table).includes(k)))), `${e.key}: its charts are about its columns`);
      ok(e.choices.every((x) => x.kind !== 'number' || (x.low <= x.usual && x.usual <= x.high)), `${e.key}: what is usual is allowed`);
    }
    is(code(await (await Client.open(server, { hello: false })).ask({ do: 'lab' })), 'bad-request', 'nothing before hello');
  },

  async badChoices() {
    const c = await visitor();
    const bad = [
      ['depth', { depth: 0 }, 'bad-request'], ['depth', { depth: 1000 }, 'bad-request'], ['depth', { plain: '6' }, 'bad-request'],
      ['depth', { fen: 'x' }, 'bad-fen'], ['depth', { evaluation: 'nnue' }, 'bad-request'], ['perft', { depth: 9 }, 'bad-request'],
      ['perft', { variant: 'go' }, 'bad-request'], ['perft', { fen: 7 }, 'bad-request'], ['match', { games: 1 }, 'bad-request'],
      ['match', { first: 'Lovac' }, 'bad-request'], ['match', { first: { kind: 'engine', engine: 'rm -rf' } }, 'bad-request'],
      ['match', { sprt: true, elo0: 5, elo1: 5 }, 'bad-request'], ['match', { first: { kind: 'search', nodes: 1e12 } }, 'bad-request'],
      ['bit-count', { size: 'huge' }, 'bad-request'], ['bit-count', { chance: 0 }, 'bad-request'],
      ['train', {}, 'bad-request'], ['depth', { Depth: 3 }, 'bad-request'], ['depth', [], 'bad-request'],
    ];
    for (const [experiment, choices, wanted] of bad) {
      const answer = await begin(c, experiment, choices);
      ok(code(answer) === wanted && answer.error.text.length > 5, `refused: ${experiment} ${JSON.stringify(choices)}`, answer);
    }
    is((await c.ask({ do: 'lab' })).runs, [], 'and nothing runs');
  },

  // An experiment of `lovac lab`: its rows come with the published figures.
  async rows() {
    const c = await visitor();
    const shown = await whole(c, 'bit-count', { size: 'quick' });
    const rows = shown.tables.bit_count;
    is([shown.state, rows.length], ['done', 15], 'bit counting: all rows');
    ok(rows.every((r) => r.slice(1, 5).every((x) => x > 0)), 'every method took its time', rows);
    is(rows.find((r) => r[0] === 10).slice(5), [3.268, 0.655, 0.678], 'the published figures stand beside them');
    is(rows.find((r) => r[0] === 16).slice(5), [null, null, null], 'where there are none, nothing');
    const wide = await whole(c, 'sliders', { size: 'quick' });
    is([wide.state, wide.tables.sliders.length, wide.tables.sliders[0][1]], ['done', 6, '3 B, 4 R, 2 Q'], 'sliding attacks: counts and words');
    const { run: number } = await begin(c, 'bit-scan', { size: 'full' });
    await hasRows(c, number, 'bit_scan');
    await c.ask({ do: 'halt', run: number });
    const stopped = await ended(c, number);
    ok(stopped.state === 'stopped' && stopped.tables.bit_scan.length < 12, 'stopped: what was measured stays', stopped);
  },

  async depth() {
    const c = await visitor();
    const shown = await whole(c, 'depth', { depth: 10, plain: 3 });
    const rows = shown.tables.depths;
    is([shown.state, shown.share], ['done', 1], 'nodes to a depth: done');
    is(rows.map((r) => r[0]), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 'a row for each depth');
    ok(rows.every((r, i) => i === 0 || r[1] >= rows[i - 1][1]), 'the engine needs more for more');
    ok(rows.slice(0, 3).every((r, i) => r[4] > 0 && (i === 0 || r[4] > rows[i - 1][4])) && rows[3][4] === null, 'alpha-beta to its own depth', rows);
    ok(Math.abs(rows[5][3] - rows[5][1] / rows[4][1]) < 1e-6, 'branching is the ratio of two depths');
    is(rows[9][7], 284504, 'the published figure for depth 10 stands beside it');
    const again = await whole(c, 'depth', { depth: 10, plain: 3 });
    is(again.tables.depths.map((r) => [r[1], r[4]]), rows.map((r) => [r[1], r[4]]), 'the same nodes every time');
    const other = await whole(c, 'depth', { variant: 'legan', depth: 10, plain: 2, evaluation: 'hand' });
    ok(other.tables.depths.length === 10 && other.tables.depths.every((r) => r[7] === null), 'no published figure for another game');
    const mate = await whole(c, 'depth', { fen: 'R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1' });
    ok(mate.state === 'failed' && /no legal move/.test(mate.problem), 'a position without moves is told', mate);
  },

  async perft() {
    const c = await visitor();
    const { examples } = c.lab.experiments[1].choices.find((x) => x.key === 'fen');
    for (const { name } of c.welcome.variants) {
      // The usual starts of some shuffled games have no known counts; then one that is offered.
      const fen = examples.find((e) => e.variant === name && e.key === 'shuffled')?.fen ?? '';
      const { tables, state } = await whole(c, 'perft', { variant: name, fen, depth: name === 'massacre' ? 2 : 3 });
      const [counts, split] = [tables.counts, tables.split];
      ok(state === 'done' && counts.every((r) => r[3] === '=' && r[1] === r[2]), `${name}: counts are the known ones`, counts);
      is(split.reduce((sum, r) => sum + r[1], 0), counts.at(-1)[1], `${name}: the split adds up`);
    }
    const { tables } = await whole(c, 'perft', { fen: examples.find((e) => e.key === 'kiwipete').fen, depth: 4 });
    is(tables.counts.map((r) => r[1]), [48, 2039, 97862, 4085603], 'any position');
  },

  async match() {
    const c = await visitor();
    const shown = await whole(c, 'match', { first: { kind: 'engine', engine: 'Greedy taker' }, second: { kind: 'engine', engine: 'Random mover' }, games: 4 });
    const [first, second] = shown.tables.score;
    is(shown.tables.games.length, 4, 'a match: four games');
    is(first[1] + first[2] + first[3], 4, 'all counted');
    is([first[1], first[2], first[4]], [second[3], second[2], 4 - second[4]], 'one wins what the other loses');
    is(shown.tables.games.map((r) => r[1]), ['Greedy taker', 'Random mover', 'Greedy taker', 'Random mover'], 'colours change');
    is(shown.tables.curve.map((r) => r[0]), [1, 2, 3, 4], 'Elo after every game');
    ok(shown.tables.curve.every((r) => r[2] <= r[1] && r[1] <= r[3]), 'between its bars');
    const { pgn } = await c.ask({ do: 'look', run: shown.run, game: 3 });
    const room = await c.ask({ do: 'create', mode: 'analysis', pgn, game: 0 });
    is(c.rooms.get(room.room).nodes.size - 1, shown.tables.games[3][5], 'a game of it is opened as an analysis');
    is(code(await c.ask({ do: 'look', run: shown.run, game: 4 })), 'bad-request', 'there is no fifth game');
    const levels = await whole(c, 'match', { first: { kind: 'lovac', level: 2 }, second: { kind: 'search', evaluation: 'hand', nodes: 50 }, games: 2, variant: 'corner', sprt: true });
    ok(levels.state === 'done' && levels.tables.sprt.length === 1, 'levels and nodes, another game, with SPRT', levels);
  },

  async watchAndStop() {
    const a = await visitor(), b = await visitor();
    const { run: number } = await begin(a, 'perft', { depth: 8 });
    const heard = await b.event((e) => e.event === 'run' && e.run === number && e.rows.counts?.rows.length);
    is(heard.state, 'running', 'another browser sees its rows come');
    await a.close();
    await sleep(300);
    is((await look(b, number)).state, 'running', 'it goes on when who began it leaves');
    const t = Date.now();
    await b.ask({ do: 'halt', run: number });
    is((await ended(b, number)).state, 'stopped', 'the stop button stops it');
    ok(Date.now() - t < patience(5000), 'soon', `${Date.now() - t} ms`);
    const { run: deep } = await begin(b, 'depth', { depth: 30, plain: 1 });
    await hasRows(b, deep, 'depths', 10);
    const u = Date.now();
    await b.ask({ do: 'halt', run: deep });
    ok((await ended(b, deep)).state === 'stopped' && Date.now() - u < patience(5000), 'the engine stops', `${Date.now() - u} ms`);
    const { run: plain } = await begin(b, 'depth', { depth: 2, plain: 9 });
    await hasRows(b, plain, 'depths', 4);
    await b.ask({ do: 'halt', run: plain });
    const cut = await ended(b, plain);
    ok(cut.state === 'stopped' && cut.tables.depths.length >= 4, 'alpha-beta stops too, and keeps what it found');
  },

  async limits() {
    const c = await visitor(), d = await visitor();
    const numbers = [];
    for (let i = 0; i < 2; i++) numbers.push((await begin(c, 'perft', { depth: 8 })).run);
    is(code(await begin(c, 'perft', { depth: 8 })), 'limit', 'two at a time for one browser');
    const { run: other } = await begin(d, 'perft', { depth: 1 });
    is((await look(d, other)).state, 'waiting', 'others wait their turn');
    // A game goes on beside it.
    const room = await d.ask({ do: 'create', white: { kind: 'human' }, black: { kind: 'lovac', level: 1 } });
    await d.ask({ do: 'move', room: room.room, ply: 0, uci: 'e2e4' });
    await d.until(room.room, (r) => r.position.ply === 2);
    ok(true, 'and games go on');
    for (const n of numbers) await c.ask({ do: 'halt', run: n });
    is((await ended(d, other)).state, 'done', 'then it is theirs');
  },

  async restart() {
    const c = await visitor();
    const done = await whole(c, 'perft', { depth: 2 });
    const before = await look(c, done.run);
    const { run: number } = await begin(c, 'perft', { depth: 8 });
    while ((await look(c, number)).state === 'waiting') await sleep(100);
    await server.kill();
    server = await startServer({ data });
    const d = await visitor();
    is((await look(d, done.run)).tables, before.tables, 'after kill -9 the results are still there');
    is((await look(d, number)).state, 'interrupted', 'what was running is told as interrupted');
    const { run: next } = await begin(d, 'perft', { depth: 8 });
    ok(next > number, 'numbers go on');
    await sleep(300);
    const t = Date.now();
    await server.kill('SIGTERM');
    ok(Date.now() - t < patience(5000), 'the server ends at once though one runs', `${Date.now() - t} ms`);
  },

  // Run, kill -9, go on: the same final table as a run in one piece, and nothing is done twice.
  async goOn() {
    await server.kill('SIGTERM');
    server = await startServer({ data });
    let c = await visitor();
    const experiments = { match: { first: { kind: 'engine', engine: 'Greedy taker' }, second: { kind: 'engine', engine: 'Random mover' }, games: 30 }, trees: {}, perft: { depth: 6 } };
    for (const [key, choices] of Object.entries(experiments)) {
      const table = { match: 'games', trees: 'tree_start', perft: 'counts' }[key];
      // Times differ, and so does what is reckoned from them.
      const figures = (shown) => shown.tables[table].map((row) => row.filter((_, i) => !['time', 'speed'].includes(c.lab.experiments.find((e) => e.key === key).tables.find((t) => t.key === table).columns[i].key)));
      const wanted = figures(await whole(c, key, choices));
      const { run: number } = await begin(c, key, choices);
      await hasRows(c, number, table);
      await server.kill();
      server = await startServer({ data });
      c = await visitor();
      const cut = await look(c, number);
      ok(cut.state === 'interrupted' || cut.state === 'done', `${key}: interrupted`, cut.state);
      if (cut.state !== 'done') is(code(await c.ask({ do: 'continue', run: number })), 'none', `${key}: goes on`);
      const shown = await ended(c, number);
      is([shown.state, figures(shown)], ['done', wanted], `${key}: the same table as in one piece`);
      is(code(await c.ask({ do: 'continue', run: number })), 'limit', `${key}: nothing is left to do`);
    }
    await server.kill('SIGTERM');
  },

  // A small league: killed and gone on with it has the same champions; they have pictures, and play.
  async league() {
    await server.kill('SIGTERM');
    server = await startServer({ data });
    let c = await visitor();
    const choices = { populations: 3, individuals: 3, generations: 8, freeze: 0, depth: 1, random: true };
    const wanted = await whole(c, 'league', choices);
    is([wanted.state, wanted.tables.league_generations.length, wanted.tables.league_populations.length], ['done', 8, 3], 'a league: a row for each generation and population');
    is(wanted.tables.league_populations.map((row) => row[2]).reduce((a, b) => a + b), 6, 'six games between three champions');
    const { run: number } = await begin(c, 'league', choices);
    await hasRows(c, number, 'league_generations');
    await server.kill();
    server = await startServer({ data });
    c = await visitor();
    if ((await look(c, number)).state !== 'done') is(code(await c.ask({ do: 'continue', run: number })), 'none', 'killed, it goes on');
    const shown = await ended(c, number);
    is([shown.state, shown.tables], ['done', wanted.tables], 'and ends with the same tables');
    const { svg } = await c.ask({ do: 'look', run: number, player: 4 });
    ok(svg.startsWith('<svg') && svg.includes('<circle'), 'a champion is drawn');
    is(svg, (await c.ask({ do: 'look', run: wanted.run, player: 4 })).svg, 'the same network');
    is(code(await c.ask({ do: 'look', run: number, player: 8 })), 'bad-request', 'there is no ninth');
    const room = await c.ask({ do: 'create', white: { kind: 'human' }, black: { kind: 'engine', engine: `champion ${number} 5` } });
    await c.ask({ do: 'move', room: room.room, ply: 0, uci: 'e2e4' });
    await c.until(room.room, (r) => r.position.ply === 2);
    ok(true, 'and plays');
    for (const engine of [`champion ${number} 9`, 'champion 999 1', `champion ${number}`, `champion ${number} ../1`])
      is(code(await c.ask({ do: 'create', white: { kind: 'human' }, black: { kind: 'engine', engine } })), 'bad-request', `nobody is '${engine}'`);
    is(code(await c.ask({ do: 'create', variant: 'horde32', white: { kind: 'human' }, black: { kind: 'engine', engine: `champion ${number} 5` } })), 'unavailable', 'it plays chess alone');
    await server.kill('SIGTERM');
  },

  // The class: trees of small positions, counted as the search counts, and a measurement of each step.
  async steps() {
    await server.kill('SIGTERM');
    server = await startServer({ data });
    const c = await visitor();
    const fen = 'k7/8/8/3p4/2P5/8/8/K7 w - - 0 1';
    const trees = {};
    for (const method of ['minimax', 'alphabeta', 'ordering', 'quiescence', 'table', 'evaluation', 'network']) {
      const { tree } = await c.ask({ do: 'walk', method, depth: 3, fen });
      trees[method] = tree;
      ok(tree.depth === 3 && tree.nodes[0].parent === -1 && tree.nodes.every((n, i) => n.parent < i), `${method}: a tree`);
      ok(tree.nodes.every((n) => n.end !== 'cut' || (n.value >= n.beta && tree.nodes[n.cut_by].san)), `${method}: what is cut names the move that cut it`);
    }
    is(trees.minimax.nodes.length, trees.minimax.visited, 'minimax looks at everything');
    const taken = trees.minimax.nodes.find((n) => n.ply === 1 && n.san === 'cxd5');
    is([trees.minimax.nodes[0].board, taken.board], ['k7/8/8/3p4/2P5/8/8/K7', 'k7/8/8/3P4/8/8/8/K7'], 'every position has its board');
    ok(trees.alphabeta.visited < trees.minimax.visited / 2 && trees.alphabeta.nodes.some((n) => n.end === 'skipped'), 'alpha-beta does not');
    is([trees.alphabeta.nodes[0].value, trees.ordering.nodes[0].value], [trees.minimax.nodes[0].value, trees.minimax.nodes[0].value], 'and finds the same');
    ok((await c.ask({ do: 'walk', method: 'minimax', depth: 6 })).tree.depth < 6, 'a tree that is too large is cut shorter');
    for (const bad of [{ method: 'magic', depth: 2 }, { method: 'minimax', depth: 9 }, { method: 'minimax' }, { method: 'minimax', depth: 2, fen: '7k/5Q2/6K1/8/8/8/8/8 b - - 0 1' }])
      is(code(await c.ask({ do: 'walk', fen, ...bad })), 'bad-request', `refused: ${JSON.stringify(bad)}`);
    const shown = await whole(c, 'steps', { step: 'alphabeta', depth: 4 });
    is(shown.tables.steps.map((row) => row[1]), [21, 421, 9323, 206604], 'minimax: all positions of the tree');
    ok(shown.tables.steps.every((row) => row[4] <= row[1] && row[3] === row[6]), 'alpha-beta: fewer, the same value');
    await server.kill('SIGTERM');
  },

  // An engine that reads and never answers, and has a hundred seconds for each move.
  async hangingEngine() {
    const log = `${data}/hang.log`, list = `${data}/engines`;
    const script = fileURLToPath(new URL('../engines/bad_engine.sh', import.meta.url));
    fs.writeFileSync(list, `Hanging: "${script}" hang movetime=100 log=${log}\n`);
    server = await startServer({ args: ['--engines', list] });
    const c = await visitor();
    // A run in which the engine has been asked for its move and sits there.
    const hanging = async () => {
      fs.rmSync(log, { force: true });
      const answer = await begin(c, 'match', { first: { kind: 'engine', engine: 'Hanging' }, second: { kind: 'engine', engine: 'Random mover' }, games: 2 });
      for (const end = Date.now() + 20000; !(fs.existsSync(log) && fs.statSync(log).size) && Date.now() < end; ) await sleep(20);
      await sleep(200);
      return answer.run;
    };
    const number = await hanging();
    is((await look(c, number)).state, 'running', 'an engine hangs');
    const t = Date.now();
    await c.ask({ do: 'halt', run: number });
    const shown = await ended(c, number);
    ok(Date.now() - t < patience(2000), 'the stop button stops its match at once', `${Date.now() - t} ms`);
    is([shown.state, shown.tables.games ?? []], ['stopped', []], 'and counts no game');
    await hanging();
    const u = Date.now();
    await server.kill('SIGTERM');
    ok(Date.now() - u < patience(2000), 'the server ends at once too', `${Date.now() - u} ms`);
  },

  async strangers() {
    server = await startServer({ args: ['--private'] });
    const a = await visitor(), b = await visitor();
    const { run: number } = await begin(a, 'perft', { depth: 8 });
    is(code(await b.ask({ do: 'halt', run: number })), 'no-right', 'among strangers nobody stops what is not his');
    const { owner } = a.welcome;
    await a.close();
    const again = await visitor({ owner });
    ok((await look(again, number)).mine, 'who comes back with the owner key may');
    is(code(await again.ask({ do: 'halt', run: number })), 'none', 'and does');
    await ended(b, number);
  },
});
