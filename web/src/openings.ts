// Names of openings, by position. The table comes when the first name is asked for.
import { signal } from '@preact/signals';
import { language, toLatin } from './i18n.js';

export interface Opening {
  readonly code: string;
  readonly name: string;
}

const table = signal<ReadonlyMap<string, Opening> | null>(null);
let loading = false;
let inWords: (name: string, language: string) => string = name => name;

async function load(): Promise<void> {
  loading = true;
  const [{ default: text }, { openingName }] = await Promise.all([import('openings:'), import('./openingwords.js')]);
  inWords = openingName;
  const map = new Map<string, Opening>();
  for (const line of text.split('\n')) {
    const [fen, code, name] = line.split('\t');
    if (fen && code && name) map.set(fen, { code, name });
  }
  table.value = map;
}

/** In the person's language and script. */
function ownName(name: string): string {
  const latin = language.value === 'sr-Latn';
  const own = inWords(name, latin ? 'sr' : language.value);
  return latin ? toLatin(own) : own;
}

/** The name of the deepest known position of a line, given as FENs from the start on; null while loading. */
export function openingOf(fens: readonly string[]): Opening | null {
  if (!table.value) {
    if (!loading) void load().catch(() => (loading = false));
    return null;
  }
  for (let i = Math.min(fens.length - 1, 40); i > 0; i--) {
    const known = table.value.get(fens[i]!.split(' ').slice(0, 2).join(' '));
    if (known) return { ...known, name: ownName(known.name) };
  }
  return null;
}
