// Games as browsers play them: every request of docs/protocol.md at least once, in all variants.
import fs from 'node:fs';
import path from 'node:path';
import { Client, LEVEL, LOVAC, is, ok, patience, run, scratch, sleep, startServer } from './client.mjs';

const server = await startServer();
const human = (name, remote = false) => ({ kind: 'human', name, remote });

// A room of two people on two connections.
async function twoPeople(options = {}) {
  const white = await Client.open(server), black = await Client.open(server);
  const made = await white.ask({ do: 'create', white: human('Ana'), black: human('', true), ...options });
  const joined = await black.ask({ do: 'join', keys: [made.keys.black], name: 'Boris' });
  return { white, black, made, joined, room: made.room };
}
const play = async (clients, room, moves) => {
  let ply = clients[0].rooms.get(room).position.ply;
  for (const uci of moves) {
    const mover = clients[clients[0].rooms.get(room).position.turn === 'white' ? 0 : 1];
    const answer = await mover.ask({ do: 'move', room, ply, uci });
    if (!answer.ok) throw new Error(`${uci}: ${JSON.stringify(answer)}`);
    ply++;
    for (const c of clients) await c.until(room, (r) => r.position.ply === ply);
  }
};
const code = (answer) => answer.error?.code ?? 'none';

await run({
  async hello() {
    const c = await Client.open(server);
    const w = c.welcome;
    ok(w.ok && w.protocol === 1, 'hello is answered by a welcome');
    is(w.variants.map((v) => v.name), ['chess', 'chess960', 'doublechess960', 'horde32', 'legan', 'corner', 'fortress', 'massacre'], 'the welcome lists the variants');
    is(w.variants.map((v) => v.starts), [1, 960, 921600, 1, 1, 360, 360, 0], 'with the number of their starts');
    is(w.levels.length, 12, 'and twelve levels');
    is(w.difficulties.map((d) => d.name), ['easy', 'medium', 'hard'], 'and three named difficulties');
    ok(w.engines.some((e) => e.name === 'Random mover'), 'and other players');
    is(w.owner.length, 22, 'and an owner key');
    const again = await Client.open(server, { owner: w.owner });
    is(again.welcome.owner, w.owner, 'a kept owner key comes back');
    is(code(await (await Client.open(server, { hello: false })).ask({ do: 'rooms', keys: [] })), 'bad-request', 'nothing works before hello');
  },

  async twoPeoplePlay() {
    const { white, black, made, joined, room } = await twoPeople();
    is(made.you, ['white'], 'who creates has the seat that is not remote');
    is(joined.you, ['black'], 'who joins by the key has the other');
    ok(Object.values(made.keys).every((k) => /^[\w-]{22}$/.test(k)) && new Set(Object.values(made.keys)).size === 3, 'three different keys of 22 letters');
    await white.until(room, (r) => r.state === 'playing' && r.black.name === 'Boris' && r.black.online);
    ok(true, 'the creator sees the other come');
    is(code(await black.ask({ do: 'move', room, ply: 0, uci: 'e7e5' })), 'not-your-turn', 'out of turn is refused');
    is(code(await white.ask({ do: 'move', room, ply: 0, uci: 'e2e5' })), 'illegal-move', 'an illegal move is refused');
    const bound = await white.ask({ do: 'create', fen: '4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1' });
    const why = async (uci) => (await white.ask({ do: 'why', room: bound.room, node: 0, uci })).problem?.code;
    is([await why('e2c3'), await why('e2e4'), await why('e4e5'), await why('e8e7'), await why('e1d1')], ['move-exposes', 'move-illegal', 'move-from-empty', 'move-not-yours', undefined], 'and the reason can be had');
    const position = white.rooms.get(room).position;
    is([...position.moves.e2].sort(), ['e3', 'e4'], 'the position has the legal moves of each square');
    is(Object.keys(position.moves).length, 10, 'of all squares from which there are any');
    await play([white, black], room, ['f2f3', 'e7e5', 'g2g4']);
    const first = await black.ask({ do: 'move', room, ply: 3, uci: 'd8h4' });
    const second = await black.ask({ do: 'move', room, ply: 3, uci: 'd8h4' });
    ok(first.ok && second.ok && second.repeated && second.node === first.node, 'a repeated move is harmless, even after mate');
    const r = await white.until(room, (x) => x.state === 'over');
    is(r.result, { result: '0-1', winner: 'black', reason: 'checkmate' }, "fool's mate ends the game");
    is(r.position.check, 'e1', 'the king in check is named');
    is(r.position.last, ['d8', 'h4'], 'the last move too');
    is([...r.nodes.values()].map((n) => n.san ?? ''), ['', 'f3', 'e5', 'g4', 'Qh4#'], 'the line in SAN');
    is(code(await white.ask({ do: 'move', room, ply: 4, uci: 'a2a3' })), 'game-over', 'no move after the end');
    is((await white.ask({ do: 'rematch' , room })).ok, true, 'a rematch is offered');
    await black.until(room, (x) => x.offers.rematch === 'white');
    await black.ask({ do: 'rematch', room });
    await white.until(room, (x) => x.state === 'playing' && x.you[0] === 'black' && x.position.ply === 0);
    is(white.rooms.get(room).match.score, { white: 1, black: 0 }, 'colours change, the score goes with the people');
    is(white.rooms.get(room).nodes.size, 1, 'the tree begins anew');
    ok((await white.ask({ do: 'export', room, game: 0 })).pgn.includes('Qh4# 0-1'), 'the earlier game can be exported');
    const back = await Client.open(server);
    is((await back.ask({ do: 'join', keys: [made.keys.white] })).you, ['black'], 'a key goes with its player');
  },

  async offers() {
    const { white, black, room } = await twoPeople();
    await play([white, black], room, ['e2e4', 'e7e5']);
    is(code(await white.ask({ do: 'draw', room, action: 'claim' })), 'not-allowed', 'no claim without reason');
    is((await white.ask({ do: 'draw', room, action: 'offer' })).accepted, false, 'a draw offer to a human waits');
    await black.until(room, (r) => r.offers.draw === 'white');
    await black.ask({ do: 'draw', room, action: 'decline' });
    await white.until(room, (r) => r.offers.draw === null);
    ok(true, 'it can be declined');
    await white.ask({ do: 'takeback', room, action: 'ask' });
    await black.until(room, (r) => r.offers.takeback?.plies === 2);
    await black.ask({ do: 'takeback', room, action: 'accept' });
    await white.until(room, (r) => r.position.ply === 0 && r.nodes.size === 1);
    ok(true, 'a takeback is asked and granted, the nodes go');
    for (const name of ['pause', 'switch', 'hint', 'analysis', 'forget'])
      is(code(await white.ask({ do: name, room })), 'not-allowed', `${name} is not allowed against a human`);
    is(code(await white.ask({ do: 'analyse', room, node: 0 })), 'not-allowed', 'nor is the engine');
    await play([white, black], room, ['g1f3', 'g8f6', 'f3g1', 'f6g8', 'g1f3', 'g8f6', 'f3g1', 'f6g8']);
    is(white.rooms.get(room).position.claim, 'repetition', 'a third repetition can be claimed');
    is(code(await black.ask({ do: 'draw', room, action: 'claim' })), 'not-your-turn', 'on the own turn alone');
    await white.ask({ do: 'draw', room, action: 'claim' });
    is((await black.until(room, (r) => r.result)).result, { result: '1/2-1/2', winner: null, reason: 'repetition' }, 'the claim ends the game');
    const again = await twoPeople();
    await again.black.ask({ do: 'resign', room: again.room });
    is((await again.white.until(again.room, (r) => r.result)).result, { result: '1-0', winner: 'white', reason: 'resignation' }, 'resignation');
    const third = await twoPeople();
    await third.white.ask({ do: 'abort', room: third.room });
    is((await third.black.until(third.room, (r) => r.result)).result.reason, 'aborted', 'a game can be aborted before it began');
  },

  async clocks() {
    const { white, black, room } = await twoPeople({ clock: { kind: 'game', time_ms: 4000, increment_ms: 0 } });
    is(white.rooms.get(room).clock.running, null, 'no clock runs before the first moves');
    await play([white, black], room, ['e2e4', 'e7e5']);
    is(black.rooms.get(room).clock.running, 'white', "then White's runs");
    await sleep(300);
    const asked = Date.now();
    await play([white, black], room, ['g1f3']);
    const c = black.rooms.get(room).clock;
    ok(c.white_ms <= 3700 && c.white_ms > 0 && c.black_ms > c.white_ms, 'time is taken from the mover', c);
    const r = await white.until(room, (x) => x.state === 'over');
    is(r.result, { result: '1-0', winner: 'white', reason: 'time' }, 'the flag falls by itself');
    ok(Date.now() - asked > 3900, 'not before its time', Date.now() - asked);
    const bare = await twoPeople({ clock: { kind: 'move', time_ms: 3000 }, fen: '7k/8/8/8/8/8/8/KQ6 w - - 0 1' });
    await play([bare.white, bare.black], bare.room, ['b1b2', 'h8g8', 'b2b3']);
    ok(bare.white.rooms.get(bare.room).clock.black_ms > 2500, 'time per move begins anew with each move', bare.white.rooms.get(bare.room).clock);
    const lone = await twoPeople({ clock: { kind: 'move', time_ms: 2000 }, fen: '7k/8/8/8/8/8/8/KQ6 b - - 0 1' });
    await play([lone.white, lone.black], lone.room, ['h8g8', 'b1b2', 'g8f7']);
    is((await lone.black.until(lone.room, (x) => x.result)).result, { result: '1/2-1/2', winner: null, reason: 'time-no-mate' }, 'a bare king cannot win on time');
    const odds = await twoPeople({ clock: { kind: 'game', time_ms: 600000, increment_ms: 9000, black: { time_ms: 60000, increment_ms: 8000 } } });
    const times = () => { const { time_ms, increment_ms, black: own } = odds.white.rooms.get(odds.room).clock; return [time_ms, increment_ms, own?.time_ms, own?.increment_ms]; };
    is(times(), [600000, 9000, 60000, 8000], 'each side has a time of its own');
    await play([odds.white, odds.black], odds.room, ['e2e4', 'e7e5', 'g1f3', 'b8c6']);
    const { white_ms, black_ms } = odds.white.rooms.get(odds.room).clock;
    ok(white_ms > 600000 && black_ms > 60000 && black_ms <= 68000, 'and its own increment', [white_ms, black_ms]);
    ok(/\[WhiteTimeControl "600\+9"\]\s*\[BlackTimeControl "60\+8"\]/.test((await odds.white.ask({ do: 'export', room: odds.room })).pgn), 'both are in the PGN');
    await odds.white.ask({ do: 'resign', room: odds.room });
    for (const who of [odds.white, odds.black]) await who.ask({ do: 'rematch', room: odds.room, swap: true });
    await odds.white.until(odds.room, (x) => x.state === 'playing');
    is(times(), [60000, 8000, 600000, 9000], 'the times go with the players to a rematch with other colours');
  },

  async againstEngine() {
    const c = await Client.open(server);
    const { room } = await c.ask({ do: 'create', white: human('Ana'), black: { kind: 'lovac', level: 7 } });
    await c.ask({ do: 'move', room, ply: 0, san: 'Nf3' });
    await c.until(room, (r) => r.position.ply === 2);
    ok(true, 'the engine answers a move typed in SAN');
    ok(c.events.some((e) => e.event === 'thinking' && e.color === 'black' && e.line.pv.length), 'and shows what it thought');
    const hint = await c.ask({ do: 'hint', room });
    ok(hint.ok && c.rooms.get(room).position.moves[hint.uci.slice(0, 2)], 'a hint is a legal move', hint);
    await c.ask({ do: 'takeback', room });
    await c.until(room, (r) => r.position.ply === 0 && r.nodes.size === 1);
    ok(true, 'a takeback against the engine is immediate and takes both moves');
    await c.ask({ do: 'move', room, ply: 0, uci: 'e2e4' });
    await c.until(room, (r) => r.position.ply === 2);
    await c.ask({ do: 'goto', room, node: 0 });
    await c.ask({ do: 'move', room, ply: 0, uci: 'd2d4' });
    await c.until(room, (r) => r.position.ply === 2 && r.nodes.size === 5);
    const nodes = c.rooms.get(room).nodes;
    is(nodes.get(nodes.get(0).children[0]).uci, 'd2d4', 'going on from an earlier move makes it the main line');
    is(nodes.get(0).children.length, 2, 'and keeps the old one');
    await c.ask({ do: 'pause', room });
    is(c.rooms.get(room).state, 'paused', 'pause');
    is(code(await c.ask({ do: 'move', room, ply: 2, uci: 'a2a3' })), 'paused', 'no moves meanwhile');
    await c.ask({ do: 'resume', room });
    await c.ask({ do: 'switch', room });
    is(c.rooms.get(room).you, ['black'], 'switching sides');
    await c.until(room, (r) => r.position.ply === 3);
    ok(true, 'makes the engine play the other side');
    is((await c.ask({ do: 'draw', room, action: 'offer' })).accepted, false, 'it plays on when a draw is offered early');
    await c.ask({ do: 'seats', room, white: { kind: 'engine', engine: 'Greedy taker' } });
    await c.ask({ do: 'move', room, ply: 3, uci: Object.entries(c.rooms.get(room).position.moves).map(([f, t]) => f + t[0])[0] });
    await c.until(room, (r) => r.position.ply === 5);
    ok(true, 'another player takes a seat');
    await c.ask({ do: 'resign', room });
    is(c.rooms.get(room).result.winner, 'white', 'resigning to the engine');
    await c.ask({ do: 'rematch', room, swap: false });
    await c.until(room, (r) => r.position.ply === 1);
    ok(true, 'it begins the rematch at once');
    is((await c.ask({ do: 'forget', room })).ok, true, 'the room can be forgotten');
    is(code(await c.ask({ do: 'sync', room })), 'unknown-room', 'and is gone');
  },

  // What is due is done in time also where nothing else happens: through two sweeps of idle rooms, each 5 s.
  async steadyPace() {
    const c = await Client.open(server), bot = { kind: 'engine', engine: 'Random mover' };
    const { room } = await c.ask({ do: 'create', white: bot, black: bot, speed_ms: 400, series: { games: 9 } });
    let longest = 0, ply = 0, last = Date.now();
    for (const end = last + 11000; Date.now() < end; await sleep(5)) {
      if (c.rooms.get(room).position.ply !== ply) { ply = c.rooms.get(room).position.ply; last = Date.now(); }
      longest = Math.max(longest, Date.now() - last);
    }
    ok(longest < 4000, 'no move of a quiet game is late', `${longest} ms`);
    await c.ask({ do: 'abort', room });
  },

  async engines() {
    const c = await Client.open(server);
    const made = await c.ask({ do: 'create', white: { kind: 'lovac', level: 3 }, black: { kind: 'engine', engine: 'Random mover' }, speed_ms: 0, series: { games: 50, alternate: true } }); // more than are played here
    is(made.you, ['white', 'black'], 'who watches engines holds both keys');
    await c.until(made.room, (x) => x.match.results.length > 0, 120000);
    await c.ask({ do: 'speed', room: made.room, speed_ms: 2000 });
    const r = c.rooms.get(made.room);
    is(r.speed_ms, 2000, 'the speed can be changed');
    is(r.match.results[0].white, 'Lovac, level 3 (casual)', 'the series counts its games');
    is(r.white.kind, r.match.results.length % 2 ? 'engine' : 'lovac', 'and alternates the colours');
    const over = await Client.open(server);
    is((await over.ask({ do: 'join', keys: [made.keys.watch] })).you, [], 'others can watch');
    is(code(await over.ask({ do: 'abort', room: made.room })), 'no-right', 'but not interfere');
    await c.until(made.room, (x) => x.watchers === 1 && x.state === 'playing');
    await c.ask({ do: 'abort', room: made.room });
    is(c.rooms.get(made.room).result.reason, 'aborted', 'a series can be ended');
  },

  async externals() {
    const folder = scratch(), bad = path.resolve(path.dirname(new URL(import.meta.url).pathname), '../engines/bad_engine.sh');
    fs.writeFileSync(`${folder}/engines.conf`, `# players\n\nSelf [chess, horde32]: ${LOVAC} option.Hash=1\nCrash: bash ${bad} crash\nIllegal: bash ${bad} illegal\n`);
    const s = await startServer({ args: ['--engines', `${folder}/engines.conf`] });
    const c = await Client.open(s);
    is(c.welcome.engines.filter((e) => ['Self', 'Crash'].includes(e.name)).map((e) => e.variants.length), [2, 5], 'engines of the configuration file, with their games');
    const { room } = await c.ask({ do: 'create', white: human('A'), black: { kind: 'engine', engine: 'Self', move_ms: 100 } });
    await c.ask({ do: 'move', room, ply: 0, uci: 'e2e4' });
    await c.until(room, (r) => r.position.ply === 2);
    ok(true, 'an external UCI engine answers');
    is(code(await c.ask({ do: 'create', variant: 'legan', black: { kind: 'engine', engine: 'Self' } })), 'unavailable', 'not in a game that it does not play');
    for (const name of ['Crash', 'Illegal']) {
      const game = await c.ask({ do: 'create', white: human('A'), black: { kind: 'engine', engine: name, move_ms: 100 } });
      await c.ask({ do: 'move', room: game.room, ply: 0, uci: 'e2e4' });
      const r = await c.until(game.room, (x) => x.state === 'over', 30000);
      is([r.result.result, r.result.reason], ['1-0', 'engine-failed'], `an engine that fails (${name}) loses, and nothing else happens`);
    }
    await c.ask({ do: 'seats', room, black: { kind: 'engine', engine: 'Material counter' } });
    await c.ask({ do: 'move', room, ply: 2, uci: 'd2d4' });
    await c.until(room, (r) => r.position.ply === 4);
    ok(true, 'an agent of the laboratory plays');
    is(await s.kill('SIGTERM'), { code: 0, signal: null }, 'the server ends cleanly with engines running');
    fs.writeFileSync(`${folder}/engines.conf`, 'Good: random\nBad\n');
    const refused = await startServer({ args: ['--engines', `${folder}/engines.conf`] }).catch((e) => e.message);
    ok(/engines\.conf, line 2: NAME: DESCRIPTION/.test(refused), 'a bad line is named', refused);
  },

  async variants() {
    const c = await Client.open(server);
    for (const v of c.welcome.variants) {
      const made = await c.ask({ do: 'create', variant: v.name, ...(v.starts === 0 ? { start: '18446744073709551615' } : {}), white: { kind: 'lovac', level: 2 }, black: { kind: 'lovac', level: 2 }, speed_ms: 0 });
      const r = await c.until(made.room, (x) => x.state === 'over' || x.position.ply >= (LEVEL === 'long' ? 400 : 40), 60000);
      ok(r.result || r.position.ply >= 40, `a game of ${v.name}: ${r.result ? `${r.result.result} ${r.result.reason}` : `${r.position.ply} plies`}`);
      for (const node of r.nodes.values()) if (node.id && !node.san) throw new Error('a move without SAN');
      if (!r.result) await c.ask({ do: 'abort', room: made.room });
      await c.ask({ do: 'leave', room: made.room });
    }
    const frc = await c.ask({ do: 'start', variant: 'chess960', start: 0 });
    is(frc.fen.split(' ')[0].split('/')[7], 'BBQNNRKR', 'a numbered start');
    is(code(await c.ask({ do: 'start', variant: 'chess960', start: 960 })), 'bad-request', 'beyond the last number');
    is((await c.ask({ do: 'check', variant: 'chess', fen: '8/8/8/8/8/8/8/K7 w - - 0 1' })).problem, { code: 'king-missing', args: { side: 'black' }, text: 'board: black has no king' }, 'the editor hears what is wrong');
    is((await c.ask({ do: 'check', variant: 'massacre', fen: 'rrrrrrrr/8/8/8/8/8/8/QQQQQQQQ w - - 0 1' })).legal, true, 'in the rules of the variant');
    const castle = await c.ask({ do: 'create', fen: '4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1' });
    is(c.rooms.get(castle.room).position.moves.e1.includes('g1') && c.rooms.get(castle.room).position.moves.e1.includes('h1'), true, 'castling is shown as goal and as rook');
    ok((await c.ask({ do: 'move', room: castle.room, ply: 0, uci: 'e1g1' })).ok, 'and can be played so');
    is([...c.rooms.get(castle.room).nodes.values()].at(-1).castling, 'short', 'and is told as castling');
    const promote = await c.ask({ do: 'create', fen: '4k3/P7/8/8/8/8/8/4K3 w - - 0 1' });
    is(c.rooms.get(promote.room).position.moves.a7, ['a8qrbn'], 'promotions name their pieces');
    is(code(await c.ask({ do: 'move', room: promote.room, ply: 0, uci: 'a7a8' })), 'illegal-move', 'one of which must be chosen');
    ok((await c.ask({ do: 'move', room: promote.room, ply: 0, uci: 'a7a8n' })).ok, 'a knight, say');
    const risky = await c.ask({ do: 'create', fen: 'rnbqkbnr/ppp1pppp/8/3p4/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2' });
    is(c.rooms.get(risky.room).position.risky, { h2: ['h3'], c2: ['c4'], e2: ['e4'], g2: ['g4'], g1: ['h3'] }, 'squares where a man could be taken are marked');
  },

  async tree() {
    const c = await Client.open(server);
    const pgn = '[White "A"]\n[Black "B"]\n\n1. e4 {best [%cal Ge2e4,Rd2d4]} e5 $1 (1... c5 2. Nf3 (2. c3 d5) d6) 2. Nf3 *\n';
    const { room } = await c.ask({ do: 'create', mode: 'analysis', pgn });
    const r = c.rooms.get(room);
    is([...r.nodes.values()].filter((n) => n.san).length, 8, 'a PGN becomes a tree');
    is([r.white.name, r.black.name, r.result], ['A', 'B', null], 'with its players');
    const e4 = [...r.nodes.values()].find((n) => n.san === 'e4');
    is([e4.comment, e4.shapes.length], ['best', 2], 'with comments and arrows');
    const c5 = [...r.nodes.values()].find((n) => n.san === 'c5');
    await c.ask({ do: 'promote', room, node: c5.id });
    is(r.nodes.get(e4.id).children[0] === c5.id || c.rooms.get(room).nodes.get(e4.id).children[0] === c5.id, true, 'a variation is promoted');
    const added = await c.ask({ do: 'move', room, node: c5.id, uci: 'd2d4' });
    is((await c.ask({ do: 'move', room, node: c5.id, uci: 'd2d4' })).node, added.node, 'a move is added once');
    await c.ask({ do: 'annotate', room, node: added.node, comment: 'sharp\u0007!', nags: [5], shapes: [{ brush: 'blue', from: 'd4' }] });
    is(c.rooms.get(room).nodes.get(added.node).comment, 'sharp !', 'a comment without control characters');
    is(code(await c.ask({ do: 'annotate', room, node: added.node, shapes: [{ brush: 'pink', from: 'd4' }] })), 'bad-request', 'only known brushes');
    const line = await c.ask({ do: 'line', room, node: added.node, uci: ['c5d4', 'd1d4'] });
    is((await c.ask({ do: 'show', room, node: line.node })).position.captured, { white: 'p', black: 'p' }, 'a whole line is added; captured men are counted');
    const out = (await c.ask({ do: 'export', room })).pgn.replace(/\s+/g, ' ');
    ok(/d4 \$5 \{ ?\[%csl Bd4\] sharp !\} 2\.\.\. cxd4 3\. Qxd4/.test(out), 'all of it is exported', out);
    await c.ask({ do: 'cut', room, node: added.node });
    ok(!c.rooms.get(room).nodes.has(line.node), 'a cut takes all behind it');
    const other = await c.ask({ do: 'create', mode: 'analysis', pgn: out });
    is(c.rooms.get(other.room).nodes.size, 12, 'what was exported is read again');
    const from = await c.ask({ do: 'create', from: { room, node: c5.id }, black: { kind: 'lovac', level: 1 } });
    ok(c.rooms.get(from.room).position.fen.startsWith('rnbqkbnr/pp1ppppp/8/2p5/4P3'), 'a new game begins from a node');
  },

  async thinking() {
    const c = await Client.open(server);
    const { room } = await c.ask({ do: 'create', mode: 'analysis', fen: '6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1' });
    const found = c.event((e) => e.event === 'analysis' && e.lines.length === 2 && e.lines[0].score.mate === 1, 30000);
    ok((await c.ask({ do: 'analyse', room, node: 0, lines: 2 })).ok, 'an analysis is begun');
    is((await found).lines[0].san[0], 'Ra8#', 'and finds the mate');
    const threat = c.event((e) => e.event === 'analysis' && e.threat && e.lines.length, 30000);
    ok((await c.ask({ do: 'analyse', variant: 'chess', fen: '6k1/5ppp/8/8/8/8/r4PPP/6K1 w - - 0 1', threat: true })).ok, 'a threat is looked at');
    is((await threat).lines[0].score, { mate: -1 }, 'scores are for White');
    await c.ask({ do: 'analyse', stop: true });
    const game = await c.ask({ do: 'create', mode: 'analysis', pgn: '1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0' });
    const progress = c.event((e) => e.event === 'review-progress' && e.done > 2, 60000);
    ok((await c.ask({ do: 'review', room: game.room, nodes: 20000 })).ok, 'a review is begun');
    await progress;
    const { review } = await c.until(game.room, (r) => r.review, 90000);
    is(review.moves.length, 7, 'it judges every move');
    is(review.moves[5].judgement, 'blunder', "Black's last one was a blunder");
    ok(review.moves[5].better.san.length > 0 && review.black.accuracy < review.white.accuracy, 'there was something better');
    const many = await Promise.all(Array.from({ length: 6 }, () => Client.open(server)));
    const heard = many.map((m) => m.event((e) => e.event === 'analysis' && e.lines.length, 60000));
    await Promise.all(many.map((m) => m.ask({ do: 'analyse', variant: 'chess', fen: 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3' })));
    await Promise.all(heard);
    ok(true, 'six analyses share two workers');
    const quick = await c.ask({ do: 'create', white: human('A'), black: { kind: 'lovac', level: 7 } });
    const begin = Date.now();
    await c.ask({ do: 'move', room: quick.room, ply: 0, uci: 'e2e4' });
    await c.until(quick.room, (r) => r.position.ply === 2, 90000);
    ok(Date.now() - begin < patience(6000), 'a game does not wait for them', Date.now() - begin);
    for (const m of many) m.close();
  },

  async library() {
    const c = await Client.open(server);
    const pgn = ['1. e4 e5 1-0', '[Variant "Chess960"]\n[FEN "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"]\n[SetUp "1"]\n\n1. d4 *', '1. e4 e5 2. Ke3 *'].map((t, i) => `[Event "T"]\n[White "P${i}"]\n[Black "<b>Q</b>"]\n${t.startsWith('[') ? '' : '\n'}${t}\n`).join('\n');
    const told = await c.ask({ do: 'import', pgn });
    is(told.games.map((g) => [g.variant, g.plies, g.complete]), [['chess', 2, true], ['chess960', 1, true], ['chess', 2, false]], 'an import tells what is inside');
    const [problem] = told.games[2].problems;
    is([problem.line, problem.code, problem.args], [20, 'move-unreachable', { move: 'Ke3', piece: 'king' }], 'and what was wrong');
    const { games } = await c.ask({ do: 'import', pgn, save: true });
    const list = await c.ask({ do: 'library', find: 'p1' });
    is([list.total, list.games[0].saved], [1, games[1].saved], 'saved games are found by name');
    const found = async (find) => (await c.ask({ do: 'library', find })).games.map((g) => g.white).sort();
    is(await found('player:p result=1-0'), ['P0'], 'and by a filter of their tags');
    is(await found('white~p? plies>=2 position=*/*/*/4p3/4P3/*/*/*'), ['P0', 'P2'], 'and of their moves');
    is(await found('variant=chess960 or moves>5'), ['P1'], 'and of their game');
    is((await c.ask({ do: 'library', find: 'event=T', from: 1, count: 1 })).total, 3, 'with the number of all');
    is((await c.ask({ do: 'library', find: 'moves<few' })).error.problem, 'filter-value', 'a filter that makes no sense is told');
    is(list.games[0].black, '<b>Q</b>', 'names are kept as they are');
    const { room } = await c.ask({ do: 'create', saved: games[0].saved, white: human('X'), black: human('Y') });
    is(c.rooms.get(room).position.ply, 2, 'a saved game is loaded with new players and goes on at its end');
    const saved = await c.ask({ do: 'save', room, name: 'My game' });
    is((await c.ask({ do: 'save', room, name: 'My game' })).saved, saved.saved, 'saving under the same name replaces');
    const out = await c.ask({ do: 'export', saved: [games[0].saved, saved.saved] });
    is(out.pgn.match(/\[White /g).length, 2, 'many games are exported');
    ok((await c.ask({ do: 'unsave', saved: saved.saved })).ok, 'deleted');
    is(code(await c.ask({ do: 'unsave', saved: saved.saved })), 'bad-request', 'once');
    is((await c.ask({ do: 'library', from: 1, count: 1 })).games.length, 1, 'the list is paged');
    const away = await startServer({ args: ['--private'] });
    const one = await Client.open(away), two = await Client.open(away);
    await one.ask({ do: 'import', pgn, save: true });
    is([(await one.ask({ do: 'library' })).total, (await two.ask({ do: 'library' })).total], [3, 0], 'private libraries are apart');
    await away.kill('SIGTERM');
  },

  async headers() {
    const data = scratch();
    let s = await startServer({ data });
    let c = await Client.open(s);
    const tags = { Event: 'Candidates "B"', Site: 'Zagreb YUG', Date: '1959.09.07', Round: '3.1', White: 'Đurašević, B.', Black: 'Gligorić <S>', Result: '1/2-1/2', WhiteElo: '2450', BlackTitle: 'GM', ECO: 'E97', Annotator: 'A. N.' };
    const text = (t) => Object.entries(t).map(([k, v]) => `[${k} "${v.replaceAll('"', '\\"')}"]`).join('\n');
    const pgn = `${text(tags)}\n\n1. d4 Nf6 {a comment} (1... d5) 2. c4 1/2-1/2\n`;
    const made = await c.ask({ do: 'create', mode: 'analysis', pgn });
    const room = c.rooms.get(made.room);
    is([room.white.name, room.black.name, room.result.result], [tags.White, tags.Black, '1/2-1/2'], 'an analysis of a PGN has its players and result');
    is([room.tags.Event, room.tags.Date, room.tags.WhiteElo], [tags.Event, tags.Date, '2450'], 'and its other tags');
    await c.ask({ do: 'join', keys: [made.keys.white], name: 'Somebody' });
    is(c.rooms.get(made.room).white.name, tags.White, 'who comes to look does not become a player of it');
    await s.kill();
    s = await startServer({ data });
    c = await Client.open(s);
    await c.ask({ do: 'join', keys: [made.keys.white] });
    const out = (await c.ask({ do: 'export', room: made.room })).pgn;
    is(out.split('\n\n')[0].split('\n').sort(), text(tags).split('\n').sort(), 'the exported PGN has the same tags, also after a restart');
    const [{ saved }] = (await c.ask({ do: 'import', pgn, save: true })).games;
    is((await c.ask({ do: 'export', saved: [saved] })).pgn, out, 'so has an imported one');
    const shelf = async () => (await c.ask({ do: 'library' })).games.map((g) => g.name);
    is(await shelf(), ['Đurašević, B. – Gligorić <S>, Candidates "B", round 3.1, 1959.09.07'], 'which is named after its tags');
    await c.ask({ do: 'import', pgn, save: true });
    is((await shelf()).length, 1, 'the same game again is not kept twice');
    await c.ask({ do: 'import', pgn: pgn.replace('2. c4', '2. Nf3'), save: true });
    is((await shelf()).length, 2, 'but another of the same name is');
    const again = await c.ask({ do: 'create', mode: 'analysis', saved });
    is((await c.ask({ do: 'export', room: again.room })).pgn, out, 'and one from the library');
    const played = await c.ask({ do: 'create', saved, white: human('X'), black: human('Y') });
    is(c.rooms.get(played.room).tags, null, 'a game that is played on by others is not the old one');
    const many = await c.ask({ do: 'create', mode: 'analysis', pgn: Array.from({ length: 500 }, (_, i) => `[Tag${i} "${'ž'.repeat(1000)}"]`).join('\n') + '\n\n1. e4 *\n' });
    ok(many.ok && JSON.stringify(c.rooms.get(many.room).tags).length < 20000, 'hundreds of long tags are cut');
    await s.kill('SIGTERM');
  },

  async restart() {
    const data = scratch();
    let s = await startServer({ data });
    const a = await Client.open(s);
    const made = await a.ask({ do: 'create', white: human('Ana'), black: { kind: 'lovac', level: 2 }, clock: { kind: 'game', time_ms: 60000, increment_ms: 1000, black: { time_ms: 90000, increment_ms: 2000 } } });
    const machine = await a.ask({ do: 'create', white: { kind: 'lovac', level: 2 }, black: { kind: 'lovac', level: 2 }, speed_ms: 50 });
    await a.ask({ do: 'move', room: made.room, ply: 0, uci: 'e2e4' });
    await a.until(made.room, (r) => r.position.ply === 2);
    await a.until(machine.room, (r) => r.position.ply > 3);
    await a.ask({ do: 'annotate', room: made.room, node: 1, comment: 'kept', nags: [3], shapes: [{ brush: 'red', from: 'e2', to: 'e4' }] });
    const before = [...a.rooms.get(made.room).nodes.values()];
    await s.kill();
    s = await startServer({ data });
    const b = await Client.open(s);
    const summary = (await b.ask({ do: 'rooms', keys: [made.keys.white, 'x'.repeat(22), machine.keys.watch] })).rooms;
    is([summary[0].ply, summary[1], summary[0].you, summary[2].mode], [2, null, ['white'], 'play'], 'rooms are listed by their keys');
    const back = await b.ask({ do: 'join', keys: [made.keys.white] });
    is(back.you, ['white'], 'the key still opens the room after kill -9');
    is([...b.rooms.get(made.room).nodes.values()].sort((x, y) => x.id - y.id), before.sort((x, y) => x.id - y.id), 'the tree is as it was');
    const clock = b.rooms.get(made.room).clock;
    ok(clock.running === 'white' && clock.white_ms > 50000, 'the clock goes on', clock);
    is([clock.time_ms, clock.black.time_ms, clock.black.increment_ms], [60000, 90000, 2000], 'with the time of each side');
    await b.ask({ do: 'move', room: made.room, ply: 2, uci: 'd2d4' });
    await b.until(made.room, (r) => r.position.ply === 4);
    ok(true, 'the engine plays on');
    await b.ask({ do: 'join', keys: [machine.keys.white] });
    const ply = b.rooms.get(machine.room).position.ply;
    await b.until(machine.room, (r) => r.position.ply > ply || r.state === 'over');
    ok(true, 'a game between engines goes on by itself');
    for (let i = 0; i < 100; i++) {
      const again = await Client.open(s);
      const joined = await again.ask({ do: 'join', keys: [made.keys.white] });
      if (!joined.ok) throw new Error(JSON.stringify(joined));
      again.close();
    }
    ok(true, 'a hundred reconnections');
    const ended = await s.kill('SIGTERM');
    is(ended, { code: 0, signal: null }, 'SIGTERM ends the server cleanly');
    ok(!/error/i.test(s.log), 'without errors in its log', s.log);
  },

  async end() {
    is(await server.kill('SIGTERM'), { code: 0, signal: null }, 'after all that the server ends cleanly');
    ok(!/error|Sanitizer/i.test(server.log), 'without errors in its log', server.log.slice(0, 3000));
  },
});
