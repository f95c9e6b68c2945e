// Analysis and review: lines and values, threat, arrows, variations, comments; a judged game and its mistakes.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { execFileSync } from 'node:child_process';
import { expect, journey, program, until } from './lib.mjs';
import { START } from './page.mjs';

async function analysis(t, options) {
  const page = await t.open('#/analyse', options);
  await t.ready(page);
  return page;
}

journey('analysis: the engine shows lines with values and arrows, and the best move can be played', async t => {
  const page = await analysis(t);
  await page.keyboard.press('l');
  const lines = page.getByTestId('analyst').locator('.line');
  await until('a line', () => lines.count());
  await page.getByLabel('Number of lines').selectOption('3');
  await until('three lines', async () => (await lines.count()) === 3);
  expect(await lines.first().textContent()).toMatch(/[+−-]?\d/);
  await until('an arrow on the board', () => page.locator('.cg-shapes line, .cg-shapes path, .cg-shapes g').count());
  expect(await page.locator('.evalbar').getAttribute('aria-label')).toMatch(/Evaluation/);
  await t.screen(page, 'analyse-light');
  // On a smaller screen every tool is still inside the panel.
  await page.setViewportSize({ width: 1024, height: 768 });
  const outside = await page.evaluate(() => {
    const panel = document.querySelector('.panel').getBoundingClientRect();
    return [...document.querySelectorAll('.panel button, .panel select, .panel input')]
      .filter(e => e.getClientRects().length && e.getBoundingClientRect().right > panel.right)
      .map(e => e.getAttribute('aria-label') ?? e.title ?? e.textContent);
  });
  expect(outside, 'tools outside the panel').toEqual([]);
  await t.screen(page, 'analyse-1024');
  await page.keyboard.press(' ');
  await t.hasMoves(page, 1);
  await page.keyboard.press('z');
  await until('hidden lines', async () => (await lines.count()) === 0);
  await page.keyboard.press('z');
  await page.keyboard.press('x');
  await until('the threat is shown', async () => (await page.getByRole('button', { name: 'Show the threat' }).getAttribute('aria-pressed')) === 'true');
  await page.keyboard.press('x');
  await page.keyboard.press('l');
});

journey('analysis: two browsers share one engine, and neither loses its lines', { own: true, serve: ['--threads', '1'] }, async t => {
  const pages = [await analysis(t), await analysis(t)];
  for (const page of pages) {
    await page.evaluate(() => {
      // How often lines that were there went away.
      window.lost = 0;
      let before = 0;
      const look = () => {
        const now = document.querySelectorAll('[data-testid=analyst] .line').length;
        if (now < before) window.lost++;
        before = now;
      };
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
    });
    await page.keyboard.press('l');
  }
  for (const page of pages) {
    await until('lines', () => page.getByTestId('analyst').locator('.line').count());
    await page.getByTestId('shared').filter({ hasText: '1 besides you' }).waitFor();
  }
  // Each has its turn, again and again: both get deeper.
  const depth = async page => Number(/\d+/.exec(await page.getByTestId('analyst').locator('.facts dd').first().textContent())[0]);
  const first = await Promise.all(pages.map(depth));
  for (const [i, page] of pages.entries()) await until('a deeper line', async () => (await depth(page)) > first[i]);
  for (const page of pages) expect(await page.evaluate(() => window.lost), 'times that lines vanished').toBe(0);
});

journey('analysis: a line of the engine is walked move by move, with a small board, and taken into the moves', async t => {
  const page = await analysis(t);
  await t.type(page, 'e4');
  await page.locator('main').click({ position: { x: 2, y: 2 } });
  await page.keyboard.press('l');
  const line = page.getByTestId('analyst').locator('.line').first();
  await until('a line of some length', async () => (await line.locator('.walk').count()) >= 4);
  // The engine thinks on: a new line takes the small board away until the pointer moves again.
  const peeked = async () => {
    let seen;
    await until('a small board', async () => {
      await page.mouse.move(2, 2);
      await line.locator('.walk').nth(3).hover();
      seen = await page.evaluate(() => {
        const board = document.querySelector('[data-testid=peek]');
        return board?.querySelectorAll('piece').length > 20 && board.dataset.fen;
      });
      return seen;
    });
    return seen;
  };
  expect((await peeked()).split(' ').slice(1, 2), 'turn after four half-moves').toEqual(['b']);
  await t.screen(page, 'analyse-line');
  // Taken as a whole: the board stays; then walked: the board follows.
  await line.getByRole('button', { name: 'Take the line' }).click();
  const moves = await t.hasMoves(page, 5);
  expect(await t.fen(page)).toBe('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR');
  // The engine thinks on, and its line may be another one by now.
  const there = await peeked();
  await line.locator('.walk').nth(3).click();
  await t.showsFen(page, there.split(' ')[0]);
  const now = await t.moves(page);
  expect(moves.filter(move => !now.includes(move)), 'moves that were taken and are gone').toEqual([]);
  await page.keyboard.press('l');
});

journey('analysis: the threat view shows what the other side would do', async t => {
  // White to move; if Black could, he would mate on g2.
  const page = await t.open('#/editor/chess/' + encodeURIComponent('6k1/5ppp/2b5/8/4q3/P7/1P3PPP/R5K1 w - - 0 1'));
  await page.getByTestId('verdict').filter({ hasText: 'can be played' }).waitFor();
  await page.getByRole('button', { name: 'Analyse' }).click();
  await t.ready(page);
  await page.keyboard.press('l');
  const line = page.getByTestId('analyst').locator('.line').first();
  await line.waitFor();
  await page.keyboard.press('x');
  await until('the mate that threatens', async () => /#.*Qxg2/.test(await line.textContent()));
  await until('its red arrow', () => page.locator('.cg-shapes [stroke="#b0342c"]').count());
  await page.keyboard.press('x');
  await until('the own move again', async () => !/Qxg2/.test(await line.textContent()));
});

journey('analysis: variations, comments, marks, main line, deletion; keys as elsewhere', async t => {
  const page = await analysis(t);
  for (const move of ['e4', 'e5', 'Nf3']) await t.type(page, move);
  await page.locator('main').click({ position: { x: 2, y: 2 } });
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await t.showsFen(page, 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR');
  await t.move(page, 'c7c5');
  await until('the variation is there', async () => (await t.moves(page)).includes('c5'));
  expect(await t.moves(page)).toContain('e5');
  await page.keyboard.press('c');
  const comment = page.getByTestId('comment');
  await comment.getByRole('textbox').fill('The Sicilian.');
  await comment.getByRole('button', { name: 'Save' }).click();
  await until('the comment is shown', async () => (await page.getByTestId('moves').textContent()).includes('The Sicilian.'));
  const choose = async (move, what) => {
    await page.getByTestId('moves').locator('.mv', { hasText: move }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: what }).click();
  };
  await choose('c5', 'Make main line');
  await until('c5 is the main line', async () => (await t.moves(page))[1]?.startsWith('c5'));
  await choose('c5', 'Move the line down');
  await until('e5 is the main line again', async () => (await t.moves(page))[1]?.startsWith('e5'));
  // The same by the button beside the moves, with the keyboard.
  await page.getByTestId('moves').locator('.mv', { hasText: 'c5' }).click();
  await page.getByRole('button', { name: 'Line', exact: true }).click();
  await page.getByTestId('menu').waitFor();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await until('c5 is gone', async () => !(await t.moves(page)).some(m => m.startsWith('c5')));
  await page.keyboard.press('Home');
  await t.showsFen(page, START);
  await page.keyboard.press('f');
  await until('the board is turned', async () => (await page.locator('[role=gridcell]').first().getAttribute('data-square')) === 'h1');
});

journey('analysis: arrows and circles are drawn with the right button and kept', async t => {
  const page = await analysis(t);
  const [a, b] = [await t.centre(page, 'e2'), await t.centre(page, 'e4')];
  await page.mouse.move(a.x, a.y);
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(b.x, b.y, { steps: 4 });
  await page.mouse.up({ button: 'right' });
  await until('an arrow', () => page.locator('.cg-shapes g line, .cg-shapes line').count());
  await page.reload();
  await t.ready(page);
  await until('the arrow is still there', () => page.locator('.cg-shapes g line, .cg-shapes line').count());
});

journey('analysis: addresses show what I see; pictures, an animated one, and a game in another page', async t => {
  const page = await analysis(t);
  for (const move of ['e4', 'c5', 'Nf3']) await t.type(page, move);
  await page.locator('main').click({ position: { x: 2, y: 2 } });
  await page.keyboard.press('ArrowLeft');
  const seen = 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR';
  await t.showsFen(page, seen);
  const address = await until('an address with key and node', async () => /#\/analyse\/[\w-]{22}\/2$/.test(page.url()) && page.url());
  // Somebody else follows it; so does the same browser after a reload.
  const other = await t.open(address.slice(t.server.url.length));
  await t.ready(other);
  await t.showsFen(other, seen);
  await page.reload();
  await t.showsFen(page, seen);
  // A position by its FEN.
  await other.goto(t.server.url + '#/analyse/chess/' + encodeURIComponent('8/8/8/4k3/8/8/4P3/4K3 w - - 0 1'));
  await t.showsFen(other, '8/8/8/4k3/8/8/4P3/4K3');
  await t.press(page, 'Share');
  const dialog = page.getByTestId('share');
  const picture = async name => {
    const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name }).click()]);
    return readFileSync(await download.path());
  };
  const png = await picture('PNG');
  expect([png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual(['PNG', 720, 720]);
  const svg = (await picture('SVG')).toString();
  expect(svg.match(/<use /g).length, 'men in the SVG').toBe(32);
  const animated = await picture('Game, animated');
  const control = animated.indexOf('acTL');
  expect(animated.readUInt32BE(control + 4), 'frames').toBe(4);
  // The browser itself can show it.
  const size = await page.evaluate(async data => {
    const image = new Image();
    image.src = 'data:image/png;base64,' + data;
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  }, animated.toString('base64'));
  expect(size).toEqual([448, 448]);
  await t.screen(page, 'share');
  const code = await dialog.getByTestId('embed-code').inputValue();
  const html = `<!doctype html><link rel="icon" href="data:,"><h1>My page</h1>${code.replace(/http:\/\/[^/]+\//, t.server.url)}`;
  const elsewhere = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end(html));
  await new Promise(done => elsewhere.listen(0, '127.0.0.1', done));
  const around = await t.open(`http://127.0.0.1:${elsewhere.address().port}/`);
  const inside = around.frameLocator('iframe');
  await until('the game in the other page', async () =>
    (await inside.getByTestId('board').getAttribute('data-fen', { timeout: 1000 }))?.startsWith(seen));
  await inside.getByRole('button', { name: 'Forward one move' }).click();
  await until('the next move there', async () =>
    (await inside.getByTestId('board').getAttribute('data-fen')).includes('5N2'));
  await t.screen(around, 'embed');
  elsewhere.close();
  elsewhere.closeAllConnections();
});

const OTHER = `Other one: ${program} uci\n`;

journey('analysis: another engine, threads and memory are chosen in the page', { own: true, engines: OTHER, level: 'long' }, async t => {
  const page = await analysis(t);
  await page.keyboard.press('l');
  const lines = page.getByTestId('analyst').locator('.line');
  await until('lines of Lovac', async () => (await lines.count()) === 2);
  await page.getByRole('button', { name: 'Settings of the analysis' }).click();
  const box = page.getByTestId('analyst-settings');
  await box.getByLabel('Program').selectOption('Other one');
  await box.getByLabel('Threads').selectOption({ index: (await box.getByLabel('Threads').locator('option').count()) - 1 });
  await box.getByLabel('Memory').selectOption('16');
  const running = () => {
    const list = execFileSync('ps', ['-o', 'args=', '--ppid', String(t.server.process.pid)]).toString();
    return list.includes(' uci');
  };
  await until('the other engine runs', running);
  const nodes = async () => page.getByTestId('analyst').locator('.facts dd').nth(1).textContent();
  const before = await nodes();
  await until('its lines come', async () => (await lines.count()) === 2 && (await nodes()) !== before);
  await t.screen(page, 'analyse-settings');
  // Going on to the next position asks the same process.
  await t.type(page, 'e4');
  await until('lines for Black', async () => /^1…/.test((await lines.first().locator('.pv').textContent()) ?? ''));
  expect(running()).toBeTrue();
  await page.reload();
  await t.ready(page);
  await page.locator('main').click({ position: { x: 2, y: 2 } });
  await page.keyboard.press('l');
  await until('the choice is kept', running);
});

const FAULTY = `[White "Ana"]
[Black "Boris"]
[Result "0-1"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1
`;

journey('review: a finished game is judged, with graph and accuracy, and mistakes can be retried', async t => {
  const page = await t.open();
  await t.ready(page);
  await t.newGame(page, { white: 'me', black: 'me' });
  for (const move of 'f3 e5 g4 Qh4'.split(' ')) await t.type(page, move);
  const dialog = page.getByTestId('result');
  await dialog.waitFor();
  await dialog.getByRole('button', { name: 'Review' }).click();
  const review = page.getByTestId('review');
  await review.waitFor();
  await review.locator('.graph canvas').waitFor();
  expect(await review.textContent()).toMatch(/Accuracy.*\d+[.,]\d %/);
  await until('a judged move in the list', () => page.getByTestId('moves').locator('.mv.j-blunder, .mv.j-mistake').count());
  await t.screen(page, 'review');
  await t.choose(review, 'White');
  await review.getByRole('button', { name: 'Retry mistakes' }).click();
  const retry = page.getByTestId('retry');
  await retry.waitFor();
  expect(await retry.textContent()).toMatch(/Mistake 1 of \d/);
  // On to the last one, g4, which is wrong also the second time; e4 instead loses nothing.
  while (!/g4/.test(await retry.textContent())) await retry.getByRole('button', { name: 'Next' }).click();
  await t.showsFen(page, 'rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR');
  await t.move(page, 'g2g4');
  await retry.getByRole('status').filter({ hasText: 'Not the move we are looking for' }).waitFor();
  await t.showsFen(page, 'rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR');
  await t.move(page, 'e2e4');
  await retry.getByRole('status').filter({ hasText: /Right, that was the move|Good too/ }).waitFor();
  await t.showsFen(page, 'rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR');
  await until('the better line', async () => /\d/.test((await retry.locator('.pv').textContent()) ?? ''));
  await retry.getByRole('button', { name: 'Stop' }).click();
  await retry.waitFor({ state: 'detached' });
  const written = (await t.moves(page)).map(m => m.replace(/[?!]+$/, ''));
  expect(written, 'moves: what was tried is not in the game').toEqual(['f3', 'e5', 'g4', 'Qh4#']);
  // Or the answer is only looked at.
  await review.getByRole('button', { name: 'Retry mistakes' }).click();
  await retry.getByRole('button', { name: 'Show the move' }).click();
  await retry.locator('.pv').waitFor();
});

journey('analysis: an imported game and a variant are analysed too', async t => {
  const page = await t.open('#/library');
  await page.getByRole('button', { name: 'Import' }).click();
  await page.getByTestId('import').getByTestId('import-text').fill(FAULTY);
  await page.getByTestId('import').getByRole('button', { name: 'Open', exact: true }).click();
  await t.ready(page);
  await t.hasMoves(page, 14);
  // A mate on the board needs no engine: the bar is all the winner's.
  await page.getByRole('img', { name: 'Evaluation #' }).waitFor();
  expect(await page.locator('.evalbar i').evaluate(i => i.style.height), 'the share of Black, who mated').toBe('100%');
  await page.goto(t.server.url + '#/editor/legan');
  await page.getByTestId('verdict').filter({ hasText: 'can be played' }).waitFor();
  await page.getByRole('button', { name: 'Analyse' }).click();
  await t.ready(page);
  await page.keyboard.press('l');
  await until('a line for Legan', () => page.getByTestId('analyst').locator('.line').count());
  await page.keyboard.press('l');
});
