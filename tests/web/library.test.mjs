// Games that stay: saved, listed, found, restored with other players, deleted; PGN and FEN in and out; the editor.
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, journey, program, until } from './lib.mjs';
import { START } from './page.mjs';

journey('library: save under a name, find, restore with other players, delete', async t => {
  const page = await t.open();
  await t.ready(page);
  await t.newGame(page, { white: 'me', black: 'me' });
  for (const move of ['e4', 'e5', 'Nf3']) await t.type(page, move);
  const fen = await t.fen(page);
  const name = `Spanish try ${Date.now()}`;
  await t.press(page, 'Save');
  await page.getByTestId('save').getByLabel('Name').fill(name);
  await page.getByTestId('save').getByRole('button', { name: 'Save' }).click();
  await t.toast(page, /Saved/);
  await page.getByRole('link', { name: 'Library' }).click();
  const card = page.getByTestId('saved').locator('li', { hasText: name });
  await card.waitFor();
  expect(await card.textContent()).toMatch(/Chess · 2 moves/);
  await page.getByLabel('Find a name').fill('no such game');
  await card.waitFor({ state: 'detached' });
  await page.getByLabel('Find a name').fill(name.slice(0, 11));
  await card.waitFor();
  await page.getByLabel('Find a name').fill('moves<few');
  await page.getByTestId('find-problem').filter({ hasText: '“few” is no value for moves' }).waitFor();
  await page.getByLabel('Find a name').fill('moves=2 position="*/*/*/4p3/4P3/5N2/*/*"');
  await page.getByTestId('find-problem').waitFor({ state: 'detached' });
  await card.waitFor();
  await t.screen(page, 'library');
  // Restored with Lovac as White; it is Black's turn, so the person moves.
  await card.getByRole('button', { name: 'Go on' }).click();
  await t.newGame(page, { white: 'lovac', whiteLevel: 1, black: 'me' });
  await t.showsFen(page, fen);
  await t.type(page, 'Nc6');
  await t.hasMoves(page, 5);
  expect((await t.moves(page)).slice(0, 4)).toEqual(['e4', 'e5', 'Nf3', 'Nc6']);
  await page.getByRole('link', { name: 'Library' }).click();
  await card.getByRole('button', { name: 'Delete' }).click();
  await page.getByTestId('delete-yes').click();
  await card.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByTestId('recent').waitFor();
  expect(await page.getByTestId('saved').locator('li', { hasText: name }).count()).toBe(0);
});

journey('library: PGN and FEN are shown, copied and downloaded', async t => {
  const context = await t.profile();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']).catch(() => undefined);
  const page = await t.open('', { context });
  await t.ready(page);
  await t.newGame(page, { white: 'me', black: 'me' });
  for (const move of ['d4', 'd5', 'c4']) await t.type(page, move);
  await t.press(page, 'Share');
  const dialog = page.getByTestId('share');
  await until('the PGN is there', async () => /1\. d4 d5 2\. c4/.test(await dialog.getByTestId('pgn').inputValue()));
  expect(await dialog.getByLabel('FEN').inputValue()).toMatch(/^rnbqkbnr\/ppp1pppp\/8\/3p4\/2PP4\/8\/PP2PPPP\/RNBQKBNR b KQkq/);
  const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Download' }).click()]);
  expect(readFileSync(await download.path(), 'utf8')).toMatch(/\[Result "\*"\]/);
  await dialog.getByRole('button', { name: 'Copy PGN' }).click();
  await t.toast(page, /Copied/);
});

const TWO_GAMES = `[Event "One"]
[White "Ada"]
[Black "Bela"]
[Result "1-0"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 $4 {Oh no.} (3... g6 4. Qf3 Nf6) 4. Qxf7# 1-0

[Event "Two"]
[White "Cilka"]
[Black "Drago"]
[Result "1/2-1/2"]

1. d4 d5 1/2-1/2
`;

journey('library: PGN of many games is imported, with comments and variations; bad text is told', async t => {
  const page = await t.open('#/library');
  await page.getByRole('button', { name: 'Import' }).click();
  const dialog = page.getByTestId('import');
  await dialog.getByTestId('import-text').fill('hello, this is no game');
  await dialog.getByRole('button', { name: 'Open', exact: true }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByTestId('import-text').fill(TWO_GAMES);
  await dialog.getByRole('button', { name: 'Open', exact: true }).click();
  const rows = dialog.locator('tbody tr');
  await until('two games', async () => (await rows.count()) === 2);
  await rows.first().getByRole('button', { name: 'Open' }).click();
  await t.ready(page);
  await t.hasMoves(page, 9);
  const text = await page.getByTestId('moves').textContent();
  expect(text).toContain('Oh no.');
  expect(text).toContain('Qf3');
  // Saved all at once.
  await page.goto(t.server.url + '#/library');
  await page.getByRole('button', { name: 'Import' }).click();
  await dialog.getByTestId('import-text').fill(TWO_GAMES);
  await dialog.getByRole('button', { name: 'Save all' }).click();
  await t.toast(page, /2 games saved/);
});

const HEADED = `[Event "Candidates"]
[Site "Zagreb YUG"]
[Date "1959.09.??"]
[Round "3"]
[White "Đurašević, B."]
[Black "Gligorić <S>"]
[Result "1/2-1/2"]
[WhiteElo "2450"]
[BlackTitle "GM"]

1. d4 Nf6 2. c4 1/2-1/2
`;

journey('library: a game from a PGN keeps its players, ratings, event and all other tags', async t => {
  const page = await t.open('#/library');
  await page.getByRole('button', { name: 'Import' }).click();
  // From a file, in an old alphabet: its letters are not lost.
  const file = { name: 'old.pgn', mimeType: 'text/plain', buffer: Buffer.from('[White "M\u00fcller"]\n\n1. e4 *\n', 'latin1') };
  await page.getByTestId('import').locator('input[type=file]').setInputFiles(file);
  await until('the file is read', async () => /Müller/.test(await page.getByTestId('import-text').inputValue()));
  await page.getByTestId('import-text').fill(HEADED);
  await page.getByTestId('import').getByRole('button', { name: 'Open', exact: true }).click();
  await t.hasMoves(page, 3);
  const [top, bottom] = ['black', 'white'].map(c => page.getByTestId(`player-${c}`));
  expect(await bottom.textContent(), 'below the board').toMatch(/Đurašević, B\..*2450/);
  expect(await top.textContent(), 'above the board').toMatch(/Gligorić <S>.*GM/);
  expect(await page.getByTestId('event').textContent()).toBe('Candidates, Zagreb YUG, round 3, 1959.09');
  await t.screen(page, 'analyse-pgn');
  await page.reload();
  await t.hasMoves(page, 3);
  expect(await top.textContent(), 'above the board after a reload').toMatch(/Gligorić/);
  await t.press(page, 'Share');
  const pgn = page.getByTestId('share').getByTestId('pgn');
  await until('the PGN is there', async () => (await pgn.inputValue()).includes('1. d4'));
  const lines = text => text.split('\n').filter(l => l.startsWith('[')).sort();
  expect(lines(await pgn.inputValue()), 'tags of the export').toEqual(lines(HEADED));
});

journey('library: a FEN is opened as an analysis, and its mate in two is found', async t => {
  const board = '2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1';
  const page = await t.open('#/library');
  await page.getByRole('button', { name: 'Import' }).click();
  await page.getByTestId('import').getByTestId('import-text').fill(`${board} w - - 0 1`);
  // The key for the engine comes with the board itself, before anything else can happen.
  await page.evaluate(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector('[data-testid=board]')) return;
      observer.disconnect();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'l', bubbles: true }));
    }).observe(document.body, { childList: true, subtree: true });
  });
  await page.getByTestId('import').getByRole('button', { name: 'Open position' }).click();
  await t.showsFen(page, board);
  const line = page.getByTestId('analyst').locator('.line').first();
  await until('mate in two by Qg6', async () => /#2.*Qg6/.test(await line.textContent()));
  await page.keyboard.press('l');
});

journey('editor: men are put, moved, removed; the server says what is wrong; play from it', async t => {
  const page = await t.open('#/editor/chess');
  const verdict = page.getByTestId('verdict');
  await verdict.filter({ hasText: 'can be played' }).waitFor();
  const cell = square => page.getByTestId('edit-board').locator(`[data-square="${square}"]`);
  await page.getByRole('button', { name: 'Empty board' }).click();
  await verdict.filter({ hasText: /Not playable/ }).waitFor();
  const put = async (man, square) => {
    await page.getByRole('button', { name: man, exact: true }).click();
    await cell(square).click();
  };
  await put('white king', 'e1');
  await verdict.filter({ hasText: /Not playable.*king/i }).waitFor();
  await put('black king', 'e8');
  await put('white queen', 'e7');
  await verdict.filter({ hasText: /Not playable/ }).waitFor();
  await page.getByRole('button', { name: 'Remove men' }).first().click();
  await cell('e7').click();
  await put('white pawn', 'a2');
  await verdict.filter({ hasText: 'can be played' }).waitFor();
  expect(await page.getByTestId('editor-fen').inputValue()).toMatch(/^4k3\/8\/8\/8\/8\/8\/P7\/4K3 w/);
  await page.getByRole('button', { name: 'Move men' }).first().click();
  const [a, b] = [await cell('a2').boundingBox(), await cell('h7').boundingBox()];
  await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2);
  await page.mouse.down();
  await page.mouse.move(b.x + 20, b.y + 20, { steps: 5 });
  await page.mouse.up();
  await until('the pawn is on h7', async () => /^4k3\/7P\//.test(await page.getByTestId('editor-fen').inputValue()));
  await t.screen(page, 'editor');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  const dialog = page.getByTestId('setup');
  await dialog.getByLabel('Who plays Black').selectOption('me');
  await dialog.getByTestId('start').click();
  await t.showsFen(page, '4k3/7P/8/8/8/8/8/4K3');
  // Any variant: Horde has one king only.
  await page.goto(t.server.url + '#/editor/horde32');
  await verdict.filter({ hasText: 'can be played' }).waitFor();
});

journey('library: a game that was left goes on tomorrow', async t => {
  const context = await t.profile();
  const page = await t.open('', { context });
  await t.ready(page);
  await t.newGame(page, { white: 'me', black: 'me' });
  await t.type(page, 'e4');
  await t.newGame(page, { white: 'me', black: 'me' });
  await t.showsFen(page, START);
  await page.getByRole('link', { name: 'Library' }).click();
  await page.getByTestId('recent').getByRole('button', { name: 'Go on' }).first().click();
  await t.showsFen(page, 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR');
});

/** Games that all differ: the start of each is one of many, and one in `every` has an illegal move. */
function manyGames(count, every) {
  const squares = [...'abcdefgh'].flatMap(file => [`${file}4`, file === 'a' ? 'h4' : `${file}3`]);
  const replies = [...'abcdefgh'].flatMap(file => [`${file}5`, file === 'h' ? 'a5' : `${file}6`]);
  return Array.from({ length: count }, (_, i) => {
    const moves = `1. ${squares[i % 16]} ${replies[(i >> 4) % 16]} 2. ${every && i % every === every - 1 ? 'Ke5' : 'Na3'} Nh6`;
    return `[Event "Many"]\n[White "Player ${i}"]\n[Black "Other"]\n[Round "${i + 1}"]\n[Result "1-0"]\n\n${moves} 1-0\n\n`;
  }).join('');
}

async function chooseFile(page, name, text) {
  const dialog = page.getByTestId('import');
  await dialog.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/x-chess-pgn', buffer: Buffer.from(text) });
  return dialog;
}

journey('library: a file of thousands of games comes in whole, and what is wrong is listed with game and move', { own: true }, async t => {
  const page = await t.open('#/library');
  await page.getByRole('button', { name: 'Import' }).click();
  const text = manyGames(3000, 1000).replace('Player 7"', 'Žižka 7"') + '[Variant "Horde"]\n\n1. e4 {[%eval 0.3] Good.} *\n';
  const dialog = await chooseFile(page, 'many.pgn', text.padEnd(1700000));
  await dialog.getByTestId('import-file').filter({ hasText: '1.7 MB' }).waitFor();
  await dialog.getByRole('button', { name: 'Save all' }).click();
  const state = dialog.getByTestId('import-state');
  await state.and(page.locator('[data-phase=done]')).waitFor();
  expect(await state.textContent()).toMatch(/read 3,001 · saved 3,000 · already there 0 · not saved 1/);
  const problems = dialog.getByTestId('import-problems').locator('li');
  expect(await problems.count()).toBe(4);
  expect(await problems.first().textContent()).toMatch(/^Game 1000, move 2\. \(line \d+\): .*Ke5/);
  expect(await problems.last().textContent()).toMatch(/^Game 3001 .*“Horde” is not known/);
  await t.screen(page, 'import');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await until('the library has them all', async () => /3,?000/.test(await page.locator('h2').first().textContent()));
  // Values of other programs are no comments.
  await page.getByRole('button', { name: 'Import' }).click();
  await page.getByTestId('import-text').fill('1. e4 {[%eval 0.31] Good.} {[%emt 0:01]} e5 *');
  await page.getByTestId('import').getByRole('button', { name: 'Open', exact: true }).click();
  await t.ready(page);
  await t.hasMoves(page, 2);
  expect((await page.getByTestId('moves').locator('.comment').allTextContents()).join('|')).toBe('Good.');
  await page.getByTestId('moves').locator('.mv').first().click();
  await until('its value beside the board', async () => /0\.31/.test(await page.locator('.evalbar').getAttribute('aria-label')));
});

journey('library: an import survives the loss of its server, and can be stopped', { own: true, level: 'long' }, async t => {
  const page = await t.open('#/library');
  await page.getByRole('button', { name: 'Import' }).click();
  const dialog = await chooseFile(page, 'many.pgn', manyGames(60000));
  await dialog.getByRole('button', { name: 'Save all' }).click();
  const state = dialog.getByTestId('import-state');
  const sum = async () => Number(/saved ([\d,]+)/.exec(await state.textContent())[1].replaceAll(',', ''));
  await until('some games', async () => (await sum()) > 2000);
  t.down = true;
  await t.server.kill();
  await dialog.getByRole('alert').filter({ hasText: 'goes on by itself' }).waitFor();
  await t.server.start();
  t.down = false;
  await state.and(page.locator('[data-phase=done]')).waitFor({ timeout: 300000 });
  const [, read, saved, same, failed] = /read ([\d,]+) · saved ([\d,]+) · already there ([\d,]+) · not saved ([\d,]+)/
    .exec(await state.textContent()).map(n => Number(n.replaceAll(',', '')));
  expect({ read, all: saved + same, failed }).toEqual({ read: 60000, all: 60000, failed: 0 });
  // Stopped at once, what was saved stays.
  const again = await chooseFile(page, 'more.pgn', manyGames(60000).replaceAll('Many', 'More'));
  await again.getByRole('button', { name: 'Save all' }).click();
  await until('some games', async () => (await sum()) > 500);
  await again.getByRole('button', { name: 'Stop', exact: true }).click();
  await again.getByText(/Stopped after game [\d,]+/).waitFor();
  await again.getByRole('button', { name: 'Close' }).click();
  await until('both are counted', async () => Number((await page.locator('h2').first().textContent()).replace(/\D/g, '')) > 60500);
});

/** A file of so many bytes: games that the program played, each again and again with other players. Returns how many. */
function writeGames(path, folder, bytes) {
  const played = join(folder, 'played.pgn');
  execFileSync(program, ['match', 'lovac', 'random', '--games', '40', '--nodes', '50', '--pgn', played], { stdio: 'ignore' });
  const games = readFileSync(played, 'utf8').split(/\n(?=\[Event )/).map(game => game.trim());
  const file = openSync(path, 'w');
  let count = 0;
  for (let size = 0; size < bytes; count += games.length) {
    const round = games.map((game, i) => game.replace(/\[White ".*"\]/, `[White "Player ${count + i}"]`)).join('\n\n') + '\n\n';
    size += writeSync(file, round);
  }
  closeSync(file);
  return count;
}

journey('library: 100 MB of games come in, and neither side needs much memory', { own: true, level: 'long' }, async t => {
  const path = join(t.server.data, 'large.pgn');
  const count = writeGames(path, t.server.data, 100e6);
  const memory = word => Number(new RegExp(`${word}:\\s+(\\d+)`).exec(readFileSync(`/proc/${t.server.process.pid}/status`, 'utf8'))[1]) / 1024;
  const page = await t.open('#/library');
  await page.getByRole('button', { name: 'Import' }).click();
  const dialog = page.getByTestId('import');
  await dialog.locator('input[type=file]').setInputFiles(path);
  const before = memory('VmHWM');
  const begin = Date.now();
  await dialog.getByRole('button', { name: 'Save all' }).click();
  const state = dialog.getByTestId('import-state');
  let heap = 0;
  let slow = 0;
  await until('the end', async () => {
    const asked = Date.now();
    heap = Math.max(heap, await page.evaluate(() => performance.memory.usedJSHeapSize / 1e6));
    slow = Math.max(slow, Date.now() - asked);
    return (await state.getAttribute('data-phase')) === 'done';
  }, 1200000, 500);
  const seconds = (Date.now() - begin) / 1000;
  const text = await state.textContent();
  console.log(`# ${text}; ${seconds.toFixed(0)} s; server ${before.toFixed(0)} MiB before, ${memory('VmHWM').toFixed(0)} MiB at most; page ${heap.toFixed(0)} MB at most, answers within ${slow} ms`);
  expect(text.replaceAll(',', '')).toContain(`read ${count} · saved ${count} · already there 0 · not saved 0`);
  expect(memory('VmHWM') - before, 'MiB that the server grew').toBeBelow(64);
  expect(heap, 'MB of the page').toBeBelow(150);
});
