// The rooms of this browser: their keys are remembered, so that every game is still there tomorrow.
import { request } from './net.js';
import type { Created, Keys, Player, ClockSetup } from './protocol.js';
import { Room } from './room.js';
import { readStored, writeStored } from './storage.js';

/** What is remembered of a room. */
export interface KnownRoom {
  readonly room: string;
  readonly keys: Keys;
}

/** Which of the pages a room is open on. */
export type Place = 'play' | 'watch' | 'analyse';

const MOST = 200;

export interface CreateRequest {
  mode?: 'play' | 'analysis';
  variant?: string;
  fen?: string;
  start?: number | string;
  white?: Player;
  black?: Player;
  clock?: ClockSetup;
  series?: { games: number; alternate: boolean };
  speed_ms?: number;
  from?: { room: string; node: number };
  pgn?: string;
  game?: number;
  saved?: number;
}

/** All rooms this browser has keys for, newest first. */
export function knownRooms(): KnownRoom[] {
  return readStored<KnownRoom[]>('rooms', []);
}

/** Remembers a room, and the keys added to it. */
export function remember(room: string, keys: Keys): KnownRoom {
  const all = knownRooms();
  const known: KnownRoom = { room, keys: { ...all.find(r => r.room === room)?.keys, ...keys } };
  writeStored('rooms', [known, ...all.filter(r => r.room !== room)].slice(0, MOST));
  return known;
}

/** Forgets a room in this browser alone. */
export function forget(room: string): void {
  writeStored('rooms', knownRooms().filter(r => r.room !== room));
  for (const place of ['play', 'watch', 'analyse'] as const) if (openRoom(place) === room) setOpenRoom(place, undefined);
}

/** The room that is open on a page, by id. */
export function openRoom(place: Place): string | undefined {
  return readStored<string | undefined>('open.' + place, undefined);
}
export function setOpenRoom(place: Place, room: string | undefined): void {
  writeStored('open.' + place, room);
}

/** Makes a room and enters it. */
export async function createRoom(fields: CreateRequest): Promise<Room> {
  const made = await request<Created>('create', fields);
  remember(made.room, made.keys);
  const room = new Room(made.room, made.keys);
  await room.join();
  await room.ready();
  return room;
}

/** Enters a known room again; null when the server has it no more. */
export async function enterRoom(id: string): Promise<Room | null> {
  const known = knownRooms().find(r => r.room === id);
  if (!known) return null;
  const room = new Room(known.room, known.keys);
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
  const answer = await request<{ room: string; you: readonly ('white' | 'black')[] }>('join', fields);
  const seat = answer.you.length > 0 ? answer.you[0]! : 'watch';
  // The slot matters little: join takes keys in any order; a key already known keeps its own slot.
  const old = knownRooms().find(r => r.room === answer.room)?.keys ?? {};
  const keys = Object.values(old).includes(key) ? old : { ...old, [seat]: key };
  const room = new Room(answer.room, remember(answer.room, keys).keys);
  await room.join();
  await room.ready();
  return room;
}
