// The page's words. English is part of the page and the fallback; the other languages come when chosen.
// A message may hold {name} places and, for counted things, forms: "{n} game|{n} games" with as many forms as
// the language's plural rules name, in the order of Intl's categories one, few, many, other that it has.
import { computed, effect, signal } from '@preact/signals';
import english from '../messages/en.json';
import type { Problem } from './protocol.js';
import { settings } from './settings.js';

export type Key = keyof typeof english;
type Messages = Readonly<Record<string, string>>;

export const LANGUAGES: readonly { readonly id: string; readonly name: string }[] = [
  { id: 'en', name: 'English' },
  { id: 'hr', name: 'Hrvatski' },
  { id: 'sr', name: 'Српски' },
  { id: 'sr-Latn', name: 'Srpski' },
  { id: 'cs', name: 'Čeština' },
];

const loaders: Record<string, () => Promise<{ default: Messages }>> = {
  hr: () => import('../messages/hr.json'),
  sr: () => import('../messages/sr.json'),
  cs: () => import('../messages/cs.json'),
  'sr-Latn': async () => {
    const { default: cyrillic } = await import('../messages/sr.json');
    return { default: Object.fromEntries(Object.entries(cyrillic).map(([key, text]) => [key, toLatin(text)])) };
  },
};

const CYRILLIC = 'абвгдђежзијклљмнњопрстћуфхцчџш';
const LATIN = 'a b v g d đ e ž z i j k l lj m n nj o p r s t ć u f h c č dž š'.split(' ');

/** Serbian in its other script: letter by letter; of a digraph only the first part is large, unless all is. */
export function toLatin(text: string): string {
  return text.replace(/\p{Script=Cyrillic}/gu, (letter, at: number) => {
    const small = letter.toLowerCase();
    const latin = LATIN[CYRILLIC.indexOf(small)] ?? letter;
    if (letter === small) return latin;
    const shouts = /\p{Lu}/u.test(text[at + 1] ?? '');
    return shouts ? latin.toUpperCase() : latin[0]!.toUpperCase() + latin.slice(1);
  });
}

const messages = signal<Messages>(english);
/** The language that is shown now. */
export const language = signal('en');

/** The language to show: chosen, or the first of the browser's that there is. */
export const wanted = computed(() => {
  const chosen = settings.language.value;
  if (chosen !== 'auto') return chosen;
  for (const tag of navigator.languages) {
    if (/^sr-latn/i.test(tag)) return 'sr-Latn';
    const id = tag.toLowerCase().split('-')[0]!;
    if (LANGUAGES.some(l => l.id === id)) return id;
  }
  return 'en';
});

async function load(id: string): Promise<void> {
  const loaded = id in loaders ? (await loaders[id]!()).default : english;
  if (wanted.value !== id) return;
  messages.value = loaded;
  language.value = id;
  document.documentElement.lang = id;
}

/** Loads the language now and whenever it is changed; resolves when the first is there. */
export async function startLanguage(): Promise<void> {
  await load(wanted.value).catch(() => undefined);
  effect(() => void load(wanted.value).catch(() => undefined));
}

const CATEGORIES = ['one', 'few', 'many', 'other'] as const;

function pickForm(text: string, count: number): string {
  const forms = text.split('|');
  const rules = new Intl.PluralRules(language.value);
  const has = CATEGORIES.filter(c => rules.resolvedOptions().pluralCategories.includes(c));
  return forms[Math.min(has.indexOf(rules.select(count) as (typeof CATEGORIES)[number]), forms.length - 1)] ?? text;
}

/** The message in the person's language, with its places filled. */
export function t(key: Key, values: Readonly<Record<string, string | number>> = {}): string {
  let text = messages.value[key] ?? english[key] ?? key;
  if (text.includes('|') && typeof values['n'] === 'number') text = pickForm(text, values['n']);
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The English message, which is understood in every language. */
export const tEnglish = (key: Key): string => english[key];

/** The message with a key made at run time, or `fallback` when there is none. */
export function tMaybe(key: string, fallback: string): string {
  return key in english ? t(key as Key) : fallback;
}

/** What is wrong, in the person's language; English words where there are no others. */
export function problemText({ code, args, text }: Problem): string {
  const key = `problem.${code}`;
  if (!(key in english)) return text;
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(args))
    values[name] =
      typeof value !== 'string' ? problemText(value) : value === 'white' || value === 'black' ? t(value) : value;
  return t(key as Key, values);
}

/** A number or date as people of this language write it. */
export function formatNumber(value: number, digits = 0): string {
  return new Intl.NumberFormat(language.value, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
    value,
  );
}
export function formatShort(value: number): string {
  return new Intl.NumberFormat(language.value, { notation: 'compact', maximumFractionDigits: 1 }).format(value);
}
export function formatDate(unixSeconds: number): string {
  return new Intl.DateTimeFormat(language.value, { dateStyle: 'medium', timeStyle: 'short' }).format(
    unixSeconds * 1000,
  );
}
