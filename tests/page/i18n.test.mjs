// Languages: places, plural forms, numbers, and what the server has against something.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { example, page, settle } from './page.mjs';

const { i18n, settings } = page;
const CZECH = JSON.parse(readFileSync(new URL('../../web/messages/cs.json', import.meta.url), 'utf8'));
const speak = async id => {
  settings.settings.language.value = id;
  await settle();
  assert.equal(i18n.language.value, id);
};
before(() => i18n.startLanguage());

test('the language is the first of the browser’s that there is, or the chosen one', async () => {
  settings.settings.language.value = 'auto';
  await settle();
  assert.equal(i18n.wanted.value, 'cs'); // xx is not spoken here
  assert.equal(document.documentElement.lang, 'cs');
  await speak('en');
});

test('places are filled; what is not given stays', async () => {
  await speak('en');
  assert.equal(i18n.t('problem.kings-many', { side: 'White', kings: 3 }), 'White has 3 kings');
  assert.match(i18n.t('problem.kings-many', { side: 'White' }), /\{kings\}/);
  assert.equal(i18n.tMaybe('no.such.key', 'words'), 'words');
});

test('plural forms are those of the language', async () => {
  const key = Object.keys(CZECH).find(k => new Set(CZECH[k].split('|')).size >= 3);
  const forms = CZECH[key].split('|'); // one, few, many (of fractions), other
  await speak('cs');
  for (const [n, form] of [
    [1, 0],
    [2, 1],
    [4, 1],
    [5, 3],
    [100, 3],
  ])
    assert.equal(i18n.t(key, { n }), forms[form].replaceAll('{n}', n));
});

test('a problem is said in the person’s language, also one inside another', async () => {
  const [{ problem }] = example('request-check').answers.filter(a => !a.legal);
  await speak('en');
  assert.equal(i18n.problemText(problem), 'Black has no king');
  await speak('cs');
  const czech = i18n.problemText(problem);
  assert.notEqual(czech, 'Black has no king');
  const nested = example('request-import')
    .answers.flatMap(a => a.games)
    .flatMap(g => g.problems)
    .find(p => p.code === 'pgn-fen');
  assert.ok(i18n.problemText(nested).includes(czech), 'the inner one is translated too');
  assert.ok(!i18n.problemText(nested).includes('{'));
});

test('a problem without a code, or with a new one, keeps its English words', () => {
  assert.equal(i18n.problemText({ code: 'other', args: {}, text: 'odd' }), 'odd');
  assert.equal(i18n.problemText({ code: 'from-the-future', args: { a: 'b' }, text: 'odd' }), 'odd');
});

test('numbers as the language writes them', async () => {
  await speak('en');
  assert.equal(i18n.formatNumber(1234.5, 1), '1,234.5');
  await speak('hr');
  assert.equal(i18n.formatNumber(1234.5, 1), '1.234,5');
  await speak('en');
  assert.equal(i18n.formatShort(1234567), '1.2M');
});
