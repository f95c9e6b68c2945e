// Games out and in: save under a name, PGN and FEN to copy or download, links, import.
import { useEffect, useState } from 'preact/hooks';
import { closeDialog, go, rooms, startRoom } from '../app.js';
import { problemText, t } from '../i18n.js';
import { request } from '../net.js';
import type { ImportedGame } from '../protocol.js';
import type { TableName } from '../rooms.js';
import { playerName, resultSigns, variantTitle } from '../words.js';
import { Button, copyText, Dialog, download, errorText, toast, toastError } from './basics.js';
import { inviteLink, reachableOrigins } from './invite.js';
import { VariantField } from './variants.js';

export function SaveDialog({ place }: { place: TableName }) {
  const room = rooms[place].value;
  const state = room?.state.value;
  const first = state
    ? `${variantTitle(state.variant)}: ${playerName(state, 'white')} – ${playerName(state, 'black')}`
    : '';
  const [name, setName] = useState(first);
  if (!room || !state) return null;
  const save = (e: Event) => {
    e.preventDefault();
    room.ask('save', { name: name.trim() || first }).then(() => {
      toast(t('save.done'));
      closeDialog();
    }, toastError);
  };
  return (
    <Dialog title={t('save.title')} onClose={closeDialog} testid="save">
      <form class="stack" onSubmit={save}>
        <label class="field">
          <span>{t('save.name')}</span>
          <input class="input" value={name} maxLength={60} onInput={e => setName(e.currentTarget.value)} />
        </label>
        <p class="quiet small">{t('save.note')}</p>
        <div class="row">
          <span class="grow" />
          <button class="btn primary" type="submit">
            {t('action.save')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

export function ShareDialog({ place }: { place: TableName }) {
  const room = rooms[place].value;
  const [pgn, setPgn] = useState('');
  useEffect(() => {
    room?.ask('export', {}).then(a => setPgn(a.pgn), toastError);
  }, [room]);
  if (!room?.state.value) return null;
  const fen = room.node.value?.fen ?? '';
  const state = room.state.value;
  const links = (['watch', 'white', 'black'] as const)
    .filter(seat => seat === 'watch' || state[seat].kind === 'human')
    .map(seat => [seat, inviteLink(room, seat)] as const);
  return (
    <Dialog title={t('share.title')} onClose={closeDialog} testid="share">
      <label class="field">
        <span>FEN</span>
        <span class="row">
          <input class="input mono grow" readOnly value={fen} />
          <Button icon="copy" label={t('copy')} bare onClick={() => void copyText(fen)} />
        </span>
      </label>
      <label class="field">
        <span>PGN</span>
        <textarea class="input mono" readOnly rows={7} value={pgn} data-testid="pgn" />
      </label>
      <div class="row">
        <Button icon="copy" label={t('share.copyPgn')} onClick={() => void copyText(pgn)} />
        <Button icon="download" label={t('share.download')} onClick={() => download('lovac.pgn', pgn)} />
      </div>
      {links.some(([, link]) => link) && (
        <div class="field">
          <span class="legend">{t('share.links')}</span>
          {links.map(
            ([seat, link]) =>
              link && (
                <span class="row" key={seat}>
                  <span class="link-name small">
                    {t(seat === 'watch' ? 'share.watch' : seat === 'white' ? 'share.white' : 'share.black')}
                  </span>
                  <input
                    class="input mono grow"
                    readOnly
                    value={link}
                    aria-label={t(seat === 'watch' ? 'share.watch' : seat === 'white' ? 'share.white' : 'share.black')}
                    data-testid={`link-${seat}`}
                  />
                  <Button icon="copy" label={t('copy')} bare onClick={() => void copyText(link)} />
                </span>
              ),
          )}
          <p class="quiet small">{t('share.note')}</p>
          {reachableOrigins().length === 0 && <p class="quiet small">{t('invite.alone')} lovac serve --host 0.0.0.0</p>}
        </div>
      )}
    </Dialog>
  );
}

const lineProblem = (problem: ImportedGame['problems'][number]): string =>
  t('import.line', { line: problem.line, problem: problemText(problem) });

export function ImportDialog() {
  const [text, setText] = useState('');
  const [games, setGames] = useState<readonly ImportedGame[] | null>(null);
  const [more, setMore] = useState(false);
  const [problem, setProblem] = useState('');
  const [variant, setVariant] = useState('chess');
  const looksLikeFen = /^\s*[pnbrqkPNBRQK1-8]+(\/[pnbrqkPNBRQK1-8]+){7}(\s|$)/.test(text) && !text.includes('[');

  const openGame = async (game: number) => {
    try {
      await startRoom('analyse', { mode: 'analysis', pgn: text, game });
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
  const look = async (save: boolean) => {
    setProblem('');
    try {
      let answer = await request('import', { pgn: text, save: false });
      // Any text has something in it that a patient reader calls a game: without a move and with complaints, it is none.
      if (!answer.games.some(g => g.plies > 0 || g.problems.length === 0)) return setProblem(t('import.none'));
      if (save) answer = await request('import', { pgn: text, save });
      setMore(answer.more);
      if (answer.games.length === 1 && !save) await openGame(0);
      else setGames(answer.games);
      if (save) toast(t('import.saved', { n: answer.games.length }));
    } catch (error) {
      setProblem(errorText(error));
    }
  };
  const readFile = async (file: File | undefined) => {
    if (!file) return;
    const bytes = await file.arrayBuffer();
    try {
      setText(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    } catch {
      // Old files are in the Latin alphabet of western Europe.
      setText(new TextDecoder('windows-1252').decode(bytes));
    }
  };
  return (
    <Dialog
      title={t('import.title')}
      onClose={closeDialog}
      testid="import"
      footer={
        looksLikeFen ? (
          <Button label={t('import.openFen')} kind="primary" onClick={() => void openFen()} />
        ) : (
          <>
            <Button icon="save" label={t('import.saveAll')} disabled={!text.trim()} onClick={() => void look(true)} />
            <Button label={t('import.open')} kind="primary" disabled={!text.trim()} onClick={() => void look(false)} />
          </>
        )
      }
    >
      <label class="field">
        <span>{t('import.text')}</span>
        <textarea
          class="input mono"
          rows={8}
          value={text}
          spellcheck={false}
          onInput={e => setText(e.currentTarget.value)}
          data-testid="import-text"
        />
      </label>
      <label class="field">
        <span>{t('import.file')}</span>
        <input
          class="input"
          type="file"
          accept=".pgn,.txt,application/x-chess-pgn"
          onChange={e => void readFile(e.currentTarget.files?.[0])}
        />
      </label>
      {looksLikeFen && <VariantField title={t('setup.variant')} value={variant} onChange={setVariant} />}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {games && (
        <div class="tablewrap">
          <table class="small">
            <thead>
              <tr>
                <th>{t('white')}</th>
                <th>{t('black')}</th>
                <th>{t('series.result')}</th>
                <th>{t('library.game')}</th>
                <th class="r">{t('series.plies')}</th>
                <th>
                  <span class="sr">{t('import.open')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {games.map(g => (
                <tr key={g.index}>
                  <td>{g.white}</td>
                  <td>{g.black}</td>
                  <td class="num">{resultSigns(g.result)}</td>
                  <td>{variantTitle(g.variant)}</td>
                  <td class="r num">{g.plies}</td>
                  <td>
                    {g.problems.length > 0 && <span class="problem small">{lineProblem(g.problems[0]!)}</span>}{' '}
                    <Button label={t('import.open')} kind="small" onClick={() => void openGame(g.index)} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {more && <p class="quiet small">{t('import.more')}</p>}
        </div>
      )}
    </Dialog>
  );
}

export function CommentDialog({ place }: { place: TableName }) {
  const room = rooms[place].value;
  const [text, setText] = useState(room?.node.value?.comment ?? '');
  if (!room) return null;
  const save = (e: Event) => {
    e.preventDefault();
    room.ask('annotate', { node: room.cursor.value, comment: text.trim() }).then(closeDialog, toastError);
  };
  return (
    <Dialog title={t('node.comment')} onClose={closeDialog} testid="comment">
      <form class="stack" onSubmit={save}>
        <textarea
          class="input"
          rows={5}
          maxLength={2000}
          aria-label={t('node.comment')}
          value={text}
          onInput={e => setText(e.currentTarget.value)}
        />
        <div class="row">
          <span class="grow" />
          <button class="btn primary" type="submit">
            {t('action.save')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
