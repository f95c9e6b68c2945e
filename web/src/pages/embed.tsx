// A game in somebody else's page (/embed#/room/KEY/NODE): the board, its moves and buttons to go through them, nothing
// else. It is only looked at, whatever keys this browser has: the page around it must not be able to lure anybody into
// a click that plays.
import { useEffect, useState } from 'preact/hooks';
import type { Color } from '../board.js';
import { route } from '../app.js';
import { t } from '../i18n.js';
import type { Room } from '../room.js';
import { watchByKey } from '../rooms.js';
import { GameBoard } from '../ui/gameboard.js';
import { MoveList } from '../ui/movelist.js';
import { goNext, goPrevious, Navigation } from '../ui/navigate.js';
import { errorText } from '../ui/basics.js';
import { playerName, statusText, variantTitle } from '../words.js';
import { Waiting } from './waiting.js';

export function EmbedPage() {
  const [problem, setProblem] = useState('');
  const [room, setRoom] = useState<Room | null>(null);
  const [side, setSide] = useState<Color>('white');
  const [key = '', node] = route.value.rest;
  useEffect(() => {
    watchByKey(key).then(
      found => {
        if (node) found.look(Number(node));
        setRoom(found);
      },
      error => setProblem(errorText(error)),
    );
  }, [key, node]);
  const state = room?.state.value;
  if (problem) return <p class="pad problem">{problem}</p>;
  if (!room || !state) return <Waiting />;
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.key === 'ArrowLeft') goPrevious(room);
    else if (e.key === 'ArrowRight') goNext(room);
  };
  return (
    <div class="embed" onKeyDown={onKeyDown} data-testid="embed">
      <div class="boardrow">
        <GameBoard room={room} orientation={side} />
      </div>
      <aside class="panel card">
        <p class="pad small">
          <strong>
            {playerName(state, 'white')} – {playerName(state, 'black')}
          </strong>
          <br />
          <span class="quiet">{state.mode === 'play' ? statusText(state) : variantTitle(state.variant)}</span>
        </p>
        <MoveList room={room} />
        <Navigation room={room} onFlip={() => setSide(side === 'white' ? 'black' : 'white')} />
        <a class="small pad" href={`/#/room/${key}/${room.cursor.value}`} target="_blank" rel="noopener">
          {t('embed.open')}
        </a>
      </aside>
    </div>
  );
}
