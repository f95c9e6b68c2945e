// Watching programs play each other: every variant to its end, speed, a series with its table.
import { expect, journey, until } from './lib.mjs';
import { VARIANTS } from './page.mjs';

const TITLES = {
  chess: 'Chess', chess960: 'Chess960', doublechess960: 'Double Chess960', horde32: 'Horde', legan: 'Legan',
  corner: 'Corner', fortress: 'Fortress', massacre: 'Massacre',
};

async function watch(t, options) {
  const page = await t.open('#/watch');
  await page.getByTestId('watch-start').click();
  await t.newGame(page, { white: 'lovac', black: 'lovac', ...options });
  return page;
}

/** The end as the status line tells it. */
async function ending(t, page, ms) {
  await until('the game is over', async () => /wins|Draw/.test(await t.status(page)), ms);
  return t.status(page);
}

for (const variant of VARIANTS) {
  journey(`variant ${variant}: program against program to the end`, { level: ['massacre', 'horde32', 'legan'].includes(variant) ? 'short' : 'long' }, async t => {
    const page = await watch(t, { variant: TITLES[variant], whiteLevel: 3, blackLevel: 1, speed: 0 });
    const text = await ending(t, page, 240000);
    const moves = await t.moves(page);
    expect(moves.length, 'half-moves').toBeAbove(5);
    if (variant === 'massacre') {
      expect(moves.every(m => m.includes('x')), 'every move takes').toBeTrue();
      expect(text).toMatch(/wins.*nothing left to take/);
    }
    await t.screen(page, `variant-${variant}`);
  });
}

journey('watch: any game with one click', async t => {
  const page = await t.open('#/watch');
  await page.getByRole('button', { name: 'Legan', exact: true }).click();
  await t.hasMoves(page, 2);
  expect(await page.locator('h1').textContent()).toBe('Legan');
  for (const color of ['white', 'black']) expect(await page.getByTestId(`player-${color}`).textContent()).toMatch(/Lovac/);
});

journey('watch: a series with its table, faster and slower, pause', async t => {
  const page = await watch(t, { variant: 'Massacre', whiteLevel: 1, blackLevel: 1, games: 3, speed: 3 });
  await t.hasMoves(page, 2);
  await t.press(page, 'Pause');
  await until('it says so', async () => /paused/.test(await t.status(page)));
  const count = (await t.moves(page)).length;
  await t.press(page, 'Go on');
  await until('it goes on', async () => (await t.moves(page)).length > count);
  await t.slide(page.getByLabel(/from move to move/), 0);
  await page.getByLabel(/As fast as they can/).waitFor();
  const series = page.getByTestId('series');
  await until('three games in the table', async () => (await series.locator('tbody tr').count()) === 3, 120000);
  const score = (await series.locator('.series-score strong').textContent()).split(':').map(Number);
  expect(score[0] + score[1], 'points in three games').toBe(3);
  await t.screen(page, 'watch-series');
});

journey('watch: other players from the server\'s list: a textbook agent against another', { own: true, engines: 'Textbook: material depth=2\nGreedy: greedy\n' }, async t => {
  const page = await t.open('#/watch');
  await page.getByTestId('watch-start').click();
  await t.newGame(page, { white: 'engine:Textbook', black: 'engine:Greedy', speed: 1 });
  await t.hasMoves(page, 6);
  expect(await page.getByTestId('player-white').textContent()).toMatch(/Textbook/);
  expect(await page.getByTestId('player-black').textContent()).toMatch(/Greedy/);
  // And one of them against a person.
  await page.goto(t.server.url + '#/');
  await t.ready(page);
  await t.newGame(page, { white: 'me', black: 'engine:Greedy' });
  await t.move(page, 'e2e4');
  await t.hasMoves(page, 2);
});

journey('watch: the engine with a number of nodes against a player by its description', async t => {
  const page = await t.open('#/watch');
  await page.getByTestId('watch-start').click();
  await t.newGame(page, { white: 'search:hand', whiteNodes: 50, black: 'other', blackText: 'material depth=1', speed: 1 });
  await t.hasMoves(page, 6);
  expect(await page.getByTestId('player-white').textContent()).toMatch(/hand-written evaluation, 50/);
  expect(await page.getByTestId('player-black').textContent()).toMatch(/material, depth 1/);
});

journey('watch: what the computer thinks is shown while it plays', async t => {
  const page = await watch(t, { whiteLevel: 6, blackLevel: 6, speed: 3 });
  const panel = page.locator('.computer').first();
  await until('depth, score and a line', async () => /\d/.test(await panel.textContent()) && /depth/i.test(await panel.textContent()));
});
