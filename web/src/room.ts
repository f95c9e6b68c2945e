// A room as the page keeps it: the fields and the tree that the server sends, the node that is looked at, the
// position there, and the requests one can make. It draws nothing. It holds no rules: legal moves come from
// the server, for the live position with every change, for any other node when it is first looked at.
import { batch, computed, effect, signal } from '@preact/signals';
import type { Color } from './board.js';
import { listen, onReconnect, request, RequestError } from './net.js';
import type {
  AnalysisEvent,
  Answer,
  Fields,
  Keys,
  Line,
  Position,
  RoomEvent,
  RoomFields,
  RoomState,
  RoomWord,
  ServerEvent,
  ThinkingEvent,
  TreeNode,
} from './protocol.js';

/** A move that was made on this screen and not yet confirmed by the server. */
export interface PendingMove {
  readonly node: number;
  readonly uci: string;
  /** The men after it, as far as the page can tell without rules. */
  readonly fen: string;
}

const EMPTY: ReadonlyMap<number, TreeNode> = new Map();

export class Room {
  readonly state = signal<RoomState | null>(null);
  readonly nodes = signal<ReadonlyMap<number, TreeNode>>(EMPTY);
  /** The node that is looked at. */
  readonly cursor = signal(0);
  readonly pending = signal<PendingMove | null>(null);
  readonly thinking = signal<ThinkingEvent | null>(null);
  readonly analysis = signal<AnalysisEvent | null>(null);
  readonly reviewing = signal<{ done: number; total: number } | null>(null);
  /** Set when the server does not know the room (any more). */
  readonly gone = signal(false);
  /** performance.now() at which the clock's times were true. */
  readonly clockAt = signal(0);

  private readonly shown = signal<ReadonlyMap<number, Position>>(new Map());
  private readonly asked = new Set<number>();
  private readonly stops: (() => void)[] = [];
  private arrived: (() => void) | null = null;

  /** The position looked at, or null until the server has told it. */
  readonly position = computed<Position | null>(() => {
    const state = this.state.value;
    const cursor = this.cursor.value;
    if (!state) return null;
    return state.position.node === cursor ? state.position : (this.shown.value.get(cursor) ?? null);
  });
  readonly node = computed(() => this.nodes.value.get(this.cursor.value) ?? null);
  readonly isLive = computed(() => this.state.value?.live === this.cursor.value);
  /** The ids from the start to the node looked at. */
  readonly path = computed(() => pathTo(this.nodes.value, this.cursor.value));

  constructor(
    readonly id: string,
    /** All keys this browser has: also those of seats that are meant for others, to hand them on. */
    readonly keys: Keys,
    /** The seats that are this person's own. */
    private readonly seats: readonly Color[],
  ) {
    this.stops.push(listen(event => this.receive(event)));
    this.stops.push(onReconnect(() => void this.join().catch(() => undefined)));
    this.stops.push(effect(() => this.lookUp()));
  }

  /** Joins (again); resolves when the whole state is here. */
  async join(name?: string): Promise<void> {
    const own = this.seats.map(seat => this.keys[seat]).filter(key => key !== undefined);
    const keys = own.length > 0 ? own : [this.keys.watch ?? ''];
    try {
      await request('join', name ? { keys, name } : { keys });
    } catch (error) {
      if (error instanceof RequestError && error.code === 'unknown-room') this.gone.value = true;
      throw error;
    }
  }

  /** Resolves with the first full state. */
  ready(): Promise<void> {
    return this.state.value ? Promise.resolve() : new Promise(resolve => (this.arrived = resolve));
  }

  /** Stops listening. */
  drop(): void {
    for (const stop of this.stops) stop();
  }

  /** Stops listening and tells the server; the game goes on there. */
  leave(): void {
    this.drop();
    void request('leave', { room: this.id }).catch(() => undefined);
  }

  /** Sends a request about this room. */
  ask<W extends RoomWord>(what: W, fields: RoomFields<W>): Promise<Answer<W>> {
    return request(what, { room: this.id, ...fields } as Fields<W>);
  }

  /** Looks at a node. */
  look(node: number): void {
    if (this.nodes.value.has(node)) this.cursor.value = node;
  }

  /** Plays a move in the position looked at. `uci` or what a person typed. */
  async play(move: { uci: string } | { san: string }, fenAfter?: string): Promise<void> {
    const state = this.state.value!;
    const node = this.cursor.value;
    if ('uci' in move && fenAfter) this.pending.value = { node, uci: move.uci, fen: fenAfter };
    try {
      const where = state.mode === 'analysis' ? { node } : { ply: state.position.ply };
      const answer = await this.ask('move', { ...where, ...move });
      if (state.mode === 'analysis') this.look(answer.node);
    } finally {
      if (this.pending.value?.node === node) this.pending.value = null;
    }
  }

  private receive(event: ServerEvent): void {
    if (event.event === 'run' || (event.event !== 'analysis' && event.room !== this.id)) return;
    if (event.event === 'room') this.receiveRoom(event);
    else if (event.event === 'thinking') this.thinking.value = event;
    else if (event.event === 'gone') this.gone.value = true;
    else if (event.event === 'review-progress') this.reviewing.value = { done: event.done, total: event.total };
    else if (event.room === this.id) this.receiveAnalysis(event);
  }

  /** What is known of a position stays until something newer comes: an analysis that waits or begins has no lines yet. */
  private receiveAnalysis(event: AnalysisEvent): void {
    const old = this.analysis.value;
    const same = old && old.node === event.node && old.threat === event.threat;
    this.analysis.value = same && event.lines.length === 0 ? { ...event, lines: old.lines } : event;
  }

  private receiveRoom(event: RoomEvent): void {
    const old = this.state.value;
    if (!event.full && (!old || event.version > old.version + 1)) {
      void this.ask('sync', {}).catch(() => undefined);
      return;
    }
    if (!event.full && event.version <= old!.version) return;
    const { event: _, full, nodes, removed, ...fields } = event;
    batch(() => {
      this.mergeNodes(nodes ?? [], removed ?? [], !!full);
      const state = (full ? fields : { ...old, ...fields }) as RoomState;
      if (fields.clock !== undefined) this.clockAt.value = performance.now();
      if (fields.review || state.review) this.reviewing.value = null;
      this.follow(old, state);
      this.state.value = state;
    });
    this.arrived?.();
    this.arrived = null;
  }

  private mergeNodes(nodes: readonly TreeNode[], removed: readonly number[], full: boolean): void {
    if (!full && nodes.length === 0 && removed.length === 0) return;
    const merged = new Map(full ? EMPTY : this.nodes.value);
    for (const node of nodes) merged.set(node.id, node);
    for (const id of removed) merged.delete(id);
    this.nodes.value = merged;
    if (full || removed.length > 0) {
      this.asked.clear();
      this.shown.value = new Map();
    }
  }

  /** Where to look after a change: with the game, unless the person looks elsewhere. */
  private follow(old: RoomState | null, state: RoomState): void {
    const cursor = this.cursor.value;
    const nodes = this.nodes.value;
    if (!old) this.cursor.value = state.mode === 'analysis' ? state.position.node : state.live;
    else if (!nodes.has(cursor)) this.cursor.value = state.mode === 'analysis' ? state.position.node : state.live;
    else if (state.mode === 'play' && cursor === old.live) this.cursor.value = state.live;
    if (old && old.live !== state.live) this.thinking.value = null;
    const pending = this.pending.value;
    if (pending && (state.position.node !== pending.node || !nodes.has(pending.node))) this.pending.value = null;
  }

  /** Asks for the position looked at when it is not known. */
  private lookUp(): void {
    const state = this.state.value;
    const cursor = this.cursor.value;
    if (!state || state.position.node === cursor || this.shown.value.has(cursor) || this.asked.has(cursor)) return;
    this.asked.add(cursor);
    this.ask('show', { node: cursor })
      .then(answer => (this.shown.value = new Map(this.shown.value).set(cursor, answer.position)))
      .catch(() => this.asked.delete(cursor));
  }
}

/** The ids from the start to a node, both included. */
export function pathTo(nodes: ReadonlyMap<number, TreeNode>, id: number): number[] {
  const path: number[] = [];
  for (let node = nodes.get(id); node; node = node.parent === undefined ? undefined : nodes.get(node.parent))
    path.push(node.id);
  return path.reverse();
}

/** The ids of the main line: the first child, again and again. */
export function mainLine(nodes: ReadonlyMap<number, TreeNode>): number[] {
  const line: number[] = [];
  for (let node = nodes.get(0); node; node = nodes.get(node.children[0] ?? -1)) line.push(node.id);
  return line;
}

/** The last node of the line that goes on from a node. */
export function lineEnd(nodes: ReadonlyMap<number, TreeNode>, id: number): number {
  let node = nodes.get(id);
  while (node && node.children.length > 0) node = nodes.get(node.children[0]!)!;
  return node?.id ?? id;
}

/** Is there a person at the board who is not at this screen? Then some buttons need his consent. */
export function hasOpponent(state: RoomState): boolean {
  return (['white', 'black'] as const).some(c => state[c].kind === 'human' && !state.you.includes(c));
}

/** Do two programs play each other? */
export function isWatched(state: RoomState): boolean {
  return state.white.kind !== 'human' && state.black.kind !== 'human';
}

/** Whose turn at this screen: the colour that may move now, or null. */
export function mayMove(state: RoomState): Color | null {
  const { turn } = state.position;
  return state.state === 'playing' && state[turn].kind === 'human' && state.you.includes(turn) ? turn : null;
}

/** The first move of a line as an arrow. */
export function firstMove(line: Line): { from: string; to: string } | null {
  const uci = line.pv[0];
  return uci ? { from: uci.slice(0, 2), to: uci.slice(2, 4) } : null;
}
