// Pictures of the board as it looks on this page: SVG, PNG, and a game as an animated PNG. The men and the colours are
// those of the settings. Nothing here is needed to play: loaded when somebody wants a picture.
import { readPieces, squareXY, type Color, type Piece, type Role, type Square } from './board.js';

export interface Scene {
  readonly fen: string;
  readonly last?: readonly Square[] | undefined;
}

const LETTERS: Record<Role, string> = { king: 'k', queen: 'q', rook: 'r', bishop: 'b', knight: 'n', pawn: 'p' };
const letterOf = (piece: Piece): string => piece.color[0]! + LETTERS[piece.role];
const style = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** The picture of a man as a data URL. */
async function manUrl(letters: string): Promise<string> {
  const url = /^url\(["']?(.*?)["']?\)$/s.exec(style(`--piece-${letters}`))?.[1]?.replace(/\\(.)/g, '$1') ?? '';
  if (url.startsWith('data:')) return url;
  const blob = await (await fetch(url)).blob();
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/** Column and row of a square on the picture, from the upper left corner. */
function place(square: Square, orientation: Color): [number, number] {
  const [file, rank] = squareXY(square);
  return orientation === 'white' ? [file, 7 - rank] : [7 - file, rank];
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** The board as an SVG that needs nothing besides. */
export async function svg({ fen, last }: Scene, orientation: Color): Promise<string> {
  const pieces = [...readPieces(fen)];
  const kinds = [...new Set(pieces.map(([, piece]) => letterOf(piece)))];
  const defs = await Promise.all(
    kinds.map(async kind => `<image id="${kind}" width="1" height="1" href="${escape(await manUrl(kind))}"/>`),
  );
  const dark = Array.from({ length: 64 }, (_, i) => [i % 8, i >> 3] as const)
    .filter(([x, y]) => (x + y) % 2)
    .map(([x, y]) => `M${x} ${y}h1v1h-1z`)
    .join('');
  const at = (square: Square) => place(square, orientation);
  const marks = (last ?? []).map(square => `<rect x="${at(square)[0]}" y="${at(square)[1]}" width="1" height="1"/>`);
  const men = pieces.map(
    ([square, piece]) => `<use href="#${letterOf(piece)}" x="${at(square)[0]}" y="${at(square)[1]}"/>`,
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8" width="720" height="720"><defs>${defs.join('')}</defs>` +
    `<rect width="8" height="8" fill="${style('--sq-light')}"/><path d="${dark}" fill="${style('--sq-dark')}"/>` +
    `<g fill="${style('--sq-last')}">${marks.join('')}</g>${men.join('')}</svg>\n`
  );
}

/** The men as images that can be drawn. */
async function loadMen(scenes: readonly Scene[]): Promise<Map<string, HTMLImageElement>> {
  const kinds = new Set(scenes.flatMap(scene => [...readPieces(scene.fen).values()].map(letterOf)));
  const load = async (kind: string): Promise<[string, HTMLImageElement]> => {
    const image = new Image();
    image.src = await manUrl(kind);
    await image.decode();
    return [kind, image];
  };
  return new Map(await Promise.all([...kinds].map(load)));
}

/** Draws a scene on a canvas of 8 × `side` pixels; no transparency, so that all frames have the same form. */
function draw(
  scene: Scene,
  orientation: Color,
  men: ReadonlyMap<string, HTMLImageElement>,
  side: number,
): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = side * 8;
  const pen = canvas.getContext('2d', { alpha: false })!;
  const fill = (x: number, y: number, colour: string) => {
    pen.fillStyle = colour;
    pen.fillRect(x * side, y * side, side, side);
  };
  const [light, dark, mark] = [style('--sq-light'), style('--sq-dark'), style('--sq-last')];
  for (let i = 0; i < 64; i++) fill(i % 8, i >> 3, ((i % 8) + (i >> 3)) % 2 ? dark : light);
  for (const square of scene.last ?? []) fill(...place(square, orientation), mark);
  for (const [square, piece] of readPieces(scene.fen)) {
    const [x, y] = place(square, orientation);
    pen.drawImage(men.get(letterOf(piece))!, x * side, y * side, side, side);
  }
  return canvas;
}

const toPng = (canvas: HTMLCanvasElement): Promise<Blob> =>
  new Promise((resolve, reject) =>
    canvas.toBlob(blob => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'),
  );

/** The board as a PNG of 8 × `side` pixels. */
export async function png(scene: Scene, orientation: Color, side = 90): Promise<Blob> {
  return toPng(draw(scene, orientation, await loadMen([scene]), side));
}

// ---- Animated PNG ----
// The browser packs each frame as a PNG; here they are put together into one file. A frame holds only the squares that
// changed.

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The smallest rectangle of squares in which two scenes differ, as [column, row, columns, rows]. */
export function changedBox(before: Scene, after: Scene, orientation: Color): Box {
  const [a, b] = [readPieces(before.fen), readPieces(after.fen)];
  const kind = (piece: Piece | undefined) => (piece ? letterOf(piece) : '');
  const squares = new Set([...(before.last ?? []), ...(after.last ?? [])]);
  for (const square of [...a.keys(), ...b.keys()]) if (kind(a.get(square)) !== kind(b.get(square))) squares.add(square);
  const places = [...squares].map(square => place(square, orientation));
  if (places.length === 0) return { x: 0, y: 0, width: 1, height: 1 };
  const [xs, ys] = [places.map(p => p[0]), places.map(p => p[1])];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x + 1, height: Math.max(...ys) - y + 1 };
}

const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n >>> 0;
});

/** CRC-32 as in PNG. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = CRC[(crc ^ byte) & 255]! ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** A chunk of a PNG file. */
function chunk(type: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(12 + data.length);
  const view = new DataView(out.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) out[4 + i] = type.charCodeAt(i);
  out.set(data, 8);
  view.setUint32(8 + data.length, crc32(out.subarray(4, 8 + data.length)));
  return out;
}

/** The chunks of a PNG file of one type. */
function chunksOf(file: Uint8Array, type: string): Uint8Array[] {
  const view = new DataView(file.buffer, file.byteOffset);
  const found: Uint8Array[] = [];
  for (let at = 8; at + 8 <= file.length; at += 12 + view.getUint32(at))
    if (String.fromCharCode(...file.subarray(at + 4, at + 8)) === type)
      found.push(file.subarray(at + 8, at + 8 + view.getUint32(at)));
  return found;
}

export interface Frame extends Box {
  /** A PNG file of this size. */
  readonly png: Uint8Array;
  readonly delayMs: number;
}

const numbers = (...values: (readonly [bytes: 1 | 2 | 4, value: number])[]): Uint8Array => {
  const view = new DataView(new ArrayBuffer(values.reduce((sum, [size]) => sum + size, 0)));
  let at = 0;
  for (const [size, value] of values) {
    if (size === 4) view.setUint32(at, value);
    else if (size === 2) view.setUint16(at, value);
    else view.setUint8(at, value);
    at += size;
  }
  return new Uint8Array(view.buffer);
};

/** Puts PNG files together into an animated one, which begins again at its end. The first is the whole picture. */
export function assemble(frames: readonly Frame[]): Blob {
  const parts: Uint8Array<ArrayBuffer>[] = [Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10)];
  parts.push(chunk('IHDR', chunksOf(frames[0]!.png, 'IHDR')[0]!), chunk('acTL', numbers([4, frames.length], [4, 0])));
  let order = 0;
  frames.forEach(({ png, x, y, width, height, delayMs }, i) => {
    const size = [
      [4, width],
      [4, height],
      [4, x],
      [4, y],
    ] as const;
    parts.push(chunk('fcTL', numbers([4, order++], ...size, [2, delayMs], [2, 1000], [1, 0], [1, 0])));
    for (const data of chunksOf(png, 'IDAT')) {
      if (i === 0) parts.push(chunk('IDAT', data));
      else {
        const numbered = new Uint8Array(4 + data.length);
        numbered.set(numbers([4, order++]));
        numbered.set(data, 4);
        parts.push(chunk('fdAT', numbered));
      }
    }
  });
  parts.push(chunk('IEND', new Uint8Array()));
  return new Blob(parts, { type: 'image/png' });
}

/** A game as an animated picture: `moveMs` for each position, longer for the last. `onFrame` hears how far it is. */
export async function animation(
  scenes: readonly Scene[],
  orientation: Color,
  moveMs: number,
  onFrame: (done: number) => void,
  side = 56,
): Promise<Blob> {
  const men = await loadMen(scenes);
  const frames: Frame[] = [];
  for (const [i, scene] of scenes.entries()) {
    const whole = draw(scene, orientation, men, side);
    const box = i === 0 ? { x: 0, y: 0, width: 8, height: 8 } : changedBox(scenes[i - 1]!, scene, orientation);
    const [x, y, width, height] = [box.x * side, box.y * side, box.width * side, box.height * side];
    const cut = document.createElement('canvas');
    cut.width = width;
    cut.height = height;
    cut.getContext('2d', { alpha: false })!.drawImage(whole, -x, -y);
    const png = new Uint8Array(await (await toPng(cut)).arrayBuffer());
    frames.push({ png, x, y, width, height, delayMs: i === scenes.length - 1 ? moveMs * 4 : moveMs });
    onFrame(i + 1);
  }
  return assemble(frames);
}
