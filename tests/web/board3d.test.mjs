// The 3D view by itself: picking, dragging, refusing, premoves, arrows, the camera, quality, and that it draws
// only when something changes.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, journey, root, sleep, until, webModule } from './lib.mjs';

let built = null;
/** The stand as a folder with a page, built once. */
function buildStand() {
  return (built ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lovac-3d-'));
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    const { build } = await webModule('esbuild');
    await build({
      entryPoints: [join(root, 'tests/web/stand3d.ts')], bundle: true, outfile: join(folder, 'stand.js'),
      nodePaths: [join(root, 'web/node_modules')], logLevel: 'silent',
    });
    writeFileSync(join(folder, 'index.html'), '<!doctype html><body><script src="stand.js"></script>');
    return folder;
  })());
}

const SIZE = 360; // small: every point of it is drawn by the processor

/** Opens the stand; `set` changes the state, `at` gives a point to press, `log` what was told. */
async function stand(t, query = '', viewport = { width: SIZE, height: SIZE }, options = {}) {
  const page = await t.open(`file://${await buildStand()}/index.html${query}`, { viewport, ...options });
  const frames = () => page.evaluate(() => Number(document.querySelector('canvas')?.dataset.frames ?? 0));
  await until('the first frame', async () => (await frames()) > 0, 180000);
  return {
    page,
    frames,
    set: change => page.evaluate(c => {
      if (c.dests) c.dests = new Map(c.dests);
      Object.assign(window.state, c);
      window.view.setState({ ...window.state });
    }, change),
    at: square => page.evaluate(s => window.view.grip(s), square),
    log: () => page.evaluate(() => window.log.splice(0)),
    stands: (square) => page.evaluate(s => {
      const man = window.view.crowd.get(s);
      return man ? `${man.color} ${man.role}` : null;
    }, square),
    /** Waits until nothing moves and no frame is due. */
    still: () => until('the picture is still', () => page.evaluate(() => !window.view.request && !window.view.motion.tweens.length)),
  };
}

const told = (log, kind) => log.filter(entry => entry[0] === kind);

journey('3D: click and click moves, an illegal click is refused', { server: false }, async t => {
  const s = await stand(t);
  for (const square of ['e2', 'e4']) {
    const { x, y } = await s.at(square);
    await s.page.mouse.click(x, y);
  }
  expect(told(await s.log(), 'move')).toEqual([['move', 'e2', 'e4']]);
  expect(await s.stands('e4')).toBe('white pawn');
  expect(await s.stands('e2')).toBe(null);
  // The page does not accept it: the man goes back.
  await s.set({});
  expect(await s.stands('e2')).toBe('white pawn');
  for (const square of ['g1', 'g4']) {
    const { x, y } = await s.at(square);
    await s.page.mouse.click(x, y);
  }
  const log = await s.log();
  expect(told(log, 'illegal')).toEqual([['illegal', 'g1', 'g4']]);
  expect(told(log, 'move')).toEqual([]);
  // The other side's men cannot be picked up.
  const { x, y } = await s.at('e7');
  await s.page.mouse.click(x, y);
  expect(told(await s.log(), 'select').filter(e => e[1])).toEqual([]);
});

journey('3D: a man is dragged; dropped wrongly he goes back', { server: false }, async t => {
  const s = await stand(t);
  const drag = async (from, to) => {
    // The hand keeps the height at which it took hold, so the goal is aimed at that height too.
    const a = await s.at(from);
    const b = await s.page.evaluate(([f, g]) => {
      const [p, q, r] = [window.view.grip(f), window.view.place(f), window.view.place(g)];
      return { x: r.x + r.size / 2 + p.x - q.x - q.size / 2, y: r.y + r.size / 2 + p.y - q.y - q.size / 2 };
    }, [from, to]);
    await s.page.mouse.move(a.x, a.y);
    await s.page.mouse.down();
    await s.page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2);
    await s.page.mouse.move(b.x, b.y);
    await s.page.mouse.up();
  };
  await drag('e2', 'e4');
  expect(told(await s.log(), 'move')).toEqual([['move', 'e2', 'e4']]);
  await s.set({ fen: 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR', dests: [['g1', ['f3', 'h3']]] });
  await drag('g1', 'e5');
  const log = await s.log();
  expect(told(log, 'illegal').length).toBe(1);
  expect(told(log, 'move')).toEqual([]);
  const foot = await s.page.evaluate(() => window.view.crowd.get('g1').body.position.toArray());
  expect(foot).toEqual([2.5, 0, 3.5]);
});

journey('3D: nothing is drawn while nothing changes; a move is', { server: false }, async t => {
  const s = await stand(t);
  await s.still();
  const before = await s.frames();
  await sleep(1000);
  expect(await s.frames(), 'frames in an idle second').toBe(before);
  // An animated move is drawn on its way, if the machine has the time: a slow one gets more.
  let drawn = 0;
  for (let ms = 300; drawn < 2 && ms < 20000; ms *= 4) {
    await s.set({ fen: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR', lastMove: null, animationMs: 0, turn: 'white' });
    await s.still();
    const start = await s.frames();
    await s.set({ fen: 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR', lastMove: ['e2', 'e4'], animationMs: ms, turn: 'black' });
    await s.still();
    drawn = (await s.frames()) - start;
  }
  expect(drawn, 'frames of an animated move').toBeAbove(1);
  expect(await s.stands('e4')).toBe('white pawn');
});

journey('3D: captures, castling, promotion and jumps end with the right men', { server: false }, async t => {
  const s = await stand(t);
  const men = () => s.page.evaluate(() => [...window.view.crowd.men].map(([q, m]) => q + (m.color === 'white' ? m.role[0].toUpperCase() : m.role[0])).sort().join(' '));
  const bodies = () => s.page.evaluate(() => window.view.crowd.group.children.filter(c => c.castShadow).length);
  const steps = [
    ['r3k2r/P7/8/3p4/4P3/8/8/R3K2R', null],
    ['r3k2r/P7/8/3P4/8/8/8/R3K2R', ['e4', 'd5']],
    ['r4rk1/P7/8/3P4/8/8/8/R3K2R', ['e8', 'g8']],
    ['r4rk1/P7/8/3P4/8/8/8/2KR3R', ['e1', 'c1']],
    ['Q4rk1/8/8/3P4/8/8/8/2KR3R', ['a7', 'a8']],
    ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR', null],
    ['8/8/8/8/8/8/8/8', null],
  ];
  for (const ms of [0, 120]) {
    for (const [fen, lastMove] of steps) {
      await s.set({ fen, lastMove, animationMs: ms, dests: [] });
      await s.still();
      const wanted = await s.page.evaluate(f => {
        const out = [];
        f.split('/').forEach((row, i) => {
          let file = 0;
          for (const c of row) {
            if (/\d/.test(c)) file += Number(c);
            else out.push('abcdefgh'[file++] + (8 - i) + (c === 'N' ? 'K' : c === 'n' ? 'k' : c));
          }
        });
        return out.sort().join(' ');
      }, fen);
      expect(await men(), `men of ${fen}`).toBe(wanted);
      expect(await bodies(), `bodies of ${fen}`).toBe(wanted ? wanted.split(' ').length : 0);
    }
  }
});

journey('3D: premoves, arrows, circles, hover', { server: false }, async t => {
  const s = await stand(t);
  await s.set({ turn: 'black', movable: null, premovable: 'white', dests: [] });
  for (const square of ['d2', 'd4']) {
    const { x, y } = await s.at(square);
    await s.page.mouse.click(x, y);
  }
  let log = await s.log();
  expect(told(log, 'premove')).toEqual([['premove', ['d2', 'd4']]]);
  expect(told(log, 'hover').some(e => e[1] === 'd4'), 'hover over d4').toBeTrue();
  expect(await s.stands('d2')).toBe('white pawn');
  await s.set({ premove: ['d2', 'd4'] });
  // A click on an empty square takes the premove away.
  const empty = await s.at('a5');
  await s.page.mouse.click(empty.x, empty.y);
  expect(told(await s.log(), 'premove')).toEqual([['premove', null]]);
  await s.set({ premove: null });

  const [a, b] = [await s.at('c4'), await s.at('f5')];
  await s.page.mouse.move(a.x, a.y);
  await s.page.mouse.down({ button: 'right' });
  await s.page.mouse.move(b.x, b.y);
  await s.page.mouse.up({ button: 'right' });
  await s.page.keyboard.down('Shift');
  await s.page.mouse.click(a.x, a.y, { button: 'right' });
  await s.page.keyboard.up('Shift');
  log = told(await s.log(), 'shapes');
  expect(log[0][1]).toEqual([{ from: 'c4', to: 'f5', brush: 'green' }]);
  expect(log[1][1]).toEqual([{ from: 'c4', brush: 'red' }]);
  // The same arrow again removes it.
  await s.set({ shapes: [{ from: 'c4', to: 'f5', brush: 'green' }, { from: 'a1', to: 'a8', brush: 'best' }] });
  await s.page.mouse.move(a.x, a.y);
  await s.page.mouse.down({ button: 'right' });
  await s.page.mouse.move(b.x, b.y);
  await s.page.mouse.up({ button: 'right' });
  expect(told(await s.log(), 'shapes')[0][1]).toEqual([]);
});

journey('3D: orbit and zoom have limits; turn and reset come back', { server: false }, async t => {
  const s = await stand(t);
  const eye = () => s.page.evaluate(() => ({ azimuth: window.view.eye.azimuth, polar: window.view.eye.polar, zoom: window.view.eye.zoom }));
  const home = await eye();
  const size = () => s.page.evaluate(() => window.view.place('e4').size);
  const before = await size();
  // Every corner of the board is in the picture.
  for (const square of ['a1', 'h1', 'a8', 'h8']) {
    const { x, y } = await s.at(square);
    expect(x > 0 && x < SIZE && y > 0 && y < SIZE, `${square} is in view`).toBeTrue();
  }
  // Also while it is turned, seen from low and from above.
  for (const [azimuth, polar] of [[0.8, home.polar], [2.1, 1.3], [0.4, 0.1], [-0.9, 0.9]]) {
    const out = await s.page.evaluate(([a, p]) => {
      const { eye } = window.view;
      [eye.azimuth, eye.polar] = [a, p];
      eye.update();
      return ['a1', 'h1', 'a8', 'h8'].map(q => window.view.place(q)).filter(p => p.x < 0 || p.y < 0 || p.x + p.size > innerWidth + 1 || p.y + p.size > innerHeight + 1);
    }, [azimuth, polar]);
    expect(out, `corners outside the picture at ${azimuth}, ${polar}`).toEqual([]);
  }
  await s.page.evaluate(() => window.view.resetCamera());
  await s.page.mouse.move(SIZE / 2, SIZE / 2);
  for (let i = 0; i < 6; i++) await s.page.mouse.wheel(0, -200);
  await until('nearer', async () => (await size()) > before * 1.5);
  expect((await eye()).zoom).toBeAbove(0.4);
  for (let i = 0; i < 10; i++) await s.page.mouse.wheel(0, 200);
  await until('further', async () => (await size()) < before);
  expect((await eye()).zoom).toBeBelow(1.51);
  // Dragging the empty board turns it, never below the table or over the top.
  for (const dy of [500, -500]) {
    const { x, y } = await s.at('d5');
    await s.page.mouse.move(x, y);
    await s.page.mouse.down();
    await s.page.mouse.move(x + 40, y + dy / 2, { steps: 4 });
    await s.page.mouse.move(x + 80, y + dy, { steps: 4 });
    await s.page.mouse.up();
    const { polar } = await eye();
    expect(polar).toBeAbove(0.03);
    expect(polar).toBeBelow(1.33);
  }
  expect(told(await s.log(), 'move')).toEqual([]);
  await s.page.evaluate(() => window.view.resetCamera());
  expect(await eye()).toEqual(home);
  await s.page.evaluate(() => window.view.turn());
  expect((await eye()).azimuth - home.azimuth).toBe(Math.PI / 2);
  await s.page.evaluate(() => window.view.resetCamera());
  await s.set({ orientation: 'black' });
  expect(Math.abs((await eye()).azimuth - home.azimuth)).toBe(Math.PI);
  const [h1, a8] = [await s.at('h1'), await s.at('a8')];
  expect(h1.x < a8.x && h1.y < a8.y, 'Black sits at the bottom').toBeTrue();
});

journey('3D: fingers move a man and pinch', { server: false }, async t => {
  const s = await stand(t, '', { width: 320, height: 320 }, { hasTouch: true, isMobile: true });
  for (const square of ['e2', 'e4']) {
    const { x, y } = await s.at(square);
    await s.page.touchscreen.tap(x, y);
  }
  const log = await s.log();
  expect(told(log, 'move')).toEqual([['move', 'e2', 'e4']]);
  expect(told(log, 'hover'), 'no hover by touch').toEqual([]);
  const before = await s.page.evaluate(() => window.view.eye.zoom);
  const finger = (type, id, x, y) => s.page.evaluate(([k, i, cx, cy]) => {
    const canvas = document.querySelector('canvas');
    canvas.setPointerCapture = () => undefined;
    canvas.dispatchEvent(new PointerEvent(k, { pointerId: i, pointerType: 'touch', clientX: cx, clientY: cy, bubbles: true, button: 0 }));
  }, [type, id, x, y]);
  await finger('pointerdown', 11, 120, 160);
  await finger('pointerdown', 12, 200, 160);
  await finger('pointermove', 12, 280, 160);
  await finger('pointerup', 12, 280, 160);
  await finger('pointerup', 11, 120, 160);
  expect(await s.page.evaluate(() => window.view.eye.zoom), 'zoom after a pinch').toBeBelow(before);
});

journey('3D: a machine whose speed is not known gets a simple picture first, and a slow one keeps it', { server: false, level: 'long' }, async t => {
  const context = await t.profile({ viewport: { width: SIZE, height: SIZE } });
  // The processor that draws here passes for a graphics card.
  await context.addInitScript(() => {
    const ask = WebGL2RenderingContext.prototype.getParameter;
    WebGL2RenderingContext.prototype.getParameter = function (name) {
      const value = ask.call(this, name);
      return typeof value === 'string' ? value.replace(/swiftshader/gi, 'Card') : value;
    };
  });
  const s = await stand(t, '?quality=auto', undefined, { context });
  expect(await s.page.evaluate(() => window.view.quality)).toBe('low');
  // However quick this machine is, full quality has been tried or left alone in the end.
  await until('the decision', () => s.page.evaluate(() => window.view.measured > 0), 120000);
  await s.still();
  expect(await s.page.evaluate(() => !!window.view.renderer.shadowMap.enabled === (window.view.quality === 'high'))).toBeTrue();
});

journey('3D: quality, theme, size and the end of it', { server: false, level: 'long' }, async t => {
  const s = await stand(t, '?quality=high', { width: 480, height: 400 });
  await t.screen(s.page, '3d-high');
  await s.page.evaluate(() => window.view.setQuality('low'));
  await s.still();
  await t.screen(s.page, '3d-low');
  expect(await s.page.evaluate(() => window.view.renderer.shadowMap.enabled)).toBe(false);
  expect(await s.stands('e1')).toBe('white king');
  await s.page.setViewportSize({ width: 300, height: 600 });
  await s.still();
  for (const square of ['a1', 'h1', 'a8', 'h8']) {
    const { x, y } = await s.at(square);
    expect(x > 0 && x < 300 && y > 0 && y < 600, `${square} is in view`).toBeTrue();
  }
  const left = await s.page.evaluate(() => {
    window.view.destroy();
    return window.element.childElementCount;
  });
  expect(left, 'elements left behind').toBe(0);
});
