// Figures of the laboratory before they are drawn or written: the columns of a chart, its scales, and tables as
// comma-separated values. Pure: nothing of the page is needed here. labchart.ts draws.
import type { Experiment, LabCell, LabChart, LabRow, LabTable } from './protocol.js';

export interface LabLine {
  readonly values: readonly (number | null)[];
  readonly low?: readonly (number | null)[];
  readonly high?: readonly (number | null)[];
}

export interface LabData {
  readonly xs: readonly number[];
  readonly lines: readonly LabLine[];
}

/** The look of each line: told apart without colours too. */
export const LINE_LOOKS = ['solid', 'dashed', 'dots', 'dashed', 'solid', 'dots'] as const;

/** The columns of a table that a chart shows; on a logarithmic scale only what has a logarithm. */
export function chartData(table: LabTable, chart: LabChart, rows: readonly LabRow[]): LabData {
  const at = (key: string) => table.columns.findIndex(c => c.key === key);
  const take = (key: string) => {
    const column = at(key);
    return rows.map(r => {
      const cell = r[column];
      return typeof cell === 'number' && (!chart.log || cell > 0) ? cell : null;
    });
  };
  return {
    xs: take(chart.x).map(x => x ?? 0),
    lines: chart.series.map(s => ({
      values: take(s.column),
      ...(s.low && s.high ? { low: take(s.low), high: take(s.high) } : {}),
    })),
  };
}

export interface LabBar {
  readonly name: LabCell;
  /** In the order of the chart's series; `share` of the longest bar, null where there is nothing to draw. */
  readonly values: readonly { readonly cell: LabCell; readonly share: number | null }[];
}

/** The rows of a table as bars; on a logarithmic scale from the power of ten below the least. */
export function barData(table: LabTable, chart: LabChart, rows: readonly LabRow[]): LabBar[] {
  const at = (key: string) => table.columns.findIndex(c => c.key === key);
  const places = chart.series.map(s => at(s.column));
  const scaled = (cell: LabCell | undefined): number | null =>
    typeof cell !== 'number' || (chart.log && cell <= 0) ? null : chart.log ? Math.log10(cell) : cell;
  const all = rows.flatMap(row => places.map(place => scaled(row[place]))).filter(v => v !== null);
  const high = Math.max(...all);
  // Ratings begin at 0 or, where there are smaller ones, at the least.
  const low = chart.log ? Math.ceil(Math.min(...all)) - 1 : Math.min(0, ...all);
  return rows.map(row => ({
    name: row[at(chart.x)] ?? null,
    values: places.map(place => {
      const value = scaled(row[place]);
      const share = value === null ? null : high > low ? (value - low) / (high - low) : 1;
      return { cell: row[place] ?? null, share };
    }),
  }));
}

/** Room for all lines; of bands only what comes after the first quarter, where a few games say nothing yet. */
export function limits(data: LabData): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  const from = Math.floor(data.xs.length / 4);
  for (const line of data.lines)
    for (const values of [line.values, line.low, line.high])
      values?.forEach((v, i) => {
        if (v === null || (line.low && i < from)) return;
        low = Math.min(low, v);
        high = Math.max(high, v);
      });
  if (low > high) return [0, 1];
  // Elo needs a few points around a line that hardly moves; fractions of a second do not.
  const least = high === low || data.lines.some(line => line.low) ? 5 : 0;
  const room = Math.max((high - low) * 0.06, least);
  return [low - room, high + room];
}

/** Whole powers of ten around the values. */
export function powers(data: LabData): [number, number] {
  let high = 10;
  for (const line of data.lines) for (const v of line.values) if (v !== null) high = Math.max(high, v);
  return [1, 10 ** Math.ceil(Math.log10(high))];
}

/** The powers of ten up to a limit: lines between them only make it grey. */
export function decades(high: number): number[] {
  const all: number[] = [];
  for (let at = 1; at <= high * 1.01; at *= 10) all.push(at);
  return all;
}

/** All tables as comma-separated values, numbers as they are. */
export function csv(experiment: Experiment, tables: Readonly<Record<string, readonly LabRow[]>>): string {
  const quote = (value: LabCell) => {
    const text = value === null ? '' : String(value);
    return /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  };
  return experiment.tables
    .filter(table => (tables[table.key] ?? []).length > 0)
    .map(table =>
      [table.columns.map(c => c.key), ...tables[table.key]!].map(row => row.map(quote).join(',')).join('\n'),
    )
    .join('\n\n');
}
