// The connection: hello, answers, refusals, what happens when it breaks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { example, page, server, settle, storage } from './page.mjs';

const { net } = page;

test('hello first; what was asked meanwhile goes out behind it', async () => {
  const early = net.request('ping', {});
  net.connect();
  assert.equal(server.last.url, 'ws://localhost/ws');
  server.last.onopen();
  const [hello, ...rest] = server.take();
  assert.deepEqual([hello.do, hello.protocol, rest], ['hello', 1, []]);
  server.say({ ...example('request-hello').answers[0], id: 0 });
  assert.equal(net.status.value, 'open');
  assert.equal(net.welcome.value.levels.length, 12);
  assert.equal(JSON.parse(storage.kept.get('lovac.owner')), net.welcome.value.owner);
  const [ping] = server.take();
  server.say({ id: ping.id, ok: true, time: 5 });
  assert.equal((await early).time, 5);
});

test('a refusal is an error with its code and its problem', async () => {
  const refused = example('error').answers.find(a => a.error.problem === 'move-unreachable');
  const asked = net.request('move', { room: 'r', ply: 1, san: 'Ke4' });
  server.say({ ...refused, id: server.take()[0].id });
  await assert.rejects(asked, error => {
    assert.ok(error instanceof net.RequestError);
    assert.equal(error.code, 'illegal-move');
    assert.deepEqual(error.problem, { code: 'move-unreachable', args: refused.error.args, text: refused.error.text });
    return true;
  });
  const general = net.request('ping', {});
  server.say({ id: server.take()[0].id, ok: false, error: { code: 'bad-request', text: 'no' } });
  await assert.rejects(general, error => error.code === 'bad-request' && error.problem === null);
});

test('events go to all who listen, until they stop', () => {
  const heard = [];
  const stop = net.listen(e => heard.push(e.event));
  server.say(example('event-gone').events[0]);
  stop();
  server.say(example('event-gone').events[0]);
  assert.deepEqual(heard, ['gone']);
});

test('answers that nobody waits for do no harm', () => server.say({ id: 4711, ok: true }));

test('after a loss: what may be repeated is sent again, the rest fails', async () => {
  const again = net.request('show', { room: 'r', node: 1 });
  const once = net.request('resign', { room: 'r' });
  assert.equal(server.take().length, 2);
  let joined = 0;
  const stop = net.onReconnect(() => joined++);
  server.last.close();
  assert.equal(net.status.value, 'lost');
  await assert.rejects(once, error => error.code === 'lost');
  await assert.rejects(net.request('resign', { room: 'r' }), error => error.code === 'lost');
  server.greet();
  assert.equal(joined, 1);
  const [show] = server.take();
  assert.equal(show.do, 'show');
  server.say({ ...example('request-show').answers[0], id: show.id });
  assert.equal((await again).position.node, example('request-show').answers[0].position.node);
  stop();
  await settle();
});
