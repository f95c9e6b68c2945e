// What strangers may do on a server that faces the internet: whatever they ask of the engines, the disk and the connections,
// the others are served. Strangers come from addresses of their own (127.9.y.z), the victim from another.
import fs from 'node:fs';
import net from 'node:net';
import { Client, LEVEL, ok, patience, processorOf, run, sleep, startServer } from './client.mjs';

const STRONGEST = { kind: 'lovac', level: 12, move_ms: 60000 };
const LONG_GAME = Array.from({ length: 100 }, (_, i) => `${2 * i + 1}. Nf3 Nf6 ${2 * i + 2}. Ng1 Ng8`).join(' ');

// The worst for the engines: games at a minute a move, between engines too, analyses, reviews.
async function torment(server, from, kinds) {
  const c = await Client.open(server, { from });
  c.socket.on('error', () => {});
  for (const kind of kinds) {
    if (kind === 'play') await c.ask({ do: 'create', white: STRONGEST, black: { kind: 'human' } });
    if (kind === 'watch') await c.ask({ do: 'create', white: STRONGEST, black: STRONGEST, speed_ms: 0 });
    if (kind === 'agent') await c.ask({ do: 'create', white: { kind: 'engine', engine: 'Agent M' }, black: { kind: 'engine', engine: 'Agent M' }, speed_ms: 0 });
    if (kind === 'analyse') await c.ask({ do: 'analyse', variant: 'chess', fen: 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3', lines: 5 });
    if (kind === 'review') {
      const made = await c.ask({ do: 'create', mode: 'analysis', pgn: `${LONG_GAME} *` });
      await c.ask({ do: 'review', room: made.room, nodes: 2000000 });
    }
  }
  return c;
}

// Plays a few moves against level 3 and gives back the longest time that an answer took.
async function playVictim(server, from, moves) {
  const c = await Client.open(server, { from });
  // Strangers of the same house may have used up its new rooms for the moment: one does as the answer says, and waits a little.
  let made = await c.ask({ do: 'create', white: { kind: 'human' }, black: { kind: 'lovac', level: 3 } });
  for (let tries = 0; made.error?.problem === 'rooms-fast' && tries < 5; tries++) {
    await sleep(1000);
    made = await c.ask({ do: 'create', white: { kind: 'human' }, black: { kind: 'lovac', level: 3 } });
  }
  const { room } = made;
  let worst = 0;
  for (let ply = 0; ply < 2 * moves; ply += 2) {
    const r = await c.until(room, (now) => now.position.ply === ply || now.state === 'over', 90000);
    if (r.state === 'over') break;
    const [from0, to] = Object.entries(r.position.moves)[0];
    const begin = Date.now();
    await c.ask({ do: 'move', room, ply, uci: from0 + to[0].slice(0, 3) });
    await c.until(room, (now) => now.position.ply > ply + 1 || now.state === 'over', 90000);
    worst = Math.max(worst, Date.now() - begin);
  }
  await c.close();
  return worst;
}

// A machine that has nothing to spare says little about seconds; but nobody waits for a stranger's minute.
const limit = () => Math.min(patience(3000), 20000);
const MOVES = LEVEL === 'long' ? 10 : 1;
const EVERYTHING = ['play', 'watch', 'analyse', 'review', 'agent'];

await run({
  async parked() {
    if (LEVEL !== 'long') return; // it takes a while
    const server = await startServer();
    const stranger = await torment(server, '127.9.0.1', [...Array(8).fill('play'), 'analyse']);
    await sleep(2000);
    await stranger.close();
    await sleep(12000);
    const before = processorOf(server);
    await sleep(3000);
    const used = processorOf(server) - before;
    ok(used < 600, `engines do not think for those who left (${used} ms in three seconds)`);
    await server.kill('SIGTERM');
  },

  async oneStranger() {
    const server = await startServer({ args: ['--private'] });
    const stranger = await torment(server, '127.9.0.1', [...Array(8).fill('play'), ...EVERYTHING]);
    await sleep(500);
    const worst = await playVictim(server, '127.0.0.1', MOVES);
    ok(worst < limit(), `beside eight games at a minute a move level 3 answers within ${worst} ms`);
    await stranger.close();
    const after = await playVictim(server, '127.0.0.1', MOVES);
    ok(after < limit(), `and after the stranger left within ${after} ms`);
    await server.kill('SIGTERM');
  },

  async fortyStrangers() {
    for (const [name, address] of [['of one house', () => '127.0.0.1'], ['of forty', (i) => `127.9.1.${i + 1}`]]) {
      if (LEVEL !== 'long' && name === 'of forty') continue;
      const server = await startServer({ args: ['--private'] });
      const strangers = await Promise.all(Array.from({ length: 40 }, (_, i) => torment(server, address(i), LEVEL === 'long' ? EVERYTHING : ['play', 'analyse'])));
      await sleep(500);
      const worst = await playVictim(server, '127.0.0.1', MOVES);
      ok(worst < limit(), `beside forty connections ${name} level 3 answers within ${worst} ms`);
      await Promise.all(strangers.map((s) => s.close()));
      await server.kill('SIGTERM');
    }
  },

  // Comments as long as they may be, as many as are taken, by ever new browsers of ever new addresses.
  async disk() {
    const server = await startServer({ args: ['--private', '--disk', '8', '--quota', '2'] });
    const size = () => fs.readdirSync(server.data).reduce((sum, name) => sum + fs.statSync(`${server.data}/${name}`).size, 0);
    const victim = await Client.open(server, { from: '127.9.8.8' });
    const game = await victim.ask({ do: 'create' });
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, size())), 20);
    // Fills from one address until it is refused; gives back why, and how much was kept.
    const fill = async (from) => {
      let kept = 0;
      for (let browser = 0; browser < 100; browser++) {
        const c = await Client.open(server, { from });
        c.socket.on('error', () => {});
        const made = await c.ask({ do: 'create', mode: 'analysis', pgn: `${LONG_GAME} *` });
        const answers = made.ok ? await Promise.all(Array.from({ length: 100 }, (_, i) => c.ask({ do: 'annotate', room: made.room, node: i, comment: 'z'.repeat(1990) }))) : [made];
        kept += answers.filter((a) => a.ok).length * 1990;
        const refused = answers.find((a) => !a.ok);
        await c.close();
        if (refused) return { problem: refused.error.problem, kept };
      }
      return { problem: 'none', kept };
    };
    const first = await fill('127.9.2.1');
    ok(first.problem === 'quota' && first.kept > 1e6 && first.kept < 2.2e6, `an address keeps no more than its share of the disk (${first.kept} bytes of comments), however often it comes back`, first);
    const again = await fill('127.9.2.1');
    ok(again.problem === 'quota' && again.kept === 0, 'not even later', again);
    let last = first;
    for (let i = 2; i < 20 && last.problem === 'quota'; i++) last = await fill(`127.9.2.${i}`);
    ok(last.problem === 'disk-full', 'all together keep no more than the disk has for them', last);
    ok(/as large as it may become/.test(server.log), 'the log says so', server.log);
    const moved = await victim.ask({ do: 'move', room: game.room, ply: 0, uci: 'e2e4' });
    ok(moved.ok, 'a game that goes on is kept all the same', moved);
    await sleep(1500);
    clearInterval(watch);
    ok(most > 4e6 && most <= 8 << 20, `the folder never had more than ${most} of ${8 << 20} bytes`);
    await server.kill('SIGTERM');
    const scarce = await startServer({ data: server.data, args: ['--private', '--disk', '64', '--free', '1000000000'] });
    const late = await Client.open(scarce, { from: '127.9.3.1' });
    const refused = await late.ask({ do: 'create' });
    ok(refused.error?.problem === 'disk-full' && /nearly full: \d+ MB are left/.test(scarce.log), 'a disk without free space is noticed before it is full', scarce.log);
    await scarce.kill('SIGTERM');
  },

  // Behind a proxy the address that it tells counts; whoever else tells one is not believed.
  async proxy() {
    const server = await startServer({ args: ['--proxy', '127.0.0.1'] });
    const come = (from, told) => Client.open(server, { from, hello: false, headers: { 'X-Forwarded-For': told } });
    // How many of these connections stay: one too many is closed as soon as it is open.
    const staying = async (from, tell, count) => {
      const all = await Promise.all(Array.from({ length: count }, (_, i) => come(from, tell(i))));
      // Those that stay answer; those that do not are closed before.
      await Promise.all(all.map((c) => c.ask({ do: 'ping' }).catch(() => {})));
      return { all, open: all.filter((c) => !c.closed).length };
    };
    const one = await staying('127.0.0.1', (i) => `10.1.1.${i}, 198.51.100.7`, 120);
    ok(one.open === 100, `of one address that a proxy tells ${one.open} of 120 connections stay`);
    const others = await staying('127.0.0.1', (i) => `198.51.100.7, 198.51.101.${i}`, 120);
    ok(others.open === 120, `of many all ${others.open} do`);
    const liar = await staying('127.9.4.1', (i) => `198.51.102.${i}`, 120);
    ok(liar.open === 100, `who is no proxy is not believed: ${liar.open} of 120`);
    const welcome = await (await Client.open(server)).welcome;
    ok(welcome.library === 'private', 'behind a proxy libraries are private');
    [one, others, liar].forEach(({ all }) => all.forEach((c) => c.close()));
    await server.kill('SIGTERM');
  },

  async password() {
    // An address that no machine has: it is warned of, but nobody is served there.
    const fail = (...args) => startServer({ args: ['--host', '192.0.2.1', ...args] }).catch((e) => e.message);
    const known = await fail('--password', 'Ruy López'), unknown = await fail();
    ok(/Others can reach this board/.test(known) && /Nothing is encrypted, not even the password/.test(known), 'who opens the board to others is told so', known);
    ok(/Everybody is let in; --password/.test(unknown) && /reverse proxy/.test(unknown), 'and what to do about it', unknown);
    const server = await startServer({ args: ['--private', '--password', 'Ruy López'] });
    ok(!/Others can/.test(server.log), 'who does not is not', server.log);
    const hello = (c, fields) => c.ask({ do: 'hello', protocol: 1, ...fields });
    const stranger = await Client.open(server, { from: '127.9.5.1', hello: false });
    const problem = async (answer) => (await answer).error?.problem ?? 'none';
    ok((await problem(hello(stranger, {}))) === 'password-needed', 'without the password nobody is let in');
    for (const word of ['', 'ruy lópez', 'Ruy López ', 'Ruy L', 'x'.repeat(100000)]) ok((await problem(hello(stranger, { password: word }))) === 'password-wrong', `nor with '${word.slice(0, 12)}'`);
    for (const request of ['create', 'join', 'library', 'analyse', 'lab', 'import']) ok((await stranger.ask({ do: request, keys: [], pgn: '*' })).error.code === 'bad-request', `nothing is to be had before: ${request}`);
    const friend = await Client.open(server, { hello: false });
    ok((await hello(friend, { password: 'Ruy López' })).ok, 'with it one is');
    const { keys } = await friend.ask({ do: 'create', black: { kind: 'human', remote: true } });
    const guest = await Client.open(server, { from: '127.9.5.2', hello: false });
    ok((await problem(hello(guest, { invitation: keys.white.replace(/./g, 'A') }))) === 'password-needed', 'a made-up invitation does not help');
    ok((await hello(guest, { invitation: keys.black })).ok, 'the link of a room does');
    let guesses = 0;
    for (; guesses < 100; guesses++) if ((await problem(hello(stranger, { password: `${guesses}` }))) !== 'password-wrong') break;
    ok(guesses < 30, `after ${guesses} guesses there are no more for a while`);
    await server.kill('SIGTERM');
  },

  // Connections that never say all, as many as come: who says it is served.
  async halfOpen() {
    if (LEVEL !== 'long') return;
    const server = await startServer({ args: ['--private'] });
    const sockets = [];
    const knock = (i, from) => new Promise((done) => {
      const s = net.connect({ port: server.port, host: '127.0.0.1', localAddress: from }, () => { s.write('GET / HTTP/1.1\r\nHost: local'.slice(0, 5 + (i % 20))); done(); });
      s.on('error', done);
      s.on('close', () => (s.gone = true));
      sockets.push(s);
    });
    for (let i = 0; i < 5000; i += 100) await Promise.all(Array.from({ length: 100 }, (_, k) => knock(i + k, '127.0.0.1')));
    const open = sockets.filter((s) => !s.gone).length;
    let worst = 0;
    for (let i = 0; i < 5; i++) {
      const begin = Date.now();
      const page = await fetch(`http://127.0.0.1:${server.port}/`);
      await page.text();
      const c = await Client.open(server);
      await c.ask({ do: 'create' });
      worst = Math.max(worst, Date.now() - begin);
      await c.close();
    }
    ok(open === 5000 && worst < patience(2000), `beside ${open} half-open connections a newcomer has page, socket and room within ${worst} ms`);
    sockets.splice(0).forEach((s) => s.destroy());
    for (let i = 0; i < 600; i += 100) await Promise.all(Array.from({ length: 100 }, (_, k) => knock(i + k, '127.9.6.1')));
    for (let i = 0; i < 80 && sockets.filter((s) => s.gone).length < 200; i++) await sleep(100);
    const kept = sockets.filter((s) => !s.gone).length;
    ok(kept === 400, `of one stranger no more than ${kept} are held`);
    sockets.forEach((s) => s.destroy());
    await server.kill('SIGTERM');
  },
});
