// The moves: the main line in two columns (or in words for beginners), variations and comments between.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../i18n.js';
import type { Judgement, TreeNode } from '../protocol.js';
import { mainLine, type Room } from '../room.js';
import { settings } from '../settings.js';
import { moveNumber, moveWords, nagSign, resultSigns, sanText } from '../words.js';

const JUDGED: Partial<Record<Judgement, string>> = { inaccuracy: '?!', mistake: '?', blunder: '??' };

type Nodes = ReadonlyMap<number, TreeNode>;

interface Context {
  readonly nodes: Nodes;
  readonly current: number;
  readonly live: number | null;
  readonly judgements: ReadonlyMap<number, Judgement>;
  readonly onLook: (id: number) => void;
  readonly onMenu?: ((id: number, x: number, y: number) => void) | undefined;
}

function Move({ ctx, node, text }: { ctx: Context; node: TreeNode; text?: string }) {
  const judged = ctx.judgements.get(node.id);
  const sign = judged && JUDGED[judged];
  const nags = node.nags?.map(nagSign).join(' ') ?? '';
  const current = node.id === ctx.current;
  const sight = (text ?? sanText(node.san)) + (nags || sign || '');
  const words = [text ? '' : moveWords(node), judged && sign ? t(`judgement.${judged}`) : ''].filter(Boolean);
  const spoken = [sight, ...words].join(', ');
  return (
    <button
      type="button"
      class={`mv ${current ? 'current' : ''} ${judged ? `j-${judged}` : ''} ${node.id === ctx.live ? 'live' : ''}`}
      aria-current={current ? 'step' : undefined}
      aria-label={spoken}
      tabIndex={current ? 0 : -1}
      data-node={node.id}
      onClick={() => ctx.onLook(node.id)}
      onContextMenu={e => {
        if (!ctx.onMenu) return;
        e.preventDefault();
        ctx.onMenu(node.id, e.clientX, e.clientY);
      }}
    >
      {text ?? sanText(node.san)}
      {nags && <span class="nag">{nags}</span>}
      {sign && !nags && <span class="nag">{sign}</span>}
    </button>
  );
}

/** A line in running text, with its own variations in brackets. */
function Inline({ ctx, from, first }: { ctx: Context; from: number; first: boolean }) {
  const out: ComponentChildren[] = [];
  let force = first;
  for (let node = ctx.nodes.get(from); node; ) {
    const { number, white } = moveNumber(node);
    if (white || force)
      out.push(
        <span class="no num" key={`n${node.id}`}>
          {number}
          {white ? '.' : '…'}
        </span>,
      );
    out.push(<Move ctx={ctx} node={node} key={node.id} />);
    force = false;
    if (node.comment) {
      out.push(
        <span class="comment" key={`c${node.id}`}>
          {node.comment}
        </span>,
      );
      force = true;
    }
    const parent: TreeNode | undefined = node.parent === undefined ? undefined : ctx.nodes.get(node.parent);
    if (parent && parent.children[0] === node.id && node.id !== from) {
      for (const id of parent.children.slice(1)) {
        out.push(
          <span class="side" key={`v${id}`}>
            (<Inline ctx={ctx} from={id} first />)
          </span>,
        );
        force = true;
      }
    }
    node = ctx.nodes.get(node.children[0] ?? -1);
  }
  return <>{out}</>;
}

/** What stands between two moves of the main line, if anything. */
function between(ctx: Context, node: TreeNode): ComponentChildren {
  const siblings = node.parent === undefined ? [] : (ctx.nodes.get(node.parent)?.children.slice(1) ?? []);
  if (!node.comment && siblings.length === 0) return null;
  return (
    <div class="between" key={`b${node.id}`}>
      {node.comment && <p class="comment">{node.comment}</p>}
      {siblings.map(id => (
        <p class="side" key={id}>
          <Inline ctx={ctx} from={id} first />
        </p>
      ))}
    </div>
  );
}

function columns(ctx: Context, line: readonly number[]): ComponentChildren[] {
  const out: ComponentChildren[] = [];
  let open = false;
  line.forEach(id => {
    const node = ctx.nodes.get(id)!;
    const { number, white } = moveNumber(node);
    if (white || !open)
      out.push(
        <span class="no num" key={`n${id}`}>
          {number}
        </span>,
      );
    if (!white && !open)
      out.push(
        <span class="gap" key={`g${id}`}>
          …
        </span>,
      );
    out.push(<Move ctx={ctx} node={node} key={id} />);
    open = white;
    const extra = between(ctx, node);
    if (extra) {
      if (white) out.push(<span class="gap" key={`e${id}`} />);
      out.push(extra);
      open = false;
    }
  });
  return out;
}

function inWords(ctx: Context, line: readonly number[]): ComponentChildren[] {
  return line.flatMap(id => {
    const node = ctx.nodes.get(id)!;
    const { number, white } = moveNumber(node);
    return [
      <span class="no num" key={`n${id}`}>
        {white ? number : ''}
      </span>,
      <div class="worded" key={id}>
        <span class={`dot ${white ? 'white' : 'black'}`} aria-hidden="true" />
        <Move ctx={ctx} node={node} text={moveWords(node)} />
      </div>,
      between(ctx, node),
    ];
  });
}

/** `onMenu`: a move was clicked with the right button, or held with a finger. */
export function MoveList({ room, onMenu }: { room: Room; onMenu?: (id: number, x: number, y: number) => void }) {
  const box = useRef<HTMLDivElement>(null);
  const nodes = room.nodes.value;
  const state = room.state.value;
  const current = room.cursor.value;
  const words = settings.words.value;
  const line = mainLine(nodes).slice(1);
  const ctx: Context = {
    nodes,
    current,
    live: state?.mode === 'play' ? state.live : null,
    judgements: new Map(state?.review?.moves.map(m => [m.node, m.judgement]) ?? []),
    onLook: id => room.look(id),
    onMenu,
  };
  useEffect(() => {
    const element = box.current!;
    const reveal = () => {
      const item = element.querySelector<HTMLElement>('.mv.current');
      const top = item?.offsetTop ?? 0;
      const bottom = top + (item?.offsetHeight ?? 0);
      if (!item) element.scrollTop = 0;
      else if (top < element.scrollTop || bottom > element.scrollTop + element.clientHeight)
        element.scrollTop = (top + bottom - element.clientHeight) / 2;
    };
    reveal();
    // Other parts of the panel grow and shrink the list.
    const observer = new ResizeObserver(reveal);
    observer.observe(element);
    return () => observer.disconnect();
  }, [current, nodes, words]);
  const root = nodes.get(0);
  return (
    <div class={`moves ${words ? 'words' : ''}`} ref={box} data-testid="moves">
      {root?.comment && <p class="comment between">{root.comment}</p>}
      {line.length === 0 && <p class="quiet small between">{t('moves.none')}</p>}
      {words ? inWords(ctx, line) : columns(ctx, line)}
      {state?.result && <p class="between outcome num">{resultSigns(state.result.result)}</p>}
    </div>
  );
}
