// The library: games that go on, games saved under a name.
import { useEffect, useState } from 'preact/hooks';
import { go, libraryVersion, openDialog, showRoom, startRoom } from '../app.js';
import { formatDate, t } from '../i18n.js';
import { request, status } from '../net.js';
import type { RoomState, RoomSummary, SavedGame } from '../protocol.js';
import { deleteRoom, enterRoom, forget, knownRooms, type TableName } from '../rooms.js';
import { Button, Dialog, download, errorText, toast, toastError } from '../ui/basics.js';
import { MiniBoard } from '../ui/pieces.js';
import { setupSource } from '../ui/setup.js';
import { variantOptions } from '../ui/variants.js';
import { playerName, reasonText, resultSigns, resultTitle, shortName, variantTitle } from '../words.js';

const PAGE = 24;

export function LibraryPage() {
  return (
    <div class="page">
      <header class="row between">
        <h1>{t('library.title')}</h1>
        <Button icon="upload" label={t('action.import')} onClick={() => openDialog('import', 'analyse')} />
      </header>
      <SavedGames />
      <RecentRooms />
    </div>
  );
}

function SavedGames() {
  const [games, setGames] = useState<readonly SavedGame[]>([]);
  const [total, setTotal] = useState(-1);
  const [find, setFind] = useState('');
  const [problem, setProblem] = useState(''); // with what is looked for
  const [variant, setVariant] = useState('');
  const [from, setFrom] = useState(0);
  const [deleting, setDeleting] = useState<SavedGame | null>(null);
  const [revision, setRevision] = useState(0);
  const ready = status.value === 'open';
  useEffect(() => {
    if (!ready) return;
    let stale = false;
    const fields = {
      from,
      count: PAGE,
      ...(variant ? { variant } : {}),
      ...(find.trim() ? { find: find.trim() } : {}),
    };
    const timer = setTimeout(
      () => {
        request('library', fields).then(
          a => {
            if (stale) return;
            setGames(a.games);
            setTotal(a.total);
            setProblem('');
          },
          (error: unknown) => {
            if (!find) toastError(error);
            else if (!stale) setProblem(errorText(error));
          },
        );
      },
      find ? 200 : 0,
    );
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [ready, find, variant, from, revision, libraryVersion.value]);

  const analyse = (game: SavedGame) =>
    startRoom('analyse', { mode: 'analysis', saved: game.saved }).then(() => go('analyse'), toastError);
  const restore = (game: SavedGame) => {
    setupSource.value = { saved: { id: game.saved, name: game.name, variant: game.variant, fen: game.fen } };
    openDialog('new', 'play');
  };
  const exportAll = () =>
    request('export', { saved: games.map(g => g.saved) }).then(a => download('lovac-games.pgn', a.pgn), toastError);
  return (
    <section class="stack" aria-label={t('library.saved')}>
      <div class="row between">
        <h2>
          {t('library.saved')} {total > 0 && <span class="quiet num small">{total}</span>}
        </h2>
        <div class="row">
          <input
            class="input find"
            type="search"
            aria-label={t('library.find')}
            placeholder={t('library.find')}
            title={t('library.findHint')}
            value={find}
            onInput={e => {
              setFind(e.currentTarget.value);
              setFrom(0);
            }}
          />
          <select
            class="input pick"
            aria-label={t('setup.variant')}
            value={variant}
            onChange={e => {
              setVariant(e.currentTarget.value);
              setFrom(0);
            }}
          >
            <option value="">{t('library.all')}</option>
            {variantOptions()}
          </select>
          <Button icon="download" label="PGN" disabled={games.length === 0} onClick={() => void exportAll()} />
        </div>
      </div>
      {problem && (
        <p class="small" role="status" data-testid="find-problem">
          {problem}
        </p>
      )}
      {total === 0 && <p class="quiet empty">{t(find || variant ? 'library.nothing' : 'library.empty')}</p>}
      <ul class="shelf" data-testid="saved">
        {games.map(game => (
          <li class="card book" key={game.saved}>
            <MiniBoard fen={game.fen} />
            <div class="book-text">
              <h3>{game.name}</h3>
              <p class="small">
                {shortName(game.white)} – {shortName(game.black)} <span class="num">{resultSigns(game.result)}</span>
              </p>
              <p class="small quiet">
                {variantTitle(game.variant)} · {t('library.moves', { n: Math.ceil(game.plies / 2) })}
                {game.reason && game.reason !== 'unknown' ? ` · ${reasonText(game.reason)}` : ''}
              </p>
              <p class="small quiet num">{formatDate(game.updated)}</p>
              <div class="row">
                <Button label={t('library.restore')} kind="small primary" onClick={() => restore(game)} />
                <Button label={t('action.analyse')} kind="small" onClick={() => void analyse(game)} />
                <Button
                  icon="trash"
                  label={t('library.delete')}
                  bare
                  kind="small ghost"
                  onClick={() => setDeleting(game)}
                />
              </div>
            </div>
          </li>
        ))}
      </ul>
      {total > PAGE && (
        <div class="row">
          <Button
            icon="previous"
            label={t('library.newer')}
            disabled={from === 0}
            onClick={() => setFrom(Math.max(0, from - PAGE))}
          />
          <Button
            icon="next"
            label={t('library.older')}
            disabled={from + PAGE >= total}
            onClick={() => setFrom(from + PAGE)}
          />
        </div>
      )}
      {deleting && (
        <Dialog
          title={t('library.deleteTitle')}
          onClose={() => setDeleting(null)}
          footer={
            <>
              <Button label={t('cancel')} onClick={() => setDeleting(null)} />
              <Button
                label={t('library.delete')}
                kind="danger"
                testid="delete-yes"
                onClick={() => {
                  request('unsave', { saved: deleting.saved }).then(() => {
                    toast(t('library.deleted'));
                    setRevision(r => r + 1);
                  }, toastError);
                  setDeleting(null);
                }}
              />
            </>
          }
        >
          <p>{deleting.name}</p>
        </Dialog>
      )}
    </section>
  );
}

function RecentRooms() {
  const [list, setList] = useState<readonly RoomSummary[] | null>(null);
  const ready = status.value === 'open';
  useEffect(() => {
    if (!ready) return;
    const known = knownRooms();
    const keys = known
      .map(r => (r.seats[0] && r.keys[r.seats[0]]) ?? r.keys.watch ?? r.keys.white ?? r.keys.black)
      .filter(k => k !== undefined);
    if (keys.length === 0) return setList([]);
    request('rooms', { keys }).then(answer => {
      const found = answer.rooms.filter(r => r !== null);
      const ids = new Set(found.map(r => r.room));
      for (const room of known) if (!ids.has(room.room)) forget(room.room);
      // A game in which nothing has happened is not worth a place on the shelf.
      setList(found.filter(r => r.ply > 0).sort((a, b) => b.updated - a.updated));
    }, toastError);
  }, [ready]);
  const open = async (summary: RoomSummary) => {
    const place: TableName =
      summary.mode === 'analysis'
        ? 'analyse'
        : summary.white.kind !== 'human' && summary.black.kind !== 'human'
          ? 'watch'
          : 'play';
    const room = await enterRoom(summary.room);
    if (!room) return toast(t('error.unknown-room'), true);
    showRoom(place, room);
    go(place === 'play' ? '' : place);
  };
  const remove = (summary: RoomSummary) =>
    deleteRoom(summary.room).then(() => {
      setList(list!.filter(r => r.room !== summary.room));
      toast(t('library.deleted'));
    }, toastError);
  if (!list || list.length === 0) return null;
  return (
    <section class="stack" aria-label={t('library.recent')}>
      <h2>{t('library.recent')}</h2>
      <ul class="shelf" data-testid="recent">
        {list.slice(0, 48).map(summary => (
          <li class="card book" key={summary.room}>
            <MiniBoard
              fen={summary.fen}
              last={summary.last}
              orientation={summary.you.length === 1 ? summary.you[0]! : 'white'}
            />
            <div class="book-text">
              <h3>{variantTitle(summary.variant)}</h3>
              <p class="small">
                {summary.mode === 'analysis' && !summary.white.name && !summary.black.name
                  ? t('nav.analyse')
                  : `${playerName(summary as unknown as RoomState, 'white')} – ${playerName(summary as unknown as RoomState, 'black')}`}
              </p>
              <p class="small quiet">
                {summary.result ? resultTitle(summary.result) : t('library.moves', { n: Math.ceil(summary.ply / 2) })}
              </p>
              <p class="small quiet num">{formatDate(summary.updated)}</p>
              <div class="row">
                <Button
                  label={t(summary.result ? 'library.look' : 'library.goOn')}
                  kind="small"
                  onClick={() => void open(summary)}
                />
                <Button
                  icon="trash"
                  label={t('library.delete')}
                  bare
                  kind="small ghost"
                  onClick={() => void remove(summary)}
                />
              </div>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
