// The table as a place to play at: what must stay in view, at every size.
import { expect, journey, until } from './lib.mjs';
import './page.mjs';

const box = locator => locator.boundingBox();

/** Is all of the element in the window, and under the pointer at its middle? */
async function isReachable(locator) {
  return locator.evaluate(element => {
    const r = element.getBoundingClientRect();
    const inside = r.top >= 0 && r.left >= 0 && r.bottom <= innerHeight + 0.5 && r.right <= innerWidth + 0.5;
    const top = document.elementFromPoint((r.left + r.right) / 2, (r.top + r.bottom) / 2);
    return inside && r.width > 20 && r.height > 20 && (element === top || element.contains(top));
  });
}

const overlap = (a, b) =>
  Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));

journey('table: neither a confirmation nor the result covers the board or moves it', async t => {
  const page = await t.open('', { settings: { confirm: true }, viewport: { width: 1440, height: 900 } });
  await t.ready(page);
  await t.newGame(page, { white: 'me', black: 'me', fen: 'rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2' });
  const board = page.getByTestId('board');
  const confirm = page.getByRole('group', { name: 'Play this move?' });
  for (const [width, height] of [[1440, 900], [1024, 768], [390, 844]]) {
    await page.setViewportSize({ width, height });
    const before = await box(board);
    await t.move(page, 'd8h4');
    await confirm.waitFor();
    const at = `at ${width} pixels`;
    expect(await box(board), `the board ${at}`).toEqual(before);
    expect(overlap(await box(confirm), before), `of the board covered ${at}`).toBe(0);
    expect(overlap(await box(confirm), await box(page.locator('.panel'))), `of the panel covered ${at}`).toBe(0);
    for (const name of ['Play', 'Not this one'])
      expect(await isReachable(confirm.getByRole('button', { name, exact: true })), `${name} is in view ${at}`).toBeTrue();
    await t.screen(page, `confirm-${width}`);
    // Keys: the question has the focus, Escape says no.
    await page.keyboard.press('Escape');
    await confirm.waitFor({ state: 'detached' });
  }
  await t.move(page, 'd8h4');
  await confirm.waitFor();
  await page.keyboard.press('Enter');
  const card = page.getByTestId('result');
  await card.waitFor();
  for (const [width, height] of [[390, 844], [1024, 768], [1440, 900]]) {
    await page.setViewportSize({ width, height });
    const mate = await box(board);
    expect(overlap(await box(card), mate), `of the mate covered at ${width} pixels`).toBe(0);
    for (const square of ['e1', 'h4', 'e8', 'a1']) {
      const { x, y } = await t.centre(page, square);
      const seen = await page.evaluate(([px, py]) => !!document.elementFromPoint(px, py)?.closest('[data-testid=board]'), [x, y]);
      expect(seen, `${square} of the last position is seen at ${width} pixels`).toBeTrue();
    }
    expect(await isReachable(card.getByRole('button', { name: 'Rematch' })), `the rematch is in view at ${width}`).toBeTrue();
    await t.screen(page, `result-${width}`);
  }
  expect(await t.result(page)).toMatch(/Black wins.*by checkmate/);
});

journey('narrow: on small telephones board and open tab are in view together', async t => {
  const page = await t.open('', { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true });
  await t.ready(page);
  await t.tap(page, 'e2');
  await t.tap(page, 'e4');
  await t.hasMoves(page, 2);
  for (const [width, height] of [[320, 568], [360, 640], [375, 667]]) {
    await page.setViewportSize({ width, height });
    const at = `at ${width}×${height}`;
    await page.getByRole('tab', { name: 'Game' }).tap();
    await until(`the Game tab is open ${at}`, () => page.getByRole('button', { name: 'Resign' }).isVisible());
    const board = await box(page.getByTestId('board'));
    expect(board.y >= 0 && board.y + board.height <= height, `the board is in view ${at}`).toBeTrue();
    expect(board.width, `width of the board ${at}`).toBeAbove(0.87 * width);
    for (const button of await page.locator('.tab-game .btn').all())
      expect(await isReachable(button), `${await button.textContent()} is in view ${at}`).toBeTrue();
    expect(await page.evaluate(() => scrollY), `scrolled ${at}`).toBe(0);
    await t.screen(page, `small-game-${width}`);
    await page.getByRole('tab', { name: 'Moves' }).tap();
    expect(await isReachable(page.getByTestId('moves')), `the moves are in view ${at}`).toBeTrue();
    expect(await isReachable(page.getByRole('button', { name: 'Back one move' })), `the way back is in view ${at}`).toBeTrue();
    await t.screen(page, `small-moves-${width}`);
  }
});

journey('narrow: the move on the board is in view in its list, however long the game', async t => {
  const page = await t.open();
  await t.ready(page);
  await t.newGame(page, { white: 'me', black: 'me' });
  for (const move of 'e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6'.split(' ')) await t.type(page, move);
  // After its end there is no field for moves below the list.
  await t.press(page, 'Resign');
  await page.getByTestId('resign-yes').click();
  await t.result(page);
  await page.setViewportSize({ width: 320, height: 568 });
  await page.getByRole('tab', { name: 'Moves' }).click();
  const current = page.getByTestId('moves').locator('.mv.current');
  for (const [width, height] of [[320, 568], [360, 640], [375, 667], [390, 844], [768, 1024], [844, 390]]) {
    await page.setViewportSize({ width, height });
    // To and fro: at each end one button has nothing to do.
    for (const [button, san] of [['First position', null], ['Forward one move', 'e4'], ['Last position', 'd6']]) {
      await page.getByRole('button', { name: button }).click();
      if (!san) continue;
      await until(`${san} at ${width}×${height}`, async () => (await current.textContent()) === san);
      await until(`${san} is in view at ${width}×${height}`, () => isReachable(current));
    }
  }
  await t.screen(page, 'small-long-game');
});

journey('setup: a level has a rating in chess, with what it means, and none in games where it was not measured', { level: 'long' }, async t => {
  const page = await t.open();
  await t.ready(page);
  expect(await page.getByTestId('player-black').textContent()).toContain('about 1690');
  await t.press(page, 'New game');
  const setup = page.getByTestId('setup');
  await setup.waitFor();
  const level = setup.locator('.level output').last();
  expect(await level.textContent()).toMatch(/Level 6.*about 1690/);
  await setup.getByText('What the rating means').click();
  expect(await setup.getByTestId('rating-means').textContent()).toMatch(/measured in chess.*Stockfish 15\.1/);
  await t.isAccessible(page, 'the meaning of ratings');
  await setup.getByRole('radio', { name: 'Horde', exact: true }).check({ force: true });
  expect(await level.textContent(), 'the level in Horde').notToContain('1690');
  expect(await setup.getByTestId('rating-means').textContent()).toMatch(/not measured/);
  await setup.getByTestId('start').click();
  await setup.waitFor({ state: 'detached' });
  await t.ready(page);
  expect(await page.getByTestId('player-black').textContent()).notToContain('1690');
});

const LIST = { own: true, level: 'long', engines: 'Own: lovac nodes=500\n' };
journey('setup: every player of the list is chosen with its depth and options, each side with its own pace', LIST, async t => {
  const page = await t.open();
  await t.ready(page);
  await t.press(page, 'New game');
  const setup = page.getByTestId('setup');
  await setup.waitFor();
  const white = setup.getByLabel('Who plays White');
  const black = setup.getByLabel('Who plays Black');
  const offered = await black.locator('option').allTextContents();
  for (const name of ['Random mover', 'Minimax', 'Textbook G (bitboards)', 'Own']) expect(offered).toContain(name);
  await white.selectOption('search:hand');
  await setup.getByTestId('setup-white-limit').selectOption('depth');
  await setup.getByTestId('setup-white-depth').fill('3');
  await setup.getByTestId('setup-white-pace').fill('0.2');
  await black.selectOption('engine:Textbook D (extensions)');
  await setup.getByTestId('setup-black-depth').fill('2');
  await setup.getByTestId('setup-black-words').fill('null=off');
  await setup.getByTestId('setup-black-pace').fill('0.5');
  await t.isAccessible(page, 'options of players');
  await t.screen(page, 'setup-players');
  await setup.getByTestId('start').click();
  await setup.waitFor({ state: 'detached' });
  await t.hasMoves(page, 4);
  expect(await page.getByTestId('player-white').textContent()).toMatch(/hand-written.*depth 3/);
  expect(await page.getByTestId('player-black').textContent()).toMatch(/Textbook D.*depth 2 null=off/);
  // What the file adds has a depth too, and what is not allowed is told in the dialog's words.
  await t.newGame(page, { white: 'me', black: 'engine:Own' });
  await t.move(page, 'e2e4');
  await t.hasMoves(page, 2);
  await t.press(page, 'New game');
  await black.selectOption('engine:Own');
  await setup.getByTestId('setup-black-depth').fill('2');
  await setup.getByTestId('start').click();
  await setup.waitFor({ state: 'detached' });
  await until('the new game is there', async () => /Own, depth 2/.test(await page.getByTestId('player-black').textContent()));
  await t.move(page, 'e2e4');
  await t.hasMoves(page, 2);
});

journey('play: rules with pictures, sound off, hidden thoughts, colours by lot, letters and names of one\'s language', { level: 'long' }, async t => {
  const page = await t.open();
  await t.ready(page);
  await t.newGame(page, { variant: 'Legan', blackLevel: 1 });
  // The rules of the game that is played, with pictures made of what the server knows.
  await page.getByTestId('rules').click();
  const rules = page.getByTestId('rules-dialog');
  await rules.waitFor();
  expect(await rules.textContent()).toMatch(/opposite corners.*steps to the dots \(d5\).*crosses \(e5, d4\).*a5 a6 a7 a8 b8 c8 d8/s);
  expect(await rules.locator('.mini').count(), 'pictures').toBe(4);
  expect(await rules.locator('.mini i.mark.white').count(), 'squares where White promotes').toBe(7);
  await t.isAccessible(page, 'the rules');
  await t.screen(page, 'rules-legan');
  await page.keyboard.press('Escape');
  await rules.waitFor({ state: 'detached' });
  // One button for silence, kept.
  await page.getByTestId('mute').click();
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem('lovac.settings')).mute), 'silence is kept').toBeTrue();
  // What the opponent thinks is not told unless one asks.
  await t.newGame(page, { variant: 'Chess', blackLevel: 7 });
  await t.move(page, 'e2e4');
  await t.hasMoves(page, 2);
  expect(await page.getByTestId('thinking').count(), 'thoughts shown unasked').toBe(0);
  await page.getByTestId('thoughts').check();
  await page.getByTestId('thinking').waitFor();
  await t.screen(page, 'thoughts');
  // Lots are drawn: sooner or later the person has Black.
  const sides = new Set();
  for (let i = 0; i < 40 && sides.size < 2; i++) {
    await t.press(page, 'New game');
    const lot = page.getByTestId('setup-random');
    if ((await lot.getAttribute('aria-pressed')) !== 'true') await lot.click();
    await page.getByTestId('start').click();
    await page.getByTestId('setup').waitFor({ state: 'detached' });
    await t.ready(page);
    sides.add(/You/.test(await page.getByTestId('player-white').textContent()) ? 'white' : 'black');
  }
  expect(sides.size, 'colours met').toBe(2);
  // Czech letters and names.
  const czech = await t.open('', { settings: { language: 'cs' } });
  await t.ready(czech);
  await czech.getByTestId('new-game').click();
  await czech.getByTestId('setup').getByLabel('Kdo hraje černými').selectOption('me');
  await czech.getByTestId('start').click();
  await czech.getByTestId('setup').waitFor({ state: 'detached' });
  await t.ready(czech);
  for (const move of ['e4', 'c5', 'Jf3', 'd6']) await t.type(czech, move);
  expect(await t.moves(czech)).toEqual(['e4', 'c5', 'Jf3', 'd6']);
  expect(await czech.getByTestId('typed-move').getAttribute('placeholder'), 'the example').toContain('Jf3');
  await czech.getByTestId('opening').filter({ hasText: /Sicilská obrana/ }).waitFor();
  const latin = await t.open('', { settings: { language: 'sr-Latn' } });
  await t.ready(latin);
  expect(await latin.locator('html').getAttribute('lang')).toBe('sr-Latn');
  expect(await latin.locator('body').innerText(), 'Cyrillic letters in the Latin script').toMatch(/^[^\u0400-\u04ff]*$/);
});

journey('play: Black may have another time than White, also with the person at the clock', { level: 'long' }, async t => {
  const page = await t.open();
  await t.ready(page);
  await t.press(page, 'New game');
  const setup = page.getByTestId('setup');
  await setup.getByLabel('Who plays Black').selectOption('me');
  await setup.getByRole('radio', { name: 'Whole game' }).check({ force: true });
  await setup.getByRole('button', { name: '10+5', exact: true }).click();
  await setup.getByRole('switch', { name: 'Another time for Black' }).click();
  const odds = setup.getByTestId('setup-odds');
  await t.slide(odds.getByLabel(/Minutes/), 1);
  await t.slide(odds.getByLabel(/Seconds/), 0);
  await t.isAccessible(page, 'two times in the set-up');
  await t.screen(page, 'setup-odds');
  await setup.getByTestId('start').click();
  await setup.waitFor({ state: 'detached' });
  await t.ready(page);
  const clock = color => page.getByRole('timer', { name: `${color}'s clock` }).textContent();
  await until('two different clocks', async () => (await clock('White')) === '10:00' && (await clock('Black')) === '1:00');
});
