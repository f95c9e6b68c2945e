// The flat board: chessground behind the interface of board.ts.
import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { DrawShape } from '@lichess-org/chessground/draw';
import type * as cg from '@lichess-org/chessground/types';
import {
  readPieces,
  SQUARES,
  squareXY,
  type BoardEvents,
  type BoardState,
  type BoardView,
  type Brush,
  type MountBoard,
  type Place,
  type Shape,
  type Square,
} from './board.js';

const PERSONS: readonly Brush[] = ['green', 'red', 'blue', 'yellow'];

const brush = (key: string, color: string, opacity: number, lineWidth: number) => ({ key, color, opacity, lineWidth });
const BRUSHES = {
  green: brush('green', '#15781b', 0.9, 10),
  red: brush('red', '#a3201b', 0.9, 10),
  blue: brush('blue', '#1f4f9b', 0.9, 10),
  yellow: brush('yellow', '#d98a00', 0.9, 10),
  best: brush('best', '#1d6a4a', 0.85, 13),
  line: brush('line', '#2a6f97', 0.6, 8),
  threat: brush('threat', '#b0342c', 0.75, 11),
};

function toDrawn(shape: Shape): DrawShape {
  return {
    orig: shape.from as cg.Key,
    dest: shape.to as cg.Key | undefined,
    brush: shape.brush,
    ...(shape.label ? { label: { text: shape.label } } : {}),
  };
}

function fromDrawn(shape: DrawShape): Shape {
  const drawn = { from: shape.orig, brush: (shape.brush ?? 'green') as Brush };
  return shape.dest ? { ...drawn, to: shape.dest } : drawn;
}

function markClasses(state: BoardState): Map<cg.Key, string> {
  const classes = new Map<cg.Key, string>();
  const add = (squares: readonly Square[], name: string) => {
    for (const square of squares) {
      const old = classes.get(square as cg.Key);
      classes.set(square as cg.Key, old ? `${old} ${name}` : name);
    }
  };
  add(state.marks.safe, 'mark-safe');
  add(state.marks.danger, 'mark-danger');
  add([...new Set(state.premove ?? [])], 'current-premove');
  if (state.cursor) add([state.cursor], 'mark-cursor');
  return classes;
}

/** A premove may go anywhere: whether it is legal is known only when its turn has come. */
function premoveGoals(state: BoardState): cg.Dests {
  const goals: cg.Dests = new Map();
  if (!state.premovable) return goals;
  for (const [square, piece] of readPieces(state.fen)) {
    if (piece.color === state.premovable) {
      goals.set(square as cg.Key, SQUARES.filter(to => to !== square) as cg.Key[]);
    }
  }
  return goals;
}

class Board2D implements BoardView {
  private readonly api: Api;
  private readonly abort = new AbortController();
  private hovered: Square | null = null;
  /**
   * Presses that chessground has not told of yet, and what was picked up before each: it tells a moment later, on a busy
   * page when the next one has already come.
   */
  private presses: { readonly key: Square; readonly picked: Square | null }[] = [];
  private state: BoardState;

  constructor(
    private readonly element: HTMLElement,
    state: BoardState,
    private readonly events: BoardEvents,
  ) {
    this.state = state;
    const inner = document.createElement('div');
    inner.className = 'cg-host';
    element.append(inner);
    this.api = Chessground(inner, {
      fen: state.fen,
      orientation: state.orientation,
      coordinates: state.coordinates,
      addPieceZIndex: false,
      autoCastle: false,
      blockTouchScroll: true,
      movable: { free: false, events: { after: (from, to) => events.onMove(from, to) } },
      premovable: {
        showDests: false,
        events: { set: (from, to) => events.onPremove([from, to]) },
      },
      draggable: { showGhost: true },
      events: { select: key => this.selected(key) },
      drawable: {
        enabled: true,
        brushes: BRUSHES,
        onChange: shapes => events.onShapes(shapes.map(fromDrawn)),
      },
    });
    const { signal } = this.abort;
    // Something above the board may have come or gone since: chessground must not trust where it was.
    for (const type of ['pointerenter', 'pointerdown'] as const) {
      element.addEventListener(type, () => this.api.state.dom.bounds.clear(), { signal, capture: true });
    }
    element.addEventListener('pointerdown', e => this.pressed(e), { signal, capture: true });
    element.addEventListener('pointermove', e => this.hover(e), { signal });
    element.addEventListener('pointerleave', () => this.setHover(null), { signal });
    // Before chessground ends the drag, see whether it will be refused.
    for (const type of ['mouseup', 'touchend'] as const) {
      document.addEventListener(type, e => this.dropped(e), { signal, capture: true });
    }
    this.setState(state);
  }

  setState(state: BoardState): void {
    const cgState = this.api.state;
    const recoordinate = state.coordinates !== this.state.coordinates;
    // The page hears of a click a moment after chessground: only what the page changed itself is obeyed.
    const reselect = state.selected !== this.state.selected && state.selected !== (cgState.selected ?? null);
    this.state = state;
    const board = state.fen.split(' ')[0]!;
    const king = state.check ? readPieces(board).get(state.check) : undefined;
    // The page keeps the plans, for there may be several; the board shows them as made.
    cgState.premovable.current = undefined;
    if (reselect && !state.selected && !cgState.draggable.current) this.api.selectSquare(null);
    this.api.set({
      ...(this.api.getFen() === board ? {} : { fen: board }),
      orientation: state.orientation,
      turnColor: state.turn,
      coordinates: state.coordinates,
      check: king?.color ?? false,
      lastMove: (state.lastMove ?? undefined) as cg.Key[] | undefined,
      ...(reselect && state.selected ? { selected: state.selected as cg.Key } : {}),
      animation: { enabled: state.animationMs > 0, duration: state.animationMs },
      movable: {
        color: state.movable ?? state.premovable ?? undefined,
        dests: new Map(state.dests) as cg.Dests,
        showDests: state.showDests,
      },
      premovable: {
        enabled: state.premovable !== null,
        customDests: premoveGoals(state),
      },
      highlight: { lastMove: true, check: true, custom: markClasses(state) },
      drawable: {
        enabled: state.drawable,
        shapes: state.shapes.filter(s => PERSONS.includes(s.brush)).map(toDrawn),
        autoShapes: state.shapes.filter(s => !PERSONS.includes(s.brush)).map(toDrawn),
      },
    });
    if (recoordinate) this.api.redrawAll();
  }

  place(square: Square): Place {
    const size = this.element.clientWidth / 8;
    const [file, rank] = squareXY(square);
    const white = this.state.orientation === 'white';
    return { x: (white ? file : 7 - file) * size, y: (white ? 7 - rank : rank) * size, size };
  }

  resize(): void {
    this.api.redrawAll();
  }

  destroy(): void {
    this.abort.abort();
    this.api.destroy();
    this.element.replaceChildren();
  }

  private pressed(e: PointerEvent): void {
    const key = this.api.getKeyAtDomPos([e.clientX, e.clientY]);
    if (key) this.presses.push({ key, picked: this.api.state.selected ?? null });
  }

  /** What was picked up before the press of this square; presses before it that were not told of are forgotten. */
  private pickedBefore(key: Square): Square | null {
    const i = this.presses.findIndex(press => press.key === key);
    return i < 0 ? null : this.presses.splice(0, i + 1)[i]!.picked;
  }

  /** A square was clicked or picked up. */
  private selected(key: Square): void {
    const from = this.pickedBefore(key);
    // A click beside one's men gives the plans up.
    if (!from && this.state.premove && this.api.state.pieces.get(key as cg.Key)?.color !== this.state.premovable)
      this.events.onPremove(null);
    if (from && from !== key && !this.dragging() && this.refused(from, key)) this.events.onIllegal(from, key);
    queueMicrotask(() => this.events.onSelect(this.api.state.selected ?? null));
  }

  private dragging(): boolean {
    return !!this.api.state.draggable.current;
  }

  /** Would this move be thrown away? (Choosing another man of one's own is no illegal move.) */
  private refused(from: Square, to: Square): boolean {
    const pieces = this.api.state.pieces;
    const mover = pieces.get(from as cg.Key);
    if (!mover || this.state.dests.get(from)?.includes(to)) return false;
    if (this.state.premovable === mover.color && this.state.turn !== mover.color) return false;
    return this.dragging() || pieces.get(to as cg.Key)?.color !== mover.color;
  }

  private dropped(e: MouseEvent | TouchEvent): void {
    const current = this.api.state.draggable.current;
    if (!current?.started) return;
    const point = 'changedTouches' in e ? e.changedTouches[0] : e;
    const to = point && this.api.getKeyAtDomPos([point.clientX, point.clientY]);
    if (to && to !== current.orig && this.refused(current.orig, to)) this.events.onIllegal(current.orig, to);
    queueMicrotask(() => this.events.onSelect(this.api.state.selected ?? null));
  }

  private hover(e: PointerEvent): void {
    if (e.pointerType !== 'touch') this.setHover(this.api.getKeyAtDomPos([e.clientX, e.clientY]) ?? null);
  }

  private setHover(square: Square | null): void {
    if (square === this.hovered) return;
    this.hovered = square;
    this.events.onHover(square);
  }
}

export const mount2d: MountBoard = (element, state, events) => new Board2D(element, state, events);
