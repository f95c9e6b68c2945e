// The review of a game: asked for, watched while it works, shown (graph, accuracy, judged moves), and the
// mistakes tried again. The graph's code comes when it is first needed.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Color, Shape } from '../board.js';
import { formatNumber, t } from '../i18n.js';
import { listen, request } from '../net.js';
import type { Review, ReviewMove } from '../protocol.js';
import type { Room } from '../room.js';
import { shownTheme } from '../settings.js';
import { moveNumber, playerName, sanText, scoreText, winChance } from '../words.js';
import { announce, Button, Choices, toastError } from './basics.js';
import { numbered } from './computer.js';

const FAULTS = ['inaccuracy', 'mistake', 'blunder'] as const;

export async function startReview(room: Room): Promise<void> {
  if (room.reviewing.value || (room.state.value?.review && room.state.value.mode === 'play')) return;
  room.reviewing.value = { done: 0, total: 1 };
  try {
    await room.ask('review', { nodes: 100000 });
  } catch (error) {
    room.reviewing.value = null;
    toastError(error);
  }
}

interface Retry {
  readonly color: Color;
  readonly list: readonly ReviewMove[];
  readonly at: number;
  readonly verdict: 'try' | 'judging' | 'right' | 'good' | 'wrong' | 'shown';
}

const isSolved = (retry: Retry): boolean =>
  retry.verdict === 'right' || retry.verdict === 'good' || retry.verdict === 'shown';

export interface ReviewControl {
  readonly shapes: readonly Shape[];
  readonly onTry: ((uci: string) => void) | null;
  readonly retry: Retry | null;
  start(color: Color): void;
  step(by: number): void;
  show(): void;
  stop(): void;
}

// A try may cost so much of the winning chance and still count as good.
const GOOD_LOSS = 0.05;
const JUDGE_MS = 1500;
const JUDGE_DEPTH = 16;

/** White's chances after a move that was tried: the engine looks at it for a moment, in the tree, and it is taken away. */
async function chanceAfter(room: Room, parent: number, uci: string): Promise<number | null> {
  const known = new Set(room.nodes.value.keys());
  const { node } = await room.ask('line', { node: parent, uci: [uci] });
  try {
    let chance: number | null = null;
    await new Promise<void>((resolve, reject) => {
      const stop = listen(event => {
        const line = event.event === 'analysis' && event.node === node ? event.lines[0] : undefined;
        if (!line) return;
        chance = winChance(line.score, line.wdl);
        if (line.depth >= JUDGE_DEPTH) done();
      });
      const timer = setTimeout(() => done(), JUDGE_MS);
      const done = () => {
        clearTimeout(timer);
        stop();
        resolve();
      };
      room.ask('analyse', { node, lines: 1 }).catch(reject);
    });
    return chance;
  } finally {
    await request('analyse', { stop: true }).catch(() => undefined);
    if (!known.has(node)) await room.ask('cut', { node }).catch(() => undefined);
  }
}

/** Retrying mistakes: the board is put before each of them, and a better move is looked for. */
export function useReview(room: Room): ReviewControl {
  const [retry, setRetry] = useState<Retry | null>(null);
  const review = room.state.value?.review ?? null;
  const nodes = room.nodes.value;
  useEffect(() => {
    if (!review) setRetry(null);
  }, [review]);
  const goTo = (list: readonly ReviewMove[], at: number, color: Color) => {
    setRetry({ color, list, at, verdict: 'try' });
    const parent = nodes.get(list[at]!.node)?.parent;
    if (parent !== undefined) room.look(parent);
  };
  const current = retry?.list[retry.at];
  const at = current ? nodes.get(current.node) : undefined;
  const onSpot = !!at && room.cursor.value === at.parent;
  const judge = async (uci: string) => {
    const tell = (verdict: 'right' | 'good' | 'wrong') => {
      setRetry(now => (now === waiting || now === retry ? { ...retry!, verdict } : now));
      announce(t(`retry.${verdict}`));
    };
    const waiting: Retry = { ...retry!, verdict: 'judging' };
    if (current!.better?.uci[0] === uci) return tell('right');
    if (at!.uci === uci) return tell('wrong');
    setRetry(waiting);
    const index = review!.moves.indexOf(current!);
    const before = index > 0 ? review!.moves[index - 1]!.win : review!.start.win;
    const chance = await chanceAfter(room, at!.parent!, uci).catch(() => null);
    const loss = chance === null ? 1 : retry!.color === 'white' ? before - chance : chance - before;
    tell(loss <= GOOD_LOSS ? 'good' : 'wrong');
  };
  const shapes: Shape[] = [];
  if (retry && current && onSpot) {
    if (retry.verdict === 'try' && at?.uci)
      shapes.push({ from: at.uci.slice(0, 2), to: at.uci.slice(2, 4), brush: 'threat' });
    if (isSolved(retry) && current.better?.uci[0]) {
      const uci = current.better.uci[0];
      shapes.push({ from: uci.slice(0, 2), to: uci.slice(2, 4), brush: 'best' });
    }
  } else if (!retry && review) {
    // The move that should have been played, beside the one that was.
    const judged = review.moves.find(m => m.node === room.cursor.value);
    const uci = judged?.better?.uci[0];
    if (uci && judged && FAULTS.includes(judged.judgement as (typeof FAULTS)[number]))
      shapes.push({ from: uci.slice(0, 2), to: uci.slice(2, 4), brush: 'best' });
  }
  return {
    shapes,
    retry,
    onTry: retry && onSpot && (retry.verdict === 'try' || retry.verdict === 'wrong') ? uci => void judge(uci) : null,
    start(color) {
      const list = (review?.moves ?? []).filter(m => {
        const node = nodes.get(m.node);
        return (
          m.better &&
          node &&
          moveNumber(node).white === (color === 'white') &&
          FAULTS.includes(m.judgement as (typeof FAULTS)[number])
        );
      });
      if (list.length > 0) goTo(list, 0, color);
    },
    step(by) {
      if (!retry) return;
      const next = retry.at + by;
      if (next < 0 || next >= retry.list.length) setRetry(null);
      else goTo(retry.list, next, retry.color);
    },
    show: () => retry && setRetry({ ...retry, verdict: 'shown' }),
    stop: () => setRetry(null),
  };
}

export function ReviewTab({ room, review: control }: { room: Room; review: ReviewControl }) {
  const state = room.state.value!;
  const progress = room.reviewing.value;
  if (progress) {
    const part = progress.done / Math.max(1, progress.total);
    return (
      <div class="pad stack">
        <p>{t('review.working', { done: progress.done, total: progress.total })}</p>
        <div
          class="progress"
          role="progressbar"
          aria-valuenow={Math.round(part * 100)}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-label={t('tab.review')}
        >
          <i style={{ width: `${part * 100}%` }} />
        </div>
        <div>
          <Button
            label={t('cancel')}
            kind="small"
            onClick={() => {
              room.reviewing.value = null;
              void room.ask('review', { stop: true }).catch(() => undefined);
            }}
          />
        </div>
      </div>
    );
  }
  if (!state.review) return null;
  return (
    <div class="review" data-testid="review">
      <Graph room={room} review={state.review} />
      {control.retry ? (
        <RetryPanel room={room} control={control} retry={control.retry} />
      ) : (
        <Summary room={room} review={state.review} control={control} />
      )}
    </div>
  );
}

function Summary({ room, review, control }: { room: Room; review: Review; control: ReviewControl }) {
  const state = room.state.value!;
  const judged = review.moves.find(m => m.node === room.cursor.value);
  const node = room.node.value;
  const [side, setSide] = useState<Color>(
    state.you.length === 1
      ? state.you[0]!
      : state.white.kind === 'human'
        ? 'white'
        : state.black.kind === 'human'
          ? 'black'
          : 'white',
  );
  const faults = review[side].inaccuracies + review[side].mistakes + review[side].blunders;
  return (
    <>
      {judged && node && (
        <p class={`verdict ${judged.judgement}`}>
          <strong>
            {moveNumber(node).number}
            {moveNumber(node).white ? '.' : '…'} {sanText(node.san)}
          </strong>{' '}
          {t(`judgement.${judged.judgement}`)} <span class="num">({scoreText(judged.score)})</span>
          {judged.better && (
            <span> {t('review.better', { line: numbered(parentOf(room), judged.better.san.slice(0, 6)) })}</span>
          )}
        </p>
      )}
      <table class="small accuracy">
        <thead>
          <tr>
            <th>
              <span class="sr">{t('review.what')}</span>
            </th>
            {(['white', 'black'] as const).map(c => (
              <th class="r" key={c}>
                {playerName(state, c)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr class="strong">
            <th scope="row">{t('review.accuracy')}</th>
            <td class="r num">{formatNumber(review.white.accuracy, 1)} %</td>
            <td class="r num">{formatNumber(review.black.accuracy, 1)} %</td>
          </tr>
          <tr>
            <th scope="row">{t('review.best')}</th>
            <td class="r num">{review.white.best}</td>
            <td class="r num">{review.black.best}</td>
          </tr>
          <tr class="inaccuracy">
            <th scope="row">{t('review.inaccuracies')}</th>
            <td class="r num">{review.white.inaccuracies}</td>
            <td class="r num">{review.black.inaccuracies}</td>
          </tr>
          <tr class="mistake">
            <th scope="row">{t('review.mistakes')}</th>
            <td class="r num">{review.white.mistakes}</td>
            <td class="r num">{review.black.mistakes}</td>
          </tr>
          <tr class="blunder">
            <th scope="row">{t('review.blunders')}</th>
            <td class="r num">{review.white.blunders}</td>
            <td class="r num">{review.black.blunders}</td>
          </tr>
        </tbody>
      </table>
      <div class="row retry-start">
        <Choices
          hideLegend
          legend={t('retry.side')}
          value={side}
          onChange={setSide}
          options={[
            { value: 'white', label: t('white') },
            { value: 'black', label: t('black') },
          ]}
        />
        <Button icon="rematch" label={t('retry.start')} disabled={faults === 0} onClick={() => control.start(side)} />
      </div>
    </>
  );
}

function parentOf(room: Room) {
  const parent = room.node.value?.parent;
  return parent === undefined ? null : (room.nodes.value.get(parent) ?? null);
}

function RetryPanel({ room, control, retry }: { room: Room; control: ReviewControl; retry: Retry }) {
  const move = retry.list[retry.at]!;
  const node = room.nodes.value.get(move.node);
  const last = retry.at === retry.list.length - 1;
  const parent = node?.parent === undefined ? null : (room.nodes.value.get(node.parent) ?? null);
  return (
    <div class="stack pad" data-testid="retry">
      <p>
        <strong>{t('retry.count', { at: retry.at + 1, of: retry.list.length })}</strong>
      </p>
      <p>{t('retry.text', { move: node ? numbered(parent, [node.san ?? '']) : '' })}</p>
      {retry.verdict === 'wrong' && (
        <p class="problem" role="status">
          {t('retry.wrong')}
        </p>
      )}
      {retry.verdict === 'judging' && (
        <p class="quiet" role="status">
          {t('retry.judging')}
        </p>
      )}
      {retry.verdict === 'good' && (
        <p class="good" role="status">
          {t('retry.good')}
        </p>
      )}
      {retry.verdict === 'right' && (
        <p class="good" role="status">
          {t('retry.right')}
        </p>
      )}
      {isSolved(retry) && move.better && <p class="pv">{numbered(parent, move.better.san.slice(0, 8))}</p>}
      <div class="row">
        {!isSolved(retry) && <Button label={t('retry.show')} kind="small" onClick={() => control.show()} />}
        <Button label={t(last ? 'retry.done' : 'retry.next')} kind="primary small" onClick={() => control.step(1)} />
        <Button label={t('retry.stop')} kind="ghost small" onClick={() => control.stop()} />
      </div>
    </div>
  );
}

/** White's chances over the game. */
function Graph({ room, review }: { room: Room; review: Review }) {
  const host = useRef<HTMLDivElement>(null);
  const set = useRef<((at: number) => void) | null>(null);
  const index = room.cursor.value === 0 ? 0 : review.moves.findIndex(m => m.node === room.cursor.value) + 1;
  const theme = shownTheme.value;
  useEffect(() => {
    let gone = false;
    let remove = () => undefined as void;
    const wins = [review.start.win, ...review.moves.map(m => m.win)];
    void import('../chart.js').then(({ winChart }) => {
      if (gone || !host.current) return;
      const chart = winChart(
        host.current,
        wins,
        review.moves.map(m => m.judgement),
        at => room.look(at === 0 ? 0 : review.moves[at - 1]!.node),
      );
      set.current = chart.mark;
      remove = chart.destroy;
      chart.mark(index);
    }, toastError);
    return () => {
      gone = true;
      set.current = null;
      remove();
    };
  }, [review, theme, room]);
  useEffect(() => set.current?.(index), [index]);
  return <div class="graph" ref={host} role="img" aria-label={t('review.graph')} />;
}
