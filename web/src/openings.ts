// Names of openings, by position. The table comes when the first name is asked for.
import { signal } from '@preact/signals';

export interface Opening {
  readonly code: string;
  readonly name: string;
}

const table = signal<ReadonlyMap<string, Opening> | null>(null);
let loading = false;

async function load(): Promise<void> {
  loading = true;
  const text = (await import('openings:')).default;
  const map = new Map<string, Opening>();
  for (const line of text.split('\n')) {
    const [fen, code, name] = line.split('\t');
    if (fen && code && name) map.set(fen, { code, name });
  }
  table.value = map;
}

/** The name of the deepest known position of a line, given as FENs from the start on; null while loading. */
export function openingOf(fens: readonly string[]): Opening | null {
  if (!table.value) {
    if (!loading) void load().catch(() => (loading = false));
    return null;
  }
  for (let i = Math.min(fens.length - 1, 40); i > 0; i--) {
    const known = table.value.get(fens[i]!.split(' ').slice(0, 2).join(' '));
    if (known) return known;
  }
  return null;
}
