// The board without rules: men of a FEN, squares, what a move leaves behind; where an address leads.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './page.mjs';

const { board, gameboard, app, setup } = page;
const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';

test('men are read from a FEN and written again', () => {
  const men = board.readPieces(START + ' w KQkq - 0 1');
  assert.equal(men.size, 32);
  assert.deepEqual(men.get('e1'), { color: 'white', role: 'king' });
  assert.deepEqual(men.get('b8'), { color: 'black', role: 'knight' });
  assert.equal(men.get('e4'), undefined);
  for (const fen of [START, '8/8/8/8/8/8/8/8', 'k7/8/1q6/3N4/8/8/7P/K6R'])
    assert.equal(board.writePieces(board.readPieces(fen)), fen);
});

test('letters that are no men are left out, and too long ranks do no harm', () => {
  assert.equal(board.readPieces('kxq5/8/8/8/8/8/8/7K').size, 3);
  assert.equal(board.readPieces('kkkkkkkkkk/8').size, 8);
  assert.equal(board.readPieces('').size, 0);
});

test('squares and their places', () => {
  assert.deepEqual(board.squareXY('a1'), [0, 0]);
  assert.deepEqual(board.squareXY('h8'), [7, 7]);
  assert.equal(board.squareAt(4, 3), 'e4');
  assert.equal(board.SQUARES.length, 64);
  for (const square of board.SQUARES) assert.equal(board.squareAt(...board.squareXY(square)), square);
});

test('the men after a move, until the server tells', () => {
  assert.equal(gameboard.fenAfter(START, 'e2e4'), 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR');
  assert.equal(gameboard.fenAfter('8/P6k/8/8/8/8/8/K7', 'a7a8n'), 'N7/7k/8/8/8/8/8/K7');
  assert.equal(gameboard.fenAfter('8/8/8/3p4/4P3/8/8/8', 'e4d5'), '8/8/8/3P4/8/8/8/8');
  assert.equal(gameboard.fenAfter(START, 'e4e5'), START); // nobody stands there
});

test('addresses', () => {
  assert.deepEqual(app.parse(''), { page: 'play', rest: [] });
  assert.deepEqual(app.parse('#/analyse'), { page: 'analyse', rest: [] });
  assert.deepEqual(app.parse('#/room/a%20b'), { page: 'room', rest: ['a b'] });
  assert.deepEqual(app.parse('#/room/%zz'), { page: 'room', rest: ['%zz'] });
  assert.deepEqual(app.parse('#/nowhere/1'), { page: 'play', rest: [] });
});

test('numbers of starts: large seeds stay texts', () => {
  assert.equal(setup.startValue('518'), 518);
  assert.equal(setup.startValue('18446744073709551615'), '18446744073709551615');
});
