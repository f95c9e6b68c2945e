// The connection to the server: one WebSocket, requests with answers, events to whoever listens. When it is
// lost it comes back by itself (sooner when the page is looked at again), says hello, and lets every room join
// again. Requests that may be repeated without harm are sent again; the others fail with the code 'lost'.
import { signal } from '@preact/signals';
import type { Answer, Fields, Problem, Refusal, ServerEvent, Welcome, Word } from './protocol.js';
import { readStored, writeStored } from './storage.js';

export type Status = 'connecting' | 'open' | 'lost';

/** What the server (or the way to it) had against a request. */
export class RequestError extends Error {
  constructor(
    readonly code: string,
    text: string,
    /** What exactly was wrong, where the server says so. */
    readonly problem: Problem | null = null,
  ) {
    super(text);
  }
}

interface Pending {
  readonly frame: string;
  readonly repeatable: boolean;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: RequestError) => void;
}

// A move carries its ply, so it is known when it comes twice; the rest only ask.
const REPEATABLE: ReadonlySet<Word> = new Set<Word>([
  'move',
  'sync',
  'rooms',
  'show',
  'why',
  'peek',
  'library',
  'export',
  'check',
  'start',
  'ping',
  'annotate',
  'speed',
  'leave',
  'lab',
  'look',
  'halt',
  'continue',
]);

export const status = signal<Status>('connecting');
export const welcome = signal<Welcome | null>(null);
/** The server asks for a password: none was given yet, or a wrong one. */
export const locked = signal<RequestError | null>(null);

const pending = new Map<number, Pending>();
const listeners = new Set<(event: ServerEvent) => void>();
const rejoin = new Set<() => void>();
let socket: WebSocket | null = null;
let nextId = 1;
let delayMs = 250;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Hears all events; returns how to stop. */
export function listen(listener: (event: ServerEvent) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Called after every hello (rooms join again); returns how to stop. */
export function onReconnect(action: () => void): () => void {
  rejoin.add(action);
  return () => rejoin.delete(action);
}

/** Asks the server; waits for the connection if there is none yet. */
export function request<W extends Word>(what: W, fields: Fields<W>): Promise<Answer<W>> {
  const id = nextId++;
  const frame = JSON.stringify({ id, do: what, ...fields });
  return new Promise<Answer<W>>((resolve, reject) => {
    pending.set(id, { frame, repeatable: REPEATABLE.has(what), resolve: resolve as (a: never) => void, reject });
    if (status.value === 'open') socket!.send(frame);
    else if (status.value === 'lost' && !REPEATABLE.has(what)) fail(id, 'lost', 'no connection');
  });
}

/** Begins, once. */
export function connect(): void {
  if (socket) return;
  const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
  const ws = new WebSocket(`${scheme}//${location.host}/ws`);
  socket = ws;
  ws.onopen = () => greet(ws);
  ws.onmessage = message => receive(String(message.data));
  ws.onclose = () => lost(ws);
}

function greet(ws: WebSocket): void {
  const stored = (name: string) => readStored<string | undefined>(name, undefined);
  // Whoever came by the link of a room is let in without the password, now and later.
  const link = /^#\/?room\/([\w-]+)/.exec(location.hash)?.[1];
  if (link) writeStored('invitation', link);
  const [owner, password, invitation] = [stored('owner'), stored('password'), stored('invitation')];
  ws.send(JSON.stringify({ id: 0, do: 'hello', protocol: 1, owner, password, invitation }));
}

/** Tries a password at the door. */
export function knock(password: string): void {
  writeStored('password', password);
  if (socket) greet(socket);
}

function receive(text: string): void {
  const frame = JSON.parse(text);
  if (frame.event) {
    for (const listener of listeners) listener(frame as ServerEvent);
    return;
  }
  if (frame.id === 0) {
    if (frame.ok) greeted(frame as Welcome);
    else if (frame.error?.code === 'no-right') locked.value = refusal(frame.error);
    return;
  }
  const waiting = pending.get(frame.id);
  if (!waiting) return;
  pending.delete(frame.id);
  if (frame.ok) waiting.resolve(frame as never);
  else waiting.reject(refusal(frame.error ?? {}));
}

function refusal(error: Partial<Refusal>): RequestError {
  const { code = 'internal', text = '', problem, args = {} } = error;
  return new RequestError(code, text, problem ? { code: problem, args, text } : null);
}

function greeted(hello: Welcome): void {
  delayMs = 250;
  welcome.value = hello;
  locked.value = null;
  writeStored('owner', hello.owner);
  status.value = 'open';
  // What waits is sent after the rooms have been joined, for most of it is about them.
  const waiting = [...pending.values()];
  for (const action of rejoin) action();
  for (const { frame } of waiting) socket!.send(frame);
}

function fail(id: number, code: string, text: string): void {
  const waiting = pending.get(id);
  pending.delete(id);
  waiting?.reject(new RequestError(code, text));
}

function lost(ws: WebSocket): void {
  if (ws !== socket) return;
  socket = null;
  status.value = welcome.value ? 'lost' : 'connecting';
  if (welcome.value)
    for (const [id, waiting] of pending) if (!waiting.repeatable) fail(id, 'lost', 'the connection broke');
  clearTimeout(timer);
  timer = setTimeout(connect, delayMs);
  delayMs = Math.min(delayMs * 1.7, 8000);
}

/** A machine that slept may hold a connection that is dead without knowing it: ask, and do not wait long. */
function probe(): void {
  const ws = socket;
  const timer = setTimeout(() => ws?.close(), 4000);
  request('ping', {})
    .catch(() => undefined)
    .finally(() => clearTimeout(timer));
}

/** Tries at once what would else wait: the page is looked at again, or the network is back. */
function hurry(): void {
  if (status.value === 'open') return probe();
  if (socket) return;
  clearTimeout(timer);
  delayMs = 250;
  connect();
}

// Timers stand still while the machine sleeps: one that comes much too late tells that it did.
let heartbeat = Date.now();
setInterval(() => {
  const late = Date.now() - heartbeat > 25000;
  heartbeat = Date.now();
  if (late) hurry();
}, 5000);
addEventListener('online', hurry);
addEventListener('pageshow', hurry);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') hurry();
});
