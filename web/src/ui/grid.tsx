// The board for those who do not see it or do not use a pointer: 64 labelled cells over the board, flat or 3D.
// Arrow keys go from square to square, Enter or the space bar picks up and puts down, Escape lets go.
import { useEffect, useRef, useState } from 'preact/hooks';
import { readPieces, squareAt, squareXY, type Color, type Square } from '../board.js';
import { t } from '../i18n.js';
import { pieceName } from './pieces.js';

interface GridProps {
  fen: string;
  orientation: Color;
  selected: Square | null;
  goals: readonly Square[];
  lastMove: readonly Square[] | null;
  check: Square | null;
  label: string;
  /** Enter or space on a square. */
  onActivate: (square: Square) => void;
  onEscape: () => void;
  /** The square with the focus, null when the grid has lost it. */
  onCursor: (square: Square | null) => void;
}

const STEPS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

export function BoardGrid(props: GridProps) {
  const { fen, orientation, selected, goals, lastMove, check } = props;
  const [at, setAt] = useState<Square>(orientation === 'white' ? 'e2' : 'e7');
  const root = useRef<HTMLDivElement>(null);
  const focused = useRef(false);
  const pieces = readPieces(fen);
  const white = orientation === 'white';

  useEffect(() => {
    if (focused.current) root.current?.querySelector<HTMLElement>(`[data-square="${at}"]`)?.focus();
  }, [at]);

  const go = (square: Square) => {
    setAt(square);
    props.onCursor(square);
  };
  const onKeyDown = (e: KeyboardEvent) => {
    const step = STEPS[e.key];
    const [file, rank] = squareXY(at);
    if (step && !e.ctrlKey && !e.altKey && !e.metaKey) {
      const turn = white ? 1 : -1;
      const to = [file + step[0] * turn, rank + step[1] * turn] as const;
      if (to[0] >= 0 && to[0] < 8 && to[1] >= 0 && to[1] < 8) go(squareAt(to[0], to[1]));
    } else if (e.key === 'Enter' || e.key === ' ') props.onActivate(at);
    else if (e.key === 'Escape') props.onEscape();
    else return;
    e.preventDefault();
    e.stopPropagation();
  };
  const describe = (square: Square) => {
    const piece = pieces.get(square);
    const words = [square, piece ? pieceName(piece) : t('grid.empty')];
    if (square === selected) words.push(t('grid.selected'));
    if (goals.includes(square)) words.push(t('grid.goal'));
    if (square === check) words.push(t('grid.check'));
    if (lastMove?.includes(square)) words.push(t('grid.last'));
    return words.join(', ');
  };

  return (
    <div
      class="grid"
      role="grid"
      aria-label={props.label}
      ref={root}
      onKeyDown={onKeyDown}
      onFocusCapture={() => {
        focused.current = true;
        // Only a keyboard shows where it is; a click does not focus these cells.
        props.onCursor(at);
      }}
      onBlurCapture={e => {
        if (root.current?.contains(e.relatedTarget as Node)) return;
        focused.current = false;
        props.onCursor(null);
      }}
    >
      {Array.from({ length: 8 }, (_, row) => (
        <div role="row" key={row}>
          {Array.from({ length: 8 }, (_, column) => {
            const square = squareAt(white ? column : 7 - column, white ? 7 - row : row);
            return (
              <div
                role="gridcell"
                key={square}
                data-square={square}
                tabIndex={square === at ? 0 : -1}
                aria-label={describe(square)}
                aria-selected={square === selected}
                onClick={() => {
                  go(square);
                  props.onActivate(square);
                }}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}
