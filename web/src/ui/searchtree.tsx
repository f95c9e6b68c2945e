// The tree of a search, drawn and walked through: positions as lines under their parents, the best line thick, what was
// never looked at dashed, and in words why each position was left. Arrow keys walk, open and close.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatNumber, t } from '../i18n.js';
import { request } from '../net.js';
import type { SearchWalk, WalkNode } from '../protocol.js';
import { Button, toastError } from './basics.js';
import { MiniBoard } from './pieces.js';

const POSITIONS = {
  pawns: 'k7/8/8/3p4/2P5/8/8/K7 w - - 0 1',
  queen: '4k3/2p5/3p4/8/8/3Q4/8/4K3 w - - 0 1',
  mate: '7k/8/5K2/6R1/8/8/6p1/8 w - - 0 1',
} as const;
type PositionName = keyof typeof POSITIONS;

const ROW = 26;
const STEP = 30;
const LEFT = 16;

/** Values are for the side to move; people read them for White. */
function whiteValue(walk: SearchWalk, node: WalkNode, value: number | null | undefined): string {
  if (value === null || value === undefined) return '∞';
  const sign = (walk.side === 'white') === (node.ply % 2 === 0) ? 1 : -1;
  const white = value * sign;
  if (Math.abs(white) > 31000) return white > 0 ? '+#' : '−#';
  return formatNumber(white === 0 ? 0 : white / 100, 2);
}

/** "[−∞, 1.00]": what the two sides have elsewhere, for White. */
function windowText(walk: SearchWalk, node: WalkNode): string {
  if (node.alpha === undefined || (node.alpha === null && node.beta === null)) return '';
  const own = (walk.side === 'white') === (node.ply % 2 === 0);
  const [low, high] = own ? [node.alpha, node.beta] : [node.beta, node.alpha];
  const text = (value: number | null | undefined, side: string) =>
    value === null || value === undefined ? side + '∞' : whiteValue(walk, node, value);
  return `[${text(low, '−')}, ${text(high, '+')}]`;
}

interface Shape {
  readonly children: readonly (readonly number[])[];
  readonly best: ReadonlySet<number>;
}

function shapeOf(nodes: readonly WalkNode[]): Shape {
  const children: number[][] = nodes.map(() => []);
  nodes.forEach((node, i) => node.parent >= 0 && children[node.parent]!.push(i));
  const best = new Set<number>([0]);
  for (let at: number | undefined = 0; at !== undefined; ) {
    const value: number = nodes[at]!.value ?? 0;
    const below: readonly number[] = children[at]!;
    at = below.find(c => nodes[c]!.end !== 'skipped' && (nodes[c]!.value ?? 0) === -value);
    if (at !== undefined) best.add(at);
  }
  return { children, best };
}

/** Why a position was left. */
function endText(nodes: readonly WalkNode[], node: WalkNode): string {
  return t(`class.end.${node.end}`, { move: nodes[node.cut_by]?.san ?? '' });
}

function Tree({ walk }: { walk: SearchWalk }) {
  const { nodes } = walk;
  const shape = useMemo(() => shapeOf(nodes), [nodes]);
  const [open, setOpen] = useState<ReadonlySet<number>>(shape.best);
  const [at, setAt] = useState(0);
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    setOpen(shape.best);
    setAt(0);
  }, [shape]);
  const visible = useMemo(() => {
    const list: number[] = [];
    const visit = (i: number) => {
      list.push(i);
      if (open.has(i)) shape.children[i]!.forEach(visit);
    };
    visit(0);
    return list;
  }, [open, shape]);
  const line = new Map(visible.map((node, i) => [node, i]));
  const set = (node: number, on: boolean) => {
    const next = new Set(open);
    if (on) next.add(node);
    else next.delete(node);
    setOpen(next);
  };
  const choose = (node: number) => {
    setAt(node);
    const top = (line.get(node) ?? 0) * ROW;
    const box = host.current;
    if (box && top < box.scrollTop) box.scrollTop = top;
    if (box && top + 2 * ROW > box.scrollTop + box.clientHeight) box.scrollTop = top + 2 * ROW - box.clientHeight;
  };
  const onKey = (event: KeyboardEvent) => {
    const here = line.get(at) ?? 0;
    const has = shape.children[at]!.length > 0;
    const key = event.key;
    if (key === 'ArrowDown') choose(visible[Math.min(here + 1, visible.length - 1)]!);
    else if (key === 'ArrowUp') choose(visible[Math.max(here - 1, 0)]!);
    else if (key === 'Home') choose(0);
    else if (key === 'End') choose(visible[visible.length - 1]!);
    else if (key === 'ArrowRight' && has) open.has(at) ? choose(shape.children[at]![0]!) : set(at, true);
    else if (key === 'ArrowLeft' && open.has(at) && has) set(at, false);
    else if (key === 'ArrowLeft' && nodes[at]!.parent >= 0) choose(nodes[at]!.parent);
    else if ((key === 'Enter' || key === ' ') && has) set(at, !open.has(at));
    else if (key !== 'ArrowRight' && key !== 'ArrowLeft') return;
    event.preventDefault();
  };
  const now = nodes[at] ?? nodes[0]!;
  const skipped = nodes.filter(n => n.end === 'skipped').length;
  const label = (node: WalkNode): string =>
    [
      node.san ?? t('class.root'),
      node.end === 'skipped' ? '' : whiteValue(walk, node, node.value),
      windowText(walk, node),
      endText(nodes, node),
    ]
      .filter(x => x !== '')
      .join(' · ');
  return (
    <div class="stack tight">
      <div class="row between">
        <p class="small quiet num" data-testid="class-visited">
          {t('class.visited', { n: formatNumber(walk.visited), depth: walk.depth, cut: formatNumber(skipped) })}
        </p>
        <div class="row">
          <Button label={t('class.line')} kind="small" onClick={() => setOpen(shape.best)} />
          <Button
            label={t('class.all')}
            kind="small"
            testid="class-all"
            onClick={() => setOpen(new Set(nodes.map((_, i) => i)))}
          />
        </div>
      </div>
      <div class="tree-and-board">
        <div
          class="search-tree"
          ref={host}
          role="tree"
          tabIndex={0}
          aria-label={t('class.tree')}
          aria-activedescendant={`tree-${at}`}
          onKeyDown={onKey}
          data-testid="class-tree"
        >
          <svg width="100%" height={visible.length * ROW} role="presentation">
            {visible.map((i, row) => {
              const node = nodes[i]!;
              const x = LEFT + node.ply * STEP;
              const y = row * ROW + ROW / 2;
              const parent = line.get(node.parent);
              const kids = shape.children[i]!.length;
              return (
                <g
                  key={i}
                  id={`tree-${i}`}
                  role="treeitem"
                  aria-level={node.ply + 1}
                  aria-selected={i === at}
                  aria-expanded={kids > 0 ? open.has(i) : undefined}
                  class={`tree-node ${node.end} ${shape.best.has(i) ? 'best' : ''} ${i === at ? 'on' : ''}`}
                  onClick={() => {
                    setAt(i);
                    if (kids > 0 && i === at) set(i, !open.has(i));
                  }}
                >
                  <rect class="back" x={0} y={row * ROW} width="100%" height={ROW} />
                  {parent !== undefined && (
                    <path class="edge" d={`M${x - STEP} ${parent * ROW + ROW / 2 + 6}V${y}H${x - 6}`} />
                  )}
                  <circle cx={x} cy={y} r={kids > 0 ? 6 : 4} />
                  {kids > 0 && (
                    <path class="sign" d={open.has(i) ? `M${x - 3} ${y}h6` : `M${x - 3} ${y}h6M${x} ${y - 3}v6`} />
                  )}
                  <text x={x + 12} y={y + 4}>
                    <tspan class="move">{node.san ?? t('class.root')}</tspan>{' '}
                    {node.end !== 'skipped' && <tspan dx="8">{whiteValue(walk, node, node.value)}</tspan>}{' '}
                    <tspan dx="8" class="dim">
                      {windowText(walk, node)}
                    </tspan>{' '}
                    {(node.end === 'cut' || node.end === 'known' || node.end === 'stood' || node.end === 'over') && (
                      <tspan dx="8" class="why">
                        {node.end === 'cut' ? `✂ ${nodes[node.cut_by]?.san ?? ''}` : endText(nodes, node)}
                      </tspan>
                    )}
                  </text>
                </g>
              );
            })}
          </svg>
        </div>
        <div class="tree-board" data-testid="class-board" data-board={now.board}>
          <MiniBoard
            fen={now.board}
            label={t('class.board', { move: now.san ?? t('class.root') })}
            last={now.uci ? [now.uci.slice(0, 2), now.uci.slice(2, 4)] : null}
          />
        </div>
      </div>
      <p class="small tree-says" aria-live="polite" data-testid="class-says">
        {label(now)}
      </p>
    </div>
  );
}

/** A position to choose, the depth, and the tree of a method there. */
export function SearchTree({ method }: { method: string }) {
  const [position, setPosition] = useState<PositionName>('pawns');
  const [depth, setDepth] = useState(3);
  const [walk, setWalk] = useState<SearchWalk | null>(null);
  useEffect(() => {
    let gone = false;
    request('walk', { method, depth, fen: POSITIONS[position] }).then(
      answer => !gone && setWalk(answer.tree),
      toastError,
    );
    return () => {
      gone = true;
    };
  }, [method, depth, position]);
  return (
    <div class="stack tight">
      <div class="row">
        <label class="field inline">
          <span>{t('class.position')}</span>
          <select
            class="input"
            value={position}
            onChange={e => setPosition(e.currentTarget.value as PositionName)}
            data-testid="class-position"
          >
            {(Object.keys(POSITIONS) as PositionName[]).map(name => (
              <option key={name} value={name}>
                {t(`class.position.${name}`)}
              </option>
            ))}
          </select>
        </label>
        <label class="field inline">
          <span>{t('class.depth')}</span>
          <select
            class="input"
            value={String(depth)}
            onChange={e => setDepth(Number(e.currentTarget.value))}
            data-testid="class-depth"
          >
            {[1, 2, 3, 4].map(d => (
              <option key={d} value={String(d)}>
                {d}
              </option>
            ))}
          </select>
        </label>
      </div>
      {walk && <Tree walk={walk} />}
    </div>
  );
}
