// A class: thirty browsers of one address on a server with two workers, half of them playing against levels of all strengths, the
// other half analysing and going on to another position now and then. Every one must get its moves and keep its lines.
//   node class.mjs [--browsers 30] [--seconds 60]
// Prints how long moves and first lines took. As a test it fails when somebody waits in vain or loses lines that were shown.
import { Client, ok, run, sleep, startServer } from '../server/client.mjs';

const arg = (name, fallback) => { const i = process.argv.indexOf(`--${name}`); return i > 0 ? Number(process.argv[i + 1]) : fallback; };
const BROWSERS = arg('browsers', 30), SECONDS = arg('seconds', 60);
process.argv.length = 2;
const PATIENCE_MS = 60000; // nobody waits so long, on whatever machine
const POSITIONS = [
  'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3',
  'rnbqkb1r/pp2pppp/3p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R b KQkq - 2 5',
  'r1bq1rk1/pp2bppp/2n2n2/2pp4/3P4/2N2NP1/PP2PPBP/R1BQ1RK1 w - - 0 9',
  '8/5pk1/4p1p1/3pP2p/1p1P3P/1P3PP1/6K1/8 w - - 0 40',
];

// Plays until the time is over; notes how long each answer took.
async function play(server, index, until, times) {
  const c = await Client.open(server);
  const { room } = await c.ask({ do: 'create', white: { kind: 'human' }, black: { kind: 'lovac', level: 1 + (index % 12), move_ms: 1000 } });
  while (Date.now() < until) {
    const r = c.rooms.get(room);
    if (r.state === 'over') await c.ask({ do: 'rematch', room, swap: false });
    const { ply, moves } = c.rooms.get(room).position;
    const all = Object.entries(moves).flatMap(([from, to]) => to.map((t) => from + t.slice(0, 3)));
    const begin = Date.now();
    await c.ask({ do: 'move', room, ply, uci: all[Math.floor(Math.random() * all.length)] });
    await c.until(room, (now) => now.position.ply > ply + 1 || now.state === 'over', PATIENCE_MS);
    times.push(Date.now() - begin);
    await sleep(1000 + Math.random() * 3000);
  }
  await c.close();
}

// Analyses one position after the other; notes when the first lines came, and whether any were taken away again.
async function analyse(server, index, until, times, vanished) {
  const c = await Client.open(server);
  for (let turn = 0; Date.now() < until; turn++) {
    const fen = POSITIONS[(index + turn) % POSITIONS.length], begin = Date.now();
    let shown = 0;
    const first = new Promise((done) => {
      c.onevent = (e) => {
        if (e.event !== 'analysis' || e.fen !== fen) return;
        if (e.lines.length && !shown) times.push(Date.now() - begin);
        if (!e.lines.length && shown && e.state !== 'running') vanished.push(e.state);
        shown = Math.max(shown, e.lines.length);
        if (shown) done();
      };
    });
    const answer = await c.ask({ do: 'analyse', variant: 'chess', fen, lines: 3 });
    if (!answer.ok) throw new Error(JSON.stringify(answer));
    await Promise.race([first, sleep(PATIENCE_MS).then(() => { throw new Error('no lines came'); })]);
    await sleep(5000 + Math.random() * 10000);
  }
  await c.close();
}

const at = (list, share) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))] ?? -1;
const tell = (list) => `median ${at(list, 0.5)} ms, 90 % within ${at(list, 0.9)} ms, worst ${at(list, 1)} ms`;

await run({
  async class() {
    const server = await startServer({ args: ['--private'] });
    const until = Date.now() + SECONDS * 1000, moves = [], lines = [], vanished = [], problems = [];
    await Promise.all(Array.from({ length: BROWSERS }, (_, i) => (i % 2 ? analyse(server, i, until, lines, vanished) : play(server, i / 2, until, moves)).catch((e) => problems.push(e.message))));
    ok(problems.length === 0, `${BROWSERS} browsers for ${SECONDS} s: nobody waits in vain`, problems.join('\n'));
    ok(moves.length > BROWSERS / 2, `${moves.length} moves answered: ${tell(moves)}`);
    ok(lines.length >= BROWSERS / 2, `${lines.length} analyses begun, first lines: ${tell(lines)}`);
    ok(vanished.length === 0, 'and no lines that were shown are taken away', vanished);
    ok(!/Sanitizer|runtime error/.test(server.log), 'no fault in the log', server.log);
    await server.kill('SIGTERM');
  },
});
