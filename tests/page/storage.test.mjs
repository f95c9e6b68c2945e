// What a browser remembers: values, settings, the keys of rooms.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { page, storage } from './page.mjs';

const { rooms, settings, storage: store } = page;
afterEach(() => {
  storage.refuses = false;
  storage.kept.clear();
});

test('values are kept under their names', () => {
  store.writeStored('x', { a: [1] });
  assert.equal(storage.kept.get('lovac.x'), '{"a":[1]}');
  assert.deepEqual(store.readStored('x', null), { a: [1] });
  store.writeStored('x', undefined);
  assert.equal(store.readStored('x', 'fallback'), 'fallback');
});

test('a browser that keeps nothing still remembers while the page is open', () => {
  storage.refuses = true;
  store.writeStored('y', 7);
  assert.equal(store.readStored('y', 0), 7);
  store.writeStored('y', undefined);
  assert.equal(store.readStored('y', 0), 0);
});

test('what cannot be read is as if it were not there', () => {
  storage.kept.set('lovac.z', '{broken');
  assert.equal(store.readStored('z', 3), 3);
});

test('settings: as usual at first, and again after a reset', () => {
  assert.equal(settings.settings.theme.value, settings.DEFAULTS.theme);
  settings.settings.theme.value = 'dark';
  settings.settings.animation.value = 'slow';
  assert.equal(settings.animationMs(), 600);
  settings.resetSettings();
  for (const [key, value] of Object.entries(settings.DEFAULTS)) assert.equal(settings.settings[key].value, value, key);
  assert.equal(settings.animationMs(), 240);
});

test('rooms: newest first, keys and seats add up, forgotten everywhere', () => {
  rooms.remember('a', { white: 'W' }, ['white']);
  rooms.remember('b', { watch: 'X' }, []);
  rooms.remember('a', { black: 'B' }, ['black', 'white']);
  assert.deepEqual(rooms.knownRooms(), [
    { room: 'a', keys: { white: 'W', black: 'B' }, seats: ['white', 'black'] },
    { room: 'b', keys: { watch: 'X' }, seats: [] },
  ]);
  rooms.setOpenRoom('play', 'a');
  rooms.setOpenRoom('watch', 'b');
  rooms.forget('a');
  assert.deepEqual(
    rooms.knownRooms().map(r => r.room),
    ['b'],
  );
  assert.equal(rooms.openRoom('play'), undefined);
  assert.equal(rooms.openRoom('watch'), 'b');
});

test('rooms: the oldest of more than two hundred go', () => {
  for (let i = 0; i < 205; i++) rooms.remember(`r${i}`, {}, []);
  const known = rooms.knownRooms();
  assert.equal(known.length, 200);
  assert.equal(known[0].room, 'r204');
  assert.equal(known.at(-1).room, 'r5');
});
