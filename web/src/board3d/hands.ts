// Pointer, finger and wheel: picks men up, drops them, turns the board, zooms, draws arrows. A press on a
// man that may be moved drags him; a press elsewhere turns the board; a click without movement picks or
// places. Two fingers pinch and turn; a double click beside the board looks at it from the front again. It
// decides nothing about chess: it asks the view what may be done.

import type { Brush, Square } from '../board';

/** What a screen point meets: a man's square, the square of the board behind it. */
export interface Hit {
  readonly man: Square | null;
  readonly ground: Square | null;
}

/** The view, as the hands see it. */
export interface Table {
  hit(x: number, y: number): Hit;
  selected(): Square | null;
  /** Whether the man on this square may be picked up (to move or to premove). */
  canLift(square: Square): boolean;
  canDraw(): boolean;
  /** Whether a man from `from` may go to `to`, by move or premove. */
  canDrop(from: Square, to: Square): boolean;
  select(square: Square | null): void;
  /** A drop or a click on the goal; `dragged` when the man is in the hand. */
  drop(from: Square, to: Square | null, dragged: boolean): void;
  lift(square: Square, x: number, y: number): void;
  carry(x: number, y: number): Square | null;
  hover(square: Square | null): void;
  orbit(dx: number, dy: number): void;
  zoom(factor: number): void;
  draw(from: Square, to: Square | null, brush: Brush, done: boolean): void;
  background(): void;
  resetCamera(): void;
}

type Doing = 'nothing' | 'press' | 'drag' | 'orbit' | 'draw' | 'pinch';

/** Movement in pixels below which a press is a click. */
const SLOP = 5;

export class Hands {
  private doing: Doing = 'nothing';
  private start = { x: 0, y: 0, square: null as Square | null, wasSelected: false };
  private last = { x: 0, y: 0 };
  private brush: Brush = 'green';
  private readonly fingers = new Map<number, { x: number; y: number }>();
  private readonly abort = new AbortController();

  constructor(
    private readonly canvas: HTMLElement,
    private readonly table: Table,
  ) {
    const on = <K extends keyof HTMLElementEventMap>(name: K, handler: (event: HTMLElementEventMap[K]) => void): void =>
      canvas.addEventListener(name, handler as EventListener, { signal: this.abort.signal, passive: false });
    on('pointerdown', e => this.down(e));
    on('pointermove', e => this.move(e));
    on('pointerup', e => this.up(e));
    on('pointercancel', e => this.cancel(e));
    on('pointerleave', () => this.doing === 'nothing' && this.hover(null));
    on('contextmenu', e => e.preventDefault());
    on('dblclick', e => {
      const box = canvas.getBoundingClientRect();
      const hit = table.hit(e.clientX - box.left, e.clientY - box.top);
      if (!hit.man && !hit.ground) table.resetCamera();
    });
    on('wheel', e => {
      e.preventDefault();
      // A wheel click is about 100 pixels; a touchpad sends many small ones.
      const pixels = e.deltaMode === 1 ? e.deltaY * 33 : e.deltaY;
      table.zoom(Math.exp(Math.max(-200, Math.min(200, pixels)) * 0.0011));
    });
  }

  destroy(): void {
    this.abort.abort();
  }

  private local(e: PointerEvent): { x: number; y: number } {
    const box = this.canvas.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top };
  }

  private hovered: Square | null = null;
  private hover(square: Square | null): void {
    if (square === this.hovered) return;
    this.hovered = square;
    this.table.hover(square);
  }

  /** The man that a press here would pick up. */
  private liftable(hit: Hit): Square | null {
    if (hit.man && this.table.canLift(hit.man)) return hit.man;
    // A man behind another one can be taken by the foot, if the one in front is not ours.
    return hit.ground && this.table.canLift(hit.ground) ? hit.ground : null;
  }

  /** Where a click here goes to, with this man picked up: a goal, if the point means one. */
  private goal(from: Square, hit: Hit): Square | null {
    for (const square of [hit.man, hit.ground]) if (square && this.table.canDrop(from, square)) return square;
    return null;
  }

  private down(e: PointerEvent): void {
    const at = this.local(e);
    this.canvas.setPointerCapture(e.pointerId);
    if (e.pointerType === 'touch') {
      e.preventDefault();
      this.fingers.set(e.pointerId, at);
      if (this.fingers.size === 2) {
        this.stop();
        this.doing = 'pinch';
        return;
      }
    }
    if (this.doing !== 'nothing') return;
    const hit = this.table.hit(at.x, at.y);
    this.last = at;
    this.start = { ...at, square: null, wasSelected: false };
    if (e.button === 2 && this.table.canDraw() && (hit.ground || hit.man)) {
      this.brush = e.altKey ? (e.shiftKey || e.ctrlKey ? 'yellow' : 'blue') : e.shiftKey || e.ctrlKey ? 'red' : 'green';
      this.start.square = hit.man ?? hit.ground;
      this.doing = 'draw';
      return;
    }
    if (e.button !== 0) {
      this.doing = 'orbit';
      return;
    }
    const selected = this.table.selected();
    const lift = this.liftable(hit);
    // A click on a goal goes there even when the goal is one's own man (castling by the rook).
    if (lift && !(selected && selected !== lift && this.goal(selected, hit) === lift)) {
      this.start.square = lift;
      this.start.wasSelected = selected === lift;
      if (selected && selected !== lift && this.goal(selected, hit)) this.start.square = null;
      else if (!this.start.wasSelected) this.table.select(lift);
    }
    this.doing = 'press';
  }

  private move(e: PointerEvent): void {
    const at = this.local(e);
    if (this.doing === 'pinch') {
      this.pinch(e.pointerId, at);
      return;
    }
    if (this.doing === 'nothing') {
      if (e.pointerType !== 'touch') {
        const hit = this.table.hit(at.x, at.y);
        this.hover(hit.man ?? hit.ground);
      }
      return;
    }
    const far = Math.hypot(at.x - this.start.x, at.y - this.start.y) > SLOP;
    if (this.doing === 'press' && far) {
      if (this.start.square) {
        this.doing = 'drag';
        this.table.lift(this.start.square, this.start.x, this.start.y);
      } else {
        this.doing = 'orbit';
      }
    }
    if (this.doing === 'drag') this.table.carry(at.x, at.y);
    if (this.doing === 'orbit') {
      const height = this.canvas.clientHeight || 1;
      this.table.orbit((at.x - this.last.x) / height, (at.y - this.last.y) / height);
    }
    if (this.doing === 'draw' && this.start.square) {
      const hit = this.table.hit(at.x, at.y);
      this.table.draw(this.start.square, hit.man ?? hit.ground, this.brush, false);
    }
    this.last = at;
  }

  private up(e: PointerEvent): void {
    const at = this.local(e);
    this.fingers.delete(e.pointerId);
    const { doing, start } = this;
    if (doing === 'pinch') {
      if (this.fingers.size === 0) this.doing = 'nothing';
      return;
    }
    this.doing = 'nothing';
    if (doing === 'drag' && start.square) {
      this.table.drop(start.square, this.table.carry(at.x, at.y), true);
    } else if (doing === 'draw' && start.square) {
      const hit = this.table.hit(at.x, at.y);
      this.table.draw(start.square, hit.man ?? hit.ground, this.brush, true);
    } else if (doing === 'press') {
      this.click(at);
    }
  }

  private click(at: { x: number; y: number }): void {
    const hit = this.table.hit(at.x, at.y);
    const selected = this.table.selected();
    if (this.start.square) {
      if (this.start.wasSelected) this.table.select(null);
      return;
    }
    if (!selected) {
      this.table.background();
      return;
    }
    // A square that is no goal is an illegal try, and the view says so; outside the board it only lets go.
    const goal = this.goal(selected, hit) ?? hit.man ?? hit.ground;
    if (goal) this.table.drop(selected, goal, false);
    else this.table.select(null);
  }

  private pinch(id: number, at: { x: number; y: number }): void {
    const before = this.fingers.get(id);
    const other = [...this.fingers].find(([key]) => key !== id)?.[1];
    if (!before || !other) return;
    const [was, is] = [before, at].map(p => Math.hypot(p.x - other.x, p.y - other.y)) as [number, number];
    if (is > 10) this.table.zoom(was / is);
    const height = this.canvas.clientHeight || 1;
    this.table.orbit((at.x - before.x) / height / 2, (at.y - before.y) / height / 2);
    this.fingers.set(id, at);
  }

  private stop(): void {
    if (this.doing === 'drag' && this.start.square) this.table.drop(this.start.square, null, true);
    this.doing = 'nothing';
  }

  private cancel(e: PointerEvent): void {
    this.fingers.delete(e.pointerId);
    this.stop();
  }
}
