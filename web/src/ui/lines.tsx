// The analyst's lines, move by move: a move under the pointer (or the focus) shows the board after it, a click plays up
// to it, and a whole line can be taken into the tree. The positions come from the server: the page has no rules.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Color } from '../board.js';
import { t } from '../i18n.js';
import type { Line, TreeNode } from '../protocol.js';
import type { Room } from '../room.js';
import { sanText } from '../words.js';
import { Button, toastError } from './basics.js';
import { MiniBoard } from './pieces.js';

/** So many moves of a line are shown. */
const SHOWN = 14;
const KEPT = 60;
const asked = new Map<string, Promise<readonly string[]>>();

/** The positions of a line; asked for once. */
function positions(room: Room, node: number, threat: boolean, line: Line): Promise<readonly string[]> {
  const key = [room.id, node, threat, ...line.pv].join(' ');
  let answer = asked.get(key);
  if (!answer) {
    if (asked.size >= KEPT) asked.clear();
    answer = room.ask('peek', { node, uci: line.pv, threat }).then(a => a.fens);
    answer.catch(() => asked.delete(key));
    asked.set(key, answer);
  }
  return answer;
}

/** "12." before White's move, "12…" before a line's first move if that is Black's. */
function numberBefore(node: TreeNode | null, threat: boolean, i: number): string {
  if (!node) return '';
  const fields = node.fen.split(' ');
  const black = (fields[1] === 'b') !== threat;
  const half = i + (black ? 1 : 0);
  const number = Number(fields[5] ?? 1) + Math.floor(half / 2);
  return half % 2 === 0 ? `${number}.` : i === 0 ? `${number}…` : '';
}

interface Peek {
  readonly line: Line;
  readonly move: number;
  readonly fen: string | null;
  /** Under (or over) which move it is shown. */
  readonly top: number;
}

export interface LinesProps {
  room: Room;
  lines: readonly Line[];
  threat: boolean;
  orientation: Color;
  score: (line: Line) => preact.JSX.Element;
}

export function Lines({ room, lines, threat, orientation, score }: LinesProps) {
  const box = useRef<HTMLDivElement>(null);
  // Under the pointer lines stand still: nobody can hit a move that jumps away.
  const [held, setHeld] = useState<readonly Line[] | null>(null);
  const [peek, setPeek] = useState<Peek | null>(null);
  const node = room.node.value;
  const cursor = room.cursor.value;
  useEffect(() => {
    setHeld(null);
    setPeek(null);
  }, [cursor, threat]);
  const shown = held ?? lines;

  const look = (line: Line, move: number, element: HTMLElement) => {
    const place = element.getBoundingClientRect();
    const around = box.current!.getBoundingClientRect();
    const top = place.bottom - around.top + 4;
    setPeek({ line, move, fen: null, top });
    positions(room, cursor, threat, line).then(
      fens => setPeek(now => (now?.line === line && now.move === move ? { ...now, fen: fens[move] ?? null } : now)),
      () => setPeek(null),
    );
  };
  const add = (line: Line, count: number, go: boolean) =>
    void room
      .ask('line', { node: cursor, uci: line.pv.slice(0, count) })
      .then(answer => go && room.look(answer.node))
      .catch(toastError);
  const walk = (e: KeyboardEvent) => {
    const step = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const moves = [...(e.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('.walk')];
    e.stopPropagation();
    e.preventDefault();
    moves[moves.indexOf(e.target as HTMLElement) + step]?.focus();
  };
  return (
    <div
      class="lines"
      ref={box}
      onPointerEnter={e => e.pointerType === 'mouse' && setHeld(lines)}
      onPointerLeave={() => {
        setHeld(null);
        setPeek(null);
      }}
    >
      {shown.map(line => (
        <div class={`line ${threat ? 'threat' : ''}`} key={line.rank}>
          {score(line)}
          <span class="pv" onKeyDown={walk}>
            {line.san.slice(0, SHOWN).map((san, i) => (
              <>
                {numberBefore(node, threat, i) && <span class="no num">{numberBefore(node, threat, i)}</span>}
                <button
                  type="button"
                  class={`walk ${peek?.line === line && peek.move === i ? 'on' : ''}`}
                  tabIndex={i === 0 ? 0 : -1}
                  key={i}
                  disabled={threat}
                  onClick={() => add(line, i + 1, true)}
                  onPointerEnter={e => e.pointerType === 'mouse' && look(line, i, e.currentTarget)}
                  onFocus={e => look(line, i, e.currentTarget)}
                  onBlur={() => setPeek(null)}
                >
                  {sanText(san)}
                </button>
              </>
            ))}
          </span>
          {!threat && (
            <Button
              icon="plus"
              label={t('engine.take')}
              bare
              kind="ghost small"
              onClick={() => add(line, line.pv.length, false)}
            />
          )}
        </div>
      ))}
      {peek?.fen && (
        <div class="peek card" style={{ top: `${peek.top}px` }} data-testid="peek" data-fen={peek.fen}>
          <MiniBoard
            fen={peek.fen}
            orientation={orientation}
            last={[peek.line.pv[peek.move]!.slice(0, 2), peek.line.pv[peek.move]!.slice(2, 4)]}
          />
        </div>
      )}
    </div>
  );
}
