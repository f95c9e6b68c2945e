// How an ending went, from the verdicts of the tables along it: a list of the moments at which the result changed.
import type { CoursePoint, TableResult } from './protocol.js';

/** The men on the board of a FEN. */
export const menOf = (fen: string): number => fen.split(' ')[0]!.replace(/[^a-z]/gi, '').length;

/** Half-moves to the end as moves of the side that wins. */
export const movesTo = (plies: number): number => Math.ceil(plies / 2);

/** Who wins for sure: 1 White, −1 Black. */
const sign = (verdict: TableResult): number => (verdict === 'win' ? 1 : verdict === 'loss' ? -1 : 0);

export type CourseKind =
  | 'whiteWinning'
  | 'blackWinning'
  | 'drawn'
  | 'whiteSlip'
  | 'blackSlip'
  | 'whiteLost'
  | 'blackLost'
  | 'whiteThrew'
  | 'blackThrew';

export interface CourseEvent {
  readonly kind: CourseKind;
  readonly point: CoursePoint;
}

/** What a move did that changed the result: only whoever moves can make it worse. */
function turn(before: number, after: number): CourseKind {
  const side = after < before ? 'white' : 'black';
  if (before === 0) return `${side}Lost`;
  return after === 0 ? `${side}Slip` : `${side}Threw`;
}

/** The first verdict, and every change of it. */
export function courseEvents(course: readonly CoursePoint[]): CourseEvent[] {
  const events: CourseEvent[] = [];
  let before: number | null = null;
  for (const point of course) {
    const now = sign(point.verdict);
    if (before === null) events.push({ kind: now > 0 ? 'whiteWinning' : now < 0 ? 'blackWinning' : 'drawn', point });
    else if (now !== before) events.push({ kind: turn(before, now), point });
    before = now;
  }
  return events;
}
