// Checks the examples of messages (tests/data/messages, which tests/test_messages.c compares with what the server says and
// hears) against the types of the page (src/protocol.ts): every field of an example must be known to its type, and every
// field that the type wants must be in it. The examples are written as literals into a TypeScript file, because types of
// imported JSON are too wide, and tsc looks at it. Every request and event of the types and of the server has an example.
//   node check_examples.mjs
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..');
const folder = join(root, 'tests/data/messages');
const out = join(root, 'build/web-examples');
const names = readdirSync(folder).map(file => file.replace('.json', ''));
const problems = [];

const typeOf = (name, part, word, message) => {
  if (name === 'event-room' && message.full) return 'RoomEvent & RoomState'; // nothing may be missing
  if (part === 'events') return `Extract<ServerEvent, { event: '${word}' }>`;
  if (name === 'error') return '{ id: number | null; ok: false; error: Refusal }';
  if (part === 'requests') return `{ id: number; do: '${word}' } & Fields<'${word}'>`;
  return `{ id: number; ok: true } & Answer<'${word}'>`;
};

const words = { request: [], event: [] };
let source = `// Made by check_examples.mjs.
import type { Answer, Fields, Refusal, RoomEvent, RoomState, ServerEvent, Word } from '../../web/src/protocol.js';
`;
for (const name of names) {
  const [, kind, word] = /^(request|event)-(.+)$/.exec(name) ?? [];
  if (kind) words[kind].push(word);
  const parts = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
  for (const [part, list] of Object.entries(parts))
    list.forEach((message, i) => {
      const id = `${name}_${part}_${i}`.replaceAll('-', '_');
      source += `\n// ${name}.json, ${part}, number ${i}\n`;
      source += `export const ${id}: ${typeOf(name, part, word, message)} = ${JSON.stringify(message, null, 1)};\n`;
    });
}
// No word of the types without an example, and none that the types do not know.
const list = all => all.map(word => `'${word}'`).join(' | ');
source += `
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : { missing: Exclude<B, A> }) : { unknown: Exclude<A, B> };
export const requests: Same<${list(words.request)}, Word> = true;
export const events: Same<${list(words.event)}, ServerEvent['event']> = true;
`;
// And no event that the server's sources send.
for (const file of readdirSync(join(root, 'src/server')).filter(f => f.endsWith('.c')))
  for (const [, event] of readFileSync(join(root, 'src/server', file), 'utf8').matchAll(
    /"event",\s*(?:json_string\()?"([a-z-]+)"/g,
  ))
    if (!words.event.includes(event)) problems.push(`${file} sends the event ${event}, of which there is no example`);

mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'examples.ts'), source);
writeFileSync(
  join(out, 'tsconfig.json'),
  JSON.stringify({ extends: '../../web/tsconfig.json', include: ['examples.ts', '../../web/src/*.d.ts'] }),
);
const tsc = spawnSync(process.execPath, [join(here, 'node_modules/typescript/bin/tsc'), '--noEmit', '-p', out], {
  encoding: 'utf8',
});
if (tsc.error) problems.push(String(tsc.error));
if (tsc.status !== 0) problems.push(...explain(tsc.stdout + tsc.stderr));

/** The complaints of tsc, each with the example that it is about. */
function explain(text) {
  const lines = source.split('\n');
  return text
    .split('\n')
    .filter(Boolean)
    .map(line => {
      let at = Number(/examples\.ts[(:](\d+)/.exec(line)?.[1] ?? 0);
      while (at > 0 && !lines[at - 1].startsWith('// ')) at--;
      return at > 1 ? `${lines[at - 1].slice(3)}: ${line}` : line;
    });
}

for (const problem of problems) console.error(problem);
console.log(
  problems.length === 0
    ? `examples: ${words.request.length} requests and ${words.event.length} events fit`
    : `examples: ${problems.length} problems`,
);
process.exit(problems.length === 0 ? 0 : 1);
