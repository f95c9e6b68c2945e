// Play over a network: two browsers by link, spectators, offers between people, premoves, and a server that dies
// and comes back.
import { expect, journey, until } from './lib.mjs';
import { START } from './page.mjs';

/** Ana opens a game and Boris comes by her link: two profiles that share nothing. */
async function pair(t, options = {}) {
  const ana = await t.open('', { settings: { name: 'Ana' } });
  await t.ready(ana);
  await t.newGame(ana, { white: 'me', black: 'friend', ...options });
  const link = await ana.getByTestId('invite-link').inputValue();
  expect(link).toMatch(/#\/room\/[\w-]{11,}$/);
  expect(await t.status(ana)).toMatch(/Waiting for the other player/);
  const boris = await t.open(link, { settings: { name: 'Boris' } });
  await t.ready(boris);
  await until('Black sits at the bottom for Boris', async () => (await boris.locator('[role=gridcell]').first().getAttribute('data-square')) === 'h1');
  await until('Ana sees that he is here', async () => /Boris/.test(await ana.getByTestId('player-black').textContent()));
  return { ana, boris, link };
}

journey('network: two browsers by link play; takeback, draw and rematch are asked for and answered', { quick: true }, async t => {
  const { ana, boris } = await pair(t);
  await t.move(ana, 'e2e4');
  await t.hasMoves(boris, 1);
  await t.move(boris, 'e7e5');
  await t.hasMoves(ana, 2);
  // Not his turn: his men stay where they are.
  const before = await t.fen(boris);
  await t.press(boris, 'Take back');
  await ana.getByRole('group', { name: /Boris would like to take back/ }).getByRole('button', { name: 'Accept' }).click();
  await until('his move is gone', async () => (await t.moves(boris)).length === 1);
  await t.move(boris, 'c7c5');
  await t.hasMoves(ana, 2);
  expect((await t.fen(boris)) !== before, 'another position than before').toBeTrue();
  await t.press(ana, 'Offer draw');
  const offer = boris.getByRole('group', { name: /Ana offers a draw/ });
  await offer.getByRole('button', { name: 'Decline' }).click();
  await offer.waitFor({ state: 'detached' });
  await t.move(ana, 'g1f3');
  await t.hasMoves(boris, 3);
  await t.press(boris, 'Offer draw');
  await ana.getByRole('group', { name: /Boris offers a draw/ }).getByRole('button', { name: 'Accept' }).click();
  for (const page of [ana, boris]) expect(await t.result(page)).toMatch(/Draw.*by agreement/);
  await t.press(ana, 'Rematch');
  await boris.getByRole('group', { name: /Ana would like a rematch/ }).getByRole('button', { name: 'Accept' }).click();
  for (const page of [ana, boris]) await t.showsFen(page, START);
  await until('colours have changed', async () => (await ana.locator('[role=gridcell]').first().getAttribute('data-square')) === 'h1');
});

journey('network: a premove is kept and played when its turn has come', async t => {
  const { ana, boris } = await pair(t);
  await t.move(boris, 'g8f6');
  await until('the premove is shown', async () => (await t.marked(boris, 'current-premove')) === 2);
  expect((await t.moves(boris)).length).toBe(0);
  await t.move(ana, 'd2d4');
  await t.hasMoves(ana, 2);
  expect(await t.moves(ana)).toEqual(['d4', 'Nf6']);
  // An illegal premove is forgotten: it is gone when the next one is not played in its place.
  await t.move(boris, 'f6f5');
  await until('the premove is shown', async () => (await t.marked(boris, 'current-premove')) === 2);
  await t.move(ana, 'c2c4');
  await t.hasMoves(boris, 3);
  await until('the plan is given up', async () => (await t.marked(boris, 'current-premove')) === 0);
  expect((await t.moves(boris)).length).toBe(3);
});

journey('network: several moves are planned ahead, shown as made, and played one after the other', async t => {
  const { ana, boris } = await pair(t);
  const plans = { g8f6: 'rnbqkb1r/pppppppp/5n2/8/8/8/PPPPPPPP/RNBQKBNR', f6e4: 'rnbqkb1r/pppppppp/8/8/4n3/8/PPPPPPPP/RNBQKBNR', e4f2: 'rnbqkb1r/pppppppp/8/8/8/8/PPPPPnPP/RNBQKBNR' };
  for (const [plan, fen] of Object.entries(plans)) {
    await t.move(boris, plan);
    await t.showsFen(boris, fen);
  }
  await until('three plans on four squares', async () => (await t.marked(boris, 'current-premove')) === 4);
  for (const [i, move] of ['d2d3', 'a2a3'].entries()) {
    await t.move(ana, move);
    await t.hasMoves(ana, 2 * i + 2);
  }
  expect(await t.moves(ana)).toEqual(['d3', 'Nf6', 'a3', 'Ne4']);
  // A click beside the own men gives up what is left.
  await t.click(boris, 'e5');
  await until('nothing is planned', async () => (await t.marked(boris, 'current-premove')) === 0);
  await t.move(ana, 'd3e4');
  await t.hasMoves(boris, 5);
  await t.move(boris, 'b8c6');
  await t.hasMoves(boris, 6);
  await t.move(boris, 'c6d4');
  await t.showsFen(boris, 'r1bqkb1r/pppppppp/8/8/3nP3/P7/1PP1PPPP/RNBQKBNR');
  await t.move(boris, 'd4e2');
  await t.showsFen(boris, 'r1bqkb1r/pppppppp/8/8/4P3/P7/1PP1nPPP/RNBQKBNR');
  // What has become impossible falls, and all behind it.
  await t.move(ana, 'c2c3');
  await t.hasMoves(ana, 8);
  await t.move(ana, 'c3d4');
  await t.hasMoves(boris, 9);
  await until('the plan is given up', async () => (await t.marked(boris, 'current-premove')) === 0);
  expect((await t.moves(boris)).at(-1)).toBe('cxd4');
});

journey('network: plans made by quick clicks on a page that is busy are all kept', async t => {
  const { boris } = await pair(t);
  const plans = { g8f6: '5n2/8/8/8/PPPPPPPP', f6e4: '8/8/4n3/8/PPPPPPPP', e4f2: '8/8/8/8/PPPPPnPP' };
  const hand = await boris.context().newCDPSession(boris);
  const mouse = (type, place) => hand.send('Input.dispatchMouseEvent', { type, ...place, button: 'left', clickCount: 1 });
  for (const [plan, middle] of Object.entries(plans)) {
    const places = [await t.centre(boris, plan.slice(0, 2)), await t.centre(boris, plan.slice(2))];
    // Both clicks come while the page cannot answer, so it hears of them at once.
    const busy = boris.evaluate(() => {
      for (const end = performance.now() + 400; performance.now() < end; );
    });
    await Promise.all([busy, ...places.flatMap(place => ['mouseMoved', 'mousePressed', 'mouseReleased'].map(type => mouse(type, place)))]);
    await t.showsFen(boris, `rnbqkb1r/pppppppp/${middle}/RNBQKBNR`);
  }
  expect(await t.marked(boris, 'current-premove'), 'squares of plans').toBe(4);
});

journey('network: spectators see every move and can do nothing', async t => {
  const { ana, boris } = await pair(t);
  await t.press(ana, 'Share');
  const link = await ana.getByTestId('link-watch').inputValue();
  await ana.locator('[data-testid="share"][open]').waitFor(); // before that nothing hears Escape
  await ana.keyboard.press('Escape');
  await ana.getByTestId('share').waitFor({ state: 'detached' });
  const watcher = await t.open(link);
  await t.ready(watcher);
  await until('Ana knows', async () => /1 watching/.test(await ana.locator('.panel-head').textContent()));
  await t.move(ana, 'e2e4');
  await t.hasMoves(watcher, 1);
  // What he tries comes before Boris's move, and is nowhere.
  await t.move(watcher, 'c7c5');
  expect(await watcher.getByRole('button', { name: 'Resign' }).count(), 'buttons to resign').toBe(0);
  await t.move(boris, 'e7e5');
  for (const page of [watcher, boris]) expect(await t.hasMoves(page, 2), 'moves after the spectator tried').toEqual(['e4', 'e5']);
});

journey('network: kill −9 of the server between moves; both browsers go on, nothing is lost', { own: true, quick: true }, async t => {
  const { ana, boris } = await pair(t, { clock: 'Whole game', preset: '10+5' });
  await t.move(ana, 'e2e4');
  await t.hasMoves(boris, 1);
  await t.move(boris, 'e7e5');
  await t.hasMoves(ana, 2);
  for (const [i, [page, other, move]] of [[ana, boris, 'g1f3'], [boris, ana, 'b8c6'], [ana, boris, 'f1b5']].entries()) {
    t.down = true;
    await t.server.kill();
    await ana.getByRole('alert').filter({ hasText: /connection is lost/i }).waitFor();
    await t.server.start();
    for (const p of [ana, boris]) await p.getByRole('alert').filter({ hasText: /connection is lost/i }).waitFor({ state: 'detached' });
    t.down = false;
    expect((await t.moves(ana)).length, 'half-moves after the restart').toBe(2 + i);
    await t.move(page, move);
    await t.hasMoves(other, 3 + i);
  }
  expect(await t.moves(boris)).toEqual(['e4', 'e5', 'Nf3', 'Nc6', 'Bb5']);
  const [minutes] = (await ana.getByRole('timer', { name: "White's clock" }).textContent()).split(':').map(Number);
  expect(minutes, "White's minutes").toBeAbove(7);
});

/**
 * Puts every message between page and server into the test's hands: between wire.hold() and wire.release() they are under
 * way, `wire.dead` loses them all silently.
 */
async function wired(t, settings) {
  const context = await t.profile({ settings });
  const wire = {
    dead: false, sockets: 0, underWay: null,
    hold: () => (wire.underWay = []),
    release: () => wire.underWay.splice(0).forEach(arrive => arrive()),
  };
  await context.routeWebSocket(/\/ws$/, ws => {
    wire.sockets++;
    const server = ws.connectToServer();
    let dead = false;
    const pass = to => message => {
      dead ||= wire.dead;
      if (!dead && wire.underWay) wire.underWay.push(() => to.send(message));
      else if (!dead) to.send(message);
    };
    ws.onMessage(pass(server));
    server.onMessage(pass(ws));
  });
  return { context, wire };
}

journey('network: on a slow line moves are shown at once, are not doubled, and the game goes on', async t => {
  const { context, wire } = await wired(t, {});
  const page = await t.open('', { context });
  await t.ready(page);
  await t.newGame(page, { white: 'me', black: 'me' });
  wire.hold();
  await t.move(page, 'e2e4');
  await t.showsFen(page, 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR');
  expect((await t.moves(page)).length, 'half-moves before the server has answered').toBe(0);
  // Impatience: the same and other moves while the answer is under way.
  await t.move(page, 'e2e4');
  await t.move(page, 'd2d4');
  const arrives = count => until(`${count} half-moves when the messages have come`, async () => {
    wire.release();
    return (await t.moves(page)).length >= count;
  });
  await arrives(1);
  await t.move(page, 'e7e5');
  await arrives(2);
  expect(await t.moves(page)).toEqual(['e4', 'e5']);
});

journey('network: after a sleep in which the line died the game is there again, without a reload', async t => {
  const { context, wire } = await wired(t, { name: 'Ana' });
  const page = await t.open('', { context });
  await t.ready(page);
  await t.newGame(page, { white: 'me', black: 'friend' });
  const link = await page.getByTestId('invite-link').inputValue();
  const boris = await t.open(link, { settings: { name: 'Boris' } });
  await t.ready(boris);
  await t.move(page, 'e2e4');
  await t.hasMoves(boris, 1);
  // The lid is closed: nothing comes through any more, and nobody has hung up.
  wire.dead = true;
  const before = wire.sockets;
  await t.move(boris, 'c7c5');
  await t.hasMoves(boris, 2);
  expect((await t.moves(page)).length, 'half-moves while asleep').toBe(1);
  wire.dead = false;
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await t.hasMoves(page, 2);
  expect(wire.sockets, 'connections').toBeAbove(before);
  await t.move(page, 'g1f3');
  await t.hasMoves(boris, 3);
});

journey('network: a link that opens nothing says so', async t => {
  const page = await t.open('#/room/AAAAAAAAAAAAAAAAAAAAAA');
  await page.getByRole('heading', { name: 'This link opens nothing' }).waitFor();
});
