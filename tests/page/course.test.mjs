// How an ending went, told from the verdicts of endgame tables.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './page.mjs';

const { courseEvents, menOf, movesTo } = page.course;

const course = (...verdicts) => verdicts.map((verdict, node) => ({ node, verdict, end: null, zeroing: null }));
const told = (...verdicts) => courseEvents(course(...verdicts)).map(e => `${e.point.node} ${e.kind}`);

test('the first verdict is told, and every change of it', () => {
  assert.deepEqual(told('win', 'win', 'draw', 'draw'), ['0 whiteWinning', '2 whiteSlip']);
  assert.deepEqual(told('loss', 'draw', 'win'), ['0 blackWinning', '1 blackSlip', '2 blackLost']);
  assert.deepEqual(told('draw', 'loss', 'win', 'loss'), ['0 drawn', '1 whiteLost', '2 blackThrew', '3 whiteThrew']);
  assert.deepEqual(told(), []);
});

test('what the fifty-move rule ends is a draw', () => {
  assert.deepEqual(told('win', 'cursed-win', 'draw'), ['0 whiteWinning', '1 whiteSlip']);
  assert.deepEqual(told('cursed-win', 'blessed-loss'), ['0 drawn']);
});

test('men and moves are counted', () => {
  assert.equal(menOf('8/8/8/8/3k4/8/8/KQ4r1 w - - 0 1'), 4);
  assert.equal(movesTo(1), 1);
  assert.equal(movesTo(24), 12);
  assert.equal(movesTo(23), 12);
});
