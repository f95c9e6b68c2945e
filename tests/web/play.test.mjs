// Playing: the first move, every way to move, what the board shows, what can be done in a game, how games end.
import { expect, journey, until } from './lib.mjs';
import { Oracle, START } from './page.mjs';

journey('play: from the open page to the first move in two clicks, and the computer answers', { quick: true }, async t => {
  const page = await t.open();
  await t.ready(page);
  expect(await t.fen(page)).toBe(START);
  await t.move(page, 'e2e4');
  await t.hasMoves(page, 2);
  expect((await t.moves(page))[0]).toBe('e4');
  expect(await page.getByTestId('player-black').textContent()).toMatch(/Lovac/);
  await t.screen(page, 'play-light');
});

journey('play: drag, click, type; an illegal drop goes back and says why', async t => {
  const page = await t.open();
  await t.ready(page);
  await t.newGame(page, { white: 'me', black: 'me' });
  await t.drag(page, 'e2', 'e4');
  await t.hasMoves(page, 1);
  await t.move(page, 'e7e5');
  await t.hasMoves(page, 2);
  await t.type(page, 'Nf3');
  await t.type(page, 'b8c6');
  await t.hasMoves(page, 4);
  expect(await t.moves(page)).toEqual(['e4', 'e5', 'Nf3', 'Nc6']);
  const before = await t.fen(page);
  await t.drag(page, 'f1', 'f5');
  await t.toast(page, /Not legal: white bishop from f1 to f5/i);
  expect(await t.fen(page)).toBe(before);
  const bishop = await page.locator('cg-board piece.bishop.white').count();
  expect(bishop).toBe(2);
  // Clicks that lead nowhere say so too; another man of one's own is just picked up instead.
  await t.move(page, 'f1a3');
  await t.toast(page, /Not legal: white bishop from f1 to a3/i);
  await t.move(page, 'f1g1');
  await until('the rook is picked up', () => page.locator('cg-board square.selected').count());
  // A man that is bound to its king says so.
  await t.newGame(page, { white: 'me', black: 'me', fen: '4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1' });
  await t.drag(page, 'e2', 'c3');
  await t.toast(page, /Not from e2 to c3: your king would be in check/);
  await page.getByTestId('typed-move').fill('Ke4');
  await page.getByTestId('typed-move').press('Enter');
  await page.getByRole('alert').filter({ hasText: 'Ke4 is not possible: no such piece can go there' }).waitFor();
});

journey('play: legal dots, green and orange marks, last move, check, captured men', async t => {
  const page = await t.open();
  await t.ready(page);
  await t.newGame(page, { white: 'me', black: 'me', fen: 'rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2' });
  await t.click(page, 'f1');
  const count = name => t.marked(page, name);
  await until('dots for the bishop on f1', async () => (await count('move-dest')) === 5);
  // The bishop could be taken on a6 (by b7) and on c4 (by d5), and nowhere else.
  await until('orange marks', async () => (await count('mark-danger')) === 2);
  expect(await count('mark-safe'), 'green marks').toBe(3);
  await t.screen(page, 'play-marks');
  await t.click(page, 'b5');
  await until('the king in check is marked', async () => (await count('check')) === 1);
  await until('the last move is marked', async () => (await count('last-move')) === 2);
  expect(await t.status(page)).toMatch(/check/i);
  await t.type(page, 'c6');
  await t.type(page, 'exd5');
  await t.type(page, 'cxb5');
  const taken = page.getByTestId('player-white').locator('.captured piece');
  await until('a black pawn beside White', async () => (await taken.count()) === 1);
  expect(await page.getByTestId('player-black').locator('.captured piece').count(), 'beside Black: a bishop').toBe(1);
  // Switched off, nothing is marked.
  await page.goto(t.server.url + '#/settings');
  await page.getByRole('switch', { name: /Safe and dangerous/ }).click();
  await page.goto(t.server.url + '#/');
  await t.ready(page);
  await t.click(page, 'd1');
  await until('dots', () => count('move-dest'));
  expect((await count('mark-safe')) + (await count('mark-danger')), 'marks when switched off').toBe(0);
});

journey('play: two people at one board play to mate; the result is told', { quick: true }, async t => {
  const page = await t.open();
  await t.ready(page);
  await t.newGame(page, { white: 'me', black: 'me' });
  for (const [i, move] of ['f2f3', 'e7e5', 'g2g4', 'd8h4'].entries()) {
    await t.move(page, move);
    await t.hasMoves(page, i + 1);
  }
  expect(await t.result(page)).toMatch(/Black wins.*by checkmate.*0 – 1/);
  expect(await t.moves(page)).toEqual(['f3', 'e5', 'g4', 'Qh4#']);
  await t.press(page, 'Rematch');
  await t.showsFen(page, START);
});

journey('play: promotion by choice, castling, en passant', async t => {
  const page = await t.open();
  await t.ready(page);
  await t.newGame(page, { white: 'me', black: 'me', fen: '1n4k1/P7/8/5pP1/8/8/8/R3K2R w KQ f6 0 1' });
  await t.move(page, 'g5f6');
  await t.hasMoves(page, 1);
  expect(await t.fen(page), 'the pawn passed by is gone').toBe('1n4k1/P7/5P2/8/8/8/8/R3K2R');
  await t.type(page, 'Kf8');
  await t.move(page, 'a7b8');
  const dialog = page.getByRole('dialog', { name: /pawn become/i });
  await dialog.waitFor();
  await t.screen(page, 'promotion');
  await dialog.getByRole('button', { name: /knight/i }).click();
  await t.hasMoves(page, 3);
  expect((await t.moves(page))[2]).toMatch(/^axb8=N/);
  await t.type(page, 'Ke8');
  await t.move(page, 'e1g1');
  await t.hasMoves(page, 5);
  expect((await t.moves(page))[4]).toMatch(/^O-O/);
  // Given up, the pawn goes back.
  await t.newGame(page, { white: 'me', black: 'me', fen: '7k/P7/8/8/8/8/8/K7 w - - 0 1' });
  await t.move(page, 'a7a8');
  await page.getByRole('dialog', { name: /pawn become/i }).waitFor();
  await page.keyboard.press('Escape');
  await t.showsFen(page, '7k/P7/8/8/8/8/8/K7');
});

journey('play: takeback, hint, draw offer, pause, switch sides, resign', async t => {
  const page = await t.open();
  await t.ready(page);
  await t.newGame(page, { blackLevel: 1 });
  await t.move(page, 'd2d4');
  await t.hasMoves(page, 2);
  await t.press(page, 'Take back');
  await until('no moves left', async () => (await t.moves(page)).length === 0);
  await t.showsFen(page, START);
  await t.press(page, 'Hint');
  await t.toast(page, /Try \S+ \(/);
  await t.move(page, 'e2e4');
  await t.hasMoves(page, 2);
  await t.press(page, 'Offer draw');
  await t.toast(page, /draw/i);
  await t.press(page, 'Pause');
  await until('it says so', async () => /paused/.test(await t.status(page)));
  await t.press(page, 'Go on');
  await until('it goes on', async () => !/paused/.test(await t.status(page)));
  await t.press(page, 'Switch sides');
  await t.hasMoves(page, 3);
  expect(await page.getByTestId('player-white').textContent()).toMatch(/Lovac/);
  await t.press(page, 'Resign');
  await page.getByTestId('resign-yes').click();
  expect(await t.result(page)).toMatch(/You lose.*White wins · by resignation/);
  expect(await page.getByTestId('typed-move').count(), 'fields for moves after the end').toBe(0);
});

journey('play: go back in the list and go on from there; the old line stays', async t => {
  const page = await t.open();
  await t.ready(page);
  await t.newGame(page, { white: 'me', black: 'me' });
  for (const move of ['e4', 'e5', 'Nf3', 'Nc6']) await t.type(page, move);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Back one move' }).click();
  await page.getByRole('button', { name: 'Back one move' }).click();
  await t.showsFen(page, 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR');
  await page.getByRole('button', { name: 'Go on from here' }).click();
  await page.getByRole('button', { name: 'Go on from here' }).waitFor({ state: 'detached' });
  await t.move(page, 'f1c4');
  await until('the new move is in the list', async () => (await t.moves(page)).includes('Bc4'));
  const moves = await t.moves(page);
  expect(moves).toContain('Nf3');
  expect(moves).toContain('Nc6');
  await page.getByRole('button', { name: 'First position' }).click();
  await t.showsFen(page, START);
  await page.locator('.mv', { hasText: /^Nf3/ }).click();
  await t.showsFen(page, 'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R');
});

journey('play: the board turns; moves in words; opening names', async t => {
  const page = await t.open();
  await t.ready(page);
  await t.newGame(page, { white: 'me', black: 'me' });
  for (const move of ['e4', 'c5']) await t.type(page, move);
  await page.getByTestId('opening').filter({ hasText: /Sicilian/ }).waitFor();
  expect(await page.locator('[role=gridcell]').first().getAttribute('data-square')).toBe('a8');
  await page.getByRole('button', { name: 'Turn the board' }).click();
  await until('h1 is at the top left', async () => (await page.locator('[role=gridcell]').first().getAttribute('data-square')) === 'h1');
  await page.goto(t.server.url + '#/settings');
  await page.getByRole('switch', { name: /Moves in words/ }).click();
  await page.goto(t.server.url + '#/');
  await t.ready(page);
  expect((await t.moves(page))[0]).toMatch(/pawn.*e2.*e4/i);
});

journey('play: a clock for each move ends the game on time', async t => {
  const page = await t.open();
  await t.ready(page);
  await t.newGame(page, { white: 'me', black: 'me', clock: 'Each move', perMove: 5 });
  await t.type(page, 'e4');
  await t.type(page, 'e5');
  const clock = page.getByRole('timer', { name: "White's clock" });
  const first = await clock.textContent();
  await until('the clock runs', async () => (await clock.textContent()) !== first);
  await until('the clock warns', () => page.locator('.clock.low').count());
  expect(await t.result(page)).toMatch(/Black wins.*on time/);
});

journey('play: a whole-game clock gives back its increment', async t => {
  const page = await t.open();
  await t.ready(page);
  await t.newGame(page, { white: 'me', black: 'me', clock: 'Whole game', preset: '30+20' });
  for (const move of ['e4', 'e5', 'Nf3', 'Nc6']) await t.type(page, move);
  const [minutes, seconds] = (await page.getByRole('timer', { name: "White's clock" }).textContent()).trim().split(':').map(Number);
  expect(minutes * 60 + seconds, "White's time with its increment").toBeAbove(1800);
});

journey('play: threefold repetition can be claimed', async t => {
  const page = await t.open();
  await t.ready(page);
  await t.newGame(page, { white: 'me', black: 'me' });
  for (const move of ['Nf3', 'Nf6', 'Ng1', 'Ng8', 'Nf3', 'Nf6', 'Ng1', 'Ng8']) await t.type(page, move);
  await t.press(page, 'Claim draw: repetition');
  expect(await t.result(page)).toMatch(/Draw.*by repetition/);
});

journey('play: move confirmation and automatic queens', async t => {
  const page = await t.open('', { settings: { confirm: true, autoQueen: true } });
  await t.ready(page);
  await t.newGame(page, { white: 'me', black: 'me', fen: '7k/P7/8/8/8/8/8/K7 w - - 0 1' });
  await t.move(page, 'a7a8');
  const confirm = page.getByRole('group', { name: 'Play this move?' });
  await confirm.waitFor();
  await confirm.getByRole('button', { name: 'Not this one' }).click();
  await t.showsFen(page, '7k/P7/8/8/8/8/8/K7');
  expect(await t.moves(page)).toEqual([]);
  await confirm.waitFor({ state: 'detached' });
  await t.move(page, 'a7a8');
  await confirm.getByRole('button', { name: 'Play', exact: true }).click();
  await t.hasMoves(page, 1);
  expect((await t.moves(page))[0]).toBe('a8=Q+');
});

journey('play: a double click, two tabs and the back button do no harm', async t => {
  const context = await t.profile();
  const page = await t.open('', { context });
  await t.ready(page);
  await t.newGame(page, { white: 'me', black: 'me' });
  const from = await t.centre(page, 'e2');
  const to = await t.centre(page, 'e4');
  await page.mouse.click(from.x, from.y);
  await page.mouse.dblclick(to.x, to.y);
  await t.hasMoves(page, 1);
  const other = await t.open('', { context });
  await t.ready(other);
  await t.showsFen(other, 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR');
  await t.type(other, 'e5');
  await t.hasMoves(page, 2);
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  await page.goBack();
  await t.ready(page);
  expect((await t.moves(page)).length).toBe(2);
  await page.reload();
  await t.ready(page);
  await t.hasMoves(page, 2);
});

/** Plays with keys alone: arrows to the square, Enter, arrows, Enter. */
async function keyMove(page, uci, orientation = 'white') {
  const turn = orientation === 'white' ? 1 : -1;
  for (const square of [uci.slice(0, 2), uci.slice(2, 4)]) {
    const at = await page.evaluate(() => document.activeElement?.dataset?.square ?? null);
    expect(at !== null, 'the board has the focus').toBeTrue();
    const dx = (square.charCodeAt(0) - at.charCodeAt(0)) * turn;
    const dy = (square.charCodeAt(1) - at.charCodeAt(1)) * turn;
    for (let i = 0; i < Math.abs(dx); i++) await page.keyboard.press(dx > 0 ? 'ArrowRight' : 'ArrowLeft');
    for (let i = 0; i < Math.abs(dy); i++) await page.keyboard.press(dy > 0 ? 'ArrowUp' : 'ArrowDown');
    await page.keyboard.press('Enter');
  }
  if (uci.length > 4) await page.keyboard.press(uci[4]);
}

/** Tab until something on the board has the focus. */
async function focusBoard(page) {
  for (let i = 0; i < 60; i++) {
    if (await page.evaluate(() => document.activeElement?.getAttribute('role') === 'gridcell')) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab does not reach the board');
}

/** Plays against the computer with the keyboard until the game is over; what was announced comes back. */
async function keyboardGame(t, page, most) {
  const oracle = new Oracle();
  const heard = [];
  const announcer = page.getByTestId('announcer');
  try {
    for (let i = 0; i < most; i++) {
      await until('my turn, or the end', async () => /Your turn/.test(await t.status(page)) || (await page.getByTestId('result').isVisible()));
      if (await page.getByTestId('result').isVisible()) break;
      if (i) await until('the answer is announced', async () => /Black: /.test(await announcer.textContent()));
      heard.push(await announcer.textContent());
      const count = (await t.moves(page)).length;
      const fen = await page.getByTestId('board').getAttribute('data-fen');
      const clockless = `${fen.split(' ')[0]} w ${fen.split(' ')[2] ?? 'KQkq'} - 0 1`;
      const best = await oracle.best(fen.includes(' ') ? fen : clockless);
      await focusBoard(page);
      await keyMove(page, best);
      await until(`${best} was played`, async () => (await t.moves(page)).length > count || (await page.getByTestId('result').isVisible()));
    }
  } finally {
    oracle.close();
  }
  heard.push(await announcer.textContent());
  return heard;
}

journey('keyboard: a game against the computer is won with keys alone, and every move is announced', { quick: true }, async t => {
  const page = await t.open();
  await t.ready(page);
  // A rook up: a few moves to mate.
  await t.newGame(page, { blackLevel: 1, fen: '8/7k/5K2/8/8/8/8/6R1 w - - 0 1' });
  const heard = await keyboardGame(t, page, 12);
  expect(await page.getByTestId('result').textContent()).toMatch(/You win.*White wins · by checkmate/);
  expect(heard.some(text => /Black: .*king/i.test(text)), `the computer's moves are announced (${heard.join(' | ')})`).toBeTrue();
  expect(heard.at(-1), 'the last words').toMatch(/White: .*mate.*White wins, by checkmate/i);
});

journey('keyboard: a whole game from the start, set up and played with keys alone', { level: 'long' }, async t => {
  const page = await t.open();
  await t.ready(page);
  await page.keyboard.press('n');
  const dialog = page.getByTestId('setup');
  await dialog.waitFor();
  for (let i = 0; i < 40 && !(await page.evaluate(() => document.activeElement?.getAttribute('aria-label') === "Black's level")); i++) await page.keyboard.press('Tab');
  await page.keyboard.press('Home');
  for (let i = 0; i < 60 && !(await page.evaluate(() => document.activeElement?.dataset.testid === 'start')); i++) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await keyboardGame(t, page, 120);
  expect(await page.getByTestId('result').textContent()).toMatch(/White wins.*by checkmate/);
});

journey('keyboard: pick up, what is possible, let go, illegal tries are spoken', async t => {
  const page = await t.open();
  await t.ready(page);
  await focusBoard(page);
  const says = pattern => until(`it says ${pattern}`, async () => pattern.test(await page.getByTestId('announcer').textContent()));
  const cell = square => page.locator(`[role=gridcell][data-square="${square}"]`);
  expect(await cell('e1').getAttribute('aria-label')).toMatch(/e1, white king/i);
  await page.keyboard.press('Enter');
  await says(/pawn.*e3.*e4/i);
  expect(await cell('e2').getAttribute('aria-selected')).toBe('true');
  expect(await cell('e4').getAttribute('aria-label')).toMatch(/goal|possible|legal|can go/i);
  await page.keyboard.press('Escape');
  expect(await cell('e2').getAttribute('aria-selected')).toBe('false');
  await page.keyboard.press('?');
  await page.getByTestId('help').waitFor();
});
