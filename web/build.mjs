// Builds the page into dist/: scripts and styles bundled by esbuild, the opening names reduced to one
// small file, index.html with the names of what was built. Every file is left beside a .gz of itself, which
// is what the server sends. Fails when the first load is heavier than BUDGET.
//   node build.mjs           once
//   node build.mjs --dev     without minifying, with source maps
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const BUDGET = 150 * 1024; // bytes of compressed script and style before the page can be used
const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, 'dist');
const dev = process.argv.includes('--dev');

/** The men on the board and the side to move after moves in coordinates, as in a FEN. */
function boardAfter(moves) {
  const at = square => square.charCodeAt(0) - 97 + 8 * (8 - Number(square[1]));
  const board = [...'rnbqkbnrpppppppp' + ' '.repeat(32) + 'PPPPPPPPRNBQKBNR'];
  for (const move of moves) {
    const from = at(move.slice(0, 2)), to = at(move.slice(2, 4)), man = board[from];
    if (/p/i.test(man) && (to - from) % 8 !== 0 && board[to] === ' ') board[from - (from % 8) + (to % 8)] = ' '; // en passant
    if (/k/i.test(man) && Math.abs(to - from) === 2) {
      const rook = to > from ? to + 1 : to - 2;
      board[(from + to) / 2] = board[rook];
      board[rook] = ' ';
    }
    board[to] = man;
    board[from] = ' ';
  }
  const ranks = board.join('').match(/.{8}/g).map(rank => rank.replace(/ +/g, empty => String(empty.length)));
  return `${ranks.join('/')} ${moves.length % 2 ? 'b' : 'w'}`;
}

/** Opening names by the men on the board and the side to move, from the program's own table. */
async function openings() {
  const table = await readFile(join(here, '../src/tables/opening_names.inc'), 'utf8');
  const lines = [...table.matchAll(/^\{"(\w+)", "(.*)", "(.*)"\},$/gm)].map(([, code, name, moves]) =>
    [boardAfter(moves.split(' ')), code, name].join('\t'),
  );
  if (lines.length < 500) throw new Error('src/tables/opening_names.inc: rows are missing');
  return lines.sort().join('\n');
}

/** `import names from 'openings:'` gives the text made by openings(). */
const openingsPlugin = {
  name: 'openings',
  setup(b) {
    b.onResolve({ filter: /^openings:$/ }, () => ({ path: 'openings', namespace: 'openings' }));
    b.onLoad({ filter: /.*/, namespace: 'openings' }, async () => ({ contents: await openings(), loader: 'text' }));
  },
};

/** `import 'pieces:cburnett'`: the set that comes with chessground, as custom properties instead of rules, so that
 *  every man on the page (board, captured, promotion, editor) takes its picture from the same place. */
async function cburnett() {
  const css = await readFile(
    join(here, 'node_modules/@lichess-org/chessground/assets/chessground.cburnett.css'),
    'utf8',
  );
  const rules = [...css.matchAll(/piece\.(\w+)\.(white|black)\s*\{\s*background-image:\s*(url\([^)]*\))/g)];
  if (rules.length !== 12) throw new Error(`cburnett: ${rules.length} men instead of 12`);
  const letter = role => (role === 'knight' ? 'n' : role[0]);
  return `:root { ${rules.map(([, role, color, url]) => `--piece-${color[0]}${letter(role)}: ${url};`).join(' ')} }`;
}
const piecesPlugin = {
  name: 'pieces',
  setup(b) {
    b.onResolve({ filter: /^pieces:cburnett$/ }, () => ({ path: 'cburnett', namespace: 'pieces' }));
    b.onLoad({ filter: /.*/, namespace: 'pieces' }, async () => ({ contents: await cburnett(), loader: 'css' }));
  },
};

/** chessground writes one style attribute, which a strict Content-Security-Policy refuses: board.css has it. */
const strictPlugin = {
  name: 'strict',
  setup(b) {
    b.onLoad({ filter: /chessground[\\/]dist[\\/]wrap\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const strict = text.replace(/\n\s*style: 'color-scheme:light only',/, '');
      if (strict === text) throw new Error('chessground: the style attribute is no longer where it was');
      return { contents: strict, loader: 'js' };
    });
  },
};

/** The outputs that `entry` needs before it runs: itself and all it imports statically. */
function firstLoad(outputs, entry) {
  const seen = new Set();
  const visit = name => {
    if (seen.has(name)) return;
    seen.add(name);
    const output = outputs[name];
    if (output.cssBundle) seen.add(output.cssBundle);
    for (const i of output.imports) if (i.kind === 'import-statement') visit(i.path);
  };
  visit(entry);
  return [...seen];
}

async function main() {
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  const result = await build({
    absWorkingDir: here,
    entryPoints: { lovac: 'src/main.tsx' },
    outdir: 'dist',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: ['es2022', 'chrome108', 'firefox108', 'safari16'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: !dev,
    sourcemap: dev ? 'linked' : false,
    legalComments: 'none',
    loader: { '.svg': 'dataurl', '.woff2': 'file' },
    plugins: [openingsPlugin, piecesPlugin, strictPlugin],
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const files = new Map(result.outputFiles.map(f => [relative(here, f.path), Buffer.from(f.contents)]));
  const outputs = result.metafile.outputs;
  const entry = Object.keys(outputs).find(name => outputs[name].entryPoint === 'src/main.tsx');
  const style = outputs[entry].cssBundle;
  const first = firstLoad(outputs, entry);

  let page = await readFile(join(here, 'index.html'), 'utf8');
  const preload = first
    .filter(name => name.endsWith('.js') && name !== entry)
    .map(name => `<link rel="modulepreload" href="/${basename(name)}">`)
    .join('\n    ');
  page = page.replace('%STYLE%', basename(style)).replace('%SCRIPT%', basename(entry)).replace('%PRELOAD%', preload);
  files.set('dist/index.html', Buffer.from(page));
  files.set('dist/icon.svg', await readFile(join(here, 'icon.svg')));
  const manifest = (await readFile(join(here, 'manifest.webmanifest'), 'utf8')).trim() + '\n';
  files.set('dist/manifest.webmanifest', Buffer.from(manifest));

  let heavy = 0;
  for (const [name, bytes] of files) {
    const packed = gzipSync(bytes, { level: 9 });
    if (first.includes(name)) heavy += packed.length;
    await writeFile(join(here, name), bytes);
    // Fonts and other packed things do not shrink.
    if (packed.length < bytes.length * 0.9) await writeFile(join(here, name + '.gz'), packed);
  }
  const hash = createHash('sha256');
  for (const name of [...files.keys()].sort()) hash.update(name).update(files.get(name));
  console.log(
    `web: ${files.size} files, first load ${(heavy / 1024).toFixed(1)} kB of ${BUDGET / 1024} kB, ` +
      hash.digest('hex').slice(0, 12),
  );
  if (heavy > BUDGET) {
    console.error(`web: the first load is ${heavy} bytes, more than ${BUDGET}`);
    process.exit(1);
  }
}

await main();
