// Chess in words: moves, scores, results, clocks, what happens now.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { example, page } from './page.mjs';

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
