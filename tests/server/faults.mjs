// What bad clients do: each must get an answer or be thrown out, and nobody else may notice.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import tls from 'node:tls';
import zlib from 'node:zlib';
import { Client, LEVEL, frame, is, memoryOf, ok, run, scratch, skip, sleep, startServer } from './client.mjs';

let server = await startServer();
const code = (answer) => answer.error?.code ?? 'none';

// Sends bytes over a fresh connection and gives back all that comes until the other side closes or nothing more comes; the first
// word may take its time.
function raw(bytes, { first = 8000, wait = 1500, chunks = null } = {}) {
  return new Promise((done) => {
    const socket = net.connect(server.port, '127.0.0.1');
    let said = '', timer;
    const end = (closed) => { clearTimeout(timer); socket.destroy(); done({ text: said, closed }); };
    const again = () => { clearTimeout(timer); timer = setTimeout(() => end(false), said ? wait : first); };
    socket.on('data', (d) => { said += d.toString('latin1'); again(); });
    socket.on('close', () => end(true));
    socket.on('error', () => {});
    socket.on('connect', async () => {
      again();
      if (!chunks) return socket.write(bytes);
      for (const part of chunks) {
        if (socket.destroyed) return;
        if (!socket.write(part)) await new Promise((go) => { socket.once('drain', go); socket.once('close', go); });
        again();
      }
    });
  });
}
const get = (path, headers = {}) => raw(`GET ${path} HTTP/1.1\r\n${Object.entries({ Host: `127.0.0.1:${server.port}`, Connection: 'close', ...headers }).map(([k, v]) => `${k}: ${v}\r\n`).join('')}\r\n`);
const status = (answer) => Number((answer.text.match(/^HTTP\/1\.[01] (\d+)/) || [])[1] || 0);

// Is the server still what it was?
async function alive(name) {
  const c = await Client.open(server);
  const made = await c.ask({ do: 'create' });
  const moved = await c.ask({ do: 'move', room: made.room, ply: 0, uci: 'e2e4' });
  ok(moved.ok && server.child.exitCode === null && server.child.signalCode === null, `${name}: others play on`);
  c.close();
}
// Opens a socket that has upgraded, sends these bytes, and waits for it to be closed.
async function misbehave(bytes, wait = 20000) {
  const c = await Client.open(server);
  c.socket.on('error', () => {});
  for (const part of Array.isArray(bytes) ? bytes : [bytes]) if (!c.closed) c.socket.write(part);
  await Promise.race([c.gone, sleep(wait)]);
  const result = { closed: c.closed, code: c.closeCode };
  c.close();
  return result;
}

// Clients that never finish their request: there from the beginning, so that all else happens beside them.
const slowOnes = Array.from({ length: 300 }, () => net.connect(server.port, '127.0.0.1'));
slowOnes.forEach((s) => { s.on('error', () => {}); s.on('close', () => (s.gone = true)); s.write('GET / HTTP/1.1\r\nHost: local'); });

await run({
  async slowBegin() {
    await alive('300 slow clients');
  },

  async addresses() {
    const listening = fs.readFileSync(`/proc/${server.child.pid}/net/tcp`, 'utf8').split('\n').map((l) => l.trim().split(/\s+/)).filter((f) => f[3] === '0A' && parseInt(f[1]?.split(':')[1], 16) === server.port);
    is(listening.map((f) => f[1].split(':')[0]), ['0100007F'], 'it listens on 127.0.0.1 alone');
    for (const host of ['evil.example', 'evil.example:80', '127.0.0.1.evil.example', 'localhost.evil.example', '8.8.8.8', '', 'a'.repeat(300)])
      is(status(await get('/', { Host: host })), 403, `Host '${host.slice(0, 24)}' is refused`);
    for (const host of ['localhost', `localhost:${server.port}`, `127.0.0.1:${server.port}`, `[::1]:${server.port}`])
      is(status(await get('/', { Host: host })), 200, `Host '${host.replace(/\d{4,}/, 'PORT')}' is served`);
    for (const origin of ['http://evil.example', 'null', 'http://127.0.0.1', `http://127.0.0.1:${server.port}.evil.example`, 'x']) {
      const refused = await Client.open(server, { headers: { Origin: origin } }).catch((e) => e.message);
      is(refused, 'status 403', `Origin '${origin.replace(/\d{4,}/, 'PORT')}' is refused`);
    }
    const without = await Client.open(server, { headers: { Origin: null } });
    ok(without.welcome.ok, 'programs without an origin may connect');
    is(status(await raw(`GET /other HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`)), 404, 'there is no WebSocket but at /ws');
    const foreign = await Client.open(server, { headers: { Host: 'evil.example', Origin: 'http://evil.example' } }).catch((e) => e.message);
    is(foreign, 'status 403', 'a foreign host with its own origin is refused (DNS rebinding)');
  },

  async headers() {
    const answer = (await get('/')).text;
    for (const line of [/content-security-policy: default-src 'none';.*frame-ancestors 'none'/i, /x-content-type-options: nosniff/i, /x-frame-options: DENY/i, /etag: "/i])
      ok(line.test(answer), `the page comes with ${line.source.slice(0, 30)}`);
    ok(!/access-control-allow-origin/i.test(answer), 'and without access for other origins');
    ok(!/unsafe-inline|unsafe-eval/.test(answer), 'and without unsafe scripts');
    const tag = answer.match(/etag: (".*?")/i)[1];
    is(status(await get('/', { 'If-None-Match': tag })), 304, 'a known page is not sent again');
    const body = (a) => Buffer.from(a.text.slice(a.text.indexOf('\r\n\r\n') + 4), 'latin1');
    const plain = body(await get('/')).toString();
    for (const [encoding, open] of [['gzip', zlib.gunzipSync], ['br', zlib.brotliDecompressSync]]) {
      const small = await get('/', { 'Accept-Encoding': encoding });
      if (!/content-encoding/i.test(small.text)) skip(`the page as ${encoding}`, 'this build has none');
      else is(open(body(small)).toString(), plain, `the page comes as ${encoding} too`);
    }
    is(status(await raw(`HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)), 200, 'HEAD');
    is(status(await raw(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)), 405, 'POST is not allowed');
    ok([405, 403, 404, 0].includes(status(await raw(`DELETE /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`))), 'nor is DELETE');
  },

  async paths() {
    const spellings = ['/../etc/passwd', '/..%2f..%2fetc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/....//etc/passwd', '/..\\..\\etc\\passwd', '//etc/passwd', '/%c0%ae%c0%ae/etc/passwd', '/./././etc/passwd', '/index.html%00.txt', '/%', '/%zz', '/?../../etc/passwd', '/..;/etc/passwd', '/src/server/web.c', '/lovac.db'];
    for (const path of spellings) {
      const answer = await get(path);
      ok(!/root:x:0/.test(answer.text) && [400, 403, 404, 200, 0].includes(status(answer)) && (status(answer) !== 200 || /<!doctype html>/i.test(answer.text)), `${path} leads nowhere`, answer.text.slice(0, 200));
    }
    await alive('paths');
  },

  async badHttp() {
    const junk = Buffer.alloc(1 << 20, 0xa5);
    const cases = {
      'no line end': raw('GET / HTTP/1.1', { first: 300 }),
      'ten megabytes of junk': raw(null, { chunks: Array(10).fill(junk) }),
      'a URI of 64 KiB': get('/' + 'a'.repeat(65536)),
      'ten thousand headers': raw('GET / HTTP/1.1\r\n' + Array.from({ length: 10000 }, (_, i) => `X-${i}: y\r\n`).join('') + '\r\n'),
      'a header of a megabyte': raw('GET / HTTP/1.1\r\nHost: localhost\r\nX: ' + 'y'.repeat(1 << 20) + '\r\n\r\n'),
      'a bad length': raw('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\nhello'),
      'a huge length': raw('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\nhello'),
      'NUL bytes': raw( // the library ends the path there: this is the page
        'GET /\0 HTTP/1.1\r\nHost: localhost\0\r\n\r\n'),
      'two hosts': raw('GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n'),
      'HTTP/9.9': raw('GET / HTTP/9.9\r\nHost: localhost\r\n\r\n'),
      'TLS to a plain port': raw(Buffer.from('16030100c8010000c40303', 'hex')),
      'header splitting': get('/%0d%0aSet-Cookie:x=1'),
      'a body': get('/', { 'Content-Length': 5 }).then(() => raw('GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello')),
      'a body in chunks': raw('GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
      'a request inside a body': raw('GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 38\r\n\r\nGET /health HTTP/1.1\r\nHost: localhost\r\n\r\n'),
      'no host': raw('GET / HTTP/1.1\r\n\r\n'),
    };
    for (const [name, answer] of Object.entries(cases)) {
      const a = await answer;
      ok(!/^HTTP\/1\.1 200/.test(a.text) || ['two hosts', 'HTTP/9.9', 'NUL bytes'].includes(name), `${name} is not served (${a.text.slice(0, 20).replace(/[^ -~]/g, '.') || 'closed'})`);
      if (/body/.test(name)) ok(/^HTTP\/1\.1 400/.test(a.text) && (a.text.match(/HTTP\/1/g) ?? []).length === 1 && a.closed, `${name} is refused, and the connection closed`, a);
      ok(!/set-cookie/i.test(a.text.split('\r\n\r\n')[0]), `${name} makes no header`);
    }
    await alive('bad HTTP');
  },

  async badFrames() {
    const closes = {
      'reserved bits': frame('{"do":"ping"}', { reserved: 5 }),
      'an unknown opcode': frame('x', { opcode: 11 }),
      'bad UTF-8': frame(Buffer.from([0x22, 0xff, 0xfe, 0x22])),
      'a binary frame': frame('{"do":"ping"}', { opcode: 2 }),
      'a continuation without beginning': frame('x', { opcode: 0 }),
      'a fragmented ping': frame('x', { opcode: 9, fin: false }),
      'a ping of 200 bytes': frame('x'.repeat(200), { opcode: 9 }),
      'a message of 2 MB': frame('"' + 'a'.repeat(2 << 20) + '"'),
      'a length with the top bit set': Buffer.from([0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4]),
      'endless fragments': [frame('"', { fin: false }), ...Array.from({ length: 6000 }, () => frame('a', { opcode: 0, fin: false }))],
      'a gigabyte in fragments': [frame('"', { fin: false }), ...Array.from({ length: 40 }, () => frame(Buffer.alloc(65536, 97), { opcode: 0, fin: false }))],
    };
    for (const [name, bytes] of Object.entries(closes)) {
      const result = await misbehave(bytes);
      ok(result.closed, `${name} closes the connection${result.code ? ` (${result.code})` : ''}`);
    }
    // Also in between, behind others, and in parts.
    const good = frame('{"do":"ping"}'), bare = frame('{"id":77,"do":"ping"}', { masked: false });
    for (const [name, bytes] of Object.entries({ 'an unmasked frame': bare, 'one behind a masked one': [good, bare], 'one of two parts': [frame('{"do":', { fin: false }), frame('"ping"}', { opcode: 0, masked: false })] })) {
      const result = await misbehave(bytes);
      ok(result.closed && result.code === 1002, `${name} closes the connection (${result.code})`, result);
    }
    for (const size of [0, 125, 126, 4096, 65535, 65536, 200000]) {
      const c = await Client.open(server);
      const answer = await c.ask({ do: 'check', fen: 'x'.repeat(size) });
      ok(answer.legal === false && !c.closed, `masked frames of about ${size} bytes are taken`, answer);
      c.close();
    }
    const big = await misbehave([frame('x', { length: 2 ** 30 }).subarray(0, 14)], 500);
    ok(memoryOf(server) < 600000, 'a gigabyte announced reserves nothing', memoryOf(server));
    await alive('bad frames');
  },

  async badJson() {
    const c = await Client.open(server);
    const say = async (text) => {
      c.strays = [];
      c.socket.write(frame(text));
      for (let i = 0; i < 4000 && !c.strays.length && !c.closed; i++) await sleep(5);
      return code(c.strays[0] ?? {});
    };
    for (const [name, text, wanted] of [
      ['nothing', '', 'bad-json'], ['no JSON', 'hello', 'bad-json'], ['a list', '[]', 'bad-json'], ['a number', '7', 'bad-json'], ['cut JSON', '{"do":', 'bad-json'],
      ['100 000 deep', '['.repeat(100000), 'bad-json'], ['100 000 objects deep', '{"a":'.repeat(100000), 'bad-json'], ['deep and closed', '{"do":' + '['.repeat(100000) + ']'.repeat(100000) + '}', 'bad-json'],
      ['no request', '{}', 'bad-request'], ['an unknown request', '{"do":"rm -rf"}', 'unknown-request'], ['a request that is a number', '{"do":5}', 'bad-request'], ['a NUL in a text', '{"do":"ping\\u0000"}', 'bad-json'],
      ['the same field twice', '{"do":"ping","do":"hello"}', 'bad-json'], ['a huge number', '{"do":"move","room":1e400}', 'bad-json'], ['an id that is a text', '{"id":"x","do":"nothing"}', 'unknown-request'],
    ]) is(await say(text), wanted, `${name}: ${wanted}`);
    const made = await c.ask({ do: 'create' });
    const wrong = [null, true, 5, -1, 1.5, '', 'x', [], {}, 2 ** 53, 'e2e4'.repeat(10000)];
    const fields = { create: ['variant', 'fen', 'start', 'white', 'black', 'clock', 'series', 'from', 'pgn', 'saved', 'mode', 'speed_ms', 'game'], join: ['keys', 'name'], rooms: ['keys'], move: ['room', 'ply', 'uci', 'san', 'node'], annotate: ['node', 'comment', 'nags', 'shapes'], analyse: ['room', 'node', 'fen', 'variant', 'lines', 'threat', 'stop'], review: ['nodes', 'stop'], check: ['fen', 'variant'], library: ['from', 'count', 'variant', 'find'], import: ['pgn', 'save'], export: ['saved', 'room', 'game'], draw: ['action'], takeback: ['action'], resign: ['color'], rematch: ['swap'], seats: ['white', 'black'], goto: ['node'], promote: ['node', 'main'], cut: ['node'], line: ['node', 'uci'], save: ['name'], unsave: ['saved'], start: ['start', 'variant'], hello: ['owner', 'protocol'] };
    let asked = 0, answered = 0;
    for (const [name, list] of Object.entries(fields)) {
      const d = await Client.open(server);
      await d.ask({ do: 'join', keys: [made.keys.white, made.keys.black] });
      for (const field of list)
        for (const value of wrong) {
          asked++;
          if (asked % 40 === 0) await sleep(20);
          const base = { do: name, room: made.room, node: 0, ply: 0, uci: 'a2a3' };
          const answer = await d.ask({ ...base, [field]: value }).catch(() => null);
          if (answer && (answer.ok === true || /^[a-z-]+$/.test(code(answer)))) answered++;
          if (d.closed) break;
        }
      d.close();
    }
    ok(answered >= asked * 0.6 && server.child.exitCode === null, `${answered} of ${asked} requests with wrong values answered, the rest thrown out as a flood`);
    await alive('bad JSON');
  },

  async cheats() {
    const a = await Client.open(server), b = await Client.open(server), w = await Client.open(server), stranger = await Client.open(server);
    const seats = (name) => ({ do: 'create', white: { kind: 'human', name }, black: { kind: 'human', remote: true } });
    a.send({ id: 4711, ...seats('a\u0000b') }); // no JSON for the server, so the answer has no id
    for (let i = 0; i < 4000 && !a.strays && !a.closed; i++) await sleep(5);
    is(code(a.strays?.[0] ?? {}), 'bad-json', 'no NUL in a name');
    const { room, keys } = await a.ask(seats('<script>alert(1)</script>\u202e' + 'x'.repeat(500)));
    is([...a.rooms.get(room).white.name].length <= 60 && !/[\u202e\u0000]/.test(a.rooms.get(room).white.name), true, 'names are cut and cleaned');
    await b.ask({ do: 'join', keys: [keys.black] });
    await w.ask({ do: 'join', keys: [keys.watch] });
    is(code(await stranger.ask({ do: 'move', room, ply: 0, uci: 'e2e4' })), 'unknown-room', 'a stranger who knows the id cannot move');
    is(code(await stranger.ask({ do: 'join', keys: [room] })), 'unknown-room', 'nor enter with it');
    for (const key of ['', 'x', "' OR 1=1 --", '../../etc', 'A'.repeat(22), 'A'.repeat(100000)]) is(code(await stranger.ask({ do: 'join', keys: [key] })), 'unknown-room', `no room has the key '${key.slice(0, 14)}'`);
    for (const request of ['move', 'resign', 'draw', 'takeback', 'abort', 'cut', 'annotate', 'rematch', 'goto', 'seats', 'forget', 'pause']) is(code(await w.ask({ do: request, room, ply: 0, uci: 'e2e4', node: 0 })), 'no-right', `who watches cannot ${request}`);
    for (const claim of ['flag', 'claim-time', 'win']) is(code(await b.ask({ do: claim, room })), 'unknown-request', `nobody can claim '${claim}': the server's clock says when time is up`);
    is(code(await b.ask({ do: 'move', room, ply: 0, uci: 'e2e4' })), 'not-your-turn', 'Black cannot move for White');
    is(code(await b.ask({ do: 'resign', room, color: 'white' })), 'no-right', 'nor resign for White');
    is(code(await a.ask({ do: 'move', room, ply: 5, uci: 'e2e4' })), 'stale', 'no move in advance');
    ok((await a.ask({ do: 'move', room, ply: 0, uci: 'e2e4' })).ok, 'the right move at the right time');
    is(code(await a.ask({ do: 'move', room, ply: 0, uci: 'd2d4' })), 'stale', 'no second thoughts');
    is(code(await a.ask({ do: 'takeback', room, action: 'accept' })), 'not-allowed', 'nobody accepts his own request');
    await a.ask({ do: 'takeback', room, action: 'ask' });
    is(code(await a.ask({ do: 'takeback', room, action: 'accept' })), 'not-allowed', 'not even when it stands');
    is(code(await a.ask({ do: 'cut', room, node: 1 })), 'not-allowed', 'moves of a running game stay');
    is(code(await a.ask({ do: 'create', white: { kind: 'engine', engine: '/bin/sh' } })), 'bad-request', 'engines cannot be named by path');
    is(code(await a.ask({ do: 'create', white: { kind: 'engine', engine: 'Random mover', command: '/bin/sh' } })) , 'none', 'nor given a command');
    const tab = await Client.open(server);
    await tab.ask({ do: 'join', keys: [keys.white] });
    const [x, y] = await Promise.all([b.ask({ do: 'move', room, ply: 1, uci: 'e7e5' }), b.ask({ do: 'move', room, ply: 1, uci: 'e7e5' })]);
    ok(x.ok && y.ok && x.node === y.node, 'a double click makes one move');
    const [p, q] = await Promise.all([a.ask({ do: 'move', room, ply: 2, uci: 'd2d4' }), tab.ask({ do: 'move', room, ply: 2, uci: 'c2c4' })]);
    is([p.ok, q.ok].filter(Boolean).length, 1, 'of two tabs one moves');
    is([...a.rooms.get(room).nodes.values()].length, 4, 'and the game has one move more');
  },

  // Who plays a person gets no help in that game, by whatever way the position is told.
  async help() {
    const a = await Client.open(server), b = await Client.open(server), other = await Client.open(server);
    const { room, keys } = await a.ask({ do: 'create', white: { kind: 'human' }, black: { kind: 'human', remote: true } });
    await b.ask({ do: 'join', keys: [keys.black] });
    const line = ['e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1b5', 'a7a6', 'b5a4', 'g8f6', 'e1g1', 'f8e7'];
    for (const [ply, uci] of line.entries()) await (ply % 2 ? b : a).ask({ do: 'move', room, ply, uci });
    const { fen } = (await a.until(room, (r) => r.position.ply === 10)).position;
    const PGN = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7';
    const problem = (answer) => answer.error?.problem ?? 'none';
    const tab = await Client.open(server, { owner: a.welcome.owner });
    await tab.ask({ do: 'join', keys: [keys.watch] });
    is(problem(await a.ask({ do: 'analyse', room, node: 10 })), 'no-help', 'not in the room of the game');
    is(problem(await tab.ask({ do: 'analyse', room, node: 10 })), 'no-help', 'nor as one who watches it in another window');
    for (const c of [a, b, tab]) is(problem(await c.ask({ do: 'analyse', variant: 'chess', fen })), 'no-help', 'nor the bare position');
    is(problem(await a.ask({ do: 'analyse', variant: 'chess', fen: fen.replace(/ \d+ \d+$/, ' 7 30') })), 'no-help', 'nor with other counters');
    const next = 'r1bqk2r/1pppbppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQR1K1 b kq - 5 6';
    is(problem(await a.ask({ do: 'analyse', variant: 'chess', fen: next })), 'no-help', 'nor the position a move later');
    const study = await a.ask({ do: 'create', mode: 'analysis', pgn: `${PGN} 6. Re1 b5 7. Bb3 O-O *` });
    is(problem(await a.ask({ do: 'analyse', room: study.room, node: 14 })), 'no-help', 'nor an analysis that goes through it');
    is(problem(await a.ask({ do: 'create', variant: 'chess', fen, white: { kind: 'lovac', level: 12 }, black: { kind: 'human' } })), 'no-help', 'nor an engine that is to play it');
    ok((await a.ask({ do: 'analyse', variant: 'chess', fen: 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3' })).ok, 'other positions may be analysed');
    ok((await other.ask({ do: 'analyse', variant: 'chess', fen })).ok, 'and others may analyse this one');
    await a.ask({ do: 'resign', room });
    ok((await a.ask({ do: 'analyse', room, node: 10 })).ok, 'after the game it is allowed');
    [a, b, other, tab].forEach((c) => c.close());
  },

  async floods() {
    const c = await Client.open(server);
    c.socket.on('error', () => {});
    let tooFast = 0;
    c.strays = [];
    for (let i = 0; i < 320 && !c.closed; i++) c.socket.write(frame(`{"id":${100000 + i},"do":"ping"}`));
    await Promise.race([c.gone, sleep(20000)]);
    tooFast = (c.strays || []).filter((m) => code(m) === 'too-fast').length;
    ok(c.closed && c.closeCode === 1008, `a flood is thrown out (${c.closeCode})`);
    ok(tooFast > 0, 'after it was told');
    const fire = await Client.open(server);
    fire.socket.on('error', () => {});
    for (let i = 0; i < 20000 && !fire.closed; i++) {
      fire.socket.write(frame(`{"id":${i},"do":"ping"}`));
      if (i % 500 === 0) await sleep(1);
    }
    await Promise.race([fire.gone, sleep(20000)]);
    ok(fire.closed, 'also one that never stops');
    const deaf = await Client.open(server);
    deaf.socket.on('error', () => {});
    const made = await deaf.ask({ do: 'create', mode: 'analysis', pgn: '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 *' });
    deaf.socket.pause();
    for (let k = 0; k < 30; k++) {
      const e = await Client.open(server);
      await e.ask({ do: 'join', keys: [made.keys.white] });
      for (let i = 0; i < 60; i++) e.send({ id: 9000 + i, do: 'annotate', room: made.room, node: 1, comment: 'y'.repeat(2000) });
      await e.ask({ do: 'ping' }).catch(() => {});
      e.close();
    }
    await alive('a client that never reads');
    deaf.close();
    const rooms = await Client.open(server);
    let limit = 0;
    for (let i = 0; i < 60 && !limit; i++) if (code(await rooms.ask({ do: 'create' })) === 'limit') limit = i;
    ok(limit > 0 && limit <= 64, `new rooms are limited (after ${limit})`);
  },

  async slow() {
    const end = Date.now() + 60000;
    while (Date.now() < end && slowOnes.some((s) => !s.gone)) await sleep(100);
    is(slowOnes.filter((s) => !s.gone).length, 0, 'slow clients are timed out');
    slowOnes.forEach((s) => s.destroy());
  },

  async slowReaders() {
    const page = scratch();
    fs.writeFileSync(`${page}/index.html`, '<!doctype html>');
    fs.writeFileSync(`${page}/big.js`, Buffer.alloc(32 << 20, 120));
    const keep = server;
    server = await startServer({ args: ['--page', page] });
    is((await get('/big.js')).text.length > 32 << 20, true, 'a large file comes whole');
    const sockets = Array.from({ length: 20 }, () => {
      const s = net.connect(server.port, '127.0.0.1');
      s.on('error', () => {});
      s.write('GET /big.js HTTP/1.1\r\nHost: localhost\r\n\r\n');
      s.pause();
      return s;
    });
    await sleep(300);
    await alive('clients that do not take their files');
    if (LEVEL === 'long') {
      const open = () => fs.readdirSync(`/proc/${server.child.pid}/fd`).length;
      const before = open();
      await sleep(25000);
      ok(open() <= before - 20, 'they are timed out', [before, open()]);
    }
    sockets.forEach((s) => s.destroy());
    await server.kill('SIGTERM');
    server = keep;
  },

  async tls() {
    const folder = scratch();
    const made = spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', `${folder}/key.pem`, '-out', `${folder}/cert.pem`, '-days', '2', '-subj', '/CN=localhost'], { stdio: 'ignore' });
    if (made.status !== 0) return skip('TLS', 'no openssl');
    const secure = await startServer({ args: ['--tls-cert', `${folder}/cert.pem`, '--tls-key', `${folder}/key.pem`] });
    const answer = await new Promise((done) => {
      const s = tls.connect({ port: secure.port, host: '127.0.0.1', rejectUnauthorized: false }, () => s.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'));
      let said = '';
      s.on('data', (d) => (said += d));
      s.on('close', () => done(said));
      s.on('error', (e) => done(String(e)));
    });
    ok(/^HTTP\/1\.1 200/.test(answer), 'the page comes over TLS', answer.slice(0, 200));
    is(await secure.kill('SIGTERM'), { code: 0, signal: null }, 'and the server ends cleanly');
    fs.writeFileSync(`${folder}/key.pem`, 'no key');
    const refused = await startServer({ args: ['--tls-cert', `${folder}/cert.pem`, '--tls-key', `${folder}/key.pem`] }).catch((e) => e.message);
    ok(/certificate and key/.test(refused), 'a bad key is told', refused);
  },

  async descriptors() {
    const small = await startServer({ limits: 'ulimit -n 200' });
    const keep = server;
    server = small;
    const first = await Client.open(small);
    const made = await first.ask({ do: 'create' });
    const sockets = Array.from({ length: 400 }, () => { const s = net.connect(small.port, '127.0.0.1'); s.on('error', () => {}); return s; });
    await sleep(1000);
    const cpu = () => fs.readFileSync(`/proc/${small.child.pid}/stat`, 'utf8').split(' ').slice(13, 15).reduce((a, b) => a + Number(b), 0);
    const before = cpu();
    await sleep(2000);
    const used = (cpu() - before) / 200;
    ok(used < 0.5, `out of descriptors it does not spin (${Math.round(used * 100)} % of a processor)`);
    ok((await first.ask({ do: 'move', room: made.room, ply: 0, uci: 'e2e4' })).ok, 'and serves those it has');
    sockets.forEach((s) => s.destroy());
    await sleep(500);
    await alive('out of descriptors, then not');
    await small.kill('SIGTERM');
    server = keep;
  },

  async disks() {
    const data = scratch();
    const one = await startServer({ data });
    const second = await startServer({ data }).catch((e) => e.message);
    ok(/another server uses this folder/.test(second), 'two servers do not share a folder', second);
    await one.kill('SIGTERM');
    const file = await startServer({ data: '/dev/null/x' }).catch((e) => e.message);
    ok(/\/dev\/null/.test(file), 'a folder that cannot be made is named', file);
    const busy = await startServer({ port: server.port }).catch((e) => e.message);
    ok(/cannot listen on 127\.0\.0\.1/.test(busy), 'a port in use is named', busy);
    fs.writeFileSync(`${data}/lovac.db`, 'this is no database, but long enough to be taken for one'.repeat(50));
    fs.rmSync(`${data}/lovac.db-wal`, { force: true });
    const broken = await startServer({ data }).catch((e) => e.message);
    ok(/lovac\.db/.test(broken), 'a damaged database is named and left alone', broken);
    // Some pages in the middle of a good one are overwritten.
    fs.rmSync(`${data}/lovac.db`);
    const good = await startServer({ data });
    const writer = await Client.open(good);
    for (let i = 0; i < 20; i++) {
      const study = await writer.ask({ do: 'create', mode: 'analysis' });
      for (let k = 0; k < 4; k++) await writer.ask({ do: 'annotate', room: study.room, node: 0, comment: `${i}`.padEnd(1990, 'c') });
    }
    await good.kill('SIGTERM');
    const bytes = fs.readFileSync(`${data}/lovac.db`);
    for (let page = 4; page < bytes.length / 4096; page += 2) bytes.fill(0xa5, page * 4096, page * 4096 + 600);
    fs.writeFileSync(`${data}/lovac.db`, bytes);
    const worn = await startServer({ data }).catch((e) => e.message);
    ok(typeof worn === 'string' && /lovac\.db is damaged \(.+\).*backup.*\.recover/.test(worn), 'damage inside is found before it is built upon, with the way out', worn);
    ok(fs.readFileSync(`${data}/lovac.db`).equals(bytes), 'and nothing is changed');
    // A disk that is full: files may not grow beyond a limit.
    const full = await startServer({ limits: 'trap "" XFSZ; ulimit -f 300' });
    const c = await Client.open(full);
    const made = await c.ask({ do: 'create', mode: 'analysis' });
    let failed = 0, acknowledged = 0;
    for (let i = 0; i < 400 && !failed; i++) {
      const answer = await c.ask({ do: 'annotate', room: made.room, node: 0, comment: `${i} `.padEnd(1990, 'z') }).catch(() => null);
      if (answer?.ok) acknowledged = i;
      else if (!answer) failed = i;
      if (i % 10 === 0) await sleep(800 / 10);
    }
    const back = await Client.open(full);
    const told = await back.ask({ do: 'create' });
    is(told.error?.problem, 'disk-full', 'who comes back is told why');
    ok(/cannot write .*lovac\.db: /.test(full.log), 'and the log says it', full.log);
    ok(failed > 0, `a full disk is not acknowledged (after ${acknowledged + 1} writes)`);
    ok(full.child.exitCode === null, 'and does not end the server');
    await full.kill();
    const later = await startServer({ data: full.data });
    const d = await Client.open(later);
    await d.ask({ do: 'join', keys: [made.keys.white] });
    const kept = parseInt(d.rooms.get(made.room)?.nodes.get(0)?.comment, 10);
    ok(kept >= acknowledged, `what was acknowledged is there (${kept} ≥ ${acknowledged})`);
    await later.kill('SIGTERM');
  },

  async sockets() {
    const before = await Promise.all(Array.from({ length: LEVEL === 'quick' ? 200 : 1000 }, () => Client.open(server, { hello: false })));
    await sleep(500);
    is(before.filter((c) => c.closed).length, 0, `${before.length} idle sockets are held`);
    const c = await Client.open(server);
    // The quickest of a few: one alone may have met another program's turn.
    let quickest = Infinity;
    for (let i = 0; i < 10; i++) {
      const begin = Date.now();
      await c.ask({ do: 'ping' });
      quickest = Math.min(quickest, Date.now() - begin);
    }
    ok(quickest < 200, `and the next is served (${quickest} ms)`);
    before.forEach((x) => x.close());
  },

  async end() {
    is(await server.kill('SIGTERM'), { code: 0, signal: null }, 'after all that the server ends cleanly');
    ok(!/Sanitizer|runtime error/.test(server.log), 'no fault in its log', server.log.slice(0, 3000));
  },
});
