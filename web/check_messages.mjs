// Checks the message files: every language has the keys of English and no others, the same places ({name}), as
// many plural forms as the language needs, and every key is used somewhere. And the problems that the server tells: every
// code that the C sources give an error has a message "problem.CODE" and every such message a code, with places that the
// error fills; and every error that can reach a person has a code.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const read = id => JSON.parse(readFileSync(join(here, 'messages', `${id}.json`), 'utf8'));
const english = read('en');
const problems = [];
const places = text => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort().join(' ');
const categories = ['one', 'few', 'many', 'other'];
const formCount = id => {
  const has = new Intl.PluralRules(id).resolvedOptions().pluralCategories;
  return categories.filter(c => has.includes(c)).length;
};

for (const file of readdirSync(join(here, 'messages'))) {
  const id = file.replace('.json', '');
  const messages = read(id);
  for (const key of Object.keys(english)) {
    const text = messages[key];
    if (text === undefined || text.trim() === '') problems.push(`${id}: ${key} is missing`);
    else {
      if (places(text) !== places(english[key]))
        problems.push(`${id}: ${key} has the places ${places(text)}, English ${places(english[key])}`);
      const forms = text.split('|').length;
      if (english[key].includes('|') ? forms !== formCount(id) : forms !== 1)
        problems.push(`${id}: ${key} has ${forms} forms`);
    }
  }
  for (const key of Object.keys(messages)) if (!(key in english)) problems.push(`${id}: ${key} is not in English`);
}

const sources = [];
const walk = folder => {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) walk(path);
    else if (/\.tsx?$/.test(name)) sources.push(readFileSync(path, 'utf8'));
  }
};
walk(join(here, 'src'));
const code = sources.join('\n');
// Keys that are put together at run time, by their beginning.
const made = [...code.matchAll(/(?:t(?:Maybe)?\(\s*|key = )[`']([a-z0-9]+\.)(?:\$\{|' \+)/g)].map(m => m[1]);
for (const key of Object.keys(english)) {
  if (!code.includes(`'${key}'`) && !made.some(prefix => key.startsWith(prefix)))
    problems.push(`en: ${key} is not used`);
}

// ---- What the server tells ----

const folder = join(here, '../src');
const source = name => readFileSync(join(folder, name), 'utf8');
const files = ['base', 'core', 'tables', 'engine', 'play', 'lab', 'server', 'app']
  .filter(name => existsSync(join(folder, name)))
  .flatMap(name => readdirSync(join(folder, name)).map(file => `${name}/${file}`))
  .filter(name => name.endsWith('.c') && name !== 'base/error.c');

/** The calls of a function in a source, each as the list of its arguments; neighbouring literals are joined. */
function calls(text, name) {
  const found = [];
  for (const { index } of text.matchAll(new RegExp(`\\b${name}\\(`, 'g'))) {
    const args = [''];
    let at = index + name.length + 1;
    for (let depth = 1, quoted = false; at < text.length; at++) {
      const c = text[at];
      if (quoted && c === '\\') args[args.length - 1] += c + text[++at];
      else {
        if (c === '"') quoted = !quoted;
        else if (!quoted) depth += '([{'.includes(c) ? 1 : ')]}'.includes(c) ? -1 : 0;
        if (depth === 0) break;
        if (c === ',' && depth === 1 && !quoted) args.push('');
        else args[args.length - 1] += c;
      }
    }
    // Not where the function itself is written, with the types of its arguments.
    if (!/^[A-Z]\w+ \*/.test(args[0])) found.push(args.map(arg => arg.trim().replace(/"\s*\n\s*"/g, '')));
  }
  return found;
}
const literal = arg => /^"((?:[^"\\]|\\.)*)"$/s.exec(arg ?? '')?.[1];

// Functions that make an error, and which of their arguments are the code and the text. `around`: in a helper that
// hands code and text on, they are no literals; its own calls are looked at instead.
const MAKERS = [
  { name: 'error_code', code: 1, text: 2 },
  { name: 'error_prefix', code: 1, text: 2 },
  { name: 'request_refuse', code: 2, text: 3 },
  { name: 'report_text', code: 2, text: 3, only: 'core/pgn.c' },
  { name: 'refuse', code: 1, text: 3, only: 'core/notation.c', given: ['{move}'] },
  { name: 'complain', code: 1, text: 2, only: 'core/pgn_read.c' },
];
const HANDED_ON = ['code', 'problem', 'token.code'];
const told = new Map(); // code → the places that its texts fill
for (const name of files)
  for (const maker of MAKERS.filter(m => (m.only ?? name) === name))
    for (const args of calls(source(name), maker.name)) {
      const code = literal(args[maker.code]);
      if (code === undefined) {
        if (!HANDED_ON.includes(args[maker.code]))
          problems.push(`${name}: ${maker.name} with a code that is no literal: ${args[maker.code]}`);
        continue;
      }
      if (code === '') continue;
      const text = literal(args[maker.text]) ?? '';
      const filled = [...text.matchAll(/\{(\w+):/g)]
        .map(m => `{${m[1]}}`)
        .concat(maker.given ?? [], maker.name === 'error_prefix' ? ['{problem}'] : []);
      if (!told.has(code)) told.set(code, filled);
      else if (told.get(code).join() !== filled.join()) problems.push(`${name}: ${code} has other arguments elsewhere`);
      if (code.length > 23) problems.push(`${name}: the code ${code} is too long`);
    }
if (told.size < 50) problems.push('the codes of src were not found');
for (const [code, filled] of told) {
  const text = english[`problem.${code}`];
  if (text === undefined) problems.push(`en: problem.${code} is missing`);
  else
    for (const place of text.match(/\{\w+\}/g) ?? [])
      if (!filled.includes(place)) problems.push(`en: problem.${code} has ${place}, which the server does not tell`);
}
for (const key of Object.keys(english))
  if (key.startsWith('problem.') && !told.has(key.slice(8))) problems.push(`en: ${key} is no code of src`);

// What can reach a person must have a code: all errors of these sources but those of memory and of stored data.
const SEEN =
  /^(core\/(fen|playable|pgn|pgn_read|notation|variants)|play\/player|server\/(play|pgn_tree|tree|runs)|app\/serve_lab_match)\.c$/;
for (const name of files.filter(n => SEEN.test(n)))
  for (const args of calls(source(name), 'error_set'))
    if (!/memory|^the stored/.test(literal(args[1]) ?? '')) problems.push(`${name}: no code for ${args[1]}`);
// Of a request that a page would never send, and of faults inside, the general code says enough.
const GENERAL = ['bad-request', 'bad-json', 'unknown-request', 'internal'];
for (const name of files.filter(n => n.startsWith('server/')))
  for (const maker of ['request_fail', 'request_refuse', 'request_pass'])
    for (const args of calls(source(name), maker)) {
      const codes = [...args[1].matchAll(/"([a-z-]+)"/g)].map(m => m[1]);
      if (codes.length === 0) problems.push(`${name}: ${maker} with a code that is no literal: ${args[1]}`);
      for (const code of codes) if (!(`error.${code}` in english)) problems.push(`en: error.${code} is missing`);
      if (maker === 'request_fail' && !codes.every(c => GENERAL.includes(c)))
        problems.push(`${name}: no code for ${args[2]}`);
    }

for (const problem of problems) console.error(problem);
console.log(
  problems.length === 0
    ? `messages: ${Object.keys(english).length} keys in ${readdirSync(join(here, 'messages')).length} languages`
    : `messages: ${problems.length} problems`,
);
process.exit(problems.length === 0 ? 0 : 1);
