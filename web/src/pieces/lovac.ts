// Lovac's own 2D sets, drawn with the shapes of its 3D men: six outlines, each once in ivory and once in
// ebony. All but the knight are the right half of a profile and its mirror image. Three dresses of the same outlines:
//   lovac  shaded    print  flat, as in books    token  a small man on a disc

import type { Color, Role } from '../board';

interface Drawing {
  /** The body, filled and outlined. */
  readonly body: string;
  /** Lines inside it. */
  readonly lines: string;
  /** Filled spots (an eye). */
  readonly spots?: string;
}

/** Corners (2 numbers) and cubic curves (6 numbers) from the top of the axis to its bottom, x counted from it. */
type Half = readonly (readonly number[])[];

/** The closed outline of a half and its mirror image, on a field of 100 by 100. */
function mirrored(half: Half): string {
  const at = (x: number, y: number): string => `${50 + x} ${y}`;
  const ends = half.map(s => s.slice(-2) as [number, number]);
  const right = half.map((s, i) => {
    if (s.length === 2) return (i ? 'L' : 'M') + at(s[0]!, s[1]!);
    return `C${at(s[0]!, s[1]!)} ${at(s[2]!, s[3]!)} ${at(s[4]!, s[5]!)}`;
  });
  const left = half.slice(1).map((s, i) => {
    const [x, y] = ends[i]!;
    if (s.length === 2) return 'L' + at(-x, y);
    return `C${at(-s[2]!, s[3]!)} ${at(-s[0]!, s[1]!)} ${at(-x, y)}`;
  });
  return right.join('') + left.reverse().join('') + 'Z';
}

/** A level line of this half-width. */
const level = (half: number, y: number): string => `M${50 - half} ${y}H${50 + half}`;

/** A ball on the axis or beside it. */
const ball = (x: number, y: number, r: number): string =>
  `M${50 + x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0Z`;

const KNIGHT =
  'M72 90C72.7 86.7 73.2 84 74 80C74.8 76 76.5 70.7 77 66C77.5 61.3 77.7 56.7 77 52C76.3 47.3 74.8 42.2 73 38C71.2 33.8 68.7 30.1 66 27C63.3 23.9 59.2 21.1 57 19.5C54.8 17.9 54.3 18.2 53 17.5C52.5 15 52 12.5 51.5 10C49.5 12 47.5 14 45.5 16C44 17.3 42.6 18.5 41 20C39.4 21.5 37.7 22.8 36 25C34.3 27.2 32.8 30.1 31 33C29.3 35.9 27.3 39.5 25.5 42.5C23.7 45.5 21.4 48.5 20 51C18.6 53.5 17.3 55.5 17 57.5C16.7 59.5 17.2 61.5 18 63C18.8 64.5 20.3 65.9 22 66.5C23.7 67.1 26.2 67.3 28 66.5C29.8 65.8 31.2 63.3 33 62C34.8 60.7 36.8 59.2 39 58.5C41.2 57.8 44.3 58.4 46 58C47.7 57.6 48 56.7 49 56C48.2 58 47.8 60 46.5 62C45.2 64 42.9 66 41 68C39.1 70 36.7 72 35 74C33.3 76 32 77.3 31 80C30 82.7 29.7 86.7 29 90Z';

const DRAWINGS: Record<Role, Drawing> = {
  pawn: {
    body: mirrored([
      [0, 22],
      [7.5, 22, 13.5, 28, 13.5, 35.5],
      [13.5, 40, 11, 44, 7.5, 46.5],
      [15, 48.5],
      [17.5, 50, 17.5, 53, 15, 54.5],
      [8, 55],
      [9, 65, 14, 71, 19, 75],
      [23, 78, 25, 82, 25, 87],
      [25, 89, 24, 90, 22, 90],
      [0, 90],
    ]),
    lines: level(8, 55) + level(20, 79),
  },
  rook: {
    body: mirrored([
      [0, 19],
      [7, 19],
      [7, 27],
      [14, 27],
      [14, 19],
      [25, 19],
      [25, 37],
      [18, 44],
      [18.5, 56, 19.5, 66, 22, 74],
      [28, 78],
      [29.5, 80, 30, 82, 30, 87],
      [30, 89, 29, 90, 27, 90],
      [0, 90],
    ]),
    lines: level(24, 37) + level(18, 44) + level(22, 74) + level(29, 81),
  },
  bishop: {
    body:
      ball(0, 13.5, 5.5) +
      mirrored([
        [0, 18.5],
        [10, 24, 19.5, 36, 19.5, 47],
        [19.5, 54, 15, 59, 11, 61],
        [17, 62.5],
        [19.5, 64, 19.5, 67, 17, 68.5],
        [9, 69],
        [10, 74, 15, 76, 21, 78],
        [26, 79.5, 28, 83, 28, 87],
        [28, 89, 27, 90, 25, 90],
        [0, 90],
      ]),
    lines: 'M61 31L49 46' + level(11, 61) + level(9, 69) + level(23, 80),
  },
  queen: {
    body:
      mirrored([
        [0, 22],
        [9, 44],
        [20, 25],
        [22.5, 47],
        [36, 33],
        [31, 50, 26, 57, 22, 64],
        [24, 65.5, 24, 68.5, 21.5, 70],
        [22, 74, 25, 76, 28, 78],
        [31, 80, 32, 83, 32, 87],
        [32, 89, 31, 90, 29, 90],
        [0, 90],
      ]) +
      [
        [0, 16],
        [20.5, 19.5],
        [-20.5, 19.5],
        [37, 28],
        [-37, 28],
      ]
        .map(([x, y]) => ball(x!, y!, 5))
        .join(''),
    lines: level(22, 63.5) + level(21.5, 70.5) + level(29.5, 80),
  },
  king: {
    body:
      'M46.5 7H53.5L52.5 13.5L59 12.5V19.5L52.5 18.5L54 28H46L47.5 18.5L41 19.5V12.5L47.5 13.5Z' +
      mirrored([
        [0, 27],
        [9, 27, 21, 30, 29, 36],
        [32, 38.5, 32, 41, 30.5, 44],
        [27, 51, 24, 57, 21, 63.5],
        [24, 65, 24, 68.5, 21.5, 70],
        [22, 74, 25, 76, 28, 78],
        [31, 80, 32, 83, 32, 87],
        [32, 89, 31, 90, 29, 90],
        [0, 90],
      ]),
    lines: 'M22 42C34 35.5 66 35.5 78 42' + level(21, 63.5) + level(21.5, 70.5) + level(29.5, 80),
  },
  knight: {
    body: KNIGHT + 'M30 80.5C26 80.5 24 84 24 87C24 89 25 90 27 90H74C76 90 77 89 77 87C77 84 75 80.5 71 80.5Z',
    lines: 'M55 27C64 34 69 45 69 60M49 56C50 51 49 47 47 44M20.5 59.5C23 59.5 25 59 27 57.5',
    spots: 'M36.6 34.6a2.7 2.7 0 1 1 5.4 0a2.7 2.7 0 1 1 -5.4 0ZM22.2 53.2a1.5 1.9 20 1 1 3 0a1.5 1.9 20 1 1 -3 0Z',
  },
};

/** Fill at the top and the foot, outline, inner lines. */
const COLORS: Record<Color, readonly [string, string, string, string]> = {
  white: ['#fffdf6', '#ecdcbc', '#3a2a1a', '#8a6f4d'],
  black: ['#5d4a40', '#2e221c', '#120c09', '#d9c4a8'],
};

export type Dress = 'lovac' | 'print' | 'token';

/** Of a flat man: fill, outline, inner lines. */
const FLAT: Record<Color, readonly [string, string, string]> = {
  white: ['#ffffff', '#111111', '#111111'],
  black: ['#161616', '#161616', '#f4f4f4'],
};
/** Of a disc: itself, its rim, the man on it. */
const DISC: Record<Color, readonly [string, string, string]> = {
  white: ['#fbf6e9', '#5b4a35', '#3f3122'],
  black: ['#35302d', '#0f0d0c', '#f1e7d4'],
};

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">';

/** Without shades, the outline strong, as printed books have it. */
function printed(color: Color, { body, lines, spots }: Drawing): string {
  const [fill, edge, inner] = FLAT[color];
  // On dark squares a black man needs a thin light rim.
  const rim = color === 'black' ? `<path d="${body}" fill="none" stroke="#f4f4f4" stroke-width="6.5"/>` : '';
  return (
    `${SVG}<g stroke-linejoin="round" stroke-linecap="round">${rim}<path d="${body}" fill="${fill}" stroke="${edge}" stroke-width="4.2"/>` +
    `<path d="${lines}" fill="none" stroke="${inner}" stroke-width="3"/>${spots ? `<path d="${spots}" fill="${inner}"/>` : ''}</g></svg>`
  );
}

/** A disc with the man's shape on it: the same from every side, easy to tell apart when small. */
function token(color: Color, { body }: Drawing): string {
  const [disc, rim, man] = DISC[color];
  return (
    `${SVG}<circle cx="50" cy="50" r="43" fill="${disc}" stroke="${rim}" stroke-width="4"/>` +
    `<circle cx="50" cy="50" r="37" fill="none" stroke="${man}" stroke-opacity=".35" stroke-width="1.6"/>` +
    `<path transform="translate(19 17) scale(.62)" d="${body}" fill="${man}"/></svg>`
  );
}

/** One man as an SVG. */
export function drawing(color: Color, role: Role, dress: Dress = 'lovac'): string {
  const { body, lines, spots } = DRAWINGS[role];
  if (dress === 'print') return printed(color, DRAWINGS[role]);
  if (dress === 'token') return token(color, DRAWINGS[role]);
  const [top, foot, edge, inner] = COLORS[color];
  return (
    SVG +
    `<linearGradient id="a" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="1" stop-color="${foot}"/></linearGradient>` +
    `<g stroke-linejoin="round" stroke-linecap="round"><path d="${body}" fill="url(#a)" stroke="${edge}" stroke-width="3.6"/>` +
    `<path d="${lines}" fill="none" stroke="${inner}" stroke-width="2.6"/>` +
    (spots ? `<path d="${spots}" fill="${inner}"/>` : '') +
    '</g></svg>'
  );
}

const LETTER: Record<Role, string> = { king: 'k', queen: 'q', rook: 'r', bishop: 'b', knight: 'n', pawn: 'p' };

/** The rule that hands the twelve pictures to the page as custom properties. */
export function rule(dress: Dress): string {
  const properties = (['white', 'black'] as const).flatMap(color =>
    (Object.keys(LETTER) as Role[]).map(
      role =>
        `--piece-${color.charAt(0)}${LETTER[role]}: url("data:image/svg+xml,${encodeURIComponent(drawing(color, role, dress))}");`,
    ),
  );
  return `:root[data-pieces="${dress}"] { ${properties.join(' ')} }`;
}
