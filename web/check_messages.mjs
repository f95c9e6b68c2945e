// Checks the message files: every language has the keys of English and no others, the same places ({name}), as
// many plural forms as the language needs, and every key is used somewhere. And the problems that the server tells: every
// code of src/server/problem.c has a message, and every text of the sources that can reach a person has a code.
import { readdirSync, readFileSync, statSync } from 'node:fs';
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

const source = name => readFileSync(join(here, '../src', name), 'utf8');
const table = [...source('server/problem.c').matchAll(/\{"([a-z0-9-]+)",\s*"((?:[^"\\]|\\.)*)"\}/g)].map(([, code, pattern]) => ({ code, pattern }));
const asRegExp = pattern =>
  new RegExp(`^${pattern.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.*?')}$`);
const codes = table.map(row => ({ ...row, test: asRegExp(row.pattern), used: false }));
if (codes.length < 50) problems.push('src/server/problem.c: its table was not found');
for (const { code, pattern } of codes) {
  const text = english[`problem.${code}`];
  const known = places(pattern).split(' ');
  if (text === undefined) problems.push(`en: problem.${code} is missing`);
  else for (const place of text.match(/\{\w+\}/g) ?? []) if (!known.includes(place)) problems.push(`en: problem.${code} has ${place}, which the server does not tell`);
}
for (const key of Object.keys(english))
  if (key.startsWith('problem.') && !codes.some(row => key === `problem.${row.code}`)) problems.push(`en: ${key} is no code of the server`);

/** The texts in the calls of a function: all literals between its parentheses, as [literal, whole call]. */
function literals(text, name) {
  const found = [];
  for (const { index } of text.matchAll(new RegExp(`\\b${name}\\(`, 'g'))) {
    let end = index + name.length + 1;
    for (let depth = 1, quoted = false; depth > 0 && end < text.length; end++) {
      const c = text[end];
      if (quoted) quoted = c !== '"' && (c !== '\\' || !!end++);
      else if (c === '"') quoted = true;
      else depth += c === '(' ? 1 : c === ')' ? -1 : 0;
    }
    const call = text.slice(index, end).replace(/"\s*\n\s*"/g, '');
    for (const [, literal] of call.matchAll(/"((?:[^"\\]|\\.)*)"/g)) found.push([literal, call]);
  }
  return found;
}

/** Does a text (a printf format) have a code? Texts in places may be empty, as suffixes are. */
function hasCode(format) {
  const samples = ['x', '', ' (the king is in check)'].map(x => format.replace(/%[-.*0-9l]*[sc]/g, x).replace(/%[-.*0-9lz]*[dux]/g, '7'));
  let any = false;
  for (const row of codes) if (samples.some(s => row.test.test(s))) any = row.used = true;
  return any;
}
const needsCode = (where, format) => {
  if (!hasCode(format)) problems.push(`${where}: no code in src/server/problem.c for "${format}"`);
};
// Texts that are put together from others, parts of texts, and those nobody sees.
const PARTS = /^(%s|%s: %s|'%\.24s' %s| .*|)$/;
for (const name of ['fen', 'playable', 'pgn', 'pgn_read', 'notation', 'variants']) {
  const text = source(`core/${name}.c`);
  for (const [prefix, call] of [['', 'error_set'], ['', 'report'], ['', 'complain'], ["'x' ", 'refuse']])
    for (const [format] of literals(text, call))
      if (!PARTS.test(format) && !/memory/.test(format)) needsCode(`core/${name}.c`, prefix + (name === 'variants' ? 'start: ' : '') + format);
}
// Of a request that a page would never send, and of faults inside, the general code says enough.
const GENERAL = ['bad-request', 'bad-json', 'unknown-request', 'internal'];
for (const name of readdirSync(join(here, '../src/server')).filter(n => /^(request.*|play|pgn_tree|tree)\.c$/.test(n))) {
  const text = source(`server/${name}`);
  for (const [format, call] of literals(text, 'request_fail')) {
    const code = /^request_fail\(&?r, "([a-z-]+)"/.exec(call)?.[1];
    if (code && !(`error.${code}` in english)) problems.push(`en: error.${code} is missing`);
    if (format === code || PARTS.test(format) || !code) continue;
    if (!hasCode(format) && !GENERAL.includes(code)) needsCode(`server/${name}`, format);
  }
  for (const [format] of literals(text, 'error_set')) {
    const [, code, rest] = /^(limit|internal|bad-pgn) (.*)$/.exec(format) ?? [, '', format];
    if (code !== 'internal' && !/memory|^the stored/.test(rest)) needsCode(`server/${name}`, rest);
  }
}
for (const row of codes) if (!row.used) problems.push(`src/server/problem.c: nothing says "${row.pattern}"`);

for (const problem of problems) console.error(problem);
console.log(
  problems.length === 0
    ? `messages: ${Object.keys(english).length} keys in ${readdirSync(join(here, 'messages')).length} languages`
    : `messages: ${problems.length} problems`,
);
process.exit(problems.length === 0 ? 0 : 1);
