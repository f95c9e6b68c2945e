// What is known by heart: endgame tables and the opening book beside the board, in chess and in variants, and how an ending
// went after the game. The server of these journeys has a few tables and a small book of its own.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, journey, root, Server, until } from './lib.mjs';

const program = process.env.LOVAC ?? join(root, 'lovac');
const BOOK = 'start\n  e4 60 31\n  d4 40 22\n1. e4\n  c5 3 2\nvariant legan\nstart\n  Nf4 5\n  Ng5 3\n';

/** A journey with a server that has tables (lists of arguments of `lovac tablebase make`) and the book. */
function knowing(name, tables, options, body) {
  if (typeof options === 'function') [options, body] = [{}, options];
  journey(name, { server: false, ...options }, async t => {
    const folder = mkdtempSync(join(tmpdir(), 'lovac-known-'));
    for (const list of tables)
      execFileSync(program, ['tablebase', 'make', ...list, '--folder', folder, '--quiet'], { stdio: 'ignore' });
    writeFileSync(join(folder, 'book.txt'), BOOK);
    execFileSync(program, ['book', 'compile', join(folder, 'book.txt'), '--output', join(folder, 'book.bin')]);
    t.server = new Server('', ['--tables', folder, '--book', join(folder, 'book.bin')]);
    try {
      await t.server.start();
      await body(t);
    } finally {
      await t.server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

async function analyse(t, variant, fen, options) {
  const page = await t.open(`#/editor/${variant}/${encodeURIComponent(fen)}`, options);
  await page.getByRole('button', { name: 'Analyse', exact: true }).click();
  await t.ready(page);
  return page;
}

const verdict = page => page.getByTestId('table-verdict').textContent();
const rows = page => page.getByTestId('known').locator('.known-move').allInnerTexts();

knowing('tables: the verdict of every move, one is played from the list, and the book has its counts', [['KRK']], async t => {
  const page = await analyse(t, 'chess', '7k/8/6K1/8/8/8/8/R7 w - - 0 1');
  await page.getByTestId('table-verdict').filter({ hasText: 'White wins, mate in 1' }).waitFor();
  const list = await rows(page);
  expect(list[0].replace(/\s+/g, ' ')).toBe('Ra8# wins checkmate');
  expect(list.some(row => /Kg5\s+wins\s+mate in \d+/.test(row))).toBeTrue();
  await t.isAccessible(page, 'an analysis with tables');
  await t.screen(page, 'tables');
  await page.locator('.known-move', { hasText: 'Rb1' }).focus();
  await page.keyboard.press('Enter');
  await t.hasMoves(page, 1);
  // The verdict is the same as before, so the list tells when the next position has come: Black has one move.
  await until('the moves of the next position', async () => (await rows(page)).length === 1);
  expect(await verdict(page)).toBe('White wins, mate in 1');
  // The book, from the beginning.
  await page.goto(t.server.url + '#/editor/chess');
  await page.getByRole('button', { name: 'Analyse', exact: true }).click();
  await page.locator('.known-move.of-book', { hasText: 'e4' }).waitFor();
  expect((await rows(page)).map(row => row.replace(/\s+/g, ' '))).toEqual(['e4 60 % 31', 'd4 40 % 22']);
  await t.screen(page, 'book');
  await page.locator('.known-move', { hasText: 'e4' }).click();
  await page.locator('.known-move', { hasText: 'c5' }).waitFor();
  await page.locator('.known-move', { hasText: 'c5' }).click();
  await page.locator('.known-none').waitFor({ state: 'attached' });
  expect(await t.moves(page)).toEqual(['e4', 'c5']);
});

knowing('tables: in Legan and Horde, with a book of the variant', [['KQK', '--variant', 'legan'], ['KQvP', '--variant', 'horde32']], { level: 'long' }, async t => {
  const page = await analyse(t, 'legan', '7k/8/6K1/8/8/8/8/1Q6 w - - 0 1');
  await page.getByTestId('table-verdict').filter({ hasText: /White wins, mate in \d/ }).waitFor();
  await t.screen(page, 'tables-legan');
  await page.goto(t.server.url + '#/editor/legan');
  await page.getByRole('button', { name: 'Analyse', exact: true }).click();
  await page.locator('.known-move.of-book', { hasText: 'Nf4' }).waitFor();
  expect((await rows(page)).length).toBe(2);
  await t.screen(page, 'book-legan');
  await page.goto(t.server.url + '#/editor/horde32/' + encodeURIComponent('8/8/8/8/8/p7/8/KQ6 w - - 0 1'));
  await page.getByRole('button', { name: 'Analyse', exact: true }).click();
  await page.getByTestId('table-verdict').filter({ hasText: /White wins, the end in \d/ }).waitFor();
  await t.isAccessible(page, 'a Horde ending');
  await t.screen(page, 'tables-horde');
});

knowing('tables: after the game the course of the ending is told', [['KRK']], { level: 'long' }, async t => {
  const page = await t.open();
  await t.ready(page);
  await t.newGame(page, { white: 'me', black: 'me', fen: '8/8/8/8/8/2k5/8/KR6 w - - 0 40' });
  expect(await page.getByTestId('known').count()).toBe(0);
  for (const move of ['Rb8', 'Kd3', 'Ka2', 'Kc3', 'Rb4', 'Kxb4']) await t.type(page, move);
  await t.result(page);
  const events = page.getByTestId('course').locator('button');
  await until('two events', async () => (await events.count()) === 2);
  expect(await events.nth(0).textContent()).toMatch(/^White was winning from move 40 \(mate in \d+\)$/);
  expect(await events.nth(1).textContent()).toBe('White let the win slip: 42. Rb4');
  await events.nth(1).click();
  await page.getByTestId('table-verdict').filter({ hasText: 'Draw with best play' }).waitFor();
  await t.isAccessible(page, 'a finished ending');
  await t.screen(page, 'course');
});

knowing('tables: on a telephone they are a tab', [['KRK']], { level: 'long' }, async t => {
  const page = await analyse(t, 'chess', '8/8/8/8/8/5k2/6R1/K7 b - - 0 1', { viewport: { width: 390, height: 844 } });
  await page.getByRole('tab', { name: 'Tables' }).click();
  await page.getByTestId('table-verdict').filter({ hasText: 'Draw with best play' }).waitFor();
  await t.screen(page, 'tables-phone');
  await page.locator('.known-move', { hasText: 'Kxg2' }).click();
  await t.hasMoves(page, 1);
});
