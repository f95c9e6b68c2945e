// The laboratory page: each experiment run small, with table, chart and published figures; stopped; watched by
// another browser; a game of a match opened at the analysis board; narrow, dark and without serious faults.
import { expect, journey, until } from './lib.mjs';

const rows = (page, table) => page.getByTestId(`lab-table-${table}`).locator('tbody tr');
const cells = async (page, table) =>
  Promise.all((await rows(page, table).all()).map(async row => (await row.locator('td').allTextContents()).map(s => s.trim())));

/** Chooses an experiment by its title. */
async function choose(page, title) {
  await page.getByTestId('lab-form').waitFor();
  await page.getByTestId('lab-experiment').selectOption({ label: title });
  await page.getByTestId('lab-form').waitFor();
}

/** Fills fields by key and presses Run; waits for the new run. */
async function start(page, fields) {
  for (const [key, value] of Object.entries(fields)) {
    const field = page.getByTestId(`lab-${key}`);
    if ((await field.evaluate(e => e.tagName)) === 'SELECT') await field.selectOption(value);
    else await field.fill(String(value));
  }
  const before = page.url();
  await page.getByTestId('lab-run').click();
  await until('the run has its address', () => page.url() !== before && /#\/lab\/[\w-]+\/\d+/.test(page.url()));
}

async function isIn(page, state, ms) {
  await until(`the run is ${state}`, async () => (await page.getByTestId('lab-state').getAttribute('data-state')) === state, ms);
}

/** The chart is drawn: its canvas has more than one colour. */
async function isDrawn(page, key) {
  const canvas = page.getByTestId(`lab-chart-${key}`).locator('canvas');
  await canvas.waitFor();
  await until(`the chart ${key} shows something`, () =>
    canvas.evaluate(c => new Set(new Uint32Array(c.getContext('2d').getImageData(0, 0, c.width, c.height).data.buffer)).size > 8));
}

journey('laboratory: nodes to a depth, with chart, published figures and CSV', { quick: true }, async t => {
  const context = await t.profile();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']).catch(() => undefined);
  const page = await t.open('', { context });
  await t.ready(page);
  expect((await page.locator('nav.rail a span').allTextContents()).join(' ')).toBe('Play Analyse Watch Library Laboratory Settings');
  await page.getByRole('link', { name: 'Laboratory' }).click();
  await choose(page, 'Nodes to a depth');
  await start(page, { depth: 10, plain: 4 });
  await isIn(page, 'done');
  await isDrawn(page, 'nodes');
  // When the system goes dark, so does the chart.
  const colours = () => page.getByTestId('lab-chart-nodes').locator('canvas').evaluate(c => c.toDataURL());
  const light = await colours();
  await page.emulateMedia({ colorScheme: 'dark' });
  await until('the chart in other colours', async () => (await colours()) !== light);
  await isDrawn(page, 'nodes');
  const table = await cells(page, 'depths');
  expect(table.length, 'rows').toBe(10);
  expect(table[9].at(-1), 'published nodes at depth 10').toBe('284,504');
  expect(table[3][4], 'nodes of alpha-beta at depth 4').toMatch(/^\d+,\d+$/);
  await page.getByTestId('lab-csv').click();
  await t.toast(page, /Copied/);
  const csv = await page.evaluate(() => navigator.clipboard.readText());
  expect(csv.split('\n')[0]).toMatch(/^depth,nodes,time,factor,plain_nodes/);
  expect(csv.split('\n').length, 'lines').toBe(11);
  expect(csv.split('\n')[10]).toMatch(/,284504$/);
  // The address names the run: it is still there after a reload.
  await page.reload();
  await until('the table after a reload', async () => (await rows(page, 'depths').count()) === 10);
  await isDrawn(page, 'nodes');
  await t.isAccessible(page, 'a finished run');
  await t.screen(page, 'lab-depth');
});

journey('laboratory: perft of a variant; a bad FEN is told; stopped; watched from another browser', async t => {
  const page = await t.open('#/lab/perft');
  await page.getByTestId('lab-form').waitFor();
  await page.getByTestId('lab-fen').fill('no position');
  await page.getByTestId('lab-run').click();
  await page.getByRole('alert').filter({ hasText: 'no valid position' }).waitFor();
  await t.isAccessible(page, 'a bad FEN');
  // The keyboard is enough: Enter in a field runs it.
  await page.getByTestId('lab-variant').selectOption('legan');
  await page.getByTestId('lab-depth').fill('4');
  await page.getByTestId('lab-depth').press('Enter');
  await until('the run has its address', () => /#\/lab\/perft\/\d+/.test(page.url()));
  await isIn(page, 'done');
  expect((await cells(page, 'counts')).map(r => [r[1], r[2], r[3]])).toEqual([
    ['8', '8', '='], ['64', '64', '='], ['724', '724', '='], ['8,138', '8,138', '='],
  ]);
  expect((await cells(page, 'split')).length, 'first moves').toBe(8);
  await start(page, { variant: 'chess', depth: 8 });
  const other = await t.open(new URL(page.url()).hash);
  await until('the other sees the rows come', async () => (await rows(other, 'counts').count()) >= 5);
  await page.getByTestId('lab-stop').click();
  await isIn(page, 'stopped');
  await isIn(other, 'stopped');
  // Earlier runs are there to look at.
  await other.getByTestId('lab-runs').getByRole('link', { name: /Legan/ }).first().click();
  await isIn(other, 'done');
  await until('its table', async () => (await rows(other, 'counts').count()) === 4);
});

journey('laboratory: a run is cut off by kill −9 of the server, and goes on to the same table', { own: true, level: 'long' }, async t => {
  const page = await t.open('#/lab/match');
  await page.getByTestId('lab-form').waitFor();
  const match = { first: 'engine:Greedy taker', second: 'engine:Random mover', games: 60 };
  await start(page, match);
  await isIn(page, 'done');
  const whole = await cells(page, 'games');
  await start(page, match);
  await until('a few games', async () => (await rows(page, 'games').count()) >= 3);
  await t.server.kill();
  await t.server.start();
  await isIn(page, 'interrupted');
  await t.isAccessible(page, 'an interrupted run');
  await t.screen(page, 'lab-interrupted');
  await page.getByTestId('lab-continue').click();
  await isIn(page, 'done');
  expect(await cells(page, 'games'), 'the games').toEqual(whole);
  expect(await page.getByTestId('lab-continue').count(), 'nothing left to do').toBe(0);
});

journey('laboratory: a league with live table and charts; its champion drawn and played', { quick: true }, async t => {
  const page = await t.open('#/lab/league');
  await page.getByTestId('lab-form').waitFor();
  await start(page, { populations: 3, individuals: 2, generations: 5, freeze: 2, depth: 1 });
  await isIn(page, 'done');
  expect((await cells(page, 'league_generations')).length, 'generations').toBe(5);
  expect((await cells(page, 'league_populations')).map(row => row[1]), 'bred for').toEqual(['0', '2', '4']);
  expect(await page.getByTestId('lab-bars-league_points').locator('dt').count(), 'bars').toBe(3);
  await isDrawn(page, 'league_ratings');
  await page.getByRole('button', { name: 'Picture of the network 4', exact: true }).click();
  const picture = page.getByTestId('lab-champion').getByRole('img');
  await until('the network is drawn', () => picture.evaluate(image => image.complete && image.naturalWidth > 0));
  await t.isAccessible(page, 'a champion');
  await page.getByTestId('lab-champion').getByRole('button', { name: 'Play against it' }).click();
  await t.ready(page);
  await t.move(page, 'e2e4');
  await t.hasMoves(page, 2);
  expect(await page.locator('body').textContent()).toContain('Champion of generation 4');
});

journey('laboratory: any player by its description', async t => {
  const page = await t.open('#/lab');
  await choose(page, 'Match');
  await start(page, { first: 'other', 'first-text': 'material depth=1', second: 'search:network', 'second-nodes': 20, games: 2 });
  await isIn(page, 'done');
  expect((await cells(page, 'score')).map(row => row[0]).join(', ')).toBe('material, Lovac 20 (net)');
});

journey('laboratory: a match with live score, its games at the analysis board; dark and narrow', { quick: true }, async t => {
  const page = await t.open('#/lab/match', { settings: { theme: 'dark' }, viewport: { width: 320, height: 640 } });
  await page.getByTestId('lab-form').waitFor();
  await start(page, { first: 'engine:Greedy taker', second: 'engine:Random mover', games: 6 });
  await isIn(page, 'done');
  const [first, second] = await cells(page, 'score');
  expect(Number(first[1]) + Number(first[2]) + Number(first[3]), 'games of the first').toBe(6);
  expect(first[0]).toBe('Greedy taker');
  expect(Number(first[4]) + Number(second[4]), 'points of both').toBe(6);
  await isDrawn(page, 'elo');
  expect(await page.evaluate(() => document.documentElement.scrollWidth), 'width at 320 pixels').toBeBelow(321);
  await t.isAccessible(page, 'a match at 320 pixels, dark');
  await t.screen(page, 'lab-match-narrow');
  await page.setViewportSize({ width: 1280, height: 900 });
  const games = await cells(page, 'games');
  expect(games.length, 'games').toBe(6);
  await page.getByRole('button', { name: 'Analyse 1', exact: true }).click();
  await t.ready(page);
  await t.hasMoves(page, Number(games.at(-1)[5]));
  expect(page.url()).toContain('#/analyse');
});

journey('laboratory: an experiment of `lovac lab`, with its published figures and chart, in Croatian too', { quick: true }, async t => {
  const page = await t.open('#/lab');
  await choose(page, 'Bit counting');
  await start(page, {});
  await isIn(page, 'done');
  await isDrawn(page, 'bit-count');
  const table = await cells(page, 'bit_count');
  expect(table.length, 'rows').toBe(15);
  expect(table[0].slice(-3).join(' '), 'the figures of document D for one bit').toBe('3.31 0.15 0.68');
  expect(Number(table[14][1]), 'seconds of the loop').toBeAbove(0);
  await choose(page, 'The horizon example of document T');
  await start(page, {});
  await isIn(page, 'done');
  const rows = await cells(page, 't_horizon');
  expect(rows[0][4]).toBe('loses the queen');
  expect(rows[0][8]).toBe('sound');
  expect(await page.getByTestId('lab-note').textContent(), 'what it shows').toContain('What it shows');
  await t.isAccessible(page, 'an experiment of lovac lab');
  await t.screen(page, 'lab-rows');
  const other = await t.open('#/lab/trees', { settings: { language: 'hr' } });
  await other.getByTestId('lab-form').waitFor();
  expect(await other.getByTestId('lab-experiment').locator('option:checked').textContent()).toBe('Minimaks, negamaks, alfa-beta');
  await start(other, {});
  await isIn(other, 'done');
  expect((await other.getByTestId('lab-table-tree_formula').locator('th').allTextContents())[2]).toBe('Najbolji slučaj');
});

// What takes long as it is offered, small; the experiments of `lovac lab` are small unless told otherwise.
const SMALL = {
  depth: { depth: 8, plain: 3 },
  perft: { depth: 4 },
  match: { first: 'engine:Greedy taker', second: 'engine:Random mover', games: 4 },
  league: { populations: 3, individuals: 2, generations: 3, freeze: 1, depth: 1 },
  steps: { depth: 3 },
};

journey('laboratory: every experiment of the list runs to its end, with tables and charts', { level: 'long' }, async t => {
  const page = await t.open('#/lab');
  await page.getByTestId('lab-form').waitFor();
  const all = await page.getByTestId('lab-experiment').locator('option').evaluateAll(list => list.map(o => [o.value, o.textContent]));
  expect(all.length, 'experiments').toBeAbove(17);
  for (const [key, title] of all) {
    await choose(page, title);
    await start(page, SMALL[key] ?? {});
    await isIn(page, 'done', 600000);
    await until(`${title}: rows in every table`, async () => {
      const tables = await page.locator('[data-testid^=lab-table-]').all();
      const counts = await Promise.all(tables.map(table => table.locator('tbody tr').count()));
      return counts.length > 0 && counts.every(n => n > 0);
    });
    await until(`${title}: a chart`, async () => (await page.locator('[data-testid^=lab-chart-] canvas, [data-testid^=lab-bars-] dt').count()) > 0);
    await t.isAccessible(page, title);
    await t.screen(page, `lab-run-${key}`);
  }
});

journey('laboratory: a league is watched, stopped, cut off by kill −9, and ends with the same champions, who play', { own: true, level: 'long' }, async t => {
  const page = await t.open('#/lab/league');
  await page.getByTestId('lab-form').waitFor();
  const league = { populations: 4, individuals: 3, generations: 24, freeze: 6, depth: 2 };
  await start(page, league);
  await isIn(page, 'done', 300000);
  const whole = [await cells(page, 'league_generations'), await cells(page, 'league_populations')];
  await start(page, league);
  const generations = n => until(`generation ${n}`, async () => (await rows(page, 'league_generations').count()) >= n, 120000);
  await generations(3);
  await page.getByTestId('lab-stop').click();
  await isIn(page, 'stopped');
  await page.getByTestId('lab-continue').click();
  await generations(6);
  t.down = true;
  await t.server.kill();
  await t.server.start();
  await isIn(page, 'interrupted', 60000);
  t.down = false;
  await page.getByTestId('lab-continue').click();
  await isIn(page, 'done', 300000);
  expect([await cells(page, 'league_generations'), await cells(page, 'league_populations')], 'the league').toEqual(whole);
  const here = new URL(page.url()).hash;
  for (const generation of [6, 24]) {
    await page.evaluate(hash => (location.hash = hash), here);
    await page.getByRole('button', { name: `Picture of the network ${generation}`, exact: true }).click();
    await page.getByTestId('lab-champion').getByRole('button', { name: 'Play against it' }).click();
    await t.ready(page);
    await until('its name', async () => (await page.locator('body').textContent()).includes(`Champion of generation ${generation}`));
    await t.move(page, 'e2e4');
    await t.hasMoves(page, 2);
  }
});
