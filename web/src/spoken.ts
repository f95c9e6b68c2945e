// Questions typed instead of a move, for people who do not see the board: the clock, the last move, where the knights
// are, the board by ranks. Words of the page's language and English ones are understood, with or without accents.
import { readPieces, squareAt, type Color, type Role, type Square } from './board.js';
import { t, tEnglish, toLatin, type Key } from './i18n.js';
import type { Room } from './room.js';
import { pieceName } from './ui/pieces.js';
import { clockText, moveWords, statusText } from './words.js';

const ROLES: readonly Role[] = ['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'];
const COLORS: readonly Color[] = ['white', 'black'];

/** Small letters of the Latin script without accents. */
const plain = (text: string): string => toLatin(text).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Which of a message's words, in this language or English, begins one of these; -1: none. */
function meant(words: readonly string[], key: Key): number {
  for (const list of [t(key), tEnglish(key)]) {
    const at = plain(list)
      .split(' ')
      .findIndex(stem => words.some(word => word.startsWith(stem)));
    if (at >= 0) return at;
  }
  return -1;
}

function clocks(room: Room): string {
  const state = room.state.value!;
  const { clock } = state;
  if (!clock || clock.kind === 'none') return `${t('say.noClock')} ${statusText(state)}`;
  const left = (color: Color) => {
    const base = color === 'white' ? clock.white_ms : clock.black_ms;
    return clockText(clock.running === color ? base - (performance.now() - room.clockAt.value) : base);
  };
  return `${t('clock.white')} ${left('white')}, ${t('clock.black')} ${left('black')}. ${statusText(state)}`;
}

function lastMove(room: Room): string {
  const node = room.node.value;
  if (!node?.uci) return t('words.start');
  return `${node.fen.split(' ')[1] === 'b' ? t('white') : t('black')}: ${moveWords(node)}`;
}

type Men = ReturnType<typeof readPieces>;

function whereAre(men: Men, role: Role, colors: readonly Color[]): string {
  return colors
    .map(color => {
      const squares = [...men].filter(([, p]) => p.role === role && p.color === color).map(([square]) => square);
      return `${pieceName({ color, role })}: ${squares.sort().join(', ') || t('say.nowhere')}`;
    })
    .join('. ');
}

/** The men on some squares, or that there are none. */
function menOn(men: Men, squares: readonly Square[]): string {
  const found = squares.flatMap(square => {
    const piece = men.get(square);
    return piece ? [`${square} ${pieceName(piece)}`] : [];
  });
  return found.join(', ') || t('grid.empty');
}
const EIGHT = [0, 1, 2, 3, 4, 5, 6, 7];
const rankOf = (men: Men, rank: number): string =>
  t('say.rankIs', {
    rank: rank + 1,
    men: menOn(
      men,
      EIGHT.map(file => squareAt(file, rank)),
    ),
  });
const fileOf = (men: Men, file: number): string =>
  t('say.fileIs', {
    file: 'abcdefgh'[file]!,
    men: menOn(
      men,
      EIGHT.map(rank => squareAt(file, rank)),
    ),
  });

/** What can be asked, with the words of the language. */
export function questions(): string {
  const first = (key: Key) => t(key).split(' ')[0]!;
  return t('say.canAsk', {
    clock: first('say.clock'),
    last: first('say.last'),
    knights: t('say.example.knights'),
    white: t('say.example.white'),
    board: first('say.board'),
    rank: first('say.rank'),
    file: first('say.file'),
  });
}

/** The answer to a question about the room, or null if the text is none: then it is a move. */
export function spokenAnswer(text: string, room: Room): string | null {
  const words = plain(text)
    .split(/[\s,.]+/)
    .filter(Boolean);
  const at = (pattern: RegExp) => words.find(word => pattern.test(word));
  if (text.trim() === '?') return questions();
  // Moves have digits or are castling; questions begin with a word.
  if (!words.some(word => /^\p{L}{3,}\??$/u.test(word)) || !room.state.value) return null;
  const men = readPieces(room.node.value?.fen ?? '');
  if (meant(words, 'say.help') >= 0) return questions();
  if (meant(words, 'say.clock') >= 0) return clocks(room);
  if (meant(words, 'say.last') >= 0) return lastMove(room);
  const rank = at(/^[1-8]$/);
  if (rank && meant(words, 'say.rank') >= 0) return rankOf(men, Number(rank) - 1);
  const file = at(/^[a-h]$/);
  if (file && meant(words, 'say.file') >= 0) return fileOf(men, 'abcdefgh'.indexOf(file));
  if (meant(words, 'say.board') >= 0) return EIGHT.map(i => rankOf(men, 7 - i)).join('.\n');
  const role = ROLES[meant(words, 'say.roles')];
  const color = COLORS[meant(words, 'say.colors')];
  return role ? whereAre(men, role, color ? [color] : COLORS) : null;
}
