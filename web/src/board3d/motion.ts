// What moves, and until when. The view draws a frame only while something here is under way.

/** Slow at both ends. */
export const ease = (t: number): number => (t < 0.5 ? 4 * t * t * t : 1 - (-2 * t + 2) ** 3 / 2);

interface Tween {
  readonly key: unknown;
  readonly begin: number;
  readonly ms: number;
  readonly step: (t: number) => void;
  readonly done: (() => void) | undefined;
}

export class Motion {
  private tweens: Tween[] = [];

  /** Runs `step` with 0..1 for `ms` milliseconds (at once with 0). One motion to a key: a new one ends the old. */
  run(key: unknown, ms: number, step: (t: number) => void, done?: () => void): void {
    this.finish(key);
    if (ms <= 0) {
      step(1);
      done?.();
      return;
    }
    step(0);
    this.tweens.push({ key, begin: performance.now(), ms, step, done });
  }

  /** Brings the motion of this key to its end now. */
  finish(key: unknown): void {
    const ending = this.tweens.filter(t => t.key === key);
    this.tweens = this.tweens.filter(t => t.key !== key);
    for (const t of ending) {
      t.step(1);
      t.done?.();
    }
  }

  /** Moves everything on; true while something still moves. */
  advance(now: number): boolean {
    const due = this.tweens.filter(t => now - t.begin >= t.ms);
    for (const t of this.tweens) if (!due.includes(t)) t.step(Math.max(0, (now - t.begin) / t.ms));
    this.tweens = this.tweens.filter(t => !due.includes(t));
    for (const t of due) {
      t.step(1);
      t.done?.();
    }
    return this.tweens.length > 0;
  }

  clear(): void {
    this.tweens = [];
  }
}
