// Games out: save under a name, PGN and FEN to copy or download, links. In: see import.tsx.
import { useEffect, useState } from 'preact/hooks';
import { closeDialog, rooms } from '../app.js';
import { t } from '../i18n.js';
import { lineEnd, pathTo, type Room } from '../room.js';
import type { TableName } from '../rooms.js';
import { playerName, variantTitle } from '../words.js';
import { orientationOf } from '../pages/table.js';
import { Button, copyText, Dialog, download, toast, toastError } from './basics.js';
import { inviteLink, openCommand, reachableOrigins } from './invite.js';

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
      <Pictures room={room} place={place} />
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
          <Address name={t('share.here')} value={hereLink(room)} testid="link-here" />
          <Address name={t('share.embed')} value={embedCode(room)} testid="embed-code" />
          <p class="quiet small">{t('share.note')}</p>
          {reachableOrigins().length === 0 && (
            <p class="quiet small">
              {t('invite.alone')} {openCommand()}
            </p>
          )}
        </div>
      )}
    </Dialog>
  );
}

/** The link that shows this game at the move that is looked at. */
function hereLink(room: Room): string | null {
  const link = inviteLink(room, 'watch');
  return link && `${link}/${room.cursor.value}`;
}

/** What to put into another page to have the game there. */
function embedCode(room: Room): string | null {
  const link = hereLink(room)?.replace('/#/', '/embed#/');
  return link ? `<iframe src="${link}" width="640" height="420" title="Lovac" style="border: 0"></iframe>` : null;
}

/** A text to copy, with its name. */
function Address({ name, value, testid }: { name: string; value: string | null; testid: string }) {
  if (!value) return null;
  return (
    <span class="row">
      <span class="link-name small">{name}</span>
      <input class="input mono grow" readOnly value={value} aria-label={name} data-testid={testid} />
      <Button icon="copy" label={t('copy')} bare onClick={() => void copyText(value)} />
    </span>
  );
}

/** The position as a picture, the line that is looked at as an animated one. */
function Pictures({ room, place }: { room: Room; place: TableName }) {
  const [busy, setBusy] = useState(0);
  const nodes = room.nodes.value;
  const scene = (id: number) => {
    const node = nodes.get(id)!;
    return { fen: node.fen, last: node.uci ? [node.uci.slice(0, 2), node.uci.slice(2, 4)] : undefined };
  };
  // To where the line that is looked at ends.
  const line = pathTo(nodes, lineEnd(nodes, room.cursor.value));
  const side = orientationOf(room, place);
  const save = async (kind: 'png' | 'svg' | 'apng') => {
    setBusy(0.001);
    try {
      const picture = await import('../picture.js');
      const here = scene(room.cursor.value);
      if (kind === 'svg') download('lovac.svg', new Blob([await picture.svg(here, side)], { type: 'image/svg+xml' }));
      else if (kind === 'png') download('lovac.png', await picture.png(here, side));
      else {
        const frames = line.map(scene);
        const onFrame = (done: number) => setBusy(done / frames.length);
        download('lovac-game.png', await picture.animation(frames, side, 800, onFrame));
      }
    } catch (error) {
      toastError(error);
    }
    setBusy(0);
  };
  return (
    <div class="field">
      <span class="legend">{t('share.picture')}</span>
      <div class="row">
        <Button icon="download" label="PNG" disabled={busy > 0} onClick={() => void save('png')} />
        <Button icon="download" label="SVG" disabled={busy > 0} onClick={() => void save('svg')} />
        <Button
          icon="download"
          label={busy > 0 ? `${Math.round(busy * 100)} %` : t('share.animated')}
          disabled={busy > 0 || line.length < 2}
          onClick={() => void save('apng')}
        />
      </div>
    </div>
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
