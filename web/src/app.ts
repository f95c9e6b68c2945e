// What the pages share: where the person is (the part of the address behind #), the rooms open on each
// page, and the dialogs that can be opened from anywhere.
import { computed, effect, signal, type Signal } from '@preact/signals';
import { welcome } from './net.js';
import type { CreateRequest } from './protocol.js';
import { hasOpponent, mayMove, type Room } from './room.js';
import { createRoom, deleteRoom, enterByKey, enterRoom, openRoom, setOpenRoom, type TableName } from './rooms.js';
import { settings } from './settings.js';

export type PageName = 'play' | 'analyse' | 'watch' | 'library' | 'lab' | 'class' | 'settings' | 'editor' | 'room';

export interface Route {
  readonly page: PageName;
  readonly rest: readonly string[];
}

/** The page that the part of an address behind # names; play when it names none. */
export function parse(hash: string): Route {
  const [page = '', ...rest] = hash
    .replace(/^#\/?/, '')
    .split('/')
    .map(part => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    });
  const known: readonly string[] = ['analyse', 'watch', 'library', 'lab', 'class', 'settings', 'editor', 'room'];
  return known.includes(page) ? { page: page as PageName, rest } : { page: 'play', rest: [] };
}

export const route = signal<Route>(parse(location.hash));
addEventListener('hashchange', () => (route.value = parse(location.hash)));

/** Goes to a page; the browser's back button comes back. */
export function go(path: string): void {
  location.hash = '#/' + path;
}

/** The room open on each page, once it is there. */
export const rooms: Record<TableName, Signal<Room | null>> = {
  play: signal<Room | null>(null),
  watch: signal<Room | null>(null),
  analyse: signal<Room | null>(null),
};
/** The side at the bottom was turned by hand. */
export const flipped: Record<TableName, Signal<boolean>> = {
  play: signal(false),
  watch: signal(false),
  analyse: signal(false),
};

/** Puts a room on a page in place of the one that was there. */
export function showRoom(place: TableName, room: Room): void {
  const old = rooms[place].value;
  if (old && old !== room) {
    // A game that never began is not worth keeping.
    const state = old.state.value;
    const untouched = !!state && old.nodes.value.size === 1 && !hasOpponent(state) && state.match.results.length === 0;
    if (untouched && state.you.length > 0) {
      old.drop();
      void deleteRoom(old.id).catch(() => undefined);
    } else old.leave();
  }
  rooms[place].value = room;
  flipped[place].value = false;
  setOpenRoom(place, room.id);
}

/** Makes a room and shows it on its page. */
export async function startRoom(place: TableName, fields: CreateRequest): Promise<Room> {
  const room = await createRoom(fields);
  showRoom(place, room);
  return room;
}

/** The level that is called medium. */
export function middlingLevel(): number {
  return welcome.value?.difficulties.find(d => d.name === 'medium')?.level ?? 6;
}

/** This person as a player; the name only when one was given. */
export function me(): { kind: 'human'; name?: string } {
  const name = settings.name.value.trim();
  return name ? { kind: 'human', name } : { kind: 'human' };
}

const opening = new Map<TableName, Promise<void>>();

/** Sees that a page has its room: the one that was open last, else (except for watching) a fresh one. */
export function ensureRoom(place: TableName): Promise<void> {
  if (rooms[place].value) return Promise.resolve();
  const running = opening.get(place);
  if (running) return running;
  const work = (async () => {
    const last = openRoom(place);
    const room = last ? await enterRoom(last) : null;
    if (room) showRoom(place, room);
    else if (place === 'play')
      await startRoom('play', { variant: 'chess', white: me(), black: { kind: 'lovac', level: middlingLevel() } });
    else if (place === 'analyse') await startRoom('analyse', { mode: 'analysis', variant: 'chess' });
  })().finally(() => opening.delete(place));
  opening.set(place, work);
  return work;
}

/** Opens what a link's key opens, at the node that it names, and goes to the page it belongs on. */
export async function openLink(key: string, node?: string): Promise<void> {
  const room = await enterByKey(key, settings.name.value.trim());
  const place: TableName = room.state.value!.mode === 'analysis' ? 'analyse' : 'play';
  showRoom(place, room);
  if (node) room.look(Number(node));
  go(place === 'play' ? '' : place);
}

/** The address of what is seen on the analysis page: game and move; '' when this browser may not hand it on. */
export function analysisPath(room: Room): string {
  return room.keys.watch ? `analyse/${room.keys.watch}/${room.cursor.value}` : 'analyse';
}

/** Writes it into the address bar; going back still leaves the page. */
export function showAddress(path: string): void {
  if (location.hash !== `#/${path}`) history.replaceState(history.state, '', `#/${path}`);
}

/** Follows an address of the analysis page: a room's key and a node, or a game and a FEN. */
export async function followAnalysis([name = '', what = '']: readonly string[]): Promise<void> {
  const room = rooms.analyse.value;
  if (room && room.keys.watch === name) return room.look(Number(what));
  if (welcome.value?.variants.some(v => v.name === name))
    await startRoom('analyse', { mode: 'analysis', variant: name, ...(what ? { fen: what } : {}) });
  else await openLink(name, what);
}

/** Grows when games came into the library by another way than its page. */
export const libraryVersion = signal(0);

export type DialogName = 'new' | 'save' | 'share' | 'help' | 'import' | 'comment' | 'rules' | null;
/** The dialog that is open, and for which page. */
export const dialog = signal<{ name: DialogName; place: TableName }>({ name: null, place: 'play' });
export function openDialog(name: DialogName, place: TableName): void {
  dialog.value = { name, place };
}
export function closeDialog(): void {
  dialog.value = { ...dialog.value, name: null };
}

// A room that the server has lost (deleted elsewhere) makes room for a fresh one.
for (const place of ['play', 'watch', 'analyse'] as const) {
  effect(() => {
    const room = rooms[place].value;
    if (room?.gone.value) {
      room.drop();
      rooms[place].value = null;
      setOpenRoom(place, undefined);
    }
  });
}

/** Is the person on turn in the game on the play page? Shown in the tab's title. */
export const onTurn = computed(() => {
  const state = rooms.play.value?.state.value;
  return !!state && state.live !== 0 && mayMove(state) !== null;
});
