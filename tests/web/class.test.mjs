// The class: from the laboratory through the steps, a measurement, the tree walked with the keyboard, a game.
import { expect, journey, until } from './lib.mjs';

journey('class: a step measured, its tree walked by keyboard, a game against it', { quick: true }, async t => {
  const page = await t.open('#/lab');
  await page.getByRole('link', { name: 'For a class' }).click();
  await page.getByTestId('class-minimax').waitFor();
  await page.getByTestId('class-next').click();
  await page.getByTestId('class-alphabeta').waitFor();
  await page.getByTestId('class-measure').click();
  const table = page.getByTestId('lab-table-steps').locator('tbody tr');
  await until('four depths', async () => (await table.count()) === 4);
  expect(await table.nth(2).locator('td').nth(1).textContent(), 'positions of minimax').toBe('9,323');
  // The tree: the best line is open; keys walk and open what was cut.
  const tree = page.getByTestId('class-tree');
  await tree.waitFor();
  const before = await tree.getByRole('treeitem').count();
  const board = page.getByTestId('class-board');
  expect(await board.getAttribute('data-board'), 'the board at the root').toBe('k7/8/8/3p4/2P5/8/8/K7');
  expect(await page.locator('nav.rail a[aria-current=page]').textContent(), 'where one is').toContain('Laboratory');
  await tree.focus();
  await page.keyboard.press('End');
  await until('a position that was cut', async () => /cut by d4/.test(await page.getByTestId('class-says').textContent()));
  expect(await board.getAttribute('data-board'), 'the board there').toBe('k7/8/8/3p4/2P5/8/1K6/8');
  await page.keyboard.press('ArrowRight');
  await until('its moves', async () => (await tree.getByRole('treeitem').count()) > before);
  await page.keyboard.press('End');
  await until('one that nobody looked at', async () => /never looked at/.test(await page.getByTestId('class-says').textContent()));
  await t.isAccessible(page, 'a step of the class');
  await page.getByTestId('class-all').click();
  await until('all positions', async () => (await tree.getByRole('treeitem').count()) > 70);
  await t.screen(page, 'class');
  await page.getByTestId('class-play').click();
  await t.ready(page);
  await t.move(page, 'e2e4');
  await t.hasMoves(page, 2);
  expect(await page.locator('body').textContent()).toContain('alpha-beta, depth 3');
});

journey('class: every step in four languages, narrow and dark, without serious faults', { level: 'long' }, async t => {
  for (const language of ['en', 'hr', 'sr', 'cs']) {
    const page = await t.open('#/class', { settings: { language, theme: 'dark' }, viewport: { width: 320, height: 640 } });
    for (const step of ['minimax', 'alphabeta', 'ordering', 'quiescence', 'table', 'evaluation', 'network']) {
      await page.evaluate(where => (location.hash = where), `#/class/${step}`);
      await page.getByTestId(`class-${step}`).waitFor();
      await page.getByTestId('class-tree').waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `width of ${step}`).toBeBelow(321);
    }
    await t.isAccessible(page, `the class in ${language}`);
    await t.screen(page, `class-${language}`);
  }
});
