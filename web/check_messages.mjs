// Checks the message files: every language has the keys of English and no others, the same places ({name}), as
// many plural forms as the language needs, and every key is used somewhere.
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
const made = [...code.matchAll(/t(?:Maybe)?\(\s*[`']([a-z0-9]+\.)(?:\$\{|' \+)/g)].map(m => m[1]);
for (const key of Object.keys(english)) {
  if (!code.includes(`'${key}'`) && !made.some(prefix => key.startsWith(prefix)))
    problems.push(`en: ${key} is not used`);
}

for (const problem of problems) console.error(problem);
console.log(
  problems.length === 0
    ? `messages: ${Object.keys(english).length} keys in ${readdirSync(join(here, 'messages')).length} languages`
    : `messages: ${problems.length} problems`,
);
process.exit(problems.length === 0 ? 0 : 1);
