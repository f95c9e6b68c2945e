// What the computer thinks: while it plays (its own line), and as an analyst of any position (several lines).
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Color, Shape } from '../board.js';
import { formatNumber, formatShort, t } from '../i18n.js';
import { request, status, welcome } from '../net.js';
import type { Line, TreeNode } from '../protocol.js';
import type { Room } from '../room.js';
import { settings } from '../settings.js';
import { readStored, writeStored } from '../storage.js';
import { sanText, scoreText, winChance } from '../words.js';
import { Button, toastError } from './basics.js';
import { Lines } from './lines.js';

/** Is the analyst at work? Kept while the page is open; the number of lines also beyond. */
export const engineOn = signal(false);
export const threatOn = signal(false);
export const linesHidden = signal(false);
export const lineCount = signal(Math.min(5, Math.max(1, readStored('lines', 2))));

/** Who analyses ('' for Lovac), with how many threads and MB (0: as usual). */
export interface AnalystChoice {
  readonly engine: string;
  readonly threads: number;
  readonly hash: number;
}
export const analyst = signal<AnalystChoice>(readStored('analyst', { engine: '', threads: 0, hash: 0 }));
const settingsOpen = signal(false);

function setAnalyst(changes: Partial<AnalystChoice>): void {
  analyst.value = { ...analyst.value, ...changes };
  writeStored('analyst', analyst.value);
}

/** What of it this server and this game allow. */
function wishes(variant: string): { engine?: string; threads?: number; hash?: number } {
  const { engine, threads, hash } = analyst.value;
  const limits = welcome.value?.limits ?? {};
  return {
    ...(analysts(variant).includes(engine) ? { engine } : {}),
    ...(threads > 0 ? { threads: Math.min(threads, limits['threads'] ?? 1) } : {}),
    ...(hash > 0 ? { hash: Math.min(hash, limits['hash'] ?? 64) } : {}),
  };
}

/** Other engines that can analyse a game. */
function analysts(variant: string): string[] {
  return (welcome.value?.engines ?? []).filter(e => e.analyst && e.variants.includes(variant)).map(e => e.name);
}

export function setLineCount(count: number): void {
  lineCount.value = count;
  writeStored('lines', count);
}

/** Keeps the analyst on the node that is looked at. */
export function useAnalyst(room: Room | null, active: boolean): void {
  const node = room?.cursor.value ?? 0;
  const on = active && engineOn.value && !!room?.state.value;
  const threat = threatOn.value;
  const lines = lineCount.value;
  const connected = status.value === 'open';
  const wished = wishes(room?.state.value?.variant ?? '');
  const outcome = room?.position.value?.outcome ?? null;
  const ended = !!outcome && (outcome.reason === 'checkmate' || outcome.reason === 'stalemate');
  useEffect(() => {
    if (!on || !room || !connected || ended) return;
    // Leafing quickly through a game should not start a search for every move.
    const timer = setTimeout(() => {
      request('analyse', { room: room.id, node, lines, threat, ...wished }).catch(error => {
        if (threat) threatOn.value = false;
        else engineOn.value = false;
        toastError(error);
      });
    }, 120);
    return () => clearTimeout(timer);
  }, [room, node, on, threat, lines, connected, ended, JSON.stringify(wished)]);
  useEffect(() => {
    if (on && connected) return () => void request('analyse', { stop: true }).catch(() => undefined);
    return undefined;
  }, [room, on, connected]);
}

/** The lines for the node that is looked at, as far as they are there. */
export function analysisLines(room: Room): readonly Line[] {
  const event = room.analysis.value;
  if (!event || event.node !== room.cursor.value || event.threat !== threatOn.value || !engineOn.value) return [];
  return event.lines;
}

/** The lines' first moves as arrows. */
export function analysisShapes(room: Room): Shape[] {
  if (linesHidden.value) return [];
  const lines = analysisLines(room);
  return lines.flatMap((line, i): Shape[] => {
    const uci = line.pv[0];
    if (!uci || uci === '0000') return [];
    const brush = threatOn.value ? 'threat' : i === 0 ? 'best' : 'line';
    const shape: Shape = { from: uci.slice(0, 2), to: uci.slice(2, 4), brush };
    return [lines.length > 1 ? { ...shape, label: scoreText(line.score) } : shape];
  });
}

/** SAN moves with their numbers, from the position of `node`. */
export function numbered(node: TreeNode | null, line: readonly string[]): string {
  const san = line.map(sanText);
  if (!node) return san.join(' ');
  const fields = node.fen.split(' ');
  let number = Number(fields[5] ?? 1);
  let white = fields[1] === 'w';
  return san
    .map((move, i) => {
      const text = white ? `${number}. ${move}` : i === 0 ? `${number}… ${move}` : move;
      if (!white) number++;
      white = !white;
      return text;
    })
    .join(' ');
}

function Facts({ line }: { line: Line }) {
  const seconds = line.time_ms / 1000;
  return (
    <dl class="facts num">
      {line.depth > 0 && (
        <div>
          <dt>{t('engine.depth')}</dt>
          <dd>
            {line.depth}
            {line.seldepth > line.depth ? <span class="quiet">/{line.seldepth}</span> : null}
          </dd>
        </div>
      )}
      <div>
        <dt>{t('engine.nodes')}</dt>
        <dd>{formatShort(line.nodes)}</dd>
      </div>
      <div>
        <dt>{t('engine.speed')}</dt>
        <dd>{formatShort(line.nps)}/s</dd>
      </div>
      <div>
        <dt>{t('engine.time')}</dt>
        <dd>{formatNumber(seconds, 1)} s</dd>
      </div>
    </dl>
  );
}

function Score({ line }: { line: Line }) {
  const chance = winChance(line.score, line.wdl);
  const text = scoreText(line.score);
  return <strong class={`score num ${chance >= 0.5 ? 'up' : 'down'}`}>{text}</strong>;
}

/** The same while one plays against it: hidden unless one wants to see it. */
export function OpponentPanel({ room }: { room: Room }) {
  const shown = settings.thoughts;
  useLast(room); // kept also while hidden
  return (
    <>
      <label class="engine-switch thoughts small">
        <input
          type="checkbox"
          role="switch"
          checked={shown.value}
          onChange={e => (shown.value = e.currentTarget.checked)}
          data-testid="thoughts"
        />
        <span>{t('engine.thoughts')}</span>
      </label>
      {shown.value && <ThinkingPanel room={room} />}
    </>
  );
}

/** What the opponent thought about its move: depth, score, nodes, speed, time, line. */
export function ThinkingPanel({ room }: { room: Room }) {
  const event = room.thinking.value;
  const state = room.state.value;
  const last = useLast(room);
  const shown = event ?? last;
  if (!shown) return <p class="quiet small pad">{state && state.mode === 'play' ? t('engine.nothing') : ''}</p>;
  const { line } = shown;
  const node = room.nodes.value.get(shown.node) ?? null;
  return (
    <div class="computer" data-testid="thinking">
      <div class="head">
        <Score line={line} />
        <span class="small">
          {t('engine.whiteWins', { percent: formatNumber(winChance(line.score, line.wdl) * 100) })}
        </span>
      </div>
      <Facts line={line} />
      <p class="pv">{numbered(node, line.san.slice(0, 14))}</p>
    </div>
  );
}

const lastThoughts = new WeakMap<Room, NonNullable<Room['thinking']['value']>>();

/** The newest thought stays until the next one begins, so that it can be read. */
function useLast(room: Room) {
  const event = room.thinking.value;
  if (event) lastThoughts.set(room, event);
  return lastThoughts.get(room) ?? null;
}

const HASH_SIZES = [16, 64, 256, 1024, 4096];

/** Who analyses, with how many threads and how much memory. */
function AnalystSettings({ variant }: { variant: string }) {
  const { engine, threads, hash } = analyst.value;
  const limits = welcome.value?.limits ?? {};
  const others = analysts(variant);
  const sizes = HASH_SIZES.filter(size => size <= (limits['hash'] ?? 0));
  const pick = (name: string, value: string, options: [string, string][], set: (value: string) => void) => (
    <label class="field">
      <span>{name}</span>
      <select class="input small" value={value} onChange={e => set(e.currentTarget.value)}>
        {options.map(([id, label]) => (
          <option value={id} key={id}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
  const threadOptions = Array.from({ length: limits['threads'] ?? 1 }, (_, i): [string, string] => [
    String(i + 1),
    String(i + 1),
  ]);
  return (
    <div class="analyst-settings" data-testid="analyst-settings">
      {pick(
        t('engine.who'),
        others.includes(engine) ? engine : '',
        [['', 'Lovac'], ...others.map((name): [string, string] => [name, name])],
        value => setAnalyst({ engine: value }),
      )}
      {pick(t('engine.threads'), String(Math.max(1, threads)), threadOptions, value =>
        setAnalyst({ threads: Number(value) }),
      )}
      {pick(
        t('engine.hash'),
        String(hash),
        [['0', t('engine.usual')], ...sizes.map((size): [string, string] => [String(size), `${size} MB`])],
        value => setAnalyst({ hash: Number(value) }),
      )}
    </div>
  );
}

/** The analyst: switch, number of lines, threat, lines that can be played. */
export function AnalystPanel({ room, orientation }: { room: Room; orientation: Color }) {
  const lines = analysisLines(room);
  const event = room.analysis.value;
  const most = Math.min(5, welcome.value?.limits['lines'] ?? 5);
  const best = lines[0];
  return (
    <div class="computer" data-testid="analyst">
      <div class="head">
        <label class="engine-switch">
          <input
            type="checkbox"
            role="switch"
            checked={engineOn.value}
            onChange={e => (engineOn.value = e.currentTarget.checked)}
          />
          <span>{t('engine.title')}</span>
        </label>
        {best && !threatOn.value && <Score line={best} />}
        {best && !threatOn.value && (
          <span class="small quiet num chance">{formatNumber(winChance(best.score, best.wdl) * 100)} %</span>
        )}
        <span class="grow" />
        <Button
          icon="threat"
          label={t('engine.threat')}
          bare
          kind="ghost small"
          pressed={threatOn.value}
          onClick={() => (threatOn.value = !threatOn.value)}
        />
        <label class="count small">
          <span class="sr">{t('engine.lines')}</span>
          <select
            class="input small num"
            title={t('engine.lines')}
            value={String(lineCount.value)}
            onChange={e => setLineCount(Number(e.currentTarget.value))}
          >
            {Array.from({ length: most }, (_, i) => (
              <option value={String(i + 1)} key={i}>
                {i + 1}
              </option>
            ))}
          </select>
        </label>
        <Button
          icon="settings"
          label={t('engine.settings')}
          bare
          kind="ghost small"
          pressed={settingsOpen.value}
          onClick={() => (settingsOpen.value = !settingsOpen.value)}
        />
      </div>
      {settingsOpen.value && <AnalystSettings variant={room.state.value?.variant ?? ''} />}
      {engineOn.value && !!event?.sharing && (
        <p class="quiet small pad" data-testid="shared">
          {t('engine.shared', { n: event.sharing })}
        </p>
      )}
      {engineOn.value && best && <Facts line={best} />}
      {!linesHidden.value && lines.length > 0 && (
        <Lines
          room={room}
          lines={lines}
          threat={threatOn.value}
          orientation={orientation}
          score={line => <Score line={line} />}
        />
      )}
    </div>
  );
}

/** White's share of the board's side: the score at a glance. */
export function EvalBar({ room, white }: { room: Room; white: boolean }) {
  const line = threatOn.value ? undefined : analysisLines(room)[0];
  const review = room.state.value?.review;
  const judged =
    review?.moves.find(m => m.node === room.cursor.value) ?? (room.cursor.value === 0 ? review?.start : undefined);
  // What another program wrote into the PGN, where nothing better is known.
  const written = room.node.value?.eval;
  const mated = room.node.value?.san?.endsWith('#') ? room.position.value?.turn : undefined;
  const chance = mated
    ? Number(mated === 'black')
    : line
      ? winChance(line.score, line.wdl)
      : judged
        ? judged.win
        : written
          ? winChance(written, undefined)
          : 0.5;
  const score = mated ? { mate: 0 } : (line?.score ?? judged?.score ?? written);
  if (!settings.evalBar.value) return null;
  return (
    <div
      class={`evalbar ${white ? '' : 'turned'} ${score ? '' : 'unknown'}`}
      role="img"
      aria-label={score ? t('engine.bar', { score: scoreText(score) }) : t('engine.barNone')}
    >
      <i style={{ height: `${(1 - chance) * 100}%` }} />
      {score && (
        <span class={`num ${chance >= 0.5 ? 'low' : 'high'}`}>
          {score.mate === undefined
            ? formatNumber(Math.abs(score.cp) / 100, 1)
            : score.mate === 0
              ? '#'
              : `#${Math.abs(score.mate)}`}
        </span>
      )}
    </div>
  );
}

/** The best move of the analyst, if there is one. */
export function bestMove(room: Room): string | null {
  return threatOn.value ? null : (analysisLines(room)[0]?.pv[0] ?? null);
}
