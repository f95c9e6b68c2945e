// The frame in which a board view lives: mounts the flat or the 3D one, hands it states, lays the grid of
// labelled cells over it, and opens the promotion dialog beside the square.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { signal } from '@preact/signals';
import type {
  BoardEvents,
  BoardLook,
  BoardState,
  BoardView,
  Color,
  MountBoard,
  Place,
  Role,
  Square,
} from '../board.js';
import { mount2d } from '../board2d.js';
import { t } from '../i18n.js';
import { settings } from '../settings.js';
import { toast } from './basics.js';
import { BoardGrid } from './grid.js';
import { LETTER_OF, Man, pieceName } from './pieces.js';

/** The view that is on the screen, for buttons that only one kind has (turn, quality). */
export const currentView = signal<BoardView | null>(null);

interface Choice {
  readonly square: Square;
  readonly color: Color;
  readonly letters: string;
  readonly onChoose: (letter: string | null) => void;
}

interface BoxProps {
  state: BoardState;
  events: BoardEvents;
  label: string;
  goals: readonly Square[];
  promotion: Choice | null;
  onActivate: (square: Square) => void;
  onEscape: () => void;
  onCursor: (square: Square | null) => void;
}

function look(): BoardLook {
  return { theme: settings.board.value, pieces: settings.pieces.value, quality: settings.quality.value };
}

async function load3d(): Promise<MountBoard> {
  return (await import('../board3d/index.js')).mount3d;
}

export function BoardBox(props: BoxProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<BoardView | null>(null);
  // The view is made once; what it calls and shows is always the newest.
  const newest = useRef(props);
  newest.current = props;
  const kind = settings.view.value;
  const dress = kind === '3d' ? `${settings.board.value} ${settings.quality.value}` : '';

  useEffect(() => {
    let gone = false;
    const mount = (make: MountBoard) => {
      if (gone) return;
      const events: BoardEvents = {
        onMove: (from, to) => newest.current.events.onMove(from, to),
        onIllegal: (from, to) => newest.current.events.onIllegal(from, to),
        onPremove: move => newest.current.events.onPremove(move),
        onSelect: square => newest.current.events.onSelect(square),
        onHover: square => newest.current.events.onHover(square),
        onShapes: shapes => newest.current.events.onShapes(shapes),
      };
      view.current = make(host.current!, newest.current.state, events, look());
      currentView.value = view.current;
    };
    if (kind === '2d') mount(mount2d);
    else {
      load3d()
        .then(mount)
        .catch(() => {
          toast(t('3d.failed'), true);
          settings.view.value = '2d';
        });
    }
    const observer = new ResizeObserver(() => view.current?.resize());
    observer.observe(host.current!);
    return () => {
      gone = true;
      observer.disconnect();
      view.current?.destroy();
      view.current = null;
      currentView.value = null;
    };
  }, [kind, dress]);

  useLayoutEffect(() => view.current?.setState(props.state), [props.state]);

  const { state, promotion } = props;
  return (
    <div class={`board ${kind === '3d' ? 'is-3d' : ''}`} data-testid="board" data-fen={state.fen}>
      <div class="board-host" ref={host} />
      <BoardGrid
        fen={state.fen}
        orientation={state.orientation}
        selected={state.selected}
        goals={props.goals}
        lastMove={state.lastMove}
        check={state.check}
        label={props.label}
        onActivate={props.onActivate}
        onEscape={props.onEscape}
        onCursor={props.onCursor}
      />
      {promotion && (
        <Promotion
          choice={promotion}
          place={view.current?.place(promotion.square) ?? null}
          height={host.current?.clientHeight ?? 0}
        />
      )}
    </div>
  );
}

/** Which man a pawn becomes: a column beside the square, as people know it. */
function Promotion({ choice, place, height }: { choice: Choice; place: Place | null; height: number }) {
  const ref = useRef<HTMLDivElement>(null);
  const roles: Role[] = (['queen', 'knight', 'rook', 'bishop', 'king'] as const).filter(r =>
    choice.letters.includes(LETTER_OF[r]),
  );
  const size = Math.max(place?.size ?? 48, 40);
  const top = place
    ? Math.max(
        0,
        Math.min(
          place.y < height / 2 ? place.y : place.y + place.size - size * roles.length,
          height - size * roles.length,
        ),
      )
    : 0;
  const move = (e: KeyboardEvent) => {
    const buttons = [...ref.current!.querySelectorAll('button')];
    const i = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (e.key === 'Escape') choice.onChoose(null);
    else if (e.key === 'ArrowDown' || e.key === 'ArrowRight') buttons[(i + 1) % buttons.length]?.focus();
    else if (e.key === 'ArrowUp' || e.key === 'ArrowLeft') buttons[(i + buttons.length - 1) % buttons.length]?.focus();
    else {
      const role = roles.find(r => LETTER_OF[r] === e.key.toLowerCase());
      if (role) choice.onChoose(LETTER_OF[role]);
      else return;
    }
    e.preventDefault();
    e.stopPropagation();
  };
  // Keys are for the dialog from the first moment, wherever the focus still is.
  const newest = useRef(move);
  newest.current = move;
  useLayoutEffect(() => {
    const listener = (e: KeyboardEvent) => newest.current(e);
    addEventListener('keydown', listener, true);
    ref.current?.querySelector('button')?.focus();
    return () => removeEventListener('keydown', listener, true);
  }, []);
  return (
    <div class="promotion" onClick={() => choice.onChoose(null)}>
      <div
        ref={ref}
        role="dialog"
        class={place && place.y >= height / 2 ? 'upwards' : ''}
        aria-label={t('promotion')}
        style={{ left: `${place?.x ?? 0}px`, top: `${top}px`, width: `${size}px` }}
      >
        {roles.map(role => (
          <button
            key={role}
            type="button"
            aria-label={pieceName({ color: choice.color, role })}
            style={{ height: `${size}px` }}
            onClick={e => {
              e.stopPropagation();
              choice.onChoose(LETTER_OF[role]);
            }}
          >
            <Man piece={{ color: choice.color, role }} />
          </button>
        ))}
      </div>
    </div>
  );
}
