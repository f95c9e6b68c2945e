// What is known by heart of the position looked at: the verdict of the endgame tables with every move's, and the moves of
// the opening book; and how an ending went, told from the tables after the game.
import { useEffect, useState } from 'preact/hooks';
import { courseEvents, type CourseEvent, menOf, movesTo } from '../course.js';
import { formatNumber, t } from '../i18n.js';
import { status, welcome } from '../net.js';
import type { BookMove, CoursePoint, Known, TableMove, TableVerdict } from '../protocol.js';
import type { Room } from '../room.js';
import { moveNumber, sanText } from '../words.js';
import { toastError } from './basics.js';

const variantOf = (room: Room) => welcome.value?.variants.find(v => v.name === room.state.value?.variant);

/** Can tables or a book know anything of this room's game? */
export function mayBeKnown(room: Room): boolean {
  return !!welcome.value?.book || (variantOf(room)?.table_men ?? 0) > 0;
}

/** What is known of the node looked at; while the next answer is on its way, the last one. */
export function useKnown(room: Room, active: boolean): Known | null {
  const [known, setKnown] = useState<Known | null>(null);
  const node = room.cursor.value;
  const fen = room.node.value?.fen;
  const connected = status.value === 'open';
  const tabled = !!fen && menOf(fen) <= (variantOf(room)?.table_men ?? 0);
  const asked = active && connected && !!fen && (tabled || !!welcome.value?.book);
  useEffect(() => {
    if (!asked) {
      setKnown(null);
      return;
    }
    let gone = false;
    // Leafing quickly through a game asks for the last position alone.
    const timer = setTimeout(() => {
      room.ask('known', { node }).then(
        answer => gone || setKnown(answer),
        () => gone || setKnown(null),
      );
    }, 80);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [room, node, fen, asked]);
  return known;
}

/** "mate in 12", "the end in 5 moves", "DTZ 14"; nothing for draws. */
function distance(verdict: TableVerdict, room: Room): string {
  if (verdict.end !== null && verdict.end > 0)
    return t(variantOf(room)?.kings.every(Boolean) ? 'table.mateIn' : 'table.endIn', { n: movesTo(verdict.end) });
  return verdict.end === null && verdict.zeroing !== null ? t('table.dtz', { n: verdict.zeroing }) : '';
}

const KIND = {
  win: 'win',
  'cursed-win': 'drawn',
  draw: 'drawn',
  'blessed-loss': 'drawn',
  loss: 'loss',
} as const;

function verdictText(verdict: TableVerdict, white: boolean): string {
  if (verdict.verdict === 'draw') return t('table.draw');
  const wins = (verdict.verdict === 'win' || verdict.verdict === 'cursed-win') === white;
  if (KIND[verdict.verdict] === 'drawn') return t(wins ? 'table.whiteLate' : 'table.blackLate');
  return t(wins ? 'result.white' : 'result.black');
}

/** Plays a move that was clicked, unless the board has gone on meanwhile. */
function playKnown(room: Room, node: number, uci: string): void {
  if (room.cursor.value !== node) return;
  room
    .ask('line', { node, uci: [uci] })
    .then(answer => room.look(answer.node))
    .catch(toastError);
}

function TableMoves({ room, known }: { room: Room; known: Known & { table: NonNullable<Known['table']> } }) {
  const row = (move: TableMove) => (
    <li key={move.uci}>
      <button
        type="button"
        class={`known-move ${KIND[move.verdict]}`}
        onClick={() => playKnown(room, known.node, move.uci)}
      >
        <strong>{sanText(move.san)}</strong>
        <span class="what">{t(`tablemove.${move.verdict}`)}</span>
        <span class="num far">{move.mate ? t('words.mate') : distance(move, room)}</span>
      </button>
    </li>
  );
  return <ul class="known-list">{known.table.moves.map(row)}</ul>;
}

function BookMoves({ room, known, moves }: { room: Room; known: Known; moves: readonly BookMove[] }) {
  const row = (move: BookMove) => (
    <li key={move.uci}>
      <button type="button" class="known-move of-book" onClick={() => playKnown(room, known.node, move.uci)}>
        <strong>{sanText(move.san)}</strong>
        <span class="share">
          <i style={{ width: `${move.share * 100}%` }} />
        </span>
        <span class="num percent">{move.share < 0.01 ? '< 1' : formatNumber(move.share * 100)} %</span>
        <span class="num far">{formatNumber(move.games ?? move.weight)}</span>
      </button>
    </li>
  );
  return <ul class="known-list">{moves.map(row)}</ul>;
}

/** The panel: tables where they know the position, else the book. */
export function KnownPanel({ room, known }: { room: Room; known: Known | null }) {
  // When the game is over there is nothing to foresee.
  const table = room.position.value?.outcome ? null : (known?.table ?? null);
  const book = known?.book ?? null;
  const white = room.node.value?.fen.split(' ')[1] === 'w';
  const stale = !!known && known.node !== room.cursor.value;
  if (!table && !book) return <p class="quiet small pad known-none">{t('known.none')}</p>;
  return (
    <div class={`known ${stale ? 'stale' : ''}`} data-testid="known" data-node={known!.node}>
      {table && (
        <>
          <h2 class="small known-head">
            {t('table.title')}
            <strong class="verdict-words" data-testid="table-verdict">
              {[stale ? '' : verdictText(table, white), distance(table, room)].filter(Boolean).join(', ')}
            </strong>
          </h2>
          <TableMoves room={room} known={{ ...known!, table }} />
        </>
      )}
      {book && (
        <>
          <h2 class="small known-head">
            {t('book.title')}
            <span class="unit">{t(book.every(move => move.games !== null) ? 'book.games' : 'book.weight')}</span>
          </h2>
          <BookMoves room={room} known={known!} moves={book} />
        </>
      )}
    </div>
  );
}

/** The tab's name: what there is to see. */
export const knownLabel = (known: Known | null): string => t(known?.table ? 'tab.tables' : 'tab.book');

// ---- After the game ----

function eventText(event: CourseEvent, room: Room): string {
  const node = room.nodes.value.get(event.point.node);
  const { number, white } = node?.san ? moveNumber(node) : { number: 0, white: false };
  const start = node && !node.san ? Number(node.fen.split(' ')[5] ?? 1) : number;
  const move = node?.san ? `${number}${white ? '.' : '…'} ${sanText(node.san)}` : '';
  const how = distance(event.point, room);
  const text = t(`course.${event.kind}`, { n: start, move });
  return how ? `${text} (${how})` : text;
}

const EVENTS_SHOWN = 4;

/** How the ending went by the tables: who was winning since when, and who let it slip. */
export function Course({ room }: { room: Room }) {
  const [course, setCourse] = useState<readonly CoursePoint[]>([]);
  const state = room.state.value!;
  const last = room.nodes.value.get(state.live)?.fen;
  const men = variantOf(room)?.table_men ?? 0;
  const asked = state.state === 'over' && !!last && menOf(last) <= men && status.value === 'open';
  useEffect(() => {
    let gone = false;
    setCourse([]);
    if (asked)
      room.ask('course', {}).then(
        answer => gone || setCourse(answer.course),
        () => undefined,
      );
    return () => {
      gone = true;
    };
  }, [room, asked, state.live]);
  const events = courseEvents(course);
  if (events.length === 0) return null;
  // The beginning and the latest turns tell most.
  const shown = events.length <= EVENTS_SHOWN ? events : [events[0]!, ...events.slice(1 - EVENTS_SHOWN)];
  return (
    <section class="course" aria-label={t('table.title')} data-testid="course">
      {shown.map(event => (
        <button type="button" class="course-event" key={event.point.node} onClick={() => room.look(event.point.node)}>
          {eventText(event, room)}
        </button>
      ))}
    </section>
  );
}
