// How it looks and reads: settings that stay, languages, themes, piece sets, small and large screens, accessibility
// of every page and state, the weight of the first load, and 3D as a view of the same game.
import { expect, journey, until } from './lib.mjs';
import { START } from './page.mjs';

const PAGES = ['', '#/analyse', '#/watch', '#/library', '#/lab', '#/settings', '#/editor/chess'];

journey('settings: every choice is kept after a reload, and can be taken back', async t => {
  const page = await t.open('#/settings');
  await t.settled(page);
  await t.choose(page, 'Slate');
  await t.choose(page, 'Dark');
  const pieces = page.getByRole('group', { name: 'Pieces' });
  const other = pieces.getByRole('radio', { checked: false }).first();
  const chosen = await other.getAttribute('value');
  await other.check({ force: true });
  await page.getByRole('switch', { name: 'Coordinates' }).click();
  await t.slide(page.getByLabel('Volume'), 0.25);
  await page.getByLabel('Your name').fill('Žofie');
  await page.reload();
  await t.settled(page);
  const root = page.locator('html');
  expect(await root.getAttribute('data-theme')).toBe('dark');
  expect(await root.getAttribute('data-board')).toBe('slate');
  expect(await root.getAttribute('data-pieces')).toBe(chosen);
  expect(await page.getByLabel('Your name').inputValue()).toBe('Žofie');
  await page.goto(t.server.url + '#/');
  await t.ready(page);
  expect(await page.locator('cg-board ~ coords, .cg-wrap coords').count(), 'coordinates').toBe(0);
  expect(await page.getByTestId('player-white').textContent()).toContain('Žofie');
  await page.goto(t.server.url + '#/settings');
  await page.getByRole('button', { name: /Everything as at first/ }).click();
  await until('the board is oak again', async () => (await root.getAttribute('data-board')) === 'oak');
});

journey('looks: all piece sets show twelve different men', async t => {
  const page = await t.open('#/settings');
  await t.settled(page);
  const seen = new Set();
  for (const set of ['cburnett', 'print', 'token', 'lovac']) {
    await page.locator(`input[type=radio][value="${set}"]`).check({ force: true });
    const pictures = await until(`the pictures of ${set}`, () => page.evaluate(seen => {
      const urls = ['k', 'q', 'r', 'b', 'n', 'p'].flatMap(r => ['w', 'b'].map(c => getComputedStyle(document.documentElement).getPropertyValue(`--piece-${c}${r}`).trim()));
      return urls.every(u => u.startsWith('url(')) && !seen.includes(urls[0]) ? urls : null;
    }, [...seen]));
    expect(new Set(pictures).size, `different pictures of ${set}`).toBe(12);
    seen.add(pictures[0]);
    // They are real pictures: each can be decoded.
    const bad = await page.evaluate(urls => Promise.all(urls.map(u => new Promise(done => {
      const image = new Image();
      image.onload = () => done(image.width > 0 ? '' : 'empty');
      image.onerror = () => done(u.slice(0, 60));
      image.src = /^url\(["']?(.*?)["']?\)$/s.exec(u)[1].replace(/\\(.)/g, '$1');
    }))).then(list => list.filter(Boolean)), pictures);
    expect(bad, `broken pictures of ${set}`).toEqual([]);
  }
  expect(seen.size).toBe(4);
});

// What the server says, in each language: a king that is missing, a move that leads nowhere.
const SAID = {
  en: [/White has no king/, /Ke4 is not possible: no such piece/],
  hr: [/Bijeli nema kralja/, /Ke4 nije moguć: nijedna takva figura/],
  sr: [/Бели нема краља/, /Ke4 није могућ: ниједна таква фигура/],
  cs: [/Bílý nemá krále/, /Ke4 není možné: žádná taková figura/],
};
const WORDS = { en: 'Play', hr: /Igra/i, sr: /Игра/i, cs: /Hra/i };
journey('languages: English, Croatian, Serbian, Czech on every page, nothing left untranslated', async t => {
  for (const [language, word] of Object.entries(WORDS)) {
    const page = await t.open('', { settings: { language } });
    await t.ready(page);
    expect(await page.locator('html').getAttribute('lang')).toBe(language);
    expect(await page.locator('nav').first().textContent()).toMatch(word instanceof RegExp ? word : new RegExp(word));
    for (const path of PAGES) {
      await page.goto(t.server.url + path);
      await t.settled(page);
      // A key that has no message would show as itself.
      expect(await page.locator('body').innerText(), `text of ${language} ${path}`).notToContain('undefined');
      const keys = (await page.locator('body').innerText()).match(/\b(nav|tab|setup|action|settings|editor|library|lab|watch|engine)\.[a-z]\w+/g);
      expect(keys, `message keys shown in ${language} ${path}`).toBe(null);
    }
    await t.screen(page, `language-${language}`);
    await page.goto(t.server.url + '#/editor/chess/' + encodeURIComponent('4k3/8/8/8/8/8/8/8 w - - 0 1'));
    await page.getByTestId('verdict').filter({ hasText: SAID[language][0] }).waitFor();
    await page.goto(t.server.url + '#/analyse');
    await t.ready(page);
    await page.getByTestId('typed-move').fill('Ke4');
    await page.getByTestId('typed-move').press('Enter');
    await page.getByRole('alert').filter({ hasText: SAID[language][1] }).waitFor();
    await page.context().close();
  }
});

for (const theme of ['light', 'dark']) {
  journey(`accessibility: no serious fault on any page, ${theme}`, { quick: theme === 'dark' }, async t => {
    const page = await t.open('', { settings: { theme } });
    for (const path of PAGES) {
      await page.goto(t.server.url + path);
      await t.settled(page);
      if (path === '') await t.ready(page);
      await t.isAccessible(page, path || 'play');
      await t.screen(page, `${(path || 'play').replace(/\W+/g, '-').replace(/^-/, '')}-${theme}`);
    }
  });

  journey(`accessibility: no serious fault in dialogs and states, ${theme}`, async t => {
    const page = await t.open('', { settings: { theme } });
    await t.ready(page);
    const dialogs = { 'New game': 'setup', Save: 'save', Share: 'share', Help: 'help' };
    for (const [button, id] of Object.entries(dialogs)) {
      await t.press(page, button);
      await page.locator(`dialog[open][data-testid=${id}]`).waitFor();
      await t.settled(page);
      await t.isAccessible(page, `${id} dialog`);
      await t.screen(page, `dialog-${id}-${theme}`);
      await page.keyboard.press('Escape');
      await page.getByTestId(id).waitFor({ state: 'detached' });
    }
    await t.newGame(page, { white: 'me', black: 'me', clock: 'Whole game', preset: '3+2', fen: '7k/P7/8/8/8/8/8/K7 w - - 0 1' });
    await t.move(page, 'a7a8');
    await page.getByRole('dialog', { name: /pawn become/i }).waitFor();
    await t.isAccessible(page, 'promotion');
    await page.getByRole('dialog', { name: /pawn become/i }).getByRole('button', { name: /queen/i }).click();
    await t.hasMoves(page, 1);
    await t.isAccessible(page, 'check');
    await page.getByRole('button', { name: 'Back one move' }).click();
    await page.getByRole('group', { name: /earlier move/ }).waitFor();
    await t.isAccessible(page, 'an earlier move');
    await page.getByRole('button', { name: 'Back to the game' }).click();
    await t.press(page, 'Resign');
    await page.getByTestId('resign-yes').click();
    await page.getByTestId('result').waitFor();
    await t.settled(page);
    await t.isAccessible(page, 'the result');
    await t.screen(page, `dialog-result-${theme}`);
  });
}

journey('narrow: at 320 pixels nothing sticks out, and a game is played by touch', { quick: true }, async t => {
  const page = await t.open('', { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });
  await t.ready(page);
  await t.tap(page, 'e2');
  await t.tap(page, 'e4');
  await t.hasMoves(page, 2);
  await t.screen(page, 'narrow-play');
  for (const path of PAGES) {
    await page.goto(t.server.url + path);
    await t.settled(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide, `width of ${path || 'play'} at 320 pixels`).toBeBelow(321);
    await t.isAccessible(page, `${path || 'play'} at 320 pixels`);
    await t.screen(page, `narrow-${(path || 'play').replace(/\W+/g, '-').replace(/^-/, '')}`);
  }
  // The other panels are tabs.
  await page.goto(t.server.url + '#/');
  await t.ready(page);
  await page.getByRole('tab', { name: 'Game' }).tap();
  await page.getByRole('button', { name: 'Resign' }).waitFor();
});

journey('wide: no page sticks out at any width, and on a 4K screen pages use it', { level: 'long' }, async t => {
  for (const [width, height] of [[320, 568], [390, 844], [768, 1024], [1024, 768], [1440, 900], [3840, 2160]]) {
    for (const path of PAGES) {
      const page = await t.open(path, { viewport: { width, height } });
      await page.locator('h1, h2').first().waitFor();
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(over, `pixels that ${path || 'play'} sticks out at ${width}`).toBeBelow(1);
      if (path === '#/library' && width === 3840) {
        const { width: used } = await page.locator('.page').boundingBox();
        expect(used, 'width of the library on a 4K screen').toBeAbove(1900);
      }
      await page.context().close();
    }
  }
});

journey('wide: on a 4K screen the board is large and all is in view', async t => {
  const page = await t.open('', { viewport: { width: 3840, height: 2160 } });
  await t.ready(page);
  const box = await page.getByTestId('board').boundingBox();
  expect(box.height, 'height of the board').toBeAbove(1500);
  expect(box.y + box.height, 'lower edge').toBeBelow(2161);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeBelow(2161);
  await t.screen(page, 'wide-4k');
});

journey('looks: full screen and back', async t => {
  const page = await t.open();
  await t.ready(page);
  const full = () => page.evaluate(() => document.fullscreenElement !== null);
  await page.getByRole('button', { name: 'Full screen' }).click();
  await until('the page fills the screen', full);
  await page.getByRole('button', { name: 'Full screen' }).click();
  await until('it is a window again', async () => !(await full()));
});

journey('weight: the first load is at most 150 kB, and 3D and charts come later', { gl: true }, async t => {
  const page = await t.open('about:blank');
  const loaded = [];
  page.on('requestfinished', async request => {
    if (!['script', 'stylesheet'].includes(request.resourceType())) return;
    const { responseBodySize } = await request.sizes();
    loaded.push([request.url(), responseBodySize]);
  });
  await page.goto(t.server.url);
  await t.ready(page);
  await page.waitForLoadState('networkidle');
  const all = () => page.evaluate(() => performance.getEntriesByType('resource').filter(e => /\.(js|css)$/.test(e.name)).length);
  await until('the weight of every file', async () => loaded.length === (await all()));
  const total = loaded.reduce((sum, [, size]) => sum + size, 0);
  expect(total, `bytes of script and style (${loaded.length} files)`).toBeBelow(150 * 1024);
  expect(total).toBeAbove(20 * 1024);
  const before = loaded.length;
  await page.getByRole('button', { name: '3D board' }).click();
  await page.locator('canvas.board3d').waitFor();
  await until('more files after 3D was opened', () => loaded.length > before);
});

journey('3D on the page: the same game, the same input, switched at any time', { quick: true }, async t => {
  const page = await t.open('', { settings: { quality: 'low' }, viewport: { width: 900, height: 620 } });
  await t.ready(page);
  await t.newGame(page, { white: 'me', black: 'me' });
  await t.type(page, 'd4');
  await page.getByRole('button', { name: '3D board' }).click();
  const canvas = page.locator('canvas.board3d');
  await canvas.waitFor();
  await until('it is drawn', async () => Number(await canvas.getAttribute('data-frames')) > 0);
  const press = async square => {
    const box = await canvas.boundingBox();
    const { x, y } = await canvas.evaluate((c, s) => c.view.grip(s), square);
    await page.mouse.click(box.x + x, box.y + y);
  };
  await press('d7');
  await press('d5');
  await t.hasMoves(page, 2);
  // What is picked up as soon as the move is shown stays picked up, however slowly the page draws.
  await page.evaluate(() => {
    const board = document.querySelector('[data-testid=board]');
    new MutationObserver((_, observer) => {
      observer.disconnect();
      document.querySelector('canvas.board3d').view.select('d5');
    }).observe(board, { attributeFilter: ['data-fen'] });
  });
  await t.type(page, 'c4');
  await t.showsFen(page, 'rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR');
  await t.settled(page);
  expect(await canvas.evaluate(c => [c.view.crowd.get('c4')?.role, c.view.selected()])).toEqual(['pawn', 'd5']);
  await press('d4');
  await t.toast(page, /Not legal/);
  await page.getByRole('button', { name: 'Turn the camera' }).click();
  await until('turned', () => canvas.evaluate(c => Math.abs(c.view.eye.azimuth - Math.PI / 2) < 1e-6));
  await t.isAccessible(page, 'the 3D board');
  await t.screen(page, '3d-page-low');
  await page.getByRole('button', { name: 'Flat board' }).click();
  await page.locator('cg-board').waitFor();
  await t.move(page, 'd5c4');
  await t.hasMoves(page, 4);
});

journey('3D on the page: full quality, promotion, a jump to the start', { level: 'long' }, async t => {
  const page = await t.open('', { settings: { quality: 'high', view: '3d', theme: 'dark' }, viewport: { width: 760, height: 480 } });
  // Full quality drawn by the processor is slow.
  page.setDefaultTimeout(180000);
  await page.locator('canvas.board3d').waitFor();
  await t.newGame(page, { white: 'me', black: 'me', fen: '7k/P7/8/8/8/8/8/K7 w - - 0 1' });
  const canvas = page.locator('canvas.board3d');
  await until('it is drawn', async () => Number(await canvas.getAttribute('data-frames')) > 0, 180000);
  for (const square of ['a7', 'a8']) {
    const box = await canvas.boundingBox();
    const { x, y } = await canvas.evaluate((c, s) => c.view.grip(s), square);
    await page.mouse.click(box.x + x, box.y + y);
  }
  const dialog = page.getByRole('dialog', { name: /pawn become/i });
  await dialog.waitFor();
  await dialog.getByRole('button', { name: /queen/i }).click();
  await t.hasMoves(page, 1);
  expect(await canvas.evaluate(c => c.view.crowd.get('a8')?.role)).toBe('queen');
  await t.newGame(page, { white: 'me', black: 'me' });
  await t.showsFen(page, START);
  await until('the picture is still', () => canvas.evaluate(c => !c.view.request && !c.view.motion.tweens.length), 180000);
  await t.screen(page, '3d-page-high-dark');
});
