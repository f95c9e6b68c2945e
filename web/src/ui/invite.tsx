// Inviting somebody to a free seat: the link, under an address that his machine can reach, as text and as QR code; and
// what to do when there is no such address.
import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { Color } from '../board.js';
import { t } from '../i18n.js';
import { welcome } from '../net.js';
import type { Room } from '../room.js';
import { Button, copyText } from './basics.js';

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[?::1\]?)$/;

/** The address of the network that links are written with, when the page itself stands under a loopback address. */
const chosen = signal('');

/** Where others reach this page: the page's own address, or one of the machine's in its network; null: nowhere. */
export function reachableOrigins(): readonly string[] {
  if (!LOOPBACK.test(location.hostname)) return [location.origin];
  const port = location.port ? `:${location.port}` : '';
  return (welcome.value?.addresses ?? []).map(address => `${location.protocol}//${address}${port}`);
}

/** The link that opens a seat (or the gallery) of a room, if this browser has its key. */
export function inviteLink(room: Room, seat: Color | 'watch'): string | null {
  const key = room.keys[seat];
  const origins = reachableOrigins();
  const origin = origins.find(o => o === chosen.value) ?? origins[0] ?? location.origin;
  return key ? `${origin}${location.pathname}#/room/${key}` : null;
}

/** A seat is free: the link for whoever is to sit there. */
export function Invitation({ room }: { room: Room }) {
  const state = room.state.value!;
  const free = (['white', 'black'] as const).find(
    c => state[c].kind === 'human' && state[c].remote && !state[c].online,
  );
  const link = free ? inviteLink(room, free) : null;
  if (!link) return null;
  const origins = reachableOrigins();
  return (
    <div class="offer invite">
      <label class="field grow">
        <span>{t('invite.text')}</span>
        <input
          class="input mono"
          readOnly
          value={link}
          data-testid="invite-link"
          onFocus={e => e.currentTarget.select()}
        />
      </label>
      <Button icon="copy" label={t('copy')} kind="primary" onClick={() => void copyText(link)} />
      {origins.length > 1 && (
        <label class="field wide">
          <span>{t('invite.address')}</span>
          <select
            class="input"
            value={chosen.value || origins[0]}
            onChange={e => (chosen.value = e.currentTarget.value)}
          >
            {origins.map(origin => (
              <option key={origin} value={origin}>
                {origin}
              </option>
            ))}
          </select>
        </label>
      )}
      {origins.length > 0 ? <QrCode text={link} /> : <Alone />}
    </div>
  );
}

/** How to start the server so that the network reaches it, where this one is. */
export function openCommand(): string {
  const port =
    location.port === '8064' ? '' : ` --port ${location.port || (location.protocol === 'https:' ? '443' : '80')}`;
  return `lovac serve --host 0.0.0.0${port}`;
}

/** The server listens on a loopback address: nobody else can open its links. */
function Alone() {
  const command = openCommand();
  return (
    <div class="wide stack tight" role="note" data-testid="invite-alone">
      <p>{t('invite.alone')}</p>
      <div class="row">
        <code class="mono grow">{command}</code>
        <Button icon="copy" label={t('copy')} bare kind="small" onClick={() => void copyText(command)} />
      </div>
    </div>
  );
}

/** The link for a telephone's camera. The encoder comes when it is first needed. */
export function QrCode({ text }: { text: string }) {
  const [drawn, setDrawn] = useState<{ size: number; path: string } | null>(null);
  useEffect(() => {
    let stale = false;
    void import('../qr.js').then(({ qrCode, qrPath }) => {
      const code = qrCode(text);
      if (!stale) setDrawn(code && { size: code.length + 8, path: qrPath(code) });
    });
    return () => void (stale = true);
  }, [text]);
  return (
    drawn && (
      <svg
        class="qr"
        role="img"
        aria-label={t('invite.qr')}
        viewBox={`0 0 ${drawn.size} ${drawn.size}`}
        data-testid="qr"
      >
        <path d={drawn.path} />
      </svg>
    )
  );
}
