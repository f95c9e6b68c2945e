// The rooms of this browser: their keys are remembered, so that every game is still there tomorrow.
import type { Color } from './board.js';
import { request, RequestError } from './net.js';
import type { CreateRequest, Keys } from './protocol.js';
import { Room } from './room.js';
import { readStored, writeStored } from './storage.js';

/** What is remembered of a room. */
export interface KnownRoom {
  readonly room: string;
  readonly keys: Keys;
  /** The seats that are this person's own; the other keys are to be handed on. */
  readonly seats: readonly Color[];
}

/** Which of the pages a room is open on. */
export type TableName = 'play' | 'watch' | 'analyse';

const MOST = 200;

/** All rooms this browser has keys for, newest first. */
export function knownRooms(): KnownRoom[] {
  return readStored<KnownRoom[]>('rooms', []);
}

/** Remembers a room, and the keys and seats added to it. */
export function remember(room: string, keys: Keys, seats: readonly Color[]): KnownRoom {
  const all = knownRooms();
  const old = all.find(r => r.room === room);
  const known: KnownRoom = {
    room,
    keys: { ...old?.keys, ...keys },
    seats: [...new Set([...(old?.seats ?? []), ...seats])],
  };
  writeStored('rooms', [known, ...all.filter(r => r.room !== room)].slice(0, MOST));
  return known;
}

/** Forgets a room in this browser alone. */
export function forget(room: string): void {
  writeStored(
    'rooms',
    knownRooms().filter(r => r.room !== room),
  );
  for (const place of ['play', 'watch', 'analyse'] as const)
    if (openRoom(place) === room) setOpenRoom(place, undefined);
}

/** Deletes a room for good, here and in the server. */
export async function deleteRoom(room: string): Promise<void> {
  const known = knownRooms().find(r => r.room === room);
  if (known) await request('join', { keys: Object.values(known.keys) });
  await request('forget', { room });
  forget(room);
}

/** The room that is open on a page, by id. */
export function openRoom(place: TableName): string | undefined {
  return readStored<string | undefined>('open.' + place, undefined);
}
export function setOpenRoom(place: TableName, room: string | undefined): void {
  writeStored('open.' + place, room);
}

/** Makes a room and enters it. */
export async function createRoom(fields: CreateRequest): Promise<Room> {
  const made = await request('create', fields);
  remember(made.room, made.keys, made.you);
  const room = new Room(made.room, made.keys, made.you);
  await room.join();
  await room.ready();
  return room;
}

/** Enters a known room again; null when the server has it no more. */
export async function enterRoom(id: string): Promise<Room | null> {
  const known = knownRooms().find(r => r.room === id);
  if (!known) return null;
  const room = new Room(known.room, known.keys, known.seats);
  try {
    await room.join();
    await room.ready();
    return room;
  } catch {
    room.leave();
    if (room.gone.value) forget(id);
    return null;
  }
}

/** Enters by a key from a link; what the key opens is found out by trying. Throws when it opens nothing. */
export async function enterByKey(key: string, name: string): Promise<Room> {
  const fields = name ? { keys: [key], name } : { keys: [key] };
  const answer = await request('join', fields);
  const old = knownRooms().find(r => r.room === answer.room);
  const slot = (Object.entries(old?.keys ?? {}).find(([, k]) => k === key)?.[0] ?? answer.you[0] ?? 'watch') as
    | Color
    | 'watch';
  const known = remember(answer.room, { [slot]: key }, slot === 'watch' ? [] : [slot]);
  const room = new Room(answer.room, known.keys, known.seats);
  await room.join();
  await room.ready();
  return room;
}

/** Enters only to look, by a key that allows no more; nothing is remembered. */
export async function watchByKey(key: string): Promise<Room> {
  const answer = await request('join', { keys: [key] });
  if (answer.you.length > 0) throw new RequestError('unknown-room', 'a playing key');
  const room = new Room(answer.room, { watch: key }, []);
  await room.join();
  await room.ready();
  return room;
}
