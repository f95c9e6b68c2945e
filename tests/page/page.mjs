// What the tests of the page's pure parts stand on: the sources of web/src, bundled by esbuild as one module, in a process
// that has the few things of a browser that they touch. Nothing is drawn here and no server runs; tests/web has journeys
// through the real page in a real browser.
//
//   import { page, example } from './page.mjs';
//   page.words.clockText(61000)              what web/src/words.ts exports
//   example('event-room').events             messages as the server sends them (tests/data/messages)
//   server.say({ event: … })                 the other end of the page's WebSocket
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const { build } = createRequire(join(root, 'web/package.json'))('esbuild');

// ---- Of a browser ----

const kept = new Map();
/** Set to true: storage refuses everything, as in some private windows. */
export const storage = { refuses: false, kept };
const guard = action => {
  if (storage.refuses) throw new Error('storage is blocked');
  return action();
};
const define = (name, value) => Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
define('localStorage', {
  getItem: name => guard(() => kept.get(name) ?? null),
  setItem: (name, text) => guard(() => kept.set(name, String(text))),
  removeItem: name => guard(() => kept.delete(name)),
});
define('matchMedia', () => ({ matches: false, addEventListener() {} }));
define('navigator', { languages: ['xx', 'cs-CZ'], userAgent: 'node', platform: 'node' });
define('location', { protocol: 'http:', host: 'localhost', hash: '' });
define('addEventListener', () => undefined);
define('document', { documentElement: { dataset: {}, lang: '' }, addEventListener() {}, visibilityState: 'visible' });

/** The other end: what the page sent, and how to answer it. */
export const server = {
  sockets: [],
  get last() {
    return this.sockets.at(-1);
  },
  /** Requests of the page that were not yet looked at. */
  take() {
    return this.last.sent.splice(0).map(text => JSON.parse(text));
  },
  say(message) {
    this.last.onmessage({ data: JSON.stringify(message) });
  },
  /** Opens the connection and greets, as the example says. */
  greet() {
    page.net.connect();
    this.last.onopen();
    const [hello] = this.take();
    this.say({ ...example('request-hello').answers[0], id: hello.id });
  },
};
define(
  'WebSocket',
  class {
    sent = [];
    constructor(url) {
      this.url = url;
      server.sockets.push(this);
    }
    send(text) {
      this.sent.push(text);
    }
    close() {
      this.onclose?.();
    }
  },
);

/** The messages of tests/data/messages/NAME.json. */
export function example(name) {
  return JSON.parse(readFileSync(join(root, `tests/data/messages/${name}.json`), 'utf8'));
}

/** A few turns of the event loop: promises that can be settled are. */
export const settle = () => new Promise(resolve => setTimeout(resolve, 5));

// ---- The sources ----

const MODULES = {
  app: 'app.ts',
  board: 'board.ts',
  chartmath: 'chartmath.ts',
  gameboard: 'ui/gameboard.tsx',
  machine: 'ui/machine.tsx',
  i18n: 'i18n.ts',
  lab: 'lab.ts',
  navigate: 'ui/navigate.tsx',
  net: 'net.ts',
  openings: 'openings.ts',
  openingwords: 'openingwords.ts',
  qr: 'qr.ts',
  room: 'room.ts',
  rooms: 'rooms.ts',
  rules: 'ui/rules.tsx',
  settings: 'settings.ts',
  setup: 'ui/setup.tsx',
  spoken: 'spoken.ts',
  storage: 'storage.ts',
  course: 'course.ts',
  words: 'words.ts',
};
const OPENINGS = [
  'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b\tB00\tKing’s Pawn',
  'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w\tB20\tSicilian Defence',
].join('\n');

async function load() {
  const bundle = await build({
    stdin: {
      contents: Object.entries(MODULES)
        .map(([name, file]) => `export * as ${name} from './${file}';`)
        .join('\n'),
      resolveDir: join(root, 'web/src'),
      loader: 'ts',
    },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.css': 'empty', '.svg': 'dataurl', '.woff2': 'empty' },
    plugins: [
      {
        name: 'openings',
        setup(b) {
          b.onResolve({ filter: /^openings:$/ }, () => ({ path: 'openings', namespace: 'openings' }));
          b.onLoad({ filter: /.*/, namespace: 'openings' }, () => ({ contents: OPENINGS, loader: 'text' }));
        },
      },
    ],
    write: false,
    logLevel: 'error',
  });
  const folder = mkdtempSync(join(tmpdir(), 'lovac-page-'));
  try {
    writeFileSync(join(folder, 'page.mjs'), bundle.outputFiles[0].contents);
    return await import(pathToFileURL(join(folder, 'page.mjs')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Timers of the page (its heartbeat) must not keep a test alive. */
const { setInterval: begin } = globalThis;
globalThis.setInterval = (...args) => begin(...args).unref();
export const page = await load();
globalThis.setInterval = begin;
