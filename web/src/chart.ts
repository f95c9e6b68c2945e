// The evaluation graph: White's winning chances after each half-move. uPlot draws it; loaded when needed.
import uPlot from 'uplot';
import type { Judgement } from './protocol.js';

export interface WinChart {
  mark(at: number): void;
  destroy(): void;
}

function color(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Draws into `host`; a click calls `onPick` with the half-move (0: the start). */
export function winChart(
  host: HTMLElement,
  wins: readonly number[],
  judgements: readonly Judgement[],
  onPick: (at: number) => void,
): WinChart {
  const faults: Partial<Record<Judgement, string>> = {
    inaccuracy: color('--ink-3'),
    mistake: color('--warn'),
    blunder: color('--bad'),
  };
  let marked = -1;
  const drawMarks = (u: uPlot) => {
    const { ctx } = u;
    const ratio = devicePixelRatio;
    ctx.save();
    judgements.forEach((judgement, i) => {
      const fill = faults[judgement];
      if (!fill) return;
      ctx.fillStyle = fill;
      ctx.beginPath();
      ctx.arc(u.valToPos(i + 1, 'x', true), u.valToPos(wins[i + 1]! * 100, 'y', true), 3.5 * ratio, 0, 7);
      ctx.fill();
    });
    if (marked >= 0) {
      const x = u.valToPos(marked, 'x', true);
      ctx.strokeStyle = color('--accent');
      ctx.lineWidth = 2 * ratio;
      ctx.beginPath();
      ctx.moveTo(x, u.bbox.top);
      ctx.lineTo(x, u.bbox.top + u.bbox.height);
      ctx.stroke();
    }
    ctx.restore();
  };
  const chart = new uPlot(
    {
      width: host.clientWidth,
      height: host.clientHeight,
      padding: [6, 6, 6, 6],
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: { x: { time: false }, y: { range: [0, 100] } },
      axes: [{ show: false }, { show: false }],
      series: [
        {},
        { stroke: color('--ink-2'), width: 1.5, fill: color('--eval-white'), points: { show: false }, fillTo: 0 },
      ],
      hooks: { draw: [drawMarks] },
    },
    [wins.map((_, i) => i), wins.map(w => w * 100)],
    host,
  );
  const pick = () => {
    if (chart.cursor.idx != null) onPick(chart.cursor.idx);
  };
  chart.over.addEventListener('click', pick);
  const observer = new ResizeObserver(() => chart.setSize({ width: host.clientWidth, height: host.clientHeight }));
  observer.observe(host);
  return {
    mark(at) {
      marked = at;
      chart.redraw(false);
    },
    destroy() {
      observer.disconnect();
      chart.destroy();
    },
  };
}
