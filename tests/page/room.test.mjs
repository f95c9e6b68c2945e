// A room as the page keeps it, fed with events as the server sends them; going through its moves; runs of the laboratory.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { example, page, server, settle } from './page.mjs';

const { lab, navigate, openings, room: rooms } = page;
const { Room, pathTo, mainLine, lineEnd } = rooms;
const events = example('event-room').events;
const game = events.find(e => e.full && e.mode === 'play' && e.clock);
const analysis = events.find(e => e.full && e.mode === 'analysis' && e.nodes.length > 20);
before(() => server.greet());

/** A room that has heard its first event. */
function open(first) {
  const room = new Room(first.room, { white: 'W' }, ['white']);
  server.say(first);
  server.take();
  return room;
}

test('a full event is the whole state', async () => {
  const room = new Room(game.room, { white: 'W', watch: 'X' }, ['white']);
  const joined = room.join('Ana');
  const [join] = server.take();
  assert.deepEqual([join.do, join.keys, join.name], ['join', ['W'], 'Ana']);
  server.say(game);
  server.say({ id: join.id, ok: true, room: game.room, you: ['white'] });
  await joined;
  await room.ready();
  assert.equal(room.state.value.version, game.version);
  assert.equal(room.nodes.value.size, game.nodes.length);
  assert.equal(room.cursor.value, game.live);
  assert.equal(room.position.value.fen, game.position.fen);
  room.drop();
});

test('later events change what they name; a gap asks for all of it; old ones are passed over', () => {
  const room = open(game);
  const node = { id: 1, parent: 0, children: [], ply: 1, uci: 'e2e4', san: 'e4', fen: 'x b - - 0 1' };
  const root = { ...game.nodes[0], children: [1] };
  const moved = {
    event: 'room',
    room: game.room,
    version: game.version + 1,
    live: 1,
    nodes: [root, node],
    position: { ...game.position, node: 1, ply: 1 },
  };
  server.say(moved);
  assert.equal(room.cursor.value, 1); // goes with the game
  assert.equal(room.state.value.variant, game.variant);
  server.say({ ...moved, watchers: 99 });
  assert.notEqual(room.state.value.watchers, 99);
  server.say({ event: 'room', room: game.room, version: game.version + 5, watchers: 7 });
  assert.deepEqual(
    server.take().map(r => r.do),
    ['sync'],
  );
  assert.notEqual(room.state.value.watchers, 7);
  room.look(0);
  server.say({ ...moved, version: game.version + 2, watchers: 3 });
  assert.equal(room.cursor.value, 0); // who looks elsewhere stays there
  room.look(1);
  server.say({
    event: 'room',
    room: game.room,
    version: game.version + 3,
    live: 0,
    removed: [1],
    position: game.position,
  });
  assert.equal(room.cursor.value, 0);
  assert.equal(room.nodes.value.has(1), false);
  room.drop();
});

test('what is of other rooms is not heard; a room can be gone', () => {
  const room = open(game);
  server.say({ ...example('event-gone').events[0], room: 'another' });
  assert.equal(room.gone.value, false);
  server.say({ ...example('event-gone').events[0], room: game.room });
  assert.equal(room.gone.value, true);
  room.drop();
});

test('a move is shown at once, and sent with its place', async () => {
  const room = open(game);
  const played = room.play({ uci: 'e2e4' }, 'after');
  assert.equal(room.pending.value.uci, 'e2e4');
  const [move] = server.take();
  assert.deepEqual([move.do, move.ply, move.uci, move.node], ['move', game.position.ply, 'e2e4', undefined]);
  server.say({ id: move.id, ok: true, node: 1 });
  await played;
  assert.equal(room.pending.value, null);
  room.drop();
});

test('a position that is not known is asked for once', async () => {
  const room = open(analysis);
  const other = analysis.nodes.map(n => n.id).find(id => id !== room.cursor.value);
  room.look(other);
  const [show] = server.take();
  assert.deepEqual([show.do, show.node], ['show', other]);
  assert.equal(room.position.value, null);
  server.say({ ...example('request-show').answers[0], id: show.id });
  await settle();
  assert.ok(room.position.value);
  room.look(0);
  room.look(other);
  assert.ok(server.take().every(r => r.node !== other));
  room.look(9999); // no such node
  assert.equal(room.cursor.value, other);
  room.drop();
});

test('lines of the tree', () => {
  const nodes = new Map(analysis.nodes.map(n => [n.id, n]));
  const main = mainLine(nodes);
  assert.equal(main[0], 0);
  assert.equal(lineEnd(nodes, 0), main.at(-1));
  assert.deepEqual(pathTo(nodes, main.at(-1)), main);
  assert.deepEqual(pathTo(nodes, 9999), []);
  assert.deepEqual(mainLine(new Map()), []);
});

test('going through the moves', () => {
  const room = open(analysis);
  const main = mainLine(room.nodes.value);
  navigate.goFirst(room);
  assert.equal(room.cursor.value, 0);
  navigate.goPrevious(room);
  assert.equal(room.cursor.value, 0);
  navigate.goNext(room);
  navigate.goNext(room);
  assert.equal(room.cursor.value, main[2]);
  navigate.goPrevious(room);
  assert.equal(room.cursor.value, main[1]);
  navigate.goLast(room);
  assert.equal(room.cursor.value, main.at(-1));
  assert.deepEqual(room.path.value, main);
  room.drop();
});

test('who may do what', () => {
  const state = { ...game, state: 'playing', you: ['white'], position: { ...game.position, turn: 'white' } };
  assert.equal(rooms.mayMove(state), 'white');
  assert.equal(rooms.mayMove({ ...state, state: 'paused' }), null);
  assert.equal(rooms.mayMove({ ...state, you: ['black'] }), null);
  assert.equal(rooms.hasOpponent(state), true);
  assert.equal(rooms.hasOpponent({ ...state, you: ['white', 'black'] }), false);
  const engine = { kind: 'lovac', level: 3 };
  assert.equal(rooms.isWatched({ ...state, white: engine, black: engine }), true);
  assert.equal(rooms.isWatched({ ...state, black: engine }), false);
  assert.deepEqual(rooms.firstMove({ pv: ['e7e8q'] }), { from: 'e7', to: 'e8' });
  assert.equal(rooms.firstMove({ pv: [] }), null);
});

test('the laboratory: rows take the place of all from a row on', async () => {
  const told = example('request-lab').answers[0];
  const run = example('event-run').events.find(e => e.rows.rows);
  const leave = lab.enterLab(assert.ifError);
  const asked = server.take().find(r => r.do === 'lab');
  server.say({ ...told, id: asked.id });
  await settle();
  assert.equal(lab.experiments.value.length, told.experiments.length);
  const looked = lab.look(run.run);
  const [look] = server.take();
  server.say({ id: look.id, ok: true, run: { ...run, tables: { rows: [[1], [2], [3]] } } });
  await looked;
  server.say({ ...run, rows: { rows: { from: 1, rows: [[20], [30]] } } });
  assert.deepEqual(lab.shown.value.tables.rows, [[1], [20], [30]]);
  assert.equal(lab.runs.value.find(r => r.run === run.run).state, run.state);
  assert.equal(lab.isOver(run), run.state !== 'waiting' && run.state !== 'running');
  const made = lab.madeChoices(told.experiments[0], { ...run, choices: { ...run.choices, loud: false } });
  const keys = made.map(([choice]) => choice.key);
  assert.ok(keys.includes('count') && keys.includes('player'));
  assert.ok(!keys.includes('loud') && !keys.includes('color') && !keys.includes('fen')); // off, needs it, empty
  leave();
  assert.equal(lab.shown.value, null);
});

test('names of openings: of the deepest position that has one', async () => {
  const line = [
    'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
    'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1',
    'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2',
    'odd w - - 0 3',
  ];
  assert.equal(openings.openingOf(line), null); // not loaded yet
  await settle();
  assert.deepEqual(openings.openingOf(line), { code: 'B20', name: 'Sicilian Defence' });
  assert.equal(openings.openingOf(line.slice(0, 2)).code, 'B00');
  assert.equal(openings.openingOf(line.slice(0, 1)), null);
});
