// A run of an experiment: how far it is, its charts and tables, live while it goes on.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { go, me, startRoom } from '../app.js';
import { barData, chartData, csv, LINE_LOOKS } from '../chartmath.js';
import { formatDate, formatNumber, language, t, tMaybe } from '../i18n.js';
import { canGoOn, choiceTitle, heard, isOver, madeChoices, shown } from '../lab.js';
import type { DrawnChart } from '../labchart.js';
import { request } from '../net.js';
import type { Experiment, LabCell, LabChart, LabColumn, LabRow, LabTable, RunSummary } from '../protocol.js';
import { shownTheme } from '../settings.js';
import { engineName } from '../words.js';
import { announce, Button, copyText, Dialog, toastError } from './basics.js';

/** "0:07", "12:30", "1:02:03". */
function clockText(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000));
  const two = (n: number) => String(n).padStart(2, '0');
  const h = Math.floor(s / 3600);
  const m = Math.floor(s / 60) % 60;
  return h > 0 ? `${h}:${two(m)}:${two(s % 60)}` : `${m}:${two(s % 60)}`;
}

const columnTitle = (column: LabColumn): string => tMaybe(`lab.column.${column.key}`, column.title);

/** Enough digits to tell figures of this size apart. */
function digitsOf(column: LabColumn, size: number): number {
  if (column.key === 'points' || size >= 10) return 1;
  return size === 0 || size >= 0.1 ? 2 : 4;
}

function cellText(column: LabColumn, cell: LabCell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (column.key === 'reason') return tMaybe(`reason.${cell}`, String(cell));
  if (typeof cell === 'string') return cell;
  if (column.kind === 'time')
    return cell < 1000 ? `${formatNumber(cell, cell < 10 ? 1 : 0)} ms` : `${formatNumber(cell / 1000, 2)} s`;
  if (column.kind === 'real') return formatNumber(cell, digitsOf(column, Math.abs(cell)));
  return formatNumber(cell);
}

// ---- How far it is ----

/** Share and times of a run as they must be now, between two words of the server. */
function useNow(run: RunSummary): { share: number; elapsed: number; left: number | null } {
  const [, tick] = useState(0);
  const running = run.state === 'running';
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => tick(n => n + 1), 500);
    return () => clearInterval(timer);
  }, [running]);
  const since = running ? Math.max(0, performance.now() - (heard.get(run.run) ?? performance.now())) : 0;
  const left = run.left_ms === undefined ? null : Math.max(0, run.left_ms - since);
  const share =
    run.left_ms && left !== null ? run.share + (1 - run.share) * Math.min(1, since / run.left_ms) * 0.98 : run.share;
  return { share: Math.min(1, share), elapsed: run.elapsed_ms + since, left };
}

function Progress({ run }: { run: RunSummary }) {
  const { share, elapsed, left } = useNow(run);
  const percent = Math.round(share * 100);
  const words = [tMaybe(`lab.state.${run.state}`, run.state)];
  if (run.state === 'running') words.push(`${percent} %`);
  if (run.state !== 'waiting') words.push(clockText(elapsed));
  if (left !== null && run.state === 'running') words.push(t('lab.left', { time: clockText(left) }));
  return (
    <div class="stack tight">
      <div
        class="progress"
        role="progressbar"
        aria-label={t('lab.progress')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <i style={{ width: `${share * 100}%` }} />
      </div>
      <p class="small num quiet" data-testid="lab-state" data-state={run.state}>
        {words.join(' · ')}
      </p>
      {run.problem && (
        <p class="problem small" role="alert">
          {run.problem}
        </p>
      )}
    </div>
  );
}

// ---- Charts ----

function Chart({ experiment, chart, rows }: { experiment: Experiment; chart: LabChart; rows: readonly LabRow[] }) {
  const host = useRef<HTMLDivElement>(null);
  const drawn = useRef<DrawnChart | null>(null);
  const table = experiment.tables.find(x => x.key === chart.table)!;
  const data = useMemo(() => chartData(table, chart, rows), [table, chart, rows]);
  const latest = useRef(data);
  latest.current = data;
  const theme = shownTheme.value;
  const tongue = language.value;
  useEffect(() => {
    let gone = false;
    void import('../labchart.js').then(({ labChart }) => {
      if (!gone && host.current) drawn.current = labChart(host.current, latest.current, chart.log);
    }, toastError);
    return () => {
      gone = true;
      drawn.current?.destroy();
      drawn.current = null;
    };
  }, [chart, theme, tongue]);
  useEffect(() => drawn.current?.update(data), [data]);
  const title = tMaybe(`lab.chart.${chart.key}`, chart.title);
  // Only the lines that have something to show.
  const names = chart.series.map((s, i) => ({
    name: columnTitle(table.columns.find(c => c.key === s.column)!),
    look: LINE_LOOKS[i % LINE_LOOKS.length],
    color: i % LINE_LOOKS.length,
    used: data.lines[i]!.values.some(v => v !== null),
  }));
  return (
    <figure class="lab-chart">
      <figcaption class="row between">
        <h3>{title}</h3>
        <ul class="legend-list small">
          {names
            .filter(n => n.used)
            .map(n => (
              <li key={n.name}>
                <i class={`swatch ${n.look} c${n.color}`} aria-hidden="true" />
                {n.name}
              </li>
            ))}
        </ul>
      </figcaption>
      <div class="lab-plot" ref={host} role="img" aria-label={title} data-testid={`lab-chart-${chart.key}`} />
    </figure>
  );
}

/** A bar for each row and series, lying, with its figure: names of any length have room. */
function Bars({ experiment, chart, rows }: { experiment: Experiment; chart: LabChart; rows: readonly LabRow[] }) {
  const table = experiment.tables.find(x => x.key === chart.table)!;
  const bars = barData(table, chart, rows);
  const column = (key: string) => table.columns.find(c => c.key === key)!;
  const title = tMaybe(`lab.chart.${chart.key}`, chart.title);
  const used = chart.series.map((_, i) => bars.some(b => b.values[i]!.share !== null));
  return (
    <figure class="lab-chart">
      <figcaption class="row between">
        <h3>{title}</h3>
        {chart.series.length > 1 && (
          <ul class="legend-list small">
            {chart.series.map(
              (s, i) =>
                used[i] && (
                  <li key={s.column}>
                    <i class={`swatch block c${i}`} aria-hidden="true" />
                    {columnTitle(column(s.column))}
                  </li>
                ),
            )}
          </ul>
        )}
      </figcaption>
      <dl class="lab-bars small" data-testid={`lab-bars-${chart.key}`}>
        {bars.map((bar, row) => (
          <div key={row}>
            <dt>{cellText(column(chart.x), bar.name)}</dt>
            {bar.values.map(
              (value, i) =>
                used[i] && (
                  <dd key={i}>
                    <i class={`bar c${i}`} style={{ width: `${(value.share ?? 0) * 100}%` }} aria-hidden="true" />
                    {chart.series.length > 1 && (
                      <span class="sr">{columnTitle(column(chart.series[i]!.column))}: </span>
                    )}
                    <span class="num">{cellText(column(chart.series[i]!.column), value.cell)}</span>
                  </dd>
                ),
            )}
          </div>
        ))}
      </dl>
    </figure>
  );
}

// ---- Tables ----

/** The network of a champion, drawn, and a game against it. */
function Champion({ run, row, onClose }: { run: RunSummary; row: number; onClose: () => void }) {
  const [svg, setSvg] = useState('');
  const title = engineName(`champion ${run.run} ${row + 1}`);
  useEffect(() => {
    request('look', { run: run.run, player: row }).then(answer => setSvg(answer.svg ?? ''), toastError);
  }, [run.run, row]);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      wide
      testid="lab-champion"
      footer={<Button icon="play" label={t('lab.play')} kind="primary" onClick={() => void playChampion(run, row)} />}
    >
      <p class="small quiet">{t('lab.picture.text')}</p>
      {svg && (
        <img
          class="lab-picture"
          src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`}
          alt={t('lab.picture')}
        />
      )}
    </Dialog>
  );
}

async function playChampion(run: RunSummary, row: number): Promise<void> {
  try {
    const black = { kind: 'engine' as const, engine: `champion ${run.run} ${row + 1}` };
    await startRoom('play', { variant: 'chess', white: me(), black });
    go('');
  } catch (error) {
    toastError(error);
  }
}

function RunRows({ run, table, rows }: { run: RunSummary; table: LabTable; rows: readonly LabRow[] }) {
  const [champion, setChampion] = useState<number | null>(null);
  const title = tMaybe(`lab.table.${table.key}`, table.title);
  const open = async (row: number) => {
    try {
      const { pgn } = await request('look', { run: run.run, game: row });
      await startRoom('analyse', { mode: 'analysis', pgn, game: 0 });
      go('analyse');
    } catch (error) {
      toastError(error);
    }
  };
  // Columns in which nothing stands yet only take room.
  const columns = table.columns
    .map((column, index) => ({ column, index }))
    .filter(({ index }) => rows.some(r => r[index] !== null));
  const isText = (column: LabColumn) => column.kind === 'text';
  const numbered = rows.map((row, index) => ({ row, index }));
  // The last game is the news.
  if (table.texts > 0 || table.players) numbered.reverse();
  return (
    <section class="stack tight">
      <h3>{title}</h3>
      <div class="tablewrap lab-table" tabIndex={0} role="region" aria-label={title}>
        <table class="small" data-testid={`lab-table-${table.key}`}>
          <thead>
            <tr>
              {table.players && (
                <th>
                  <span class="sr">{t('lab.play')}</span>
                </th>
              )}
              {columns.map(({ column }) => (
                <th key={column.key} class={`${isText(column) ? '' : 'r'} ${column.published ? 'published' : ''}`}>
                  {columnTitle(column)}
                </th>
              ))}
              {table.texts > 0 && (
                <th>
                  <span class="sr">{t('action.analyse')}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {numbered.map(({ row, index }) => (
              <tr key={index}>
                {table.players && (
                  <td>
                    <Button
                      icon="watch"
                      label={`${t('lab.picture')} ${index + 1}`}
                      bare
                      kind="small ghost"
                      onClick={() => setChampion(index)}
                    />
                    <Button
                      icon="play"
                      label={`${t('lab.play')} ${index + 1}`}
                      bare
                      kind="small ghost"
                      onClick={() => void playChampion(run, index)}
                    />
                  </td>
                )}
                {columns.map(({ column, index: at }) => (
                  <td
                    key={column.key}
                    class={`${isText(column) ? '' : 'r'} num ${column.published ? 'published' : ''}`}
                  >
                    {cellText(column, row[at])}
                  </td>
                ))}
                {table.texts > 0 && (
                  <td class="r">
                    {index < table.texts && (
                      <Button
                        icon="analyse"
                        label={`${t('action.analyse')} ${index + 1}`}
                        bare
                        kind="small ghost"
                        onClick={() => void open(index)}
                      />
                    )}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {champion !== null && <Champion run={run} row={champion} onClose={() => setChampion(null)} />}
    </section>
  );
}

/**
 * A table or its bars are drawn anew only when rows came: a run tells how far it is several times a second, and a league
 * has hundreds of rows.
 */
function StillRows(props: { run: RunSummary; table: LabTable; rows: readonly LabRow[] }) {
  return useMemo(() => <RunRows {...props} />, [props.run.run, props.table, props.rows, language.value]);
}

function StillBars(props: { experiment: Experiment; chart: LabChart; rows: readonly LabRow[] }) {
  return useMemo(() => <Bars {...props} />, [props.experiment, props.chart, props.rows, language.value]);
}

// ---- All of it ----

export function RunView({ experiment, run }: { experiment: Experiment; run: RunSummary }) {
  const tables = shown.value?.run === run.run ? shown.value.tables : null;
  const before = useRef({ run: run.run, state: run.state });
  useEffect(() => {
    if (before.current.run === run.run && before.current.state !== run.state)
      announce(tMaybe(`lab.state.${run.state}`, run.state));
    before.current = { run: run.run, state: run.state };
  }, [run.run, run.state]);
  const rowsOf = (key: string) => tables?.[key] ?? [];
  return (
    <section class="card pad-all stack lab-run" aria-labelledby="lab-run-title" data-testid="lab-shown">
      <div class="row between">
        <div>
          <h2 id="lab-run-title">{tMaybe(`lab.${experiment.key}.title`, experiment.title)}</h2>
          <p class="small quiet num">
            {t('lab.number', { n: run.run })} · {formatDate(run.created)}
          </p>
        </div>
        <div class="row">
          {!isOver(run) && run.mine && (
            <Button
              icon="close"
              label={t('lab.stop')}
              kind="danger"
              testid="lab-stop"
              onClick={() => void request('halt', { run: run.run }).catch(toastError)}
            />
          )}
          {canGoOn(run) && (
            <Button
              icon="play"
              label={t('lab.continue')}
              kind="primary"
              testid="lab-continue"
              onClick={() => void request('continue', { run: run.run }).catch(toastError)}
            />
          )}
          <Button
            icon="copy"
            label={t('lab.csv')}
            disabled={!tables}
            testid="lab-csv"
            onClick={() => void copyText(csv(experiment, tables!))}
          />
        </div>
      </div>
      <dl class="facts">
        {madeChoices(experiment, run).map(([choice, text]) => (
          <div key={choice.key}>
            <dt>{choiceTitle(choice)}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <Progress run={run} />
      {experiment.charts
        .filter(chart => rowsOf(chart.table).length > 1)
        .map(chart => {
          const Drawn = chart.bars ? StillBars : Chart;
          return (
            <Drawn key={`${run.run} ${chart.key}`} experiment={experiment} chart={chart} rows={rowsOf(chart.table)} />
          );
        })}
      {experiment.tables
        .filter(table => !table.hidden && rowsOf(table.key).length > 0)
        .map(table => (
          <StillRows key={table.key} run={run} table={table} rows={rowsOf(table.key)} />
        ))}
      {run.note && (
        <section class="stack tight" data-testid="lab-note">
          <h3>{t('lab.shows')}</h3>
          {run.note
            .trim()
            .split(/\n\n+/)
            .map((paragraph, i) => (
              <p key={i} lang="en" class="lab-note">
                {paragraph}
              </p>
            ))}
        </section>
      )}
      {experiment.sources && tables && (
        <p class="small quiet">
          <strong>{t('lab.published')}</strong> {tMaybe(`lab.${experiment.key}.sources`, experiment.sources)}
        </p>
      )}
    </section>
  );
}
