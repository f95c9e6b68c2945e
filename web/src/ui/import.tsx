// Games in: PGN of any size as text or as a file, with progress, and a list of everything that was wrong with it; a FEN.
// An import goes on when the dialog is closed, and is found again when it is opened.
import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { closeDialog, dialog, go, libraryVersion, startRoom } from '../app.js';
import { formatNumber, problemText, t } from '../i18n.js';
import { decode, GAMES_LISTED, Importer, type Found, type ImportState } from '../importer.js';
import { welcome } from '../net.js';
import type { ImportedGame } from '../protocol.js';
import { resultSigns, variantTitle } from '../words.js';
import { Button, Dialog, download, errorText, toast } from './basics.js';
import { VariantField } from './variants.js';

/** The import that goes on or has ended last. */
const current = signal<Importer | null>(null);

/** Files up to this size are shown as text. */
const SHOWN_AS_TEXT = 200000;
const PROBLEMS_SHOWN = 200;
const megabytes = (bytes: number): string => formatNumber(bytes / 1e6, 1);

/** "Game 12, move 23… (line 345): …" */
function foundText({ game, problem }: Found): string {
  const { line, ply } = problem;
  const where = { game, line, problem: problemText(problem) };
  if (ply === undefined) return t('import.atGame', where);
  return t('import.atMove', { ...where, move: `${Math.floor(ply / 2) + 1}${ply % 2 ? '…' : '.'}` });
}

async function run(source: Blob, save: boolean, onEnd: (importer: Importer) => void): Promise<void> {
  current.value?.stop();
  const importer = new Importer(source, save);
  current.value = importer;
  await importer.run();
  if (save) libraryVersion.value++;
  if (current.value === importer) onEnd(importer);
}

export function ImportDialog() {
  const [text, setText] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState('');
  const [variant, setVariant] = useState('chess');
  const looksLikeFen = /^\s*[pnbrqkPNBRQK1-8]+(\/[pnbrqkPNBRQK1-8]+){7}(\s|$)/.test(text) && !text.includes('[');
  const importer = current.value;
  const state = importer?.state.value;
  const running = state?.phase === 'running' || state?.phase === 'waiting';
  const source = file ?? (text.trim() ? new Blob([text]) : null);

  const openGame = async (from: Importer, game: ImportedGame) => {
    try {
      const pgn = await from.gameText(game);
      const most = welcome.value?.limits['message_bytes'] ?? 1 << 20;
      if (pgn.length * 1.2 > most) return setProblem(t('error.too-large'));
      await startRoom('analyse', { mode: 'analysis', pgn, game: 0 });
      current.value = null;
      closeDialog();
      go('analyse');
    } catch (error) {
      setProblem(errorText(error));
    }
  };
  const openFen = async () => {
    try {
      await startRoom('analyse', { mode: 'analysis', variant, fen: text.trim() });
      closeDialog();
      go('analyse');
    } catch (error) {
      setProblem(errorText(error));
    }
  };
  const ended = (done: Importer, save: boolean) => {
    const { phase, hasGame, read, saved, games, problems, error } = done.state.value;
    if (phase === 'failed') return setProblem(errorText(error));
    if (phase === 'done' && !hasGame) {
      current.value = null;
      return setProblem(t('import.none'));
    }
    if (save) toast(t('import.saved', { n: saved }));
    else if (phase === 'done' && read === 1 && problems.length === 0 && dialog.value.name === 'import')
      void openGame(done, games[0]!);
  };
  const begin = (save: boolean) => {
    setProblem('');
    if (source) void run(source, save, done => ended(done, save));
  };
  const choose = async (chosen: File | undefined) => {
    if (!chosen) return;
    setProblem('');
    current.value = null;
    const small = chosen.size <= SHOWN_AS_TEXT;
    setFile(small ? null : chosen);
    if (small) {
      setText(decode(new Uint8Array(await chosen.arrayBuffer())));
    } else setText('');
  };
  return (
    <Dialog
      title={t('import.title')}
      onClose={closeDialog}
      testid="import"
      wide={!!state}
      footer={
        running ? (
          <Button icon="close" label={t('import.stop')} onClick={() => importer!.stop()} />
        ) : looksLikeFen ? (
          <Button label={t('import.openFen')} kind="primary" onClick={() => void openFen()} />
        ) : (
          <>
            <Button icon="save" label={t('import.saveAll')} disabled={!source} onClick={() => begin(true)} />
            <Button label={t('import.open')} kind="primary" disabled={!source} onClick={() => begin(false)} />
          </>
        )
      }
    >
      <div class="stack" hidden={running}>
        <label class="field">
          <span>{t('import.text')}</span>
          <textarea
            class="input mono"
            rows={state ? 3 : 8}
            value={text}
            spellcheck={false}
            onInput={e => {
              setFile(null);
              setText(e.currentTarget.value);
            }}
            onPaste={e => {
              // A field with megabytes in it makes the page slow: keep them as a file.
              const pasted = e.clipboardData?.getData('text/plain') ?? '';
              if (pasted.length <= SHOWN_AS_TEXT) return;
              e.preventDefault();
              void choose(new File([pasted], t('import.pasted')));
            }}
            data-testid="import-text"
          />
        </label>
        <label class="field">
          <span>{t('import.file')}</span>
          <input
            class="input"
            type="file"
            accept=".pgn,.txt,application/x-chess-pgn"
            onChange={e => void choose(e.currentTarget.files?.[0])}
          />
        </label>
        {file && (
          <p class="small num" data-testid="import-file">
            {t('import.chosen', { name: file.name, size: megabytes(file.size) })}
          </p>
        )}
      </div>
      {looksLikeFen && <VariantField title={t('setup.variant')} value={variant} onChange={setVariant} />}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {state && <Progress state={state} running={running} save={importer!.save} />}
      {state && !running && state.problems.length + state.unlisted > 0 && <Problems state={state} />}
      {state && !running && !importer!.save && state.hasGame && (
        <Games state={state} onOpen={game => void openGame(importer!, game)} />
      )}
    </Dialog>
  );
}

/** How far it is, and what came of it. */
function Progress({ state, running, save }: { state: ImportState; running: boolean; save: boolean }) {
  const part = state.total > 0 ? state.done / state.total : 1;
  const { read, saved, same, failed } = state;
  const n = (value: number) => formatNumber(value);
  return (
    <div class="stack" data-testid="import-state" data-phase={state.phase}>
      {running && (
        <div
          class="progress"
          role="progressbar"
          aria-label={t('import.progress')}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(part * 100)}
        >
          <i style={{ width: `${part * 100}%` }} />
        </div>
      )}
      <p class="num small" role="status">
        {running && `${t('import.working', { done: megabytes(state.done), total: megabytes(state.total) })} · `}
        {save
          ? t('import.sum', { read: n(read), saved: n(saved), same: n(same), failed: n(failed) })
          : t('import.read', { n: read })}
      </p>
      {state.phase === 'waiting' && (
        <p class="problem" role="alert">
          {t('import.waiting')}
        </p>
      )}
      {state.phase === 'stopped' && <p>{t('import.stopped', { read: n(read) })}</p>}
      {state.phase === 'full' && (
        <p class="problem" role="alert">
          {t('import.full', { game: n(read + 1) })}
        </p>
      )}
    </div>
  );
}

/** Everything that was wrong, with its game and move. */
function Problems({ state }: { state: ImportState }) {
  const { problems, unlisted } = state;
  const all = problems.length + unlisted;
  return (
    <section class="stack" aria-label={t('import.problems', { n: all })}>
      <div class="row between">
        <h3>{t('import.problems', { n: all })}</h3>
        <Button
          icon="download"
          label={t('import.list')}
          kind="small"
          onClick={() => download('lovac-import.txt', problems.map(foundText).join('\n') + '\n')}
        />
      </div>
      <ul class="found small" data-testid="import-problems" tabIndex={0}>
        {problems.slice(0, PROBLEMS_SHOWN).map((found, i) => (
          <li key={i}>{foundText(found)}</li>
        ))}
      </ul>
      {all > PROBLEMS_SHOWN && <p class="quiet small">{t('import.first', { n: PROBLEMS_SHOWN })}</p>}
    </section>
  );
}

function Games({ state, onOpen }: { state: ImportState; onOpen: (game: ImportedGame) => void }) {
  return (
    <div class="tablewrap">
      <table class="small">
        <thead>
          <tr>
            <th class="r">#</th>
            <th>
              <span class="sr">{t('import.open')}</span>
            </th>
            <th>{t('white')}</th>
            <th>{t('black')}</th>
            <th>{t('series.result')}</th>
            <th>{t('library.game')}</th>
            <th class="r">{t('series.plies')}</th>
          </tr>
        </thead>
        <tbody>
          {state.games.map(g => (
            <tr key={g.index}>
              <td class="r num">{g.index + 1}</td>
              <td>{g.variant && <Button label={t('import.open')} kind="small" onClick={() => onOpen(g)} />}</td>
              <td>{g.white}</td>
              <td>{g.black}</td>
              <td class="num">{resultSigns(g.result)}</td>
              <td>{g.variant ? variantTitle(g.variant) : '–'}</td>
              <td class="r num">{g.plies}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {state.read > state.games.length && <p class="quiet small">{t('import.more', { n: GAMES_LISTED })}</p>}
    </div>
  );
}
