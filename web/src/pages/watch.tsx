// Watching: program against program, at the speed one likes, a single game or a series with its table.
import { useEffect, useState } from 'preact/hooks';
import { ensureRoom, middlingLevel, openDialog, rooms, startRoom } from '../app.js';
import { t } from '../i18n.js';
import { status, welcome } from '../net.js';
import type { Room } from '../room.js';
import { Button, toastError } from '../ui/basics.js';
import { EarlierBanner, GameActions } from '../ui/actions.js';
import { ThinkingPanel } from '../ui/computer.js';
import { MoveList } from '../ui/movelist.js';
import { MiniBoard } from '../ui/pieces.js';
import { setupSource, SpeedSlider } from '../ui/setup.js';
import { playerName, reasonText, resultSigns, shortName, variantTitle } from '../words.js';
import { Table, type Tab } from './table.js';
import { Waiting } from './waiting.js';

export function WatchPage() {
  const room = rooms.watch.value;
  useEffect(() => {
    if (!room) ensureRoom('watch').catch(toastError);
  }, [room, status.value]);
  if (status.value !== 'open' && !room) return <Waiting />;
  if (!room?.state.value) {
    return (
      <div class="page narrow-page">
        <h1>{t('watch.title')}</h1>
        <p class="lead">{t('watch.text')}</p>
        <div class="row">
          <Button
            icon="play"
            label={t('watch.start')}
            kind="primary large"
            testid="watch-start"
            onClick={() => {
              setupSource.value = {};
              openDialog('new', 'watch');
            }}
          />
        </div>
        <Invitations />
      </div>
    );
  }
  return <WatchTable key={room.id} />;
}

/** Every game as a picture: one click, and two programs of middling strength play it. */
function Invitations() {
  const player = { kind: 'lovac', level: middlingLevel() } as const;
  const watch = (variant: string) =>
    startRoom('watch', { variant, white: player, black: player, speed_ms: 700 }).catch(toastError);
  return (
    <section class="stack" aria-label={t('watch.once')}>
      <h2>{t('watch.once')}</h2>
      <ul class="gallery">
        {welcome.value?.variants.map(v => (
          <li key={v.name}>
            <button type="button" class="card picture" onClick={() => void watch(v.name)}>
              <MiniBoard fen={v.fen} />
              <span>{variantTitle(v.name)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function WatchTable() {
  const room = rooms.watch.value!;
  const state = room.state.value!;
  const [tab, setTab] = useState('moves');
  const series = (state.match.games ?? 1) > 1 || state.match.results.length > 0;
  const tabs: Tab[] = [
    { id: 'moves', label: t('tab.moves'), fixed: true, content: <MoveList room={room} /> },
    { id: 'computer', label: t('tab.computer'), fixed: true, content: <ThinkingPanel room={room} /> },
    ...(series ? [{ id: 'series', label: t('tab.series'), content: <SeriesTable room={room} /> }] : []),
    {
      id: 'game',
      label: t('tab.game'),
      content: (
        <>
          <div class="pad">
            <SpeedSlider
              value={state.speed_ms}
              onChange={speed_ms => void room.ask('speed', { speed_ms }).catch(toastError)}
            />
          </div>
          <GameActions room={room} place="watch" />
        </>
      ),
    },
  ];
  return (
    <Table
      room={room}
      place="watch"
      tabs={tabs}
      tab={tabs.some(x => x.id === tab) ? tab : 'moves'}
      onTab={setTab}
      analyst={false}
      bar={false}
      banner={<EarlierBanner room={room} />}
    />
  );
}

/** The games played so far and the score. */
function SeriesTable({ room }: { room: Room }) {
  const state = room.state.value!;
  const { match, result } = state;
  // The last game of a series is over before it is among the results.
  const last = result
    ? [
        {
          white: playerName(state, 'white'),
          black: playerName(state, 'black'),
          result: result.result,
          reason: result.reason,
          plies: room.nodes.value.get(state.live)?.ply ?? 0,
        },
      ]
    : [];
  const gain = { white: 0, black: 0 };
  if (result?.winner) gain[result.winner] = 1;
  else if (result?.result === '1/2-1/2') gain.white = gain.black = 0.5;
  return (
    <div class="series" data-testid="series">
      <p class="series-score num">
        <span>{playerName(state, 'white')}</span>
        <strong>
          {match.score.white + gain.white} : {match.score.black + gain.black}
        </strong>
        <span>{playerName(state, 'black')}</span>
      </p>
      <p class="quiet small">
        {match.games
          ? t('series.game', { game: match.game, games: match.games })
          : t('series.gameOnly', { game: match.game })}
      </p>
      <div class="tablewrap">
        <table class="small">
          <thead>
            <tr>
              <th>#</th>
              <th>{t('white')}</th>
              <th>{t('black')}</th>
              <th>{t('series.result')}</th>
              <th>{t('series.reason')}</th>
              <th class="r">{t('series.plies')}</th>
            </tr>
          </thead>
          <tbody>
            {[...match.results, ...last].map((r, i) => (
              <tr key={i}>
                <td class="num">{i + 1}</td>
                <td>{shortName(r.white)}</td>
                <td>{shortName(r.black)}</td>
                <td class="num">{resultSigns(r.result)}</td>
                <td>{reasonText(r.reason)}</td>
                <td class="r num">{r.plies}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
