// A table with a board: the page of play, watching and analysis alike. The board with its two players, the
// panel beside it (under it, as tabs, on narrow screens), the keys, the sounds, the announcements.
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { flipped, openDialog } from '../app.js';
import { view3d, type Color, type Shape } from '../board.js';
import { t } from '../i18n.js';
import { welcome } from '../net.js';
import { openingOf } from '../openings.js';
import type { Room } from '../room.js';
import type { TableName } from '../rooms.js';
import { settings } from '../settings.js';
import { eventText, moveWords, other, resultReason, resultTitle, statusText, variantTitle } from '../words.js';
import { announce, Button, toastError } from '../ui/basics.js';
import { currentView } from '../ui/boardbox.js';
import { analysisShapes, bestMove, engineOn, EvalBar, linesHidden, threatOn } from '../ui/computer.js';
import { GameBoard } from '../ui/gameboard.js';
import { goFirst, goLast, goNext, goPrevious, Navigation } from '../ui/navigate.js';
import { hint } from '../ui/actions.js';
import { PlayerBar } from '../ui/players.js';
import { play, playMove } from '../ui/sounds.js';

export interface Tab {
  readonly id: string;
  readonly label: string;
  /** On wide screens always shown; the others share a place. */
  readonly fixed?: boolean;
  readonly content: ComponentChildren;
}

interface TableProps {
  room: Room;
  place: TableName;
  /** The panel: shown as tabs when narrow, all together when wide. */
  tabs: readonly Tab[];
  tab: string;
  onTab: (id: string) => void;
  /** The engine's arrows and keys. */
  analyst: boolean;
  /** The evaluation bar beside the board. */
  bar: boolean;
  shapes?: readonly Shape[];
  onTry?: (uci: string) => void;
  onResult?: () => void;
  /** Shown between the header and the tabs, always. */
  banner?: ComponentChildren;
}

/** The side at the bottom. */
export function orientationOf(room: Room, place: TableName): Color {
  const state = room.state.value;
  const human = state?.you.filter(c => state[c].kind === 'human') ?? [];
  const natural: Color = state?.mode === 'play' && human.length === 1 ? human[0]! : 'white';
  return flipped[place].value ? other(natural) : natural;
}

export function Table(props: TableProps) {
  const { room, place, analyst } = props;
  const state = room.state.value;
  const orientation = orientationOf(room, place);
  const flip = () => (flipped[place].value = !flipped[place].value);
  useTableKeys(room, place, analyst, flip);
  useHappenings(room, props.onResult);
  const shown = hint.value;
  const hintShapes = shown && shown.room === room.id && shown.node === room.cursor.value ? [shown.shape] : [];
  const shapes = [...(analyst ? analysisShapes(room) : []), ...hintShapes, ...(props.shapes ?? [])];
  const is3d = settings.view.value === '3d';
  const docked = props.tabs.filter(tab => !tab.fixed);
  const front = docked.some(tab => tab.id === props.tab) ? props.tab : (docked[0]?.id ?? '');
  const extras = currentView.value && is3d ? view3d(currentView.value) : null;

  return (
    <div class="table">
      <section class="boardside" aria-label={t('board')}>
        <PlayerBar room={room} color={other(orientation)} place="top" />
        <div class="boardrow">
          {props.bar && <EvalBar room={room} white={orientation === 'white'} />}
          <GameBoard
            room={room}
            orientation={orientation}
            shapes={shapes}
            {...(props.onTry ? { onTry: props.onTry } : {})}
          />
        </div>
        <PlayerBar room={room} color={orientation} place="bottom" />
      </section>
      <aside class="panel card" aria-label={t('panel')}>
        <header class="panel-head">
          <div class="grow">
            <h1 class="game-title">{state ? variantTitle(state.variant) : ''}</h1>
            {state?.start && isShuffled(state.variant) && (
              <p class="opening small quiet num">{t('startNumber', { n: state.start })}</p>
            )}
            {state?.tags && eventText(state) && (
              <p class="opening small quiet" data-testid="event">
                {eventText(state)}
              </p>
            )}
            <OpeningName room={room} />
            <p class={`status ${state?.result ? 'over' : ''}`} data-testid="status">
              {state ? statusText(state) : t('loading')}
            </p>
          </div>
          {state && state.watchers > 0 && <span class="badge">{t('watchers', { n: state.watchers })}</span>}
          <Button
            icon={settings.mute.value ? 'mute' : 'sound'}
            label={t('settings.mute')}
            bare
            kind="ghost small"
            pressed={settings.mute.value}
            onClick={() => (settings.mute.value = !settings.mute.value)}
            testid="mute"
          />
          <Button
            icon="book"
            label={t('rules.title')}
            bare
            kind="ghost small"
            onClick={() => openDialog('rules', place)}
            testid="rules"
          />
          <Button
            icon="cube"
            label={t(is3d ? 'view.2d' : 'view.3d')}
            bare
            kind="ghost small"
            pressed={is3d}
            onClick={() => (settings.view.value = is3d ? '2d' : '3d')}
          />
          {extras && (
            <Button icon="turn" label={t('view.turn')} bare kind="ghost small" onClick={() => extras.turn()} />
          )}
          {document.fullscreenEnabled && (
            <Button icon="full" label={t('view.full')} bare kind="ghost small" onClick={toggleFull} />
          )}
          <Button
            icon="help"
            label={t('help.title')}
            bare
            kind="ghost small keys-help"
            onClick={() => openDialog('help', place)}
          />
        </header>
        {props.banner}
        <TabStrip kind="all" tabs={props.tabs} open={props.tab} onTab={props.onTab} />
        <div class="tab-bodies">
          {docked.length > 1 && <TabStrip kind="strip" tabs={docked} open={front} onTab={props.onTab} />}
          {props.tabs.map(tab => (
            <section
              key={tab.id}
              id={`panel-${tab.id}`}
              aria-label={tab.label}
              class={`tab-body tab-${tab.id} ${tab.fixed ? 'fixed' : 'docked'} ${tab.id === front ? 'front' : ''} ${tab.id === props.tab ? 'open' : ''}`}
            >
              {tab.content}
            </section>
          ))}
        </div>
        <Navigation room={room} onFlip={flip} />
      </aside>
    </div>
  );
}

/** Buttons that choose a part of the panel: all parts when narrow, those that share a place when wide. */
function TabStrip({
  kind,
  tabs,
  open,
  onTab,
}: {
  kind: 'all' | 'strip';
  tabs: readonly Tab[];
  open: string;
  onTab: (id: string) => void;
}) {
  const onKeyDown = (e: KeyboardEvent) => {
    const step = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    e.stopPropagation();
    const at = tabs.findIndex(tab => tab.id === open);
    const next = tabs[(at + step + tabs.length) % tabs.length]!;
    onTab(next.id);
    document.getElementById(`${kind}-${next.id}`)?.focus();
  };
  return (
    <div class={`tabs ${kind}`} role="tablist" aria-label={t('panel')}>
      {tabs.map(tab => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          id={`${kind}-${tab.id}`}
          aria-controls={`panel-${tab.id}`}
          aria-selected={tab.id === open}
          tabIndex={tab.id === open ? 0 : -1}
          onClick={() => onTab(tab.id)}
          onKeyDown={onKeyDown}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}

function toggleFull(): void {
  if (document.fullscreenElement) void document.exitFullscreen();
  else void document.documentElement.requestFullscreen().catch(() => undefined);
}

/** Does the game have more than one start? */
function isShuffled(variant: string): boolean {
  return welcome.value?.variants.find(v => v.name === variant)?.starts !== 1;
}

const CHESS_MEN = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w';

/** The opening's name, for games that begin as chess does. */
function OpeningName({ room }: { room: Room }) {
  const nodes = room.nodes.value;
  const state = room.state.value;
  if (!state || state.variant !== 'chess' || nodes.size < 2 || !nodes.get(0)?.fen.startsWith(CHESS_MEN)) return null;
  const fens = room.path.value.map(id => nodes.get(id)!.fen);
  const opening = openingOf(fens);
  return opening ? (
    <p class="opening small quiet" data-testid="opening">
      <span class="num">{opening.code}</span> {opening.name}
    </p>
  ) : null;
}

function inField(e: KeyboardEvent): boolean {
  const target = e.target as HTMLElement;
  return (
    target.closest('input:not([type="checkbox"]):not([type="radio"]), select, textarea, dialog, [contenteditable]') !==
    null
  );
}

/** Keys as on lichess, from the moment at which the board is shown. */
function useTableKeys(room: Room, place: TableName, analyst: boolean, flip: () => void): void {
  useLayoutEffect(() => {
    const onKey = (e: KeyboardEvent) => {
      if (inField(e) || e.ctrlKey || e.metaKey || e.altKey) return;
      const actions: Record<string, (() => void) | undefined> = {
        ArrowLeft: () => goPrevious(room),
        ArrowRight: () => goNext(room),
        ArrowUp: () => goFirst(room),
        ArrowDown: () => goLast(room),
        Home: () => goFirst(room),
        End: () => goLast(room),
        f: flip,
        '?': () => openDialog('help', place),
        n: () => openDialog('new', place),
        ...(analyst
          ? {
              l: () => (engineOn.value = !engineOn.value),
              x: () => (threatOn.value = !threatOn.value),
              z: () => (linesHidden.value = !linesHidden.value),
              c: () => openDialog('comment', place),
              ' ': (e.target as HTMLElement).closest('button, a, summary, label')
                ? undefined
                : () => {
                    const uci = bestMove(room);
                    if (uci) room.play({ uci }).catch(toastError);
                  },
            }
          : {}),
      };
      const action = actions[e.key];
      if (!action) return;
      e.preventDefault();
      action();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}

/** Sounds and spoken words for what happens in the room. */
function useHappenings(room: Room, onResult?: () => void): void {
  const state = room.state.value;
  const before = useRef<{ room: Room; live: number; cursor: number; over: boolean } | null>(null);
  useEffect(() => {
    if (!state) return;
    const old = before.current;
    const cursor = room.cursor.value;
    before.current = { room, live: state.live, cursor, over: !!state.result };
    if (!old || old.room !== room) return;
    const nodes = room.nodes.value;
    const lived = state.mode === 'play' && state.live !== old.live ? nodes.get(state.live) : undefined;
    const stepped = cursor !== old.cursor ? nodes.get(cursor) : undefined;
    const node =
      lived && lived.parent === old.live ? lived : stepped && stepped.parent === old.cursor ? stepped : undefined;
    let words = '';
    if (node) {
      playMove(node);
      const mover = node.fen.split(' ')[1] === 'b' ? t('white') : t('black');
      words = `${mover}: ${moveWords(node)}`;
    } else if (stepped) words = stepped.uci ? moveWords(stepped) : t('words.start');
    if (state.result && !old.over) {
      play('end');
      // The last move and the end together: the second would drown the first.
      words += `${words && '. '}${resultTitle(state.result)}, ${resultReason(state.result)}`;
      onResult?.();
    }
    if (words) announce(words);
  }, [room, state, room.cursor.value]);
}
