// QR codes (ISO/IEC 18004) for links: bytes, error correction M, versions 1 to 10 (up to 213 bytes). `qrCode` gives the
// modules; `qrPath` draws them as an SVG path. Loaded when a code is first shown.

/** Of each version: codewords in all, blocks, correction codewords of a block, centres of alignment patterns. */
const VERSIONS: readonly { total: number; blocks: number; check: number; align: readonly number[] }[] = [
  { total: 26, blocks: 1, check: 10, align: [] },
  { total: 44, blocks: 1, check: 16, align: [6, 18] },
  { total: 70, blocks: 1, check: 26, align: [6, 22] },
  { total: 100, blocks: 2, check: 18, align: [6, 26] },
  { total: 134, blocks: 2, check: 24, align: [6, 30] },
  { total: 172, blocks: 4, check: 16, align: [6, 34] },
  { total: 196, blocks: 4, check: 18, align: [6, 22, 38] },
  { total: 242, blocks: 4, check: 22, align: [6, 24, 42] },
  { total: 292, blocks: 5, check: 22, align: [6, 26, 46] },
  { total: 346, blocks: 5, check: 26, align: [6, 28, 50] },
];

/** A product in the field of 256 elements with the polynomial 0x11d. */
function times(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ (product >> 7 ? 0x11d : 0);
    if ((b >> bit) & 1) product ^= a;
  }
  return product;
}

/** The Reed-Solomon codewords that belong to `data`. */
export function correction(data: readonly number[], count: number): number[] {
  // The generator (x - 1)(x - 2)(x - 4) …; its leading 1 is not needed below.
  let product: number[] = [1];
  for (let i = 0, root = 1; i < count; i++, root = times(root, 2))
    product = [...product, 0].map((g, k) => g ^ (k > 0 ? times(product[k - 1]!, root) : 0));
  const generator = product.slice(1);
  const rest: number[] = new Array<number>(count).fill(0);
  for (const byte of data) {
    const factor = byte ^ rest.shift()!;
    rest.push(0);
    generator.forEach((g, k) => (rest[k] = rest[k]! ^ times(g, factor)));
  }
  return rest;
}

/** `value` followed by the remainder of a division by `polynomial`: how format and version are protected. */
function protect(value: number, bits: number, polynomial: number): number {
  let rest = value << bits;
  for (let i = 31 - Math.clz32(rest); i >= bits; i--) if ((rest >> i) & 1) rest ^= polynomial << (i - bits);
  return (value << bits) | rest;
}
/** The 15 bits that name correction M and a mask. */
export const formatBits = (mask: number): number => protect(mask, 10, 0x537) ^ 0x5412;
/** The 18 bits that name a version from 7 on. */
export const versionBits = (version: number): number => protect(version, 12, 0x1f25);

/** Mode, length, bytes, padding. */
function dataWords(bytes: Uint8Array, version: number, capacity: number): number[] {
  let bits = '0100' + bytes.length.toString(2).padStart(version < 10 ? 8 : 16, '0');
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  bits += '0'.repeat(Math.min(4, capacity * 8 - bits.length));
  bits += '0'.repeat(-bits.length & 7);
  const words = (bits.match(/.{8}/g) ?? []).map(word => parseInt(word, 2));
  for (let pad = 0xec; words.length < capacity; pad ^= 0xec ^ 0x11) words.push(pad);
  return words;
}

/** The blocks of data and of correction, woven together. */
function interleave(words: readonly number[], { total, blocks, check }: (typeof VERSIONS)[number]): number[] {
  const short = Math.floor(total / blocks) - check;
  const longer = total % blocks;
  const parts: number[][] = [];
  for (let i = 0, at = 0; i < blocks; i++) {
    const length = short + (i >= blocks - longer ? 1 : 0);
    parts.push(words.slice(at, at + length));
    at += length;
  }
  const weave = (lists: readonly number[][]): number[] =>
    Array.from({ length: Math.max(...lists.map(l => l.length)) }, (_, k) =>
      lists.flatMap(l => l.slice(k, k + 1)),
    ).flat();
  return [...weave(parts), ...weave(parts.map(part => correction(part, check)))];
}

type Grid = (boolean | null)[][];

function fill(grid: Grid, x: number, y: number, width: number, dark: (dx: number, dy: number) => boolean): void {
  for (let dy = 0; dy < width; dy++)
    for (let dx = 0; dx < width; dx++) if (grid[y + dy]?.[x + dx] !== undefined) grid[y + dy]![x + dx] = dark(dx, dy);
}

/** Finders, alignment and timing patterns, and the places of format and version; what is null takes data. */
function frame(version: number): Grid {
  const size = 17 + 4 * version;
  const grid: Grid = Array.from({ length: size }, () => new Array<boolean | null>(size).fill(null));
  for (let i = 0; i < size; i++) grid[6]![i] = grid[i]![6] = i % 2 === 0;
  const ring = (middle: number, far: readonly number[]) => (dx: number, dy: number) =>
    !far.includes(Math.max(Math.abs(dx - middle), Math.abs(dy - middle)));
  for (const [x, y] of [
    [0, 0],
    [size - 7, 0],
    [0, size - 7],
  ] as const)
    fill(grid, x - 1, y - 1, 9, ring(4, [2, 4]));
  const { align } = VERSIONS[version - 1]!;
  const last = align.length - 1;
  align.forEach((y, i) =>
    align.forEach((x, k) => {
      const finder = (i === 0 && (k === 0 || k === last)) || (i === last && k === 0);
      if (!finder) fill(grid, x - 2, y - 2, 5, ring(2, [1]));
    }),
  );
  for (let i = 0; i < 9; i++) {
    grid[8]![i] ??= false;
    grid[i]![8] ??= false;
    if (i < 8) grid[8]![size - 1 - i] = grid[size - 1 - i]![8] = false;
  }
  grid[size - 8]![8] = true;
  if (version >= 7)
    for (let i = 0; i < 18; i++) {
      const dark = ((versionBits(version) >> i) & 1) === 1;
      grid[Math.floor(i / 3)]![size - 11 + (i % 3)] = grid[size - 11 + (i % 3)]![Math.floor(i / 3)] = dark;
    }
  return grid;
}

/** Where data goes: pairs of columns from the right, up and down by turns. */
function* dataPlaces(grid: Grid): Generator<readonly [number, number]> {
  const size = grid.length;
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right--;
    for (let i = 0; i < size; i++) {
      const y = up ? size - 1 - i : i;
      for (const x of [right, right - 1]) if (grid[y]![x] === null) yield [x, y];
    }
  }
}

export const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  x => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

function writeFormat(grid: Grid, mask: number): void {
  const size = grid.length;
  const bits = formatBits(mask);
  for (let i = 0; i < 15; i++) {
    const dark = ((bits >> i) & 1) === 1;
    // Once down column 8 and once along row 8, around the timing patterns.
    grid[i < 6 ? i : i < 8 ? i + 1 : size - 15 + i]![8] = dark;
    grid[8]![i < 8 ? size - 1 - i : i === 8 ? 7 : 14 - i] = dark;
  }
}

/** How hard a symbol is to read: long runs, blocks, what looks like a finder, too much of one colour. */
function penalty(grid: Grid): number {
  const size = grid.length;
  let sum = 0;
  const rows = grid.map(row => row.map(dark => (dark ? '1' : '0')).join(''));
  const columns = rows.map((_, x) => rows.map(row => row[x]).join(''));
  for (const line of [...rows, ...columns]) {
    for (const run of line.match(/1{5,}|0{5,}/g) ?? []) sum += run.length - 2;
    sum += 40 * (line.match(/(?=10111010000|00001011101)/g) ?? []).length;
  }
  for (let y = 1; y < size; y++)
    for (let x = 1; x < size; x++)
      if (new Set([grid[y]![x], grid[y - 1]![x], grid[y]![x - 1], grid[y - 1]![x - 1]]).size === 1) sum += 3;
  const dark = rows.join('').replaceAll('0', '').length;
  return sum + 10 * Math.floor(Math.abs((dark * 20) / (size * size) - 10));
}

/** The modules of a code, row by row, true where dark; null when the text is too long. */
export function qrCode(text: string): readonly (readonly boolean[])[] | null {
  const bytes = new TextEncoder().encode(text);
  const capacity = (v: number) => VERSIONS[v - 1]!.total - VERSIONS[v - 1]!.blocks * VERSIONS[v - 1]!.check;
  const version = VERSIONS.findIndex((_, i) => bytes.length + (i < 9 ? 2 : 3) <= capacity(i + 1)) + 1;
  if (version === 0) return null;
  const words = interleave(dataWords(bytes, version, capacity(version)), VERSIONS[version - 1]!);
  const empty = frame(version);
  const symbols = MASKS.map((flips, mask) => {
    const grid = empty.map(row => [...row]);
    let at = 0;
    for (const [x, y] of dataPlaces(empty)) {
      const bit = ((words[at >> 3] ?? 0) >> (7 - (at & 7))) & 1;
      grid[y]![x] = (bit === 1) !== flips(x, y);
      at++;
    }
    writeFormat(grid, mask);
    return { grid, cost: penalty(grid) };
  });
  return symbols.reduce((best, next) => (next.cost < best.cost ? next : best)).grid as boolean[][];
}

/** The dark modules as a path of unit squares, with the quiet zone of four around them in mind. */
export function qrPath(code: readonly (readonly boolean[])[]): string {
  return code.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + 4} ${y + 4}h1v1h-1z` : ''))).join('');
}
