// Load on a server of its own: rooms of two people with a move every second in each, measured from sending a move to
// the other browser's hearing of it. Prints percentiles; as a test it compares them with the limits.
//   node load.mjs [--rooms 200] [--seconds 10] [--engines 2] [--limit MS]
// The moves are spread over the second, as people's would be. Everything goes over the loopback.
import { spawn } from 'node:child_process';
import net from 'node:net';
import os from 'node:os';
import { Client, LEVEL, LOVAC, memoryOf, ok, processorOf, run, skip, sleep, startServer } from '../server/client.mjs';

const arg = (name, fallback) => { const i = process.argv.indexOf(`--${name}`); return i > 0 ? Number(process.argv[i + 1]) : fallback; };
const ROOMS = arg('rooms', LEVEL === 'quick' ? 40 : 200), SECONDS = arg('seconds', LEVEL === 'long' ? 30 : LEVEL === 'quick' ? 3 : 6);
const FACTOR = /sanitize/.test(LOVAC) ? 20 : 1; // sanitized programs are slow
process.argv.length = 2;
const LINE = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
const now = () => Number(process.hrtime.bigint()) / 1e6;

async function openRooms(server) {
  const rooms = [];
  for (let i = 0; i < ROOMS; i++) {
    const white = await Client.open(server), black = await Client.open(server);
    const made = await white.ask({ do: 'create', white: { kind: 'human', name: 'A' }, black: { kind: 'human', name: 'B', remote: true } });
    await black.ask({ do: 'join', keys: [made.keys.black] });
    rooms.push({ room: made.room, sides: [white, black], ply: 0 });
  }
  return rooms;
}

// One game: a move a second, taken back to the start by rematch when repetition would end it.
async function playRoom(game, until, times) {
  await sleep(Math.random() * 1000);
  while (Date.now() < until) {
    const mover = game.sides[game.ply % 2], other = game.sides[1 - (game.ply % 2)];
    const ply = game.ply;
    const heard = new Promise((done) => { other.onevent = (e) => { if (e.event === 'room' && e.room === game.room && e.position?.ply === ply + 1) done(now()); }; });
    const begin = now();
    mover.send({ id: 1e6 + ply, do: 'move', room: game.room, ply, uci: LINE[ply % 4] });
    times.push((await heard) - begin);
    game.ply++;
    // Four of these come back to the same position: before the fifth time, a pawn moves on and the count begins anew.
    if (game.ply % 12 === 0) break;
    await sleep(1000 - (now() - begin));
  }
}

// How long this machine, with all that runs on it, takes to carry a line there and back between two processes that
// do nothing else: the yardstick on a busy machine.
async function startControl() {
  const child = spawn(process.execPath, ['-e', "require('net').createServer((s) => { s.setNoDelay(true); s.pipe(s); }).listen(0, '127.0.0.1', function () { console.log(this.address().port); })"], { stdio: ['ignore', 'pipe', 'inherit'] });
  process.on('exit', () => child.kill('SIGKILL'));
  const port = await new Promise((done) => child.stdout.once('data', (d) => done(Number(d))));
  const socket = net.connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  const control = { times: [], stop: false };
  control.done = (async () => {
    while (!control.stop) {
      const begin = now();
      socket.write('x');
      await new Promise((heard) => socket.once('data', heard));
      control.times.push(now() - begin);
      await sleep(5);
    }
    socket.destroy();
    child.kill('SIGKILL');
  })();
  return control;
}

async function measure(server, rooms, seconds) {
  const times = [], until = Date.now() + seconds * 1000, control = await startControl(), used = processorOf(server);
  await Promise.all(rooms.map((g) => playRoom(g, until, times)));
  const processor = (processorOf(server) - used) / times.length;
  control.stop = true;
  await control.done;
  const at = (list, p) => list.sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * p))];
  return { moves: times.length, median: at(times, 0.5), p99: at(times, 0.99), worst: times.at(-1), processor, control: at(control.times, 0.99) };
}
// On a machine that has no processor to spare the time says nothing about the server: told, not judged.
const BUSY = os.loadavg()[0] > 1.5 * os.cpus().length && !process.env.LOVAC_STRICT;
function judge(t, limit, name) {
  if (BUSY && !(t.p99 < limit)) skip(`${name}: ${tell(t)}`, `the machine is busy (load ${os.loadavg()[0].toFixed(1)})`);
  else ok(t.p99 < limit * FACTOR || t.p99 < 3 * t.control, `${name}: ${tell(t)}`);
}
const tell = (t) => `${t.moves} moves, median ${t.median.toFixed(2)} ms, 99 % under ${t.p99.toFixed(2)} ms, worst ${t.worst.toFixed(1)} ms (a bare echo meanwhile: ${t.control.toFixed(2)} ms)`;

await run({
  async load() {
    const server = await startServer();
    const empty = memoryOf(server);
    const rooms = await openRooms(server);
    const first = memoryOf(server);
    await measure(server, rooms, 2); // until the load program itself is warm
    const idle = await measure(server, rooms, SECONDS);
    judge(idle, 5, `${ROOMS} rooms, a move a second in each, engines idle`);
    ok(idle.processor < 2 * FACTOR, `processor time for a move: ${idle.processor.toFixed(2)} ms`);
    const busy = await Client.open(server);
    const thinkers = await Promise.all([0, 1].map(() => Client.open(server)));
    for (const t of thinkers) await t.ask({ do: 'analyse', variant: 'chess', fen: 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3', lines: 1 });
    for (const g of rooms) { // a fresh game each, so that repetition does not end it
      await g.sides[0].ask({ do: 'resign', room: g.room });
      await g.sides[0].ask({ do: 'rematch', room: g.room, swap: false });
      await g.sides[1].ask({ do: 'rematch', room: g.room, swap: false });
      g.ply = 0;
    }
    const thinking = await measure(server, rooms, SECONDS);
    judge(thinking, 20, 'the same with two engines thinking');
    busy.close();
    ok((first - empty) / ROOMS < 64 || FACTOR > 1, `memory for a room and its two browsers: ${((first - empty) / ROOMS).toFixed(1)} KiB`);
    const a = await Client.open(server);
    const many = [];
    const before = memoryOf(server);
    for (let i = 0; i < 20; i++) {
      const c = await Client.open(server);
      for (let k = 0; k < 20; k++) many.push((await c.ask({ do: 'create' })).room);
    }
    const each = (memoryOf(server) - before) / many.length;
    ok(each < 64 || FACTOR > 1, `memory for an idle room: ${each.toFixed(1)} KiB (${many.length} rooms)`);
    a.close();
    ok(!/Sanitizer|runtime error/.test(server.log), 'no fault in the log', server.log);
    await server.kill('SIGTERM');
  },
});
