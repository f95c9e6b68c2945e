// Runs the browser tests: node tests/web/run.mjs [WORD…] takes the journeys with one of the words in their name.
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runAll } from './lib.mjs';

const here = dirname(fileURLToPath(import.meta.url));
for (const file of readdirSync(here).filter(name => name.endsWith('.test.mjs')).sort()) await import(join(here, file));
process.exitCode = (await runAll(process.argv.slice(2))) ? 0 : 1;
