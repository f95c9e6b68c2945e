// What the browser tests stand on: a real server (`lovac serve`) on a port of its own with its data in a
// scratch folder, a real Chromium, pages that fail their test when the browser logs an error, and TAP.
//
//   import { journey, expect } from './lib.mjs';
//   journey('a pawn can be moved', async t => {
//     const page = await t.open();              a page of the shared server, in a browser profile of its own
//     await t.move(page, 'e2e4');
//     expect(await t.fen(page)).toContain('4P3');
//   });
//
// Two journeys run at a time (LOVAC_WEB_JOBS), in the order of the files. { level: 'long' } keeps one for `make test-long`;
// { own: true } gives it a server of its own (t.server), which it may kill. LOVAC_PAGE names a folder (web/dist) to show
// instead of the page in the program.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
export const screens = join(root, 'build/screens');
const level = process.env.LOVAC_TEST_LEVEL ?? 'short';
export const program = process.env.LOVAC ?? join(root, 'lovac');
const fromWeb = createRequire(join(root, 'web/package.json'));

/** A module of web/node_modules. */
export async function webModule(name) {
  const module = await import(pathToFileURL(fromWeb.resolve(name)));
  return module.default?.chromium || module.default?.build ? module.default : module;
}

// ---- Expectations -------------------------------------------------------------------------------

class Failed extends Error {}
const PATIENCE_MS = 120000;

function show(value) {
  const text = typeof value === 'string' ? JSON.stringify(value) : JSON.stringify(value) ?? String(value);
  return text.length > 400 ? text.slice(0, 400) + '…' : text;
}

/** expect(value).toBe(…), .toEqual(…), .toContain(…), .toMatch(/…/), .toBeAbove(n), .toBeBelow(n). */
export function expect(value, what = 'value') {
  const check = (good, wanted) => {
    if (!good) throw new Failed(`${what}: expected ${wanted}, got ${show(value)}`);
  };
  return {
    toBe: other => check(Object.is(value, other), show(other)),
    toEqual: other => check(JSON.stringify(value) === JSON.stringify(other), show(other)),
    toContain: part => check(value?.includes?.(part), `something with ${show(part)}`),
    notToContain: part => check(!value?.includes?.(part), `nothing with ${show(part)}`),
    toMatch: pattern => check(pattern.test(value), `a match of ${pattern}`),
    toBeAbove: n => check(value > n, `more than ${n}`),
    toBeBelow: n => check(value < n, `less than ${n}`),
    toBeTrue: () => check(value === true, 'true'),
  };
}

/** Waits until `probe` gives a true value, which is returned; fails with `what` after `ms`: longer than any busy machine needs. */
export async function until(what, probe, ms = PATIENCE_MS, every = 50) {
  const end = Date.now() + ms;
  let last;
  for (;;) {
    try {
      const value = await probe();
      if (value) return value;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Failed(`waited ${ms / 1000} s in vain: ${what}${last ? ` (${last.message})` : ''}`);
    await new Promise(done => setTimeout(done, every));
  }
}

export const sleep = ms => new Promise(done => setTimeout(done, ms));

// ---- The server ---------------------------------------------------------------------------------

function freePort() {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once('error', fail);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });
}

/** `lovac serve` as a process that can be killed and started again with the same data. */
export class Server {
  /** `engines`: the text of a file with other players, or nothing; `serve`: options of `lovac serve`. */
  constructor(engines, serve = []) {
    this.data = mkdtempSync(join(tmpdir(), 'lovac-web-'));
    this.log = '';
    this.options = process.env.LOVAC_PAGE ? ['--page', process.env.LOVAC_PAGE] : [];
    const list = join(this.data, 'engines.conf');
    writeFileSync(list, engines ?? '');
    // What is known by heart on this machine is none of the tests' business, unless they say so.
    this.options.push('--engines', list, '--book', 'none', '--tables', '', ...serve);
  }

  async start() {
    this.port ??= await freePort();
    const place = ['--host', '127.0.0.1', '--port', String(this.port), '--data', this.data];
    this.process = spawn(program, ['serve', ...place, ...this.options], { stdio: ['ignore', 'pipe', 'pipe'] });
    const hear = chunk => (this.log = (this.log + chunk).slice(-20000));
    this.process.stdout.on('data', hear);
    this.process.stderr.on('data', hear);
    this.ended = new Promise(done => this.process.once('exit', (code, signal) => done({ code, signal })));
    let over = null;
    this.ended.then(how => (over = how));
    await until(`the server answers on port ${this.port}`, async () => {
      if (over) throw new Failed(`the server ended: ${JSON.stringify(over)}\n${this.log}`);
      return (await fetch(this.url)).ok;
    });
    return this;
  }

  get url() {
    return `http://127.0.0.1:${this.port}/`;
  }

  /** As a power cut would: no last words. */
  async kill() {
    this.process.kill('SIGKILL');
    await this.ended;
  }

  async stop() {
    if (this.process?.exitCode === null && this.process.signalCode === null) {
      this.process.kill('SIGTERM');
      const timer = setTimeout(() => this.process.kill('SIGKILL'), 8000);
      await this.ended;
      clearTimeout(timer);
    }
    rmSync(this.data, { recursive: true, force: true });
    return this.ended;
  }
}

// ---- The browser --------------------------------------------------------------------------------

const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome'].map(name => `/usr/bin/${name}`).find(existsSync);

// The tests need no graphics card: where there is 3D, the processor draws it. For flat pages that way is many times dearer
// than plain drawing, so they have a browser without it.
const GRAPHICS = { flat: ['--disable-gpu'], gl: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'] };

export async function launch(graphics = 'gl') {
  const { chromium } = await webModule('playwright-core');
  return chromium.launch({
    executablePath: process.env.LOVAC_CHROMIUM ?? CHROMIUM,
    args: ['--no-sandbox', '--mute-audio', ...GRAPHICS[graphics]],
  });
}

/** Errors that a lost connection must cause: the page's, not a fault of it. */
const EXPECTED_WHEN_DOWN = /WebSocket connection to|ERR_CONNECTION|net::ERR/;

// ---- Journeys -----------------------------------------------------------------------------------

const journeys = [];
/**
 * Declares a test. Options: level ('short' or 'long'), own (a server of its own; serve: its options), server: false (none), quick (also under
 * sanitizers), gl (a browser with 3D; those with 3D in their name have it).
 */
export function journey(name, options, body) {
  if (typeof options === 'function') [options, body] = [{}, options];
  journeys.push({ name, body, level: 'short', gl: /3D/.test(name), ...options });
}

/** What a journey has in its hands. */
class Traveller {
  constructor(name, browser, server) {
    this.name = name;
    this.browser = browser;
    this.server = server;
    this.contexts = [];
    this.pages = [];
    this.errors = [];
    /** True while the server is down on purpose. */
    this.down = false;
  }

  /** A browser profile of its own: what is in it is not shared with other pages. */
  async profile(options = {}) {
    const context = await this.browser.newContext({
      viewport: { width: 1280, height: 800 }, locale: 'en', reducedMotion: 'reduce', ...options,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    this.contexts.push(context);
    // What the page says for a few seconds is written down: a busy machine may look for it too late.
    await context.addInitScript(() => {
      window.said = [];
      const listen = () => {
        for (const { textContent: text } of document.querySelectorAll('.toast')) if (window.said.at(-1) !== text) window.said.push(text);
      };
      new MutationObserver(listen).observe(document, { childList: true, subtree: true, characterData: true });
    });
    if (options.settings) {
      await context.addInitScript(settings => {
        if (!localStorage.getItem('lovac.settings')) localStorage.setItem('lovac.settings', JSON.stringify(settings));
      }, options.settings);
    }
    return context;
  }

  /** A page at `path` ('' or '#/…'); options as for profile, or { context } to share one. */
  async open(path = '', options = {}) {
    const context = options.context ?? (await this.profile(options));
    const page = await context.newPage();
    this.pages.push(page);
    page.on('pageerror', error => this.errors.push(`page: ${error.stack ?? error}`));
    page.on('console', message => {
      if (message.type() !== 'error') return;
      if (this.down || EXPECTED_WHEN_DOWN.test(message.text())) return;
      this.errors.push(`console: ${message.text()}`);
    });
    await page.goto(/^(https?|file|about):/.test(path) ? path : this.server.url + path, { waitUntil: 'commit' });
    return page;
  }

  /** A picture for people to look at, in build/screens. */
  async screen(page, name) {
    mkdirSync(screens, { recursive: true });
    await page.screenshot({ path: join(screens, `${name}.png`) });
  }

  async close() {
    for (const context of this.contexts) await context.close().catch(() => undefined);
  }
}

/** Helpers of single areas add themselves here, see page.mjs. */
export const helpers = Traveller.prototype;

async function runOne({ name, body, own, engines, serve, server: wanted }, browser, shared) {
  const server = own ? await new Server(engines, serve).start() : wanted === false ? null : await shared();
  const t = new Traveller(name, browser, server);
  try {
    await body(t);
    if (t.errors.length) throw new Failed(`the browser complained:\n${t.errors.join('\n')}`);
  } catch (error) {
    const slug = name.replace(/[^a-z0-9]+/gi, '-').toLowerCase();
    mkdirSync(screens, { recursive: true });
    for (const [i, page] of t.pages.entries()) {
      await page.screenshot({ path: join(screens, `failed-${slug}-${i}.png`), timeout: 5000 }).catch(() => undefined);
    }
    if (t.errors.length && !(error instanceof Failed && error.message.startsWith('the browser'))) error.message += `\n${t.errors.join('\n')}`;
    throw error;
  } finally {
    await t.close();
    if (own) await server.stop();
  }
}

/** Runs the journeys whose name matches one of `wanted` (all when empty); prints TAP; true if all passed. */
export async function runAll(wanted) {
  const chosen = journeys.filter(j => {
    if (wanted.length) return wanted.some(word => j.name.toLowerCase().includes(word.toLowerCase()));
    if (level === 'quick') return j.quick;
    return level === 'long' || j.level === 'short';
  });
  console.log(`1..${chosen.length}`);
  let server = null;
  const shared = () => (server ??= new Server().start());
  const browsers = {};
  const browserFor = j => {
    const graphics = j.gl ? 'gl' : 'flat';
    return (browsers[graphics] ??= launch(graphics));
  };
  let failed = 0;
  const work = [...chosen.entries()];
  const worker = async () => {
    for (let next = work.shift(); next; next = work.shift()) {
      const [i, j] = next;
      const begin = Date.now();
      try {
        await runOne(j, await browserFor(j), shared);
        console.log(`ok ${i + 1} - ${j.name} # ${((Date.now() - begin) / 1000).toFixed(1)} s`);
      } catch (error) {
        failed++;
        console.log(`not ok ${i + 1} - ${j.name}`);
        const text = error instanceof Failed ? `${error.message}\n${callSite(error)}` : String(error.stack ?? error);
        console.log(text.split('\n').slice(0, 24).map(line => `# ${line}`).join('\n'));
      }
    }
  };
  await Promise.all(Array.from({ length: Number(process.env.LOVAC_WEB_JOBS ?? 2) }, worker));
  for (const browser of Object.values(browsers)) await (await browser).close();
  if (server) {
    server = await server;
    const { code, signal } = await server.stop();
    // A sanitizer's report, or a crash that no page noticed.
    if (code !== 0 || signal) {
      failed++;
      console.log(`not ok - the server ended with ${signal ?? code}\n${server.log.split('\n').slice(-30).map(l => `# ${l}`).join('\n')}`);
    }
  }
  return failed === 0;
}

function callSite(error) {
  return (error.stack ?? '').split('\n').filter(line => line.includes('.test.mjs')).slice(0, 2).join('\n');
}
