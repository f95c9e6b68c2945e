// QR codes: the published examples of ISO/IEC 18004 for correction, format and version; and a reader of our own, which knows
// only the standard's layout, gets every text back from its symbol.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './page.mjs';

const { qr } = page;
const hex = text => text.split(' ').map(byte => parseInt(byte, 16));

test('Reed-Solomon: the symbol 01234567 of the standard, version 1-M', () => {
  const data = hex('10 20 0c 56 61 80 ec 11 ec 11 ec 11 ec 11 ec 11');
  assert.deepEqual(qr.correction(data, 10), hex('a5 24 d4 c1 ed 36 c7 87 2c 55'));
  // And its generator, from the table of the standard: x^7 + a^87 x^6 + a^229 x^5 + a^146 x^4 + a^149 x^3 + a^238 x^2 + a^102 x + a^21.
  assert.deepEqual(qr.correction([1], 7), [127, 122, 154, 164, 11, 68, 117]);
});

test('format and version as the standard writes them', () => {
  assert.equal(qr.formatBits(0).toString(2).padStart(15, '0'), '101010000010010');
  assert.equal(qr.formatBits(5).toString(2).padStart(15, '0'), '100000011001110');
  assert.equal(qr.versionBits(7).toString(2).padStart(18, '0'), '000111110010010100');
});

const HELLO = [
  '#######..####.#######',
  '#.....#.....#.#.....#',
  '#.###.#.#.#.#.#.###.#',
  '#.###.#.#.#...#.###.#',
  '#.###.#.##..#.#.###.#',
  '#.....#.##.#..#.....#',
  '#######.#.#.#.#######',
  '........#.#..........',
  '#.#####..#.#..#####..',
  '...#....#..####..##.#',
  '..#####..##.#.##.###.',
  '..#..#.##.#####..##..',
  '.###..#####.#..#....#',
  '........#...#..#.#...',
  '#######..#.#.#..#.##.',
  '#.....#.#.#....#####.',
  '#.###.#.#..#.#..#..#.',
  '#.###.#.##.#####.#...',
  '#.###.#.##..#.##..#..',
  '#.....#..#.####.###..',
  '#######.##..#...#..#.',
];
test('the whole symbol of "Hello", as other encoders draw it too', () => {
  const lines = qr.qrCode('Hello').map(row => row.map(dark => (dark ? '#' : '.')).join(''));
  assert.deepEqual(lines, HELLO);
});

// Blocks of correction M: [blocks, data codewords of the first ones, how many are longer by one, correction codewords].
const BLOCKS = [, [1, 16, 0, 10], [1, 28, 0, 16], [1, 44, 0, 26], [2, 32, 0, 18], [2, 43, 0, 24], [4, 27, 0, 16], [4, 31, 0, 18], [4, 38, 2, 22], [5, 36, 2, 22], [5, 43, 1, 26]];

/** The text of a symbol. */
function read(code) {
  const size = code.length;
  const version = (size - 17) / 4;
  const at = (x, y) => (code[y][x] ? 1 : 0);
  for (const [x, y] of [[0, 0], [size - 7, 0], [0, size - 7]])
    assert.deepEqual([0, 1, 2, 3, 4, 5, 6].map(i => at(x + i, y + 3)), [1, 0, 1, 1, 1, 0, 1], 'a finder');
  const format = [0, 1, 2, 3, 4, 5, 7, 8].map(x => at(x, 8)).concat([7, 5, 4, 3, 2, 1, 0].map(y => at(8, y))).join('');
  const mask = (parseInt(format, 2) ^ 0b101010000010010) >> 10;
  assert.ok(mask < 8, 'correction M');
  const centres = version === 1 ? [] : version < 7 ? [6, size - 7] : [6, (size - 1) / 2, size - 7];
  const corner = (a, b) => (a === 6 && (b === 6 || b === size - 7)) || (a === size - 7 && b === 6);
  const isFixed = (x, y) =>
    x === 6 || y === 6 || (x < 9 && y < 9) || (x < 9 && y > size - 9) || (x > size - 9 && y < 9) ||
    (version > 6 && ((x < 6 && y > size - 12) || (y < 6 && x > size - 12))) ||
    centres.some(a => centres.some(b => !corner(a, b) && Math.abs(x - a) < 3 && Math.abs(y - b) < 3));
  let bits = '';
  let up = true;
  for (let right = size - 1; right > 0; right -= 2, up = !up) {
    if (right === 6) right = 5;
    for (let i = 0; i < size; i++)
      for (const x of [right, right - 1]) {
        const y = up ? size - 1 - i : i;
        if (!isFixed(x, y)) bits += at(x, y) ^ (qr.MASKS[mask](x, y) ? 1 : 0);
      }
  }
  const words = bits.match(/.{8}/g).map(word => parseInt(word, 2));
  const [blocks, length, longer, check] = BLOCKS[version];
  const parts = Array.from({ length: blocks }, () => []);
  let next = 0;
  for (let k = 0; k <= length; k++)
    parts.forEach((part, i) => (k < length || i >= blocks - longer) && part.push(words[next++]));
  const checks = Array.from({ length: blocks }, () => []);
  for (let k = 0; k < check; k++) checks.forEach(part => part.push(words[next++]));
  parts.forEach((part, i) => assert.deepEqual(checks[i], qr.correction(part, check)));
  const data = parts.flat().map(word => word.toString(2).padStart(8, '0')).join('');
  assert.equal(data.slice(0, 4), '0100', 'bytes');
  const wide = version < 10 ? 8 : 16;
  const count = parseInt(data.slice(4, 4 + wide), 2);
  const bytes = Array.from({ length: count }, (_, i) => parseInt(data.slice(4 + wide + 8 * i, 12 + wide + 8 * i), 2));
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

test('texts of all lengths are read back, to the largest; what is longer is refused', () => {
  const sizes = new Set();
  for (let length = 1; length <= 213; length += length < 20 ? 1 : 7) {
    const text = 'http://192.168.178.20:8064/#/room/'.repeat(7).slice(0, length);
    const code = qr.qrCode(text);
    sizes.add(code.length);
    assert.equal(read(code), text);
  }
  assert.equal(sizes.size, 10, 'versions met');
  assert.equal(read(qr.qrCode('šah ♘')), 'šah ♘');
  assert.equal(qr.qrCode('x'.repeat(213)).length, 57);
  assert.equal(qr.qrCode('x'.repeat(214)), null);
});
