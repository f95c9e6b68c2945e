// What a person may choose about the page. Kept per browser; every field is a signal, so what shows it
// changes at once, in this tab and in the others.
import { computed, effect, signal, type Signal } from '@preact/signals';
import { readStored, writeStored } from './storage.js';

/** The board themes: tokens.css has their colours, board3d/materials.ts those in 3D. */
export const BOARDS = ['oak', 'slate', 'meadow', 'walnut', 'dusk', 'paper', 'contrast'] as const;

export interface Settings {
  theme: 'auto' | 'light' | 'dark';
  board: (typeof BOARDS)[number];
  pieces: string;
  view: '2d' | '3d';
  quality: 'auto' | 'low' | 'high';
  language: string;
  volume: number;
  mute: boolean;
  animation: 'none' | 'fast' | 'normal' | 'slow';
  dests: boolean;
  threats: boolean;
  coordinates: boolean;
  confirm: boolean;
  premove: boolean;
  autoQueen: boolean;
  words: boolean;
  figurines: boolean;
  /** Pieces by the letters of one's own language: J for the knight in Czech. */
  ownLetters: boolean;
  /** What the computer thinks while one plays against it. */
  thoughts: boolean;
  evalBar: boolean;
  name: string;
}

export const DEFAULTS: Settings = {
  theme: 'auto',
  board: 'oak',
  pieces: 'lovac',
  view: '2d',
  quality: 'auto',
  language: 'auto',
  volume: 0.6,
  mute: false,
  animation: 'normal',
  dests: true,
  threats: true,
  coordinates: true,
  confirm: false,
  premove: true,
  autoQueen: false,
  words: false,
  figurines: false,
  ownLetters: true,
  thoughts: false,
  evalBar: true,
  name: '',
};

type Signals = { [K in keyof Settings]: Signal<Settings[K]> };

const stored: Partial<Settings> = readStored('settings', {});
export const settings = Object.fromEntries(
  Object.entries(DEFAULTS).map(([key, value]) => [key, signal(stored[key as keyof Settings] ?? value)]),
) as unknown as Signals;

function snapshot(): Settings {
  return Object.fromEntries(Object.entries(settings).map(([key, s]) => [key, s.value])) as unknown as Settings;
}

/** All settings as they were at first. */
export function resetSettings(): void {
  for (const [key, value] of Object.entries(DEFAULTS))
    (settings[key as keyof Settings] as Signal<unknown>).value = value;
}

const darkQuery = matchMedia('(prefers-color-scheme: dark)');
const motionQuery = matchMedia('(prefers-reduced-motion: reduce)');
const systemDark = signal(darkQuery.matches);
const systemStill = signal(motionQuery.matches);
darkQuery.addEventListener('change', e => (systemDark.value = e.matches));
motionQuery.addEventListener('change', e => (systemStill.value = e.matches));

/** Light or dark, whoever chose it: the person, or the system for him. */
export const shownTheme = computed(() => {
  const theme = settings.theme.value;
  return theme === 'auto' ? (systemDark.value ? 'dark' : 'light') : theme;
});

/** Milliseconds a move takes on the board; engine moves are meant to be followed by eye. */
export function animationMs(): number {
  if (systemStill.value) return 0;
  return { none: 0, fast: 120, normal: 240, slow: 600 }[settings.animation.value];
}

/** Writes settings to the document and to storage whenever they change; call once. */
export function startSettings(): void {
  const root = document.documentElement;
  effect(() => {
    root.dataset['theme'] = shownTheme.value;
    root.dataset['board'] = settings.board.value;
    root.dataset['pieces'] = settings.pieces.value;
    root.dataset['motion'] = settings.animation.value === 'none' ? 'none' : 'some';
  });
  effect(() => writeStored('settings', snapshot()));
  addEventListener('storage', e => {
    if (e.key !== 'lovac.settings' || !e.newValue) return;
    for (const [key, value] of Object.entries(JSON.parse(e.newValue) as Settings)) {
      const s = settings[key as keyof Settings] as Signal<unknown> | undefined;
      if (s) s.value = value;
    }
  });
}
