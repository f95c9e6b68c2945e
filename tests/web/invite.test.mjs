// Inviting by link: what is said when nobody else can open it, and the link, address and QR code when somebody can.
import { expect, journey, until } from './lib.mjs';
import './page.mjs';

journey('network: a link that nobody else can open says so, with the way out', async t => {
  const page = await t.open('', { viewport: { width: 390, height: 844 } });
  await t.ready(page);
  await t.newGame(page, { black: 'friend' });
  const note = page.getByTestId('invite-alone');
  await note.waitFor();
  expect(await note.textContent()).toMatch(/this computer alone.*lovac serve --host 0\.0\.0\.0/);
  expect(await note.textContent(), 'the command').toContain(`--port ${t.server.port}`);
  expect(await page.getByTestId('qr').count(), 'QR codes of a useless link').toBe(0);
  await t.isAccessible(page, 'an invitation on a loopback address');
  await t.screen(page, 'invite-alone');
});

// The test's server listens to this machine alone; the page hears of another name for it, as it would of an address.
journey('network: where the server has an address in the network, the link has it, opens, and is a QR code too', { level: 'long' }, async t => {
  const context = await t.profile();
  await context.routeWebSocket(/./, socket => {
    const server = socket.connectToServer();
    server.onMessage(text => socket.send(text.replace('"addresses":[]', '"addresses":["localhost","10.1.2.3"]')));
  });
  const page = await t.open('', { context });
  await t.ready(page);
  await t.newGame(page, { black: 'friend' });
  const field = page.getByTestId('invite-link');
  const link = await field.inputValue();
  expect(link).toMatch(/^http:\/\/localhost:\d+\/#\/room\//);
  await page.getByTestId('qr').waitFor();
  expect(await page.getByTestId('invite-alone').count(), 'warnings').toBe(0);
  await t.isAccessible(page, 'an invitation');
  await t.screen(page, 'invite-network');
  await page.getByLabel('Address in the network').selectOption({ index: 1 });
  await until('the link has the other address', async () => (await field.inputValue()).startsWith('http://10.1.2.3:'));
  const friend = await t.open(link);
  await t.ready(friend);
  expect(await friend.locator('[role=gridcell]').first().getAttribute('data-square'), 'black at the bottom').toBe('h1');
});

journey('network: a server with a password asks for it, once, and a link opens the door too', { own: true, serve: ['--password', 'Evans'] }, async t => {
  const page = await t.open('', { viewport: { width: 390, height: 844 } });
  const field = page.getByLabel('Password');
  await field.waitFor();
  await t.isAccessible(page, 'the door');
  await t.screen(page, 'door');
  await field.fill('Evens');
  await page.getByRole('button', { name: 'Enter' }).click();
  await page.getByText('This is not the password').waitFor();
  await field.fill('Evans');
  await page.getByRole('button', { name: 'Enter' }).click();
  await t.ready(page);
  await page.reload();
  await t.ready(page);
  await t.newGame(page, { black: 'friend' });
  const key = await page.evaluate(() => Object.values(localStorage).join(' ').match(/"black":"([\w-]{22})"/)[1]);
  const friend = await t.open(`#/room/${key}`);
  await t.ready(friend);
});
