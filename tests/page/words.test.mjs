// Chess in words: moves, scores, results, clocks, what happens now.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { example, page, settle } from './page.mjs';

const { i18n, net, settings, words } = page;
before(async () => {
  settings.settings.language.value = 'en';
  await i18n.startLanguage();
  net.welcome.value = example('request-hello').answers[0];
});
const full = () => example('event-room').events.find(e => e.full && e.mode === 'play');
const nodes = () => example('event-room').events.flatMap(e => e.nodes ?? []);

test('moves in words, from nodes as the server sends them', () => {
  const say = (san, extra) => words.moveWords({ ...nodes().find(n => n.san === san), ...extra });
  assert.equal(words.moveWords(nodes().find(n => n.id === 0)), i18n.t('words.start'));
  assert.equal(say('e4'), 'Pawn e2 to e4');
  assert.match(say('O-O'), /castle/i);
  assert.match(say('Nxe4'), /Knight f6 to e4, takes a pawn/);
  assert.match(say('gxh8=Q'), /takes a rook.*Queen/);
  assert.match(say('Qh4#'), /mate/);
  assert.match(say('h2+'), /check$/);
  assert.equal(words.moveWords({ ...nodes()[1], uci: '0000', san: '--' }), i18n.t('words.pass'));
});

test('numbers of moves', () => {
  assert.deepEqual(words.moveNumber({ fen: 'x b - - 0 1' }), { number: 1, white: true });
  assert.deepEqual(words.moveNumber({ fen: 'x w - - 0 2' }), { number: 1, white: false });
});

test('figurines only where a piece is meant', () => {
  settings.settings.figurines.value = true;
  assert.equal(words.sanText('Nbxd7+'), '♘bxd7+');
  assert.equal(words.sanText('e8=Q'), 'e8=♕');
  assert.equal(words.sanText('bxc3'), 'bxc3');
  assert.equal(words.sanText('O-O'), 'O-O');
  settings.settings.figurines.value = false;
  assert.equal(words.sanText('Nf3'), 'Nf3');
  assert.equal(words.sanText(undefined), '');
});

test('letters of pieces are those of the language, shown and typed; Serbian in both scripts', async () => {
  const speak = async id => {
    settings.settings.language.value = id;
    await settle();
    assert.equal(i18n.language.value, id);
  };
  for (const [id, knight, queen] of [
    ['cs', 'J', 'D'],
    ['hr', 'S', 'D'],
    ['sr', 'С', 'Д'],
    ['sr-Latn', 'S', 'D'],
  ]) {
    await speak(id);
    assert.equal(words.sanText('Nbxd7+'), `${knight}bxd7+`);
    assert.equal(words.sanText('e8=Q#'), `e8=${queen}#`);
    assert.equal(words.sanText('bxc3'), 'bxc3');
    assert.equal(words.sanText('O-O'), 'O-O');
    assert.equal(words.typedSan(`${knight}bxd7`), 'Nbxd7');
    assert.equal(words.typedSan('Nbxd7'), 'Nbxd7');
    assert.equal(words.typedSan(`e8=${queen}`), 'e8=Q');
    assert.equal(words.typedSan('d4'), 'd4');
    assert.equal(words.typedSan('O-O'), 'O-O');
  }
  assert.equal(i18n.t('setup.friend'), 'Prijatelj, linkom');
  assert.equal(i18n.toLatin('Љубав, ЊЕГОШ и џеп {n}'), 'Ljubav, NJEGOŠ i džep {n}');
  settings.settings.ownLetters.value = false;
  assert.equal(words.sanText('Nf3'), 'Nf3');
  settings.settings.ownLetters.value = true;
  await speak('en');
  assert.equal(words.sanText('Nf3'), 'Nf3');
});

test('openings have names in the other languages', () => {
  const { openingName } = page.openingwords;
  assert.equal(openingName('Sicilian Defence: Najdorf Variation', 'cs'), 'Sicilská obrana, varianta Najdorf');
  assert.equal(openingName('Sicilian Defence', 'hr'), 'Sicilijanska obrana');
  assert.equal(openingName('Slav Defence: Exchange', 'sr'), 'Словенска одбрана, изменска');
  assert.equal(openingName('Amar Opening', 'hr'), 'Otvaranje Amar');
  assert.equal(openingName('Sicilian Defence', 'en'), 'Sicilian Defence');
  // Of the program's table nearly every family has a name of its own in each language.
  const rows = readFileSync(new URL('../../src/tables/opening_names.inc', import.meta.url), 'utf8');
  const names = [...rows.matchAll(/^\{"[A-E]\d\d", "([^"]+)"/gm)].map(m => m[1]);
  for (const id of ['hr', 'sr', 'cs']) {
    const same = names.filter(name => openingName(name, id).split(',')[0] === name.split(/[,:]/)[0]);
    assert.ok(names.length > 800 && same.length < 5, `${id}: ${same.join('; ')}`);
  }
});

test('an engine’s description in words; kinds and details of players and back', () => {
  assert.equal(words.engineName('Minimax depth=4'), 'Minimax, depth 4');
  assert.match(words.engineName('lovac depth=9 net=none'), /hand-written.*, depth 9/);
  assert.equal(words.engineName('Own fish'), 'Own fish');
  const hello = net.welcome.value;
  net.welcome.value = {
    ...hello,
    engines: [
      { name: 'Minimax', variants: ['chess'], depth: 4, help: 'x' },
      { name: 'Minimax of two depths', variants: ['chess'], depth: 4, words: true },
    ],
  };
  const { kindOf, detailsOf, toMachine } = page.machine;
  for (const engine of ['Minimax', 'Minimax depth=3', 'Minimax of two depths depth=2 sort=1', 'lovac depth=7', 'lovac depth=7 net=none', 'material depth=2']) {
    const player = { kind: 'engine', engine };
    assert.deepEqual(toMachine(kindOf(player), detailsOf(player, 6)), player);
  }
  assert.equal(kindOf({ kind: 'engine', engine: 'Minimax of two depths depth=2' }), 'engine:Minimax of two depths');
  assert.equal(toMachine('engine:Minimax', { level: 6, depth: 60 }).engine, 'Minimax depth=4', 'no deeper than allowed');
  net.welcome.value = hello;
});

test('pictures of pawns, from what the server says about each game', () => {
  const of = name => net.welcome.value.variants.find(v => v.name === name).pawns;
  const { pawnPicture } = page.rules;
  const white = pawnPicture(of('chess')[0], 'white');
  assert.deepEqual([white.steps, white.takes, white.double], [['e3', 'e4'], ['d3', 'f3'], true]);
  const black = pawnPicture(of('chess')[1], 'black');
  assert.deepEqual([black.steps, black.takes], [['d6', 'd5'], ['c6', 'e6']]);
  const legan = pawnPicture(of('legan')[0], 'white');
  assert.deepEqual([legan.steps, legan.takes, legan.double], [['d5'], ['e5', 'd4'], false]);
  assert.deepEqual(of('legan')[0].promotion, ['a5', 'a6', 'a7', 'a8', 'b8', 'c8', 'd8']);
  assert.equal(of('massacre'), null);
});

test('questions are answered, in the language and in English, with or without accents; moves are no questions', async () => {
  const { spokenAnswer } = page.spoken;
  const state = { ...full(), result: null, state: 'playing', clock: { kind: 'game', white_ms: 61000, black_ms: 300000, running: null } };
  const node = nodes().find(n => n.san === 'e4');
  const room = { state: { value: state }, node: { value: node }, clockAt: { value: 0 } };
  const ask = text => spokenAnswer(text, room);
  assert.match(ask('clock'), /White's clock 1:01, Black's clock 5:00\. /);
  assert.equal(ask('last move'), 'White: Pawn e2 to e4');
  assert.equal(ask('Where are the knights?'), 'white knight: b1, g1. black knight: b8, g8');
  assert.match(ask('white pawns'), /^white pawn: a2, b2, c2, d2, e4, f2, g2, h2$/i);
  assert.match(ask('rank 4'), /^Rank 4: e4 white pawn$/i);
  assert.match(ask('rank 5'), /^Rank 5: empty$/);
  assert.match(ask('file e'), /^File e: e1 white king, e4 white pawn, e7 black pawn, e8 black king$/i);
  const board = ask('board').split('\n');
  assert.equal(board.length, 8);
  assert.match(board[0], /^Rank 8: a8 black rook, b8 black knight/i);
  assert.match(ask('?'), /You can ask: clock; last; knights or white pawns; board; rank 4; file e/);
  for (const move of ['e4', 'Nf3', 'e2e4', 'O-O', 'O-O-O', 'bxc3', 'e8=Q+', 'exd', 'hello'])
    assert.equal(ask(move), null, move);
  room.state.value = { ...state, clock: null };
  assert.match(ask('clock'), /^There is no clock\. /);
  for (const [id, question, answer] of [
    ['cs', 'kde jsou jezdci', /: b1, g1\. .*: b8, g8/],
    ['cs', 'bili pesci', /: a2, b2, c2, d2, e4, f2, g2, h2$/],
    ['hr', 'crni skakači', /: b8, g8$/],
    ['sr', 'скакачи', /: b1, g1\. .*: b8, g8/],
    ['sr', 'beli skakaci', /: b1, g1$/],
    ['sr-Latn', 'tabla', /^Red 8: /],
    ['hr', 'board', /^Red 8: /],
  ]) {
    settings.settings.language.value = id;
    await settle();
    assert.match(ask(question), answer, `${id}: ${question}`);
  }
  settings.settings.language.value = 'en';
  await settle();
});

test('scores and chances', () => {
  assert.equal(words.scoreText({ cp: 35 }), '+0.35');
  assert.equal(words.scoreText({ cp: -1234 }), '−12.3');
  assert.equal(words.scoreText({ cp: 0 }), '0.00');
  assert.equal(words.scoreText({ mate: -3 }), '#-3');
  assert.equal(words.scoreText({ mate: 0 }), '#');
  assert.equal(words.winChance({ cp: 0 }), 0.5);
  assert.equal(words.winChance({ mate: -1 }), 0);
  assert.equal(words.winChance({ cp: 0 }, [500, 300, 200]), 0.65);
  assert.ok(words.winChance({ cp: 100 }) > 0.6 && words.winChance({ cp: 100 }) < 0.7);
});

test('results', () => {
  assert.equal(words.resultSigns('1/2-1/2'), '½ – ½');
  assert.equal(words.resultSigns('1-0'), '1 – 0');
  assert.match(words.resultTitle({ result: '1-0', winner: 'white', reason: 'time' }), /White/);
  assert.equal(words.resultTitle({ result: '*', winner: null, reason: 'aborted' }), i18n.t('result.aborted'));
  assert.equal(words.resultTitle({ result: '1/2-1/2', winner: null, reason: 'stalemate' }), i18n.t('result.draw'));
  assert.equal(words.reasonText('no-such-reason'), 'no-such-reason');
});

test('clocks', () => {
  const shown = {
    0: '0:00.0',
    950: '0:00.9',
    9999: '0:09.9',
    10000: '0:10',
    10001: '0:10',
    61000: '1:01',
    3600000: '1:00:00',
    '-5': '0:00.0',
  };
  for (const [ms, text] of Object.entries(shown)) assert.equal(words.clockText(Number(ms)), text, ms);
});

test('what happens now', () => {
  const state = full();
  const with_ = change => words.statusText({ ...state, state: 'playing', result: null, you: ['white'], ...change });
  const turn = (color, check = null) => ({ position: { ...state.position, turn: color, check } });
  assert.equal(with_(turn('white')), i18n.t('status.yourTurn'));
  assert.equal(with_({ ...turn('white', 'e1') }), `${i18n.t('status.yourTurn')} · ${i18n.t('status.check')}`);
  assert.equal(with_({ ...turn('black'), you: ['white', 'black'] }), i18n.t('status.blackTurn'));
  assert.equal(
    with_({ ...turn('black'), black: { kind: 'lovac', level: 6 } }),
    i18n.t('status.thinking', { name: i18n.t('player.lovac', { level: 6 }) }),
  );
  assert.equal(with_({ state: 'paused' }), i18n.t('status.paused'));
  assert.match(with_({ result: { result: '0-1', winner: 'black', reason: 'resignation' } }), / · /);
});

test('players, events, glyphs', () => {
  const tags = {
    Event: 'Candidates',
    Site: 'Zagreb',
    Round: '3',
    Date: '1959.09.??',
    WhiteTitle: 'GM',
    WhiteElo: '2751',
  };
  assert.equal(words.eventText({ tags: { Event: 'Game', Site: 'Lovac', Round: '1', Date: '2026.11.17' } }), '2026.11.17');
  assert.equal(words.eventText({ tags }), `Candidates, Zagreb, ${i18n.t('game.round', { round: '3' })}, 1959.09`);
  assert.equal(words.playerRank({ tags }, 'white'), 'GM · 2751');
  assert.equal(words.playerRank({ tags }, 'black'), '');
  assert.equal(words.playerName({ ...full(), white: { kind: 'engine', engine: 'Fish' } }, 'white'), 'Fish');
  assert.equal(words.shortName('Lovac, level 6 (medium)'), i18n.t('player.lovac', { level: 6 }));
  assert.deepEqual([1, 4, 14, 99].map(words.nagSign), ['!', '??', '⩲', '$99']);
  assert.equal(words.levelElo(6, 'horde32'), null, 'levels were rated in chess alone');
  assert.equal(words.levelElo(6, 'chess'), example('request-hello').answers[0].levels[5].elo);
  assert.equal(words.other('white'), 'black');
});
