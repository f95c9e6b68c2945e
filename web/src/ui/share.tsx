// Games out: save under a name, PGN and FEN to copy or download, links. In: see import.tsx.
import { useEffect, useState } from 'preact/hooks';
import { closeDialog, rooms } from '../app.js';
import { t } from '../i18n.js';
import type { TableName } from '../rooms.js';
import { playerName, variantTitle } from '../words.js';
import { Button, copyText, Dialog, download, toast, toastError } from './basics.js';
import { inviteLink, reachableOrigins } from './invite.js';

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
