// Figures of the laboratory: columns, scales, CSV.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './page.mjs';

const { chartmath } = page;
const table = { key: 'rows', columns: ['depth', 'nodes', 'low', 'high'].map(key => ({ key })) };
const chart = log => ({
  key: 'c',
  table: 'rows',
  x: 'depth',
  log,
  series: [{ column: 'nodes', low: 'low', high: 'high' }, { column: 'depth' }],
});

test('the columns of a chart; nothing without a logarithm on a logarithmic scale', () => {
  const rows = [
    [1, 0, -5, 5],
    [2, 30, null, 50],
    [3, 'x'],
  ];
  const plain = chartmath.chartData(table, chart(false), rows);
  assert.deepEqual(plain.xs, [1, 2, 3]);
  assert.deepEqual(plain.lines[0], { values: [0, 30, null], low: [-5, null, null], high: [5, 50, null] });
  assert.deepEqual(plain.lines[1], { values: [1, 2, 3] });
  assert.deepEqual(chartmath.chartData(table, chart(true), rows).lines[0].values, [null, 30, null]);
});

test('a plain scale has room around its values, and leaves out the wide bands of the beginning', () => {
  assert.deepEqual(chartmath.limits({ xs: [], lines: [] }), [0, 1]);
  assert.deepEqual(chartmath.limits({ xs: [1, 2], lines: [{ values: [100, 200] }] }), [94, 206]);
  assert.deepEqual(chartmath.limits({ xs: [1], lines: [{ values: [7] }] }), [2, 12]); // never flat
  const [low, high] = chartmath.limits({ xs: [1, 2], lines: [{ values: [0.1, 0.5] }] });
  assert.ok(low > 0 && low < 0.1 && high > 0.5 && high < 0.6); // small values fill it too
  const xs = [1, 2, 3, 4];
  const band = { values: [0, 0, 0, 0], low: [-900, -20, -10, -10], high: [900, 20, 10, 10] };
  assert.deepEqual(chartmath.limits({ xs, lines: [band] }), [-25, 25]);
});

test('a logarithmic scale ends at a power of ten', () => {
  const data = values => ({ xs: values, lines: [{ values }] });
  assert.deepEqual(chartmath.powers(data([1, 999])), [1, 1000]);
  assert.deepEqual(chartmath.powers(data([null, 1000])), [1, 1000]);
  assert.deepEqual(chartmath.powers(data([1001])), [1, 10000]);
  assert.deepEqual(chartmath.powers(data([])), [1, 10]);
  assert.deepEqual(chartmath.decades(1000), [1, 10, 100, 1000]);
});

test('tables as comma-separated values', () => {
  const experiment = {
    tables: [
      { key: 'a', columns: [{ key: 'n' }, { key: 'what' }] },
      { key: 'empty', columns: [{ key: 'x' }] },
    ],
  };
  const tables = {
    a: [
      [1.5, 'plain'],
      [null, 'with "quotes", and commas'],
    ],
  };
  assert.equal(chartmath.csv(experiment, tables), 'n,what\n1.5,plain\n,"with ""quotes"", and commas"');
});

test('bars: names of any kind, as long as their share of the largest; from a power of ten on a logarithmic scale', () => {
  const rows = [
    ['all', 1000],
    ['some', 10],
    ['none', null],
  ];
  const bars = { key: 'names', columns: ['name', 'nodes'].map(key => ({ key })) };
  const shares = log =>
    chartmath
      .barData(bars, { key: 'c', table: 'names', x: 'name', log, bars: true, series: [{ column: 'nodes' }] }, rows)
      .map(bar => [bar.name, bar.values[0].share]);
  assert.deepEqual(shares(false), [['all', 1], ['some', 0.01], ['none', null]]);
  assert.deepEqual(shares(true), [['all', 1], ['some', 1 / 3], ['none', null]]);
});
