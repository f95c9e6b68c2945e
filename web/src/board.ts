// The board as the page sees it: what to show goes in (BoardState), what the person did comes out
// (BoardEvents). Two views implement it: board2d.ts (chessground) and board3d/ (three.js, loaded when
// first opened). A view holds no rules and remembers nothing that matters: the page may destroy one and
// mount the other at any moment and give it the same state.

export type Color = 'white' | 'black';
export type Role = 'king' | 'queen' | 'rook' | 'bishop' | 'knight' | 'pawn';
/** 'a1' to 'h8'. */
export type Square = string;

export interface Piece {
  readonly color: Color;
  readonly role: Role;
}

/** The colours a shape can have; `best`, `line` and `threat` are the computer's, the others the person's. */
export type Brush = 'green' | 'red' | 'blue' | 'yellow' | 'best' | 'line' | 'threat';

/** An arrow from `from` to `to`, or a circle on `from` when there is no `to`. */
export interface Shape {
  readonly from: Square;
  readonly to?: Square;
  readonly brush: Brush;
  /** A short text at the arrow's head ("+0.4"); views may leave it out. */
  readonly label?: string;
}

/** Everything a view shows. The page always hands over a whole state; the view works out what changed. */
export interface BoardState {
  /** The men: the first field of a FEN. */
  readonly fen: string;
  readonly orientation: Color;
  readonly turn: Color;
  /** Whose men may be picked up now; 'both' in analysis; null while only watching. */
  readonly movable: Color | 'both' | null;
  /** Legal goals for each square; every other drop is illegal (the piece goes back, onIllegal is called). */
  readonly dests: ReadonlyMap<Square, readonly Square[]>;
  /** Whose men may be moved ahead of their turn (a premove, to any square); null for nobody. */
  readonly premovable: Color | null;
  /** The squares of the moves planned ahead, to be marked; `fen` already has the men where they lead. */
  readonly premove: readonly Square[] | null;
  readonly lastMove: readonly Square[] | null;
  /** The square of a king in check. */
  readonly check: Square | null;
  /** The square picked up by keyboard or click; null for none. */
  readonly selected: Square | null;
  /** Where the keyboard is; drawn as a ring. null while the board has no focus. */
  readonly cursor: Square | null;
  /** Marks for the piece under the pointer: `safe` green, `danger` orange (it could be taken there). */
  readonly marks: { readonly safe: readonly Square[]; readonly danger: readonly Square[] };
  readonly shapes: readonly Shape[];
  /** Legal goals of the selected piece as dots. */
  readonly showDests: boolean;
  readonly coordinates: boolean;
  /** Whether the person may draw arrows and circles (right button). */
  readonly drawable: boolean;
  /** Duration of a move's animation in milliseconds; 0 for none (also with reduced motion). */
  readonly animationMs: number;
}

/** What a view tells the page. All of it happens after the view has shown it. */
export interface BoardEvents {
  /** A legal drop (dests has it). The piece already stands on `to`; the page answers with a new state. */
  onMove(from: Square, to: Square): void;
  /** A drop that dests does not have; the piece already went back. */
  onIllegal(from: Square, to: Square): void;
  /** One more move was planned ahead; null: all plans were given up. */
  onPremove(move: readonly [Square, Square] | null): void;
  /** A piece was picked up or put down (null). */
  onSelect(square: Square | null): void;
  /** The pointer is over another square; null outside the board. Never called for touch. */
  onHover(square: Square | null): void;
  /** The person drew or removed a shape: all of the person's shapes. */
  onShapes(shapes: Shape[]): void;
}

/** A place on the screen in CSS pixels, relative to the element the view was mounted in. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** A board that can be shown. */
export interface BoardView {
  /** Shows this state. Cheap when little changed. Whatever the view moved by itself is put right. */
  setState(state: BoardState): void;
  /** Where a square is (left, top, side), for a dialog that opens beside it. */
  place(square: Square): Place;
  /** The element changed its size (also called for full screen). */
  resize(): void;
  /** Frees everything, leaves the element empty. */
  destroy(): void;
}

/** Options of the look, which belong to the person and not to the game. */
export interface BoardLook {
  /** Name of the board theme: 'oak', 'slate', 'meadow' … (settings.ts). */
  readonly theme: string;
  /** 2D piece set, see pieces/. */
  readonly pieces: string;
  /** 3D: 'low' leaves shadows and reflections out; 'auto' does so where the machine is too weak for them. */
  readonly quality: 'auto' | 'low' | 'high';
}

/** Both views are made by a function of this type; `element` is empty, positioned and has a size.
 *  board3d/index.ts exports `mount3d: MountBoard`, board2d.ts exports `mount2d: MountBoard`. */
export type MountBoard = (element: HTMLElement, state: BoardState, events: BoardEvents, look: BoardLook) => BoardView;

/** What only the 3D view has besides; the page shows these as buttons when `view3d(view)` is not null. */
export interface BoardView3D extends BoardView {
  /** Turns the camera to the next of four sides (0.25 of a circle), animated. */
  turn(): void;
  /** Back to the view behind the side at the bottom. */
  resetCamera(): void;
  setQuality(quality: 'low' | 'high'): void;
}

/** The 3D extras of a view, or null. */
export function view3d(view: BoardView): BoardView3D | null {
  return 'turn' in view ? (view as BoardView3D) : null;
}

const ROLES: Record<string, Role> = {
  k: 'king',
  q: 'queen',
  r: 'rook',
  b: 'bishop',
  n: 'knight',
  p: 'pawn',
};

/** The men of a FEN (its first field is enough), by square. Unknown letters are left out. */
export function readPieces(fen: string): Map<Square, Piece> {
  const pieces = new Map<Square, Piece>();
  const board = fen.split(' ')[0] ?? '';
  let rank = 8;
  let file = 0;
  for (const letter of board) {
    if (letter === '/') {
      rank--;
      file = 0;
    } else if (letter >= '1' && letter <= '8') {
      file += Number(letter);
    } else {
      const role = ROLES[letter.toLowerCase()];
      if (role && file < 8 && rank > 0) {
        const color: Color = letter === letter.toUpperCase() ? 'white' : 'black';
        pieces.set('abcdefgh'.charAt(file) + rank, { color, role });
      }
      file++;
    }
  }
  return pieces;
}

/** The other way round: men as the first field of a FEN. */
export function writePieces(pieces: ReadonlyMap<Square, Piece>): string {
  return Array.from({ length: 8 }, (_, row) => {
    let text = '';
    let gap = 0;
    for (let file = 0; file < 8; file++) {
      const man = pieces.get(squareAt(file, 7 - row));
      if (!man) gap++;
      else {
        const letter = man.role === 'knight' ? 'n' : man.role[0]!;
        text += (gap || '') + (man.color === 'white' ? letter.toUpperCase() : letter);
        gap = 0;
      }
    }
    return text + (gap || '');
  }).join('/');
}

/** File (0 to 7) and rank (0 to 7) of a square. */
export function squareXY(square: Square): [number, number] {
  return [square.charCodeAt(0) - 97, square.charCodeAt(1) - 49];
}

/** The square at file and rank 0 to 7. */
export function squareAt(file: number, rank: number): Square {
  return 'abcdefgh'.charAt(file) + (rank + 1);
}

/** All squares, a1 b1 … h8. */
export const SQUARES: readonly Square[] = Array.from({ length: 64 }, (_, i) => squareAt(i % 8, i >> 3));
