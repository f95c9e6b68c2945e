// Play: against the computer, at one board, or by link. A game is ready as soon as the page is open.
import { useEffect, useState } from 'preact/hooks';
import { ensureRoom, rooms } from '../app.js';
import { t } from '../i18n.js';
import { status } from '../net.js';
import { isWatched } from '../room.js';
import { Button, toastError } from '../ui/basics.js';
import { EarlierBanner, GameActions, Offers, ResultCard, TypedMove } from '../ui/actions.js';
import { OpponentPanel } from '../ui/computer.js';
import { Course, knownLabel, KnownPanel, mayBeKnown, useKnown } from '../ui/known.js';
import { MoveList } from '../ui/movelist.js';
import { Invitation } from '../ui/invite.js';
import { ReviewTab, startReview, useReview } from '../ui/reviewtab.js';
import { Table, type Tab } from './table.js';
import { Waiting } from './waiting.js';

export function PlayPage() {
  const room = rooms.play.value;
  useEffect(() => {
    if (!room) ensureRoom('play').catch(toastError);
  }, [room, status.value]);
  if (!room?.state.value) return <Waiting />;
  return <PlayTable key={room.id} />;
}

function PlayTable() {
  const room = rooms.play.value!;
  const state = room.state.value!;
  const [tab, setTab] = useState('moves');
  const [result, setResult] = useState(false);
  const review = useReview(room);
  const over = state.state === 'over';
  const computer = state.white.kind !== 'human' || state.black.kind !== 'human';
  const reviewed = over && (state.review || room.reviewing.value);

  const known = useKnown(room, over && !review.onTry);

  const tabs: Tab[] = [
    {
      id: 'moves',
      label: t('tab.moves'),
      fixed: true,
      content: (
        <>
          <MoveList room={room} />
          <TypedMove room={room} />
        </>
      ),
    },
    ...(reviewed ? [{ id: 'review', label: t('tab.review'), content: <ReviewTab room={room} review={review} /> }] : []),
    ...(over && mayBeKnown(room)
      ? [{ id: 'known', label: knownLabel(known), fixed: true, content: <KnownPanel room={room} known={known} /> }]
      : []),
    ...(computer && !reviewed
      ? [{ id: 'computer', label: t('tab.computer'), fixed: true, content: <OpponentPanel room={room} /> }]
      : []),
    {
      id: 'game',
      label: t('tab.game'),
      content: (
        <>
          {over && !result && !reviewed && state.live !== 0 && (
            <div class="offer">
              <span class="grow">{t('review.offer')}</span>
              <Button
                icon="review"
                label={t('action.review')}
                kind="primary small"
                onClick={() => void startReview(room)}
              />
            </div>
          )}
          <GameActions room={room} place="play" />
        </>
      ),
    },
  ];
  return (
    <>
      <Table
        room={room}
        place="play"
        tabs={tabs}
        tab={tabs.some(x => x.id === tab) ? tab : 'moves'}
        onTab={setTab}
        analyst={false}
        bar={!!reviewed}
        shapes={review.shapes}
        {...(review.onTry ? { onTry: review.onTry } : {})}
        onResult={() => {
          if (!isWatched(state)) setResult(true);
        }}
        banner={
          <>
            {state.state === 'waiting' && <Invitation room={room} />}
            {result && state.result && (
              <ResultCard
                room={room}
                place="play"
                onClose={() => setResult(false)}
                onReview={() => {
                  setTab('review');
                  void startReview(room);
                }}
              />
            )}
            <Course room={room} />
            <Offers room={room} />
            <EarlierBanner room={room} />
          </>
        }
      />
    </>
  );
}
