// Charts of the laboratory: lines over a number (depth, games), with a band where the figure is uncertain, on
// a plain or a logarithmic scale. uPlot draws them; loaded when the first one is shown.
import uPlot from 'uplot';
import { decades, limits, LINE_LOOKS, powers, type LabData } from './chartmath.js';
import { formatNumber, formatShort } from './i18n.js';

export interface DrawnChart {
  update(data: LabData): void;
  destroy(): void;
}

const COLORS = ['--accent', '--warn', '--bad', '--ink-3', '--good', '--ink'] as const;

function color(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** With alpha, for a band; our colours are #rrggbb. */
function pale(hex: string): string {
  return hex.length === 7 ? hex + '38' : hex;
}

function columns(data: LabData): uPlot.AlignedData {
  const all: (readonly (number | null)[])[] = [data.xs];
  for (const line of data.lines) {
    all.push(line.values);
    if (line.low && line.high) all.push(line.high, line.low);
  }
  return all as unknown as uPlot.AlignedData;
}

/** Draws into `host`, which has a size; follows it when it changes. */
export function labChart(host: HTMLElement, first: LabData, log: boolean): DrawnChart {
  let data = first;
  const series: uPlot.Series[] = [{}];
  const bands: uPlot.Band[] = [];
  first.lines.forEach((line, i) => {
    const stroke = color(COLORS[i % COLORS.length]!);
    const look = LINE_LOOKS[i % LINE_LOOKS.length]!;
    const few = (count: number) => count <= 60;
    const lone: uPlot.Series = look === 'dots' ? { paths: () => null } : {};
    series.push({
      stroke,
      width: 2,
      ...(look === 'dashed' ? { dash: [7, 4] } : {}),
      ...lone,
      points: {
        show: look === 'dots' ? true : u => few(u.data[0].length) && !line.low,
        size: look === 'dots' ? 10 : 6,
        stroke,
        fill: look === 'dots' ? stroke : color('--surface'),
      },
    });
    if (line.low && line.high) {
      const at = series.length;
      const edge = { stroke: pale(stroke), width: 1, points: { show: false } };
      series.push(edge, edge);
      bands.push({ series: [at, at + 1], fill: pale(stroke) });
    }
  });
  const axis = {
    stroke: color('--ink-2'),
    grid: { stroke: color('--line'), width: 1 },
    ticks: { stroke: color('--line'), width: 1, size: 4 },
    font: `12px ${color('--font') || 'sans-serif'}`,
  };
  const chart = new uPlot(
    {
      width: host.clientWidth,
      height: host.clientHeight,
      padding: [8, 12, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: {
          time: false,
          range: (_, low, high) => [low - (high - low) * 0.02 - 0.05, high + (high - low) * 0.02 + 0.05],
        },
        y: log ? { distr: 3, range: () => powers(data) } : { range: () => limits(data) },
      },
      axes: [
        {
          ...axis,
          size: 28,
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500],
          values: (_, ticks) => ticks.map(v => formatNumber(v)),
        },
        {
          ...axis,
          size: 54,
          ...(log ? { splits: () => decades(powers(data)[1]) } : {}),
          values: (_, ticks, _axis, _space, step) => {
            const digits = step < 1 ? Math.ceil(-Math.log10(step)) : 0;
            return ticks.map(v => (v === null ? '' : log ? formatShort(v) : formatNumber(v, digits)));
          },
        },
      ],
      series,
      bands,
    },
    columns(first),
    host,
  );
  const observer = new ResizeObserver(() => chart.setSize({ width: host.clientWidth, height: host.clientHeight }));
  observer.observe(host);
  return {
    update(next) {
      data = next;
      chart.setData(columns(next));
    },
    destroy() {
      observer.disconnect();
      chart.destroy();
    },
  };
}
