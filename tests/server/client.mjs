// A WebSocket client of the tests: small, without packages, and able to send frames that no honest client sends.
// Also: starting, killing and restarting the server, and TAP.
import { spawn } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

export const LOVAC = process.env.LOVAC || path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '../../lovac');
export const LEVEL = process.env.LOVAC_TEST_LEVEL || 'short';
export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

// A limit that holds on a machine with a processor for everybody, stretched by how many ask for each just now or did in the last
// minute. LOVAC_STRICT=1 stretches nothing.
export function patience(ms) {
  if (process.env.LOVAC_STRICT) return ms;
  const [minute, , , now] = fs.readFileSync('/proc/loadavg', 'utf8').split(' ');
  return ms * Math.max(1, Math.max(Number(minute), parseInt(now, 10)) / os.cpus().length);
}

// ---- The server ----

process.setMaxListeners(100);
const running = new Set();
process.on('exit', () => running.forEach((s) => s.child.kill('SIGKILL')));

export function scratch() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lovac-serve-'));
  process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

// Starts a server on a free port and waits until it listens.
export async function startServer(options = {}) {
  const data = options.data || scratch();
  const args = ['serve', '--port', String(options.port || 0), '--data', data, '--hash', '4', '--threads', '2', '--book', 'none', '--tables', '', ...(options.args || [])];
  const command = options.limits ? ['sh', ['-c', `${options.limits}; exec "$0" "$@"`, LOVAC, ...args]] : [LOVAC, args];
  const child = spawn(command[0], command[1], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...options.env } });
  const server = { child, data, log: '', port: 0, ended: new Promise((done) => child.on('exit', (code, signal) => done({ code, signal }))) };
  running.add(server);
  server.ended.then(() => running.delete(server));
  child.stderr.on('data', (text) => (server.log += text));
  await new Promise((done, fail) => {
    let said = '';
    child.stdout.on('data', (text) => {
      said += text;
      const match = said.match(/:(\d+)\//);
      if (match) {
        server.port = Number(match[1]);
        done();
      }
    });
    server.ended.then((how) => fail(new Error(`server ended: ${JSON.stringify(how)} ${server.log}`)));
  });
  server.kill = async (signal = 'SIGKILL') => {
    child.kill(signal);
    return server.ended;
  };
  return server;
}

// Resident memory in KiB.
export function memoryOf(server) {
  const match = fs.readFileSync(`/proc/${server.child.pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/);
  return Number(match[1]);
}

// Processor time used so far, in ms, by all its threads.
export function processorOf(server) {
  const fields = fs.readFileSync(`/proc/${server.child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

// ---- Frames ----

export function frame(payload, { opcode = 1, fin = true, masked = true, reserved = 0, length = null } = {}) {
  const body = Buffer.from(payload);
  const n = length ?? body.length;
  const head = [(fin ? 0x80 : 0) | (reserved << 4) | opcode];
  if (n < 126) head.push((masked ? 0x80 : 0) | n);
  else if (n < 65536) head.push((masked ? 0x80 : 0) | 126, n >> 8, n & 255);
  else {
    head.push((masked ? 0x80 : 0) | 127);
    const long = Buffer.alloc(8);
    long.writeBigUInt64BE(BigInt(n));
    head.push(...long);
  }
  if (!masked) return Buffer.concat([Buffer.from(head), body]);
  const mask = crypto.randomBytes(4);
  const out = Buffer.from(body);
  for (let i = 0; i < out.length; i++) out[i] ^= mask[i & 3];
  return Buffer.concat([Buffer.from(head), mask, out]);
}

export class Client {
  // Connects and upgrades; with `raw` nothing is read by itself.
  static async open(server, { headers = {}, hello = true, owner, from } = {}) {
    const client = new Client();
    client.port = server.port;
    client.from = from; // an address of this machine, 127.x.y.z
    await client.connect(headers);
    if (hello) client.welcome = await client.ask({ do: 'hello', protocol: 1, ...(owner ? { owner } : {}) });
    return client;
  }

  constructor() {
    this.buffer = Buffer.alloc(0);
    this.waiting = new Map();
    this.events = [];
    this.rooms = new Map(); // as the page would know them
    this.watchers = [];
    this.nextId = 1;
    this.closed = false;
    this.closeCode = null;
    this.parts = [];
  }

  connect(headers) {
    return new Promise((done, fail) => {
      this.socket = net.connect({ port: this.port, host: '127.0.0.1', localAddress: this.from });
      this.socket.setNoDelay(true);
      this.gone = new Promise((over) => this.socket.on('close', () => { this.closed = true; this.failAll(); over(); }));
      this.socket.on('error', fail);
      const all = { Host: `127.0.0.1:${this.port}`, Upgrade: 'websocket', Connection: 'Upgrade', 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': crypto.randomBytes(16).toString('base64'), Origin: `http://127.0.0.1:${this.port}`, ...headers };
      this.socket.write('GET /ws HTTP/1.1\r\n' + Object.entries(all).filter(([, v]) => v !== null).map(([k, v]) => `${k}: ${v}\r\n`).join('') + '\r\n');
      let head = Buffer.alloc(0);
      const onHead = (data) => {
        head = Buffer.concat([head, data]);
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        this.socket.off('data', onHead);
        this.status = Number(head.toString('latin1').split(' ')[1]);
        if (this.status !== 101) return fail(new Error(`status ${this.status}`));
        this.socket.on('data', (more) => this.read(more));
        this.read(head.subarray(end + 4));
        done();
      };
      this.socket.on('data', onHead);
      this.socket.on('close', () => fail(new Error('closed')));
    });
  }

  failAll() {
    for (const { fail } of this.waiting.values()) fail(new Error('closed'));
    this.waiting.clear();
    this.watchers.splice(0).forEach((w) => w.fail(new Error('closed')));
  }

  read(data) {
    this.buffer = this.buffer.length ? Buffer.concat([this.buffer, data]) : data;
    while (this.buffer.length >= 2) {
      let n = this.buffer[1] & 127, at = 2;
      if (n === 126) { if (this.buffer.length < 4) return; n = this.buffer.readUInt16BE(2); at = 4; }
      else if (n === 127) { if (this.buffer.length < 10) return; n = Number(this.buffer.readBigUInt64BE(2)); at = 10; }
      if (this.buffer.length < at + n) return;
      const opcode = this.buffer[0] & 15, fin = this.buffer[0] & 128, body = this.buffer.subarray(at, at + n);
      this.buffer = this.buffer.subarray(at + n);
      if (opcode === 9) this.socket.write(frame(body, { opcode: 10 }));
      else if (opcode === 8) { this.closeCode = body.length >= 2 ? body.readUInt16BE(0) : 1005; this.socket.end(); }
      else if (opcode <= 2) {
        this.parts.push(Buffer.from(body));
        if (fin) { const text = Buffer.concat(this.parts).toString(); this.parts = []; this.take(JSON.parse(text)); }
      }
    }
  }

  take(message) {
    if (message.event) {
      this.events.push(message);
      if (this.events.length > 500) this.events.shift();
      if (message.event === 'room') this.merge(message);
      if (this.onevent) this.onevent(message);
      this.watchers = this.watchers.filter((w) => { const hit = w.test(message); if (hit) w.done(message); return !hit; });
      return;
    }
    const waiting = this.waiting.get(message.id);
    if (!waiting) { (this.strays ??= []).push(message); return; }
    this.waiting.delete(message.id);
    waiting.done(message);
  }

  merge(message) {
    const { event, nodes, removed, full, ...fields } = message;
    let room = this.rooms.get(message.room);
    if (full || !room) room = { nodes: new Map() };
    Object.assign(room, fields);
    for (const node of nodes || []) room.nodes.set(node.id, node);
    for (const id of removed || []) room.nodes.delete(id);
    this.rooms.set(message.room, room);
  }

  send(message) { this.socket.write(frame(JSON.stringify(message))); }

  ask(message, limit = 20000) {
    const id = this.nextId++;
    return new Promise((done, fail) => {
      const timer = setTimeout(() => fail(new Error(`no answer to ${JSON.stringify(message)}`)), limit);
      this.waiting.set(id, { done: (m) => { clearTimeout(timer); done(m); }, fail: (e) => { clearTimeout(timer); fail(e); } });
      if (this.closed) return this.failAll();
      this.send({ id, ...message });
    });
  }

  // The next event for which the test holds; events before this call do not count.
  event(test, limit = 20000) {
    return new Promise((done, fail) => {
      const timer = setTimeout(() => fail(new Error('the event did not come')), limit);
      this.watchers.push({ test, done: (m) => { clearTimeout(timer); done(m); }, fail: (e) => { clearTimeout(timer); fail(e); } });
    });
  }

  // Waits until the room as the page knows it passes the test.
  async until(room, test, limit = 20000) {
    const end = Date.now() + limit;
    while (!(this.rooms.get(room) && test(this.rooms.get(room)))) {
      if (Date.now() > end) throw new Error(`room never so: ${test} ${JSON.stringify({ ...this.rooms.get(room), nodes: undefined })}`);
      await sleep(5);
    }
    return this.rooms.get(room);
  }

  close() { this.socket.destroy(); return this.gone; }
}

// ---- TAP ----

let count = 0, failures = 0;
export function ok(condition, name, detail) {
  count++;
  if (!condition) failures++;
  console.log(`${condition ? 'ok' : 'not ok'} ${count} - ${name}`);
  if (!condition && detail !== undefined) console.log(String(typeof detail === 'string' ? detail : JSON.stringify(detail)).split('\n').map((l) => `# ${l}`).slice(0, 20).join('\n'));
  return condition;
}
export function skip(name, reason) {
  console.log(`ok ${++count} - ${name} # SKIP ${reason}`);
}
export const is = (actual, wanted, name) => ok(JSON.stringify(actual) === JSON.stringify(wanted), name, `expected: ${JSON.stringify(wanted)}\ngot:      ${JSON.stringify(actual)}`);

// Runs tests one after the other; one that throws has failed, the others go on.
export async function run(tests) {
  const only = process.argv[2];
  for (const [name, test] of Object.entries(tests)) {
    if (only && !name.includes(only)) continue;
    const begin = Date.now();
    try {
      await test();
    } catch (error) {
      ok(false, name, error.stack || String(error));
    }
    console.log(`# ${name}: ${((Date.now() - begin) / 1000).toFixed(1)} s`);
  }
  console.log(`1..${count}`);
  process.exit(failures ? 1 : 0);
}
