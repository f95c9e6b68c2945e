// The board of a room: puts the room's state, the settings and what the person is doing together into what a
// view shows, and turns what the person does into moves.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import {
  readPieces,
  writePieces,
  type BoardEvents,
  type BoardState,
  type Color,
  type Shape,
  type Square,
} from '../board.js';
import { t } from '../i18n.js';
import type { NodeShape, Position } from '../protocol.js';
import { hasOpponent, mayMove, type Room } from '../room.js';
import { animationMs, settings } from '../settings.js';
import { Button, announce, toast, toastError } from './basics.js';
import { BoardBox } from './boardbox.js';
import { pieceName, ROLE_OF } from './pieces.js';
import { play as playSound } from './sounds.js';

const START_FEN = '8/8/8/8/8/8/8/8';

interface GameBoardProps {
  room: Room;
  orientation: Color;
  /** The computer's arrows. */
  shapes?: readonly Shape[];
  /** Moves go to this function instead of the server (retrying a mistake). */
  onTry?: (uci: string) => void;
}

type Plan = readonly [Square, Square];

/** Legal goals of each square, without the letters of promotions. */
function goalsOf(position: Position | null): Map<Square, Square[]> {
  const goals = new Map<Square, Square[]>();
  if (position)
    for (const [from, list] of Object.entries(position.moves))
      goals.set(
        from,
        list.map(to => to.slice(0, 2)),
      );
  return goals;
}

/** Letters to choose from when this move promotes, else ''. */
function promotionLetters(position: Position, from: Square, to: Square): string {
  return position.moves[from]?.find(goal => goal.startsWith(to))?.slice(2) ?? '';
}

/** The men after a move, without rules: enough until the server's answer a few milliseconds later. */
export function fenAfter(fen: string, uci: string): string {
  const pieces = readPieces(fen);
  const from = uci.slice(0, 2);
  const mover = pieces.get(from);
  if (!mover) return fen;
  pieces.delete(from);
  pieces.set(uci.slice(2, 4), { color: mover.color, role: ROLE_OF[uci[4] ?? ''] ?? mover.role });
  return writePieces(pieces);
}

/** Why a drop was refused, for people: what can be told from the state alone. */
function refusal(room: Room, position: Position | null, from: Square, to: Square): string {
  const state = room.state.value!;
  const piece = position && readPieces(position.fen).get(from);
  if (!position || !piece) return t('illegal.plain');
  const name = pieceName(piece);
  if (state.state === 'over') return t('illegal.over');
  if (state.state === 'paused') return t('illegal.paused');
  if (piece.color !== position.turn) return t(position.turn === 'white' ? 'illegal.turnWhite' : 'illegal.turnBlack');
  if (position.check && !position.moves[from]) return t('illegal.checkPiece', { piece: name });
  if (position.check) return t('illegal.check', { to });
  if (state.variant === 'massacre') return t('illegal.massacre');
  if (!position.moves[from]) return t('illegal.stuck', { piece: name, from });
  return t('illegal.goal', { piece: name, from, to });
}

export function GameBoard({ room, orientation, shapes = [], onTry }: GameBoardProps) {
  const [selected, setSelected] = useState<Square | null>(null);
  const [hovered, setHovered] = useState<Square | null>(null);
  const [cursor, setCursor] = useState<Square | null>(null);
  // Moves planned ahead of their turn, the next one first.
  const [plans, setPlans] = useState<readonly Plan[]>([]);
  const [promotion, setPromotion] = useState<{ from: Square; to: Square; letters: string } | null>(null);
  const [confirming, setConfirming] = useState<{ uci: string; fen: string } | null>(null);
  // Against another person, arrows are one's own; else they belong to the game.
  const [secret, setSecret] = useState<ReadonlyMap<number, readonly Shape[]>>(new Map());
  // Forces the view to put right what it moved by itself.
  const [revision, setRevision] = useState(0);

  const state = room.state.value;
  const position = room.position.value;
  const node = room.node.value;
  const pending = room.pending.value;
  const live = room.isLive.value;
  const analysing = state?.mode === 'analysis' || !!onTry;
  const turn = position?.turn ?? (node?.fen.split(' ')[1] === 'b' ? 'black' : 'white');

  const mine = state ? mayMove(state) : null;
  const blocked = !!pending || !!confirming || !!promotion;
  const movable: Color | null =
    blocked || !position ? null : analysing ? (onTry || state!.you.length > 0 ? turn : null) : live ? mine : null;
  const waiting = !!state && state.mode === 'play' && state.state === 'playing' && live && !mine;
  const own = state?.you.find(c => state[c].kind === 'human') ?? null;
  const premovable = waiting && settings.premove.value && own && state.position.turn !== own ? own : null;
  const goals = goalsOf(position);

  const shownFen =
    confirming?.fen ?? (pending && pending.node === room.cursor.value ? pending.fen : (node?.fen ?? START_FEN));
  const planned = premovable ? plans : [];
  const plannedFen = planned.reduce((fen, [from, to]) => fenAfter(fen, from + to), shownFen);
  const promotedFen = promotion && position ? fenAfter(position.fen, promotion.from + promotion.to) : null;
  const markFor = settings.threats.value && movable ? (hovered && goals.has(hovered) ? hovered : selected) : null;
  const risky = markFor ? (position?.risky[markFor] ?? []) : [];
  const lastMove =
    pending || confirming
      ? [(pending ?? confirming)!.uci.slice(0, 2), (pending ?? confirming)!.uci.slice(2, 4)]
      : (position?.last ?? lastOf(node?.uci));

  const boardState = useStable<BoardState>(
    {
      fen: promotedFen ?? plannedFen.split(' ')[0]!,
      orientation,
      turn,
      movable,
      dests: movable ? goals : new Map(),
      premovable,
      premove: planned.length > 0 ? planned.flat() : null,
      lastMove,
      check: blocked ? null : (position?.check ?? null),
      selected,
      cursor,
      marks: {
        safe: markFor ? (goals.get(markFor) ?? []).filter(to => !risky.includes(to)) : [],
        danger: [...risky],
      },
      shapes: [...(node?.shapes ?? []), ...(secret.get(room.cursor.value) ?? []), ...shapes],
      showDests: settings.dests.value,
      coordinates: settings.coordinates.value,
      drawable: !!state && (state.you.length > 0 || state.mode === 'analysis'),
      animationMs: animationMs(),
    },
    revision,
  );

  const send = (uci: string) => {
    setSelected(null);
    if (onTry) {
      onTry(uci);
      setRevision(r => r + 1);
      return;
    }
    room.play({ uci }, fenAfter(position!.fen, uci)).catch(error => {
      setRevision(r => r + 1);
      toastError(error);
    });
  };
  const finish = (uci: string) => {
    setSelected(null);
    if (settings.confirm.value && !analysing) setConfirming({ uci, fen: fenAfter(position!.fen, uci) });
    else send(uci);
  };
  const move = (from: Square, to: Square) => {
    if (!position) return;
    const letters = promotionLetters(position, from, to);
    if (!letters) finish(from + to);
    else if (settings.autoQueen.value && letters.includes('q')) finish(from + to + 'q');
    else setPromotion({ from, to, letters });
  };
  const refuse = (from: Square, to: Square) => {
    playSound('illegal');
    // The server knows the rules: it sees, say, that the man is bound to its king.
    const ask = room.ask('why', { node: room.cursor.value, uci: from + to });
    const plain = refusal(room, position, from, to);
    ask.then(
      ({ problem }) => toast(problem?.code === 'move-exposes' ? t('illegal.bound', { from, to }) : plain, true),
      () => toast(plain, true),
    );
  };

  // A plan is played as soon as its turn has come, if it turned out legal; else it falls with all behind it.
  const waitingPlans = useRef(plans);
  waitingPlans.current = plans;
  useEffect(() => {
    const [plan, ...rest] = waitingPlans.current;
    if (!plan || !position || !mine || !live || room.pending.value) return;
    const legal = goals.get(plan[0])?.includes(plan[1]) ?? false;
    setPlans(legal ? rest : []);
    const letters = promotionLetters(position, plan[0], plan[1]);
    if (legal) send(plan[0] + plan[1] + (letters ? (letters.includes('q') ? 'q' : letters[0]!) : ''));
    else announce(t('grid.planFell', { from: plan[0], to: plan[1] }));
  }, [position, mine, live]);
  // Before anybody sees the new position: what is picked up or planned there at once must stay.
  useLayoutEffect(() => {
    setSelected(null);
    setPromotion(null);
    setConfirming(null);
  }, [room, room.cursor.value]);
  useLayoutEffect(() => setPlans([]), [room, own, state?.state]);

  const events: BoardEvents = {
    onMove: move,
    onIllegal: refuse,
    onPremove: plan => setPlans(old => (plan ? [...old, plan] : [])),
    onSelect: setSelected,
    onHover: setHovered,
    onShapes: drawn => {
      if (state && hasOpponent(state)) {
        const known = node?.shapes ?? [];
        const own = drawn.filter(d => !known.some(k => k.from === d.from && k.to === d.to && k.brush === d.brush));
        setSecret(new Map(secret).set(room.cursor.value, own));
        return;
      }
      const kept = drawn.map(({ brush, from, to }) => (to ? { brush, from, to } : { brush, from }) as NodeShape);
      room.ask('annotate', { node: room.cursor.value, shapes: kept }).catch(toastError);
    },
  };
  const activate = (square: Square) => {
    const piece = readPieces(boardState.fen).get(square);
    if (selected && goals.get(selected)?.includes(square) && movable) return move(selected, square);
    if (selected === square) {
      setSelected(null);
      announce(t('grid.released'));
    } else if (movable && piece?.color === movable) {
      setSelected(square);
      const list = goals.get(square) ?? [];
      announce(
        list.length
          ? t('grid.picked', { piece: pieceName(piece), goals: list.join(', ') })
          : t('grid.stuck', { piece: pieceName(piece) }),
      );
    } else if (selected && movable) refuse(selected, square);
    else if (premovable && piece?.color === premovable) setSelected(square);
    else if (premovable && selected) {
      setPlans([...plans, [selected, square]]);
      setSelected(null);
      announce(t('grid.premove', { from: selected, to: square }));
    } else announce(piece ? `${square}, ${pieceName(piece)}` : square);
  };

  return (
    <>
      <BoardBox
        state={boardState}
        events={events}
        label={t('board')}
        goals={selected ? (goals.get(selected) ?? []) : []}
        promotion={
          promotion && {
            square: promotion.to,
            color: turn,
            letters: promotion.letters,
            onChoose: letter => {
              const { from, to } = promotion;
              setPromotion(null);
              setRevision(r => r + 1);
              if (letter) finish(from + to + letter);
            },
          }
        }
        onActivate={activate}
        onEscape={() => {
          setSelected(null);
          setPlans([]);
        }}
        onCursor={setCursor}
      />
      {confirming && (
        <Confirmation
          onYes={() => {
            setConfirming(null);
            send(confirming.uci);
          }}
          onNo={() => {
            setConfirming(null);
            setRevision(r => r + 1);
          }}
        />
      )}
    </>
  );
}

/** Is the move meant? Over the player's bar below the board, so that neither board nor panel moves. */
function Confirmation({ onYes, onNo }: { onYes: () => void; onNo: () => void }) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    ref.current?.querySelector('button')?.focus({ preventScroll: true });
    return () => before?.focus({ preventScroll: true });
  }, []);
  return (
    <div
      class="confirm"
      role="group"
      aria-label={t('confirm.title')}
      ref={ref}
      onKeyDown={e => {
        if (e.key === 'Escape') onNo();
      }}
    >
      <Button icon="check" label={t('confirm.yes')} kind="primary small" onClick={onYes} />
      <Button icon="close" label={t('confirm.no')} kind="small" onClick={onNo} />
    </div>
  );
}

/** From and to of a move, or null. */
function lastOf(uci: string | undefined): readonly Square[] | null {
  return uci && uci !== '0000' ? [uci.slice(0, 2), uci.slice(2, 4)] : null;
}

/** The same object as long as nothing in it changed, so that the view is not bothered. */
function useStable<T extends object>(value: T, revision: number): T {
  const ref = useRef<{ value: T; text: string } | null>(null);
  const text = revision + JSON.stringify(value, (_, v) => (v instanceof Map ? [...v] : v));
  if (ref.current?.text !== text) ref.current = { value, text };
  return ref.current.value;
}
