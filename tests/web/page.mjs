// The page in words: what a person does (clicks, drags, types, chooses) and sees. Adds itself to every
// journey's `t`. Import it for its effect.
import { spawn } from 'node:child_process';
import { expect, helpers, until } from './lib.mjs';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './lib.mjs';

export const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';
export const VARIANTS = ['chess', 'chess960', 'doublechess960', 'horde32', 'legan', 'corner', 'fortress', 'massacre'];

Object.assign(helpers, {
  /** The men on the board: the first field of its FEN. */
  async fen(page) {
    const fen = await page.getByTestId('board').getAttribute('data-fen');
    return fen.split(' ')[0];
  },

  /** Waits for a game's board to be there. */
  async ready(page) {
    await page.getByTestId('board').locator('cg-board, canvas').first().waitFor();
    await page.locator('[data-testid=status]:not(:empty)').waitFor();
  },

  /** Where the middle of a square is on the screen (flat board). */
  async centre(page, square) {
    const box = await page.getByTestId('board').boundingBox();
    const first = await page.locator('[role=gridcell]').first().getAttribute('data-square');
    const white = first === 'a8';
    const [file, rank] = [square.charCodeAt(0) - 97, square.charCodeAt(1) - 49];
    const size = box.width / 8;
    return { x: box.x + ((white ? file : 7 - file) + 0.5) * size, y: box.y + ((white ? 7 - rank : rank) + 0.5) * size };
  },

  async click(page, square) {
    const { x, y } = await this.centre(page, square);
    await page.mouse.click(x, y);
  },

  async tap(page, square) {
    const { x, y } = await this.centre(page, square);
    await page.touchscreen.tap(x, y);
  },

  /** Two clicks. */
  async move(page, uci) {
    await this.click(page, uci.slice(0, 2));
    await this.click(page, uci.slice(2, 4));
  },

  async drag(page, from, to) {
    const [a, b] = [await this.centre(page, from), await this.centre(page, to)];
    await page.mouse.move(a.x, a.y);
    await page.mouse.down();
    await page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2, { steps: 3 });
    await page.mouse.move(b.x, b.y, { steps: 3 });
    await page.mouse.up();
  },

  async type(page, move) {
    const field = page.getByTestId('typed-move');
    await field.fill(move);
    await field.press('Enter');
    // With the last move of a game the field goes.
    await until(`the typed ${move} was taken`, async () => (await field.count()) === 0 || (await field.inputValue({ timeout: 1000 })) === '');
  },

  /** The moves of the list as written: ['e4', 'e5', …]. */
  async moves(page) {
    return (await page.getByTestId('moves').locator('.mv').allTextContents()).map(s => s.trim());
  },

  async hasMoves(page, count, ms) {
    return until(`${count} half-moves on the list`, async () => {
      const list = await this.moves(page);
      return list.length >= count && list;
    }, ms);
  },

  async showsFen(page, fen, ms) {
    await until(`the board shows ${fen}`, async () => (await this.fen(page)) === fen, ms);
  },

  /** How many squares of the flat board carry this mark (it keeps hidden ones for later use). */
  marked: (page, name) => page.locator(`cg-board square.${name}:visible`).count(),

  status: page => page.getByTestId('status').textContent(),

  /** Waits until the page has said so, or finds that it has; what it said before that does not count again. */
  async toast(page, pattern) {
    await until(`it says ${pattern}`, async () => {
      const said = await page.evaluate(() => window.said);
      const at = said.findIndex(text => pattern.test(text));
      if (at >= 0) await page.evaluate(n => window.said.splice(0, n), at + 1);
      return at >= 0;
    });
  },

  /** Waits until the page stands still: its letters are there and what was to be drawn is drawn. */
  async settled(page) {
    await page.locator('main h1, main h2').first().waitFor();
    await page.evaluate(async () => {
      await document.fonts.ready;
      const frame = () => new Promise(requestAnimationFrame);
      const moving = () => document.getAnimations().some(a => a.playState === 'running');
      for (let quiet = 0; quiet < 3; quiet = moving() ? 0 : quiet + 1) await frame();
    });
  },

  /** A button by its name; opens the tab it is on if the screen is narrow. */
  async press(page, name, tab = 'Game') {
    const button = page.getByRole('button', { name, exact: true }).first();
    if (!(await button.isVisible())) await page.getByRole('tab', { name: tab }).click();
    await button.click();
  },

  /** Sets a slider as a person would drag it. */
  async slide(locator, value) {
    await locator.evaluate((input, v) => {
      input.value = v;
      input.dispatchEvent(new Event('input', { bubbles: true }));
      input.dispatchEvent(new Event('change', { bubbles: true }));
    }, String(value));
  },

  async choose(scope, label) {
    await scope.locator('label.choice', { hasText: label }).first().click();
  },

  /**
   * Starts a game through the dialog. Options: variant (title), white and black ('me', 'friend', 'lovac'), whiteLevel,
   * blackLevel, clock ('Whole game' or 'Each move'), perMove (seconds), fen, games, speed (slider place, 0 the fastest).
   */
  async newGame(page, options = {}) {
    const dialog = page.getByTestId('setup');
    if (!(await dialog.isVisible())) await this.press(page, 'New game');
    await dialog.waitFor();
    await this.fillSetup(dialog, options);
    await dialog.getByTestId('start').click();
    await dialog.waitFor({ state: 'detached' });
    await this.ready(page);
  },

  async fillSetup(dialog, o) {
    if (o.variant) await dialog.getByRole('radio', { name: o.variant, exact: true }).check({ force: true });
    await dialog.getByLabel('Who plays White').selectOption(o.white ?? 'me');
    await dialog.getByLabel('Who plays Black').selectOption(o.black ?? 'lovac');
    if (o.whiteNodes) await dialog.getByTestId('setup-white-nodes').fill(String(o.whiteNodes));
    if (o.blackText) await dialog.getByTestId('setup-black-text').fill(o.blackText);
    if (o.whiteLevel) await this.slide(dialog.getByLabel("White's level"), o.whiteLevel);
    if (o.blackLevel) await this.slide(dialog.getByLabel("Black's level"), o.blackLevel);
    await dialog.getByRole('radio', { name: o.clock ?? 'None' }).check({ force: true });
    if (o.perMove) await this.slide(dialog.getByLabel(/Seconds for each move/), o.perMove);
    if (o.preset) await dialog.getByRole('button', { name: o.preset, exact: true }).click();
    if (o.games) await dialog.getByLabel('Games', { exact: true }).fill(String(o.games));
    if (o.speed !== undefined) await this.slide(dialog.getByLabel(/from move to move|As fast as/), o.speed);
    if (o.fen) {
      await dialog.getByRole('radio', { name: 'FEN', exact: true }).check({ force: true });
      await dialog.getByLabel('FEN', { exact: true }).last().fill(o.fen);
    }
  },

  /** Waits for the result: text of the card that tells it, which is then closed. */
  async result(page) {
    const card = page.getByTestId('result');
    await card.waitFor();
    const text = (await card.textContent()).replace(/\s+/g, ' ');
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    return text;
  },

  /** Faults of accessibility on the page, as lines; an empty list is what we want. */
  async axe(page) {
    if (!(await page.evaluate(() => 'axe' in window))) {
      const path = createRequire(join(root, 'web/package.json')).resolve('axe-core/axe.min.js');
      await page.evaluate(readFileSync(path, 'utf8'));
    }
    return page.evaluate(async () => {
      const { violations } = await window.axe.run(document, { resultTypes: ['violations'] });
      return violations
        .flatMap(v => v.nodes.slice(0, 3).map(n => `${v.id}: ${n.target.join(' ')} (${v.impact}: ${(n.any[0] ?? n.all[0] ?? n.none[0])?.message ?? v.help})`));
    });
  },

  async isAccessible(page, what) {
    expect(await this.axe(page), `faults of ${what}`).toEqual([]);
  },
});

/** A UCI engine in the background that names the best move: the test's own player. */
export class Oracle {
  constructor() {
    this.process = spawn(process.env.LOVAC ?? join(root, 'lovac'), [], { stdio: ['pipe', 'pipe', 'ignore'] });
    this.text = '';
    this.process.stdout.on('data', chunk => (this.text += chunk));
    this.process.stdin.write('uci\nsetoption name Hash value 8\nisready\n');
  }

  async best(fen, nodes = 20000) {
    this.text = '';
    this.process.stdin.write(`position fen ${fen}\ngo nodes ${nodes}\n`);
    return until('a best move', () => /bestmove (\S+)/.exec(this.text)?.[1]);
  }

  close() {
    this.process.stdin.end('quit\n');
  }
}

