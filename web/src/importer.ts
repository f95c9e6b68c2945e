// Games from a file of any size: it is read piece by piece, cut at ends of lines, and each piece is sent when the one
// before has been answered, so that neither side ever holds more than a little of it. A lost connection is waited for;
// then it goes on behind the last game that the server has told of. No drawing here: see ui/import.tsx.
import { signal } from '@preact/signals';
import { request, RequestError, status } from './net.js';
import type { Answer, ImportedGame } from './protocol.js';

const PIECE = 1 << 16;
/** So many games are listed, and so many problems remembered; the rest is counted. */
export const GAMES_LISTED = 500;
const PROBLEMS_KEPT = 100000;

export interface Found {
  /** From 1. */
  readonly game: number;
  readonly problem: ImportedGame['problems'][number];
}

export interface ImportState {
  readonly phase: 'running' | 'waiting' | 'done' | 'stopped' | 'full' | 'failed';
  /** Bytes of the file. */
  readonly done: number;
  readonly total: number;
  /** Games. */
  readonly read: number;
  readonly saved: number;
  readonly same: number;
  readonly failed: number;
  readonly games: readonly ImportedGame[];
  readonly problems: readonly Found[];
  /** Problems that were not kept. */
  readonly unlisted: number;
  /** Is there anything that deserves the name of a game? */
  readonly hasGame: boolean;
  readonly error: unknown;
}

interface Piece {
  /** Where it begins: in the file, and in all that was sent, as UTF-8. */
  readonly file: number;
  readonly text: number;
  readonly size: number;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Old files are in the Latin alphabet of western Europe. */
const latin = new TextDecoder('windows-1252');
const encoder = new TextEncoder();
const sleep = (ms: number) => new Promise(done => setTimeout(done, ms));

/** The text of bytes that end with a line; a line that is no UTF-8 is read as Windows-1252. */
export function decode(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    let text = '';
    for (let at = 0; at < bytes.length; ) {
      const newline = bytes.indexOf(10, at);
      const end = newline < 0 ? bytes.length : newline + 1;
      const line = bytes.subarray(at, end);
      try {
        text += strict.decode(line);
      } catch {
        text += latin.decode(line);
      }
      at = end;
    }
    return text;
  }
}

/** How much of these bytes is one piece: to the last end of a line, else to the last whole letter. */
export function pieceSize(bytes: Uint8Array, isLast: boolean): number {
  if (isLast) return bytes.length;
  const newline = bytes.lastIndexOf(10);
  if (newline >= 0) return newline + 1;
  let end = bytes.length;
  while (end > bytes.length - 4 && (bytes[end - 1]! & 0xc0) === 0x80) end--;
  if (bytes[end - 1]! >= 0xc0) end--;
  return end > 0 ? end : bytes.length;
}

/** Codes of what keeps a game from being read at all: it is a game nevertheless. */
const UNREAD = ['pgn-variant', 'pgn-fen'];

export class Importer {
  readonly state = signal<ImportState>({
    phase: 'running',
    done: 0,
    total: 0,
    read: 0,
    saved: 0,
    same: 0,
    failed: 0,
    games: [],
    problems: [],
    unlisted: 0,
    hasGame: false,
    error: null,
  });
  private readonly pieces: Piece[] = [];
  private stopped = false;
  /** UTF-8 bytes: of all pieces, before the import that is open on the server, up to the end of the last game. */
  private sent = 0;
  private base = 0;
  private used = 0;
  private line = 1;
  /** Counts of imports that were interrupted. */
  private before = { saved: 0, same: 0, failed: 0 };

  constructor(
    private readonly source: Blob,
    readonly save: boolean,
  ) {
    this.set({ total: source.size });
  }

  private set(changes: Partial<ImportState>): void {
    this.state.value = { ...this.state.value, ...changes };
  }

  /** Ends it; what was saved stays. */
  stop(): void {
    this.stopped = true;
  }

  /** Reads and sends everything; the outcome is in the state. */
  async run(): Promise<void> {
    let rest = '';
    let part = 0;
    let file = 0;
    try {
      for (;;) {
        const bytes = new Uint8Array(await this.source.slice(file, file + PIECE).arrayBuffer());
        const size = pieceSize(bytes, file + bytes.length >= this.source.size);
        const own = decode(bytes.subarray(0, size));
        const last = file + size >= this.source.size;
        if (size > 0) this.pieces.push({ file, text: this.sent, size });
        const answer = await this.send(rest + own, part, last);
        if (this.stopped) return this.finish('stopped');
        if (!answer) {
          ({ file, rest } = await this.rewind());
          part = 0;
          if (this.stopped) return this.finish('stopped');
          continue;
        }
        file += size;
        this.sent += encoder.encode(own).length;
        rest = '';
        part++;
        this.take(answer, file);
        if (answer.full) return this.finish('full');
        if (last) return this.finish('done');
      }
    } catch (error) {
      this.set({ error });
      this.finish('failed');
    }
  }

  private finish(phase: ImportState['phase']): void {
    this.set({ phase });
    if (phase !== 'done' && phase !== 'full') void request('import', { stop: true }).catch(() => undefined);
  }

  /** Sends a piece; null when the connection was lost on the way. */
  private async send(pgn: string, part: number, last: boolean): Promise<Answer<'import'> | null> {
    const where = part === 0 ? { game: this.state.value.read, line: this.line } : {};
    while (!this.stopped) {
      try {
        return await request('import', { pgn, save: this.save, part, last, ...where });
      } catch (error) {
        const code = error instanceof RequestError ? error.code : '';
        if (code === 'lost' || code === 'stale') return null;
        if (code !== 'too-fast') throw error;
        // The server lets strangers send only so much in a second.
        await sleep(1000);
      }
    }
    return null;
  }

  private take(answer: Answer<'import'>, done: number): void {
    const old = this.state.value;
    const found: Found[] = answer.games.flatMap(g => g.problems.map(problem => ({ game: g.index + 1, problem })));
    const room = PROBLEMS_KEPT - old.problems.length;
    const missing = answer.games.reduce((sum, g) => sum + g.unlisted, 0) + answer.more;
    this.used = this.base + answer.used;
    this.line = answer.line;
    this.set({
      phase: 'running',
      done,
      read: answer.read,
      saved: this.before.saved + answer.saved,
      same: this.before.same + answer.same,
      failed: this.before.failed + answer.failed,
      games:
        old.games.length < GAMES_LISTED
          ? [...old.games, ...answer.games.slice(0, GAMES_LISTED - old.games.length).map(g => this.placed(g))]
          : old.games,
      problems: found.length > 0 && room > 0 ? [...old.problems, ...found.slice(0, room)] : old.problems,
      unlisted: old.unlisted + Math.max(0, found.length - room) + missing,
      hasGame:
        old.hasGame ||
        answer.games.some(g => g.plies > 0 || g.problems.length === 0 || g.problems.some(p => UNREAD.includes(p.code))),
    });
  }

  /** With its place counted from the beginning of all that was sent. */
  private placed(game: ImportedGame): ImportedGame {
    return { ...game, from: game.from + this.base };
  }

  /** Waits for the connection; then all behind the last game that was told of is sent again. */
  private async rewind(): Promise<{ file: number; rest: string }> {
    const { saved, same, failed } = this.state.value;
    this.before = { saved, same, failed };
    if (!this.stopped) this.set({ phase: 'waiting' });
    while (!this.stopped && status.value !== 'open') await sleep(200);
    const at = this.pieces.findLastIndex(piece => piece.text <= this.used);
    const piece = this.pieces[at];
    this.base = this.used;
    if (!piece) return { file: 0, rest: '' };
    const bytes = await this.source.slice(piece.file, piece.file + piece.size).arrayBuffer();
    const text = encoder.encode(decode(new Uint8Array(bytes)));
    this.pieces.length = at + 1;
    this.sent = piece.text + text.length;
    return { file: piece.file + piece.size, rest: strict.decode(text.subarray(this.used - piece.text)) };
  }

  /** The text of a game, from the file again. */
  async gameText(game: ImportedGame): Promise<string> {
    const first = this.pieces.findLastIndex(piece => piece.text <= game.from);
    const start = this.pieces[first];
    if (!start) return '';
    let text = new Uint8Array();
    for (let i = first; i < this.pieces.length && text.length < game.from - start.text + game.bytes; i++) {
      const { file, size } = this.pieces[i]!;
      const more = encoder.encode(decode(new Uint8Array(await this.source.slice(file, file + size).arrayBuffer())));
      const both = new Uint8Array(text.length + more.length);
      both.set(text);
      both.set(more, text.length);
      text = both;
    }
    const from = game.from - start.text;
    return new TextDecoder().decode(text.subarray(from, from + game.bytes));
  }
}
