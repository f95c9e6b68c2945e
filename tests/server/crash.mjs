// kill -9 at random moments while games are played: no acknowledged move may be lost, every room must go on.
//   node crash.mjs [times]
import { Client, LEVEL, ok, run, scratch, sleep, startServer } from './client.mjs';

const TIMES = Number(process.env.CRASHES || (LEVEL === 'long' ? 200 : LEVEL === 'quick' ? 4 : 12));
const ROOMS = 8;
const data = scratch();

// Plays random legal moves for both sides as fast as they are acknowledged; forgets nothing that was.
async function playOn(client, game) {
  const { room } = game;
  while (!client.closed) {
    const r = client.rooms.get(room);
    if (r.state === 'over') {
      if (!(await client.ask({ do: 'rematch', room, swap: false })).ok) return;
      game.moves = [];
      game.games++;
      continue;
    }
    const moves = Object.entries(r.position.moves).flatMap(([from, to]) => to.map((t) => from + t.slice(0, 3)));
    const uci = moves[Math.floor(Math.random() * moves.length)];
    const answer = await client.ask({ do: 'move', room, ply: r.position.ply, uci });
    if (!answer.ok) throw new Error(JSON.stringify(answer));
    game.moves.push(client.rooms.get(room).nodes.get(answer.node).uci); // the event comes before the answer
    await sleep(2 + Math.random() * 10);
  }
}

function movesOf(room) {
  const list = [];
  for (let id = room.live; id; id = room.nodes.get(id).parent) list.unshift(room.nodes.get(id).uci);
  return list;
}

await run({
  async crashes() {
    let server = await startServer({ data });
    const port = server.port;
    const games = [];
    for (let i = 0; i < ROOMS; i++) {
      const client = await Client.open(server);
      const made = await client.ask({ do: 'create', variant: i % 2 ? 'chess960' : 'chess' });
      games.push({ client, room: made.room, keys: [made.keys.white, made.keys.black], moves: [], games: 0 });
    }
    let lost = 0, acknowledged = 0, kills = 0, stuck = 0;
    for (; kills < TIMES; kills++) {
      const players = games.map((g) => playOn(g.client, g).catch((e) => { if (e.message !== 'closed') throw e; }));
      await sleep(Math.random() * 250);
      await server.kill();
      await Promise.all(players);
      server = await startServer({ data });
      for (const game of games) {
        const client = (game.client = await Client.open(server));
        const joined = await client.ask({ do: 'join', keys: game.keys });
        if (!joined.ok) { stuck++; continue; }
        const there = movesOf(client.rooms.get(game.room)), known = game.moves;
        // The move under way, or a rematch, may have been written or not; what was acknowledged must be there.
        const same = (n) => known.slice(0, n).every((m, i) => there[i] === m);
        const isRestarted = there.length === 0 && client.rooms.get(game.room).match.results.length > game.games;
        if (!isRestarted && (there.length < known.length || there.length > known.length + 1 || !same(known.length))) { lost++; console.log(`# ${known.join(' ')} / ${there.join(' ')}`); }
        if (isRestarted) game.games = client.rooms.get(game.room).match.results.length;
        acknowledged += known.length;
        game.moves = there;
      }
    }
    ok(lost === 0, `${kills} times kill -9 during play: no acknowledged move lost (${acknowledged} looked at)`, `${lost} rooms lost moves`);
    ok(stuck === 0, 'every room is there');
    let moved = 0;
    for (const game of games) {
      const { client } = game;
      const r = client.rooms.get(game.room);
      const [from, to] = Object.entries(r.position.moves)[0] ?? [];
      if (r.state === 'over' || (await client.ask({ do: 'move', room: game.room, ply: r.position.ply, uci: from + to[0].slice(0, 3) })).ok) moved++;
    }
    ok(moved === ROOMS && port > 0, 'every room goes on');
    ok(!/Sanitizer|runtime error/.test(server.log), 'no fault in the log', server.log);
    await server.kill('SIGTERM');
  },
});
