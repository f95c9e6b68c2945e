// The bar above and below the board: who plays, what was taken, the clock.
import { useEffect, useState } from 'preact/hooks';
import type { Color } from '../board.js';
import { t } from '../i18n.js';
import type { Room } from '../room.js';
import { clockText, levelElo, levelName, other, playerName, playerRank } from '../words.js';
import { Captured } from './pieces.js';
import { play } from './sounds.js';

const LOW_MS = 20000;

export function PlayerBar({ room, color, place }: { room: Room; color: Color; place: 'top' | 'bottom' }) {
  const state = room.state.value;
  if (!state) return <div class={`player ${place}`} />;
  const player = state[color];
  const position = room.position.value ?? state.position;
  const turn = state.state === 'playing' && state.position.turn === color;
  const ahead = color === 'white' ? position.material : -position.material;
  const result = state.result;
  const elo = player.kind === 'lovac' ? levelElo(player.level ?? 0, state.variant) : null;
  return (
    <div class={`player ${place} ${turn ? 'turn' : ''}`} data-testid={`player-${color}`}>
      <span class={`dot ${color}`} role="img" aria-label={t(color)} />
      <div class="who">
        <strong>{playerName(state, color)}</strong>
        {player.kind === 'lovac' && (
          <span class="quiet small">
            {levelName(player.level ?? 0)}
            {elo ? (
              <span class="num" title={t('setup.eloMeans')}>
                {' '}
                · {t('setup.elo', { elo })}
              </span>
            ) : null}
          </span>
        )}
        {playerRank(state, color) && <span class="quiet small num">{playerRank(state, color)}</span>}
        {player.kind === 'human' && !state.you.includes(color) && state.mode === 'play' && (
          <span class={`small ${player.online ? 'online' : 'quiet'}`}>
            {t(player.online ? 'player.online' : 'player.offline')}
          </span>
        )}
      </div>
      <Captured men={position.captured[other(color)]} color={other(color)} ahead={ahead} />
      {result && (result.winner === color || result.result === '1/2-1/2') && (
        <span class="badge score num">{result.winner === color ? '1' : '½'}</span>
      )}
      {state.clock && state.clock.kind !== 'none' && <Clock room={room} color={color} />}
    </div>
  );
}

/** The server keeps the time; this counts down from what it last said. */
function Clock({ room, color }: { room: Room; color: Color }) {
  const state = room.state.value!;
  const clock = state.clock!;
  const running = clock.running === color;
  const base = color === 'white' ? clock.white_ms : clock.black_ms;
  const [, tick] = useState(0);
  const left = running ? base - (performance.now() - room.clockAt.value) : base;
  const full = (color === 'black' && clock.black?.time_ms) || clock.time_ms;
  const low = left < Math.min(LOW_MS, Math.max(5000, full / 5));
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => tick(n => n + 1), low ? 100 : 250);
    return () => clearInterval(timer);
  }, [running, low]);
  const warn = low && running && state.state === 'playing';
  useEffect(() => {
    if (warn && state.you.includes(color)) play('lowtime');
  }, [warn]);
  return (
    <div
      class={`clock num ${running ? 'running' : ''} ${low ? 'low' : ''}`}
      role="timer"
      aria-label={t(color === 'white' ? 'clock.white' : 'clock.black')}
    >
      {clockText(left)}
    </div>
  );
}
