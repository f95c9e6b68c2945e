// What can be done in a game: buttons under the moves, offers of the other side, the typed move, the end.
import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { go, openDialog, startRoom } from '../app.js';
import type { Shape } from '../board.js';
import { t } from '../i18n.js';
import type { RoomFields, RoomWord } from '../protocol.js';
import { hasOpponent, isWatched, mayMove, type Room } from '../room.js';
import type { TableName } from '../rooms.js';
import { spokenAnswer } from '../spoken.js';
import {
  knightLetter,
  other,
  playerName,
  resultReason,
  resultSigns,
  resultTitle,
  sanText,
  scoreText,
  statusText,
  typedSan,
} from '../words.js';
import { Button, Dialog, announce, errorText, toast, toastError } from './basics.js';
import { setupSource } from './setup.js';

/** A hint that is on the board. */
export const hint = signal<{ room: string; node: number; shape: Shape } | null>(null);

export async function askHint(room: Room): Promise<void> {
  try {
    const node = room.cursor.value;
    const answer = await room.ask('hint', {});
    hint.value = {
      room: room.id,
      node,
      shape: { from: answer.uci.slice(0, 2), to: answer.uci.slice(2, 4), brush: 'best' },
    };
    toast(t('hint.text', { move: sanText(answer.san), score: scoreText(answer.score) }));
  } catch (error) {
    toastError(error);
  }
}

/** Takes a game to the analysis page: a copy, the game itself stays as it is. */
export async function analyseGame(room: Room): Promise<void> {
  try {
    const { pgn } = await room.ask('export', {});
    const analysis = await startRoom('analyse', { mode: 'analysis', pgn, game: 0 });
    analysis.look([...analysis.nodes.value.keys()].at(-1) ?? 0);
    go('analyse');
  } catch (error) {
    toastError(error);
  }
}

export async function offerDraw(room: Room): Promise<void> {
  try {
    const answer = await room.ask('draw', { action: 'offer' });
    const waits = hasOpponent(room.state.value!);
    toast(answer.accepted ? t('draw.accepted') : waits ? t('draw.offered') : t('draw.declined'));
  } catch (error) {
    toastError(error);
  }
}

export function GameActions({ room, place }: { room: Room; place: TableName }) {
  const [asking, setAsking] = useState<'resign' | null>(null);
  const state = room.state.value;
  if (!state) return null;
  const act = <W extends RoomWord>(what: W, fields: RoomFields<W>) => void room.ask(what, fields).catch(toastError);
  const watched = isWatched(state);
  const opponent = hasOpponent(state);
  const player = state.you.length > 0;
  const playing = state.state === 'playing' || state.state === 'paused';
  const over = state.state === 'over';
  const mine = mayMove(state);
  const moved = state.live !== 0;
  const resigner =
    state.you.length === 2 && !watched
      ? state.white.kind !== state.black.kind
        ? state.white.kind === 'human'
          ? 'white'
          : 'black'
        : state.position.turn
      : state.you[0];

  return (
    <div class="actions" role="group" aria-label={t('actions')}>
      {player && playing && !watched && (
        <>
          <Button
            icon="takeback"
            label={t('action.takeback')}
            disabled={!moved || state.state !== 'playing'}
            onClick={() => act('takeback', { action: 'ask' })}
          />
          {!opponent && (
            <Button
              icon="hint"
              label={t('action.hint')}
              disabled={!mine || !room.isLive.value}
              onClick={() => void askHint(room)}
            />
          )}
          {state.position.claim && mine ? (
            <Button
              icon="draw"
              label={t(state.position.claim === 'repetition' ? 'action.claimRepetition' : 'action.claimFifty')}
              kind="primary"
              onClick={() => act('draw', { action: 'claim' })}
            />
          ) : (
            <Button icon="draw" label={t('action.draw')} disabled={!moved} onClick={() => void offerDraw(room)} />
          )}
          <Button icon="resign" label={t('action.resign')} disabled={!moved} onClick={() => setAsking('resign')} />
        </>
      )}
      {player && playing && !opponent && (
        <Button
          icon={state.state === 'paused' ? 'play' : 'pause'}
          label={t(state.state === 'paused' ? 'action.resume' : 'action.pause')}
          onClick={() => act(state.state === 'paused' ? 'resume' : 'pause', {})}
        />
      )}
      {player && playing && !opponent && (
        <Button icon="swap" label={t('action.switch')} onClick={() => act('switch', {})} />
      )}
      {player && over && (
        <Button
          icon="rematch"
          label={t(state.offers.rematch ? 'action.rematchAsked' : 'action.rematch')}
          kind="primary"
          onClick={() => act('rematch', { swap: true })}
        />
      )}
      {(over || place === 'watch' || !opponent) && (
        <Button icon="analyse" label={t('action.analyse')} disabled={!moved} onClick={() => void analyseGame(room)} />
      )}
      <Button icon="save" label={t('action.save')} onClick={() => openDialog('save', place)} />
      <Button icon="share" label={t('action.share')} onClick={() => openDialog('share', place)} />
      <Button
        icon="plus"
        label={t('action.new')}
        kind={over ? '' : 'primary'}
        testid="new-game"
        onClick={() => {
          setupSource.value = {};
          openDialog('new', place);
        }}
      />
      {asking === 'resign' && (
        <Dialog
          title={t('resign.title')}
          onClose={() => setAsking(null)}
          footer={
            <>
              <Button label={t('cancel')} onClick={() => setAsking(null)} />
              <Button
                label={t('action.resign')}
                kind="danger"
                testid="resign-yes"
                onClick={() => {
                  setAsking(null);
                  act('resign', state.you.length > 1 ? { color: resigner } : {});
                }}
              />
            </>
          }
        >
          <p>{t('resign.text')}</p>
        </Dialog>
      )}
    </div>
  );
}

/** What the other side asks, with the answers. */
export function Offers({ room }: { room: Room }) {
  const state = room.state.value;
  if (!state || state.you.length !== 1) return null;
  const you = state.you[0]!;
  const { draw, takeback, rematch } = state.offers;
  const answer = (what: 'draw' | 'takeback', action: 'accept' | 'decline') =>
    void room.ask(what, { action }).catch(toastError);
  const name = playerName(state, other(you));
  return (
    <>
      {draw && draw !== you && (
        <Offer
          text={t('offer.draw', { name })}
          onYes={() => answer('draw', 'accept')}
          onNo={() => answer('draw', 'decline')}
        />
      )}
      {takeback && takeback.by !== you && (
        <Offer
          text={t('offer.takeback', { name })}
          onYes={() => answer('takeback', 'accept')}
          onNo={() => answer('takeback', 'decline')}
        />
      )}
      {rematch && rematch !== you && (
        <Offer
          text={t('offer.rematch', { name })}
          onYes={() => void room.ask('rematch', { swap: true }).catch(toastError)}
        />
      )}
    </>
  );
}

function Offer({ text, onYes, onNo }: { text: string; onYes: () => void; onNo?: () => void }) {
  useEffect(() => announce(text), [text]);
  return (
    <div class="offer" role="group" aria-label={text}>
      <span class="grow">{text}</span>
      <Button icon="check" label={t('accept')} kind="primary small" onClick={onYes} />
      {onNo && <Button icon="close" label={t('decline')} kind="small" onClick={onNo} />}
    </div>
  );
}

/** Looking at an earlier move: go on from there, or back to the game. */
export function EarlierBanner({ room }: { room: Room }) {
  const state = room.state.value;
  if (!state || state.mode !== 'play' || room.isLive.value) return null;
  const goOn = () => void room.ask('goto', { node: room.cursor.value }).catch(toastError);
  const can = state.you.length > 0 && !hasOpponent(state) && state.state !== 'over';
  return (
    <div class="offer earlier" role="group" aria-label={t('earlier')}>
      <span class="grow">{t('earlier')}</span>
      {can && <Button icon="play" label={t('earlier.goOn')} kind="primary small" onClick={goOn} />}
      <Button icon="last" label={t('earlier.back')} kind="small" onClick={() => room.look(state.live)} />
    </div>
  );
}

/** A move typed on the keyboard (e4, Nf3, e2e4, O-O), or a question (spoken.ts). */
export function TypedMove({ room }: { room: Room }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');
  const [answer, setAnswer] = useState('');
  const state = room.state.value;
  if (state?.state === 'over') return null;
  const can = !!state && (state.mode === 'analysis' ? state.you.length > 0 : !!mayMove(state) && room.isLive.value);
  const submit = (e: Event) => {
    e.preventDefault();
    const san = typedSan(text.trim());
    if (!san || !state) return;
    const said = spokenAnswer(text, room);
    setAnswer(said ?? '');
    if (said) {
      setText('');
      announce(said);
      return;
    }
    if (!can) {
      // On Black's turn, while paused, or with an earlier move on the board: say so rather than nothing.
      setProblem(state.mode === 'play' && !room.isLive.value ? t('earlier') : statusText(state));
      return;
    }
    room.play({ san }).then(
      () => {
        setText('');
        setProblem('');
      },
      error => {
        const why = errorText(error);
        setProblem(why);
        announce(why);
      },
    );
  };
  return (
    <form class="typed" onSubmit={submit}>
      <input
        class="input"
        aria-label={t('typed.label')}
        placeholder={t('typed.placeholder', { knight: knightLetter() })}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        enterkeyhint="go"
        value={text}
        aria-invalid={!!problem}
        aria-describedby="typed-hint"
        onInput={e => {
          setText(e.currentTarget.value);
          setAnswer('');
          setProblem('');
        }}
        data-testid="typed-move"
      />
      <span class="sr" id="typed-hint">
        {t('say.hint')}
      </span>
      {answer && (
        <p class="answer small" data-testid="answer">
          {answer}
        </p>
      )}
      {problem && (
        <p class="problem small" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}

/** The game is over: how, and what next. Beside the board, so that the last position is seen. */
export function ResultCard({
  room,
  place,
  onClose,
  onReview,
}: {
  room: Room;
  place: TableName;
  onClose: () => void;
  onReview: () => void;
}) {
  useLayoutEffect(() => {
    const onKey = (e: KeyboardEvent) => {
      if (e.key === 'Escape' && !(e.target as HTMLElement).closest('dialog')) onClose();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
  const state = room.state.value!;
  const result = state.result!;
  const score = state.match;
  // For somebody who plays one side it is first of all his own result.
  const own = state.you.length === 1 && result.winner ? state.you[0] : null;
  const title = own ? t(own === result.winner ? 'result.youWin' : 'result.youLose') : resultTitle(result);
  return (
    <section class="offer result" aria-label={title} data-testid="result">
      <div class="grow">
        <h2>{title}</h2>
        <p class="reason">
          {own && `${resultTitle(result)} · `}
          {resultReason(result)} <strong class="num">{resultSigns(result.result)}</strong>
        </p>
        {score.results.length > 0 && (
          <p class="quiet small num">
            {t('result.match', { white: String(score.score.white), black: String(score.score.black) })}
          </p>
        )}
      </div>
      <Button icon="close" label={t('close')} bare kind="ghost small" onClick={onClose} testid="result-close" />
      <div class="row">
        {state.you.length > 0 && (
          <Button
            icon="rematch"
            label={t('action.rematch')}
            kind="primary small"
            onClick={() => {
              onClose();
              void room.ask('rematch', { swap: true }).catch(toastError);
            }}
          />
        )}
        <Button
          icon="review"
          label={t('action.review')}
          kind="small"
          onClick={() => {
            onClose();
            onReview();
          }}
        />
        <Button
          icon="plus"
          label={t('action.new')}
          kind="small"
          onClick={() => {
            onClose();
            setupSource.value = {};
            openDialog('new', place);
          }}
        />
      </div>
    </section>
  );
}
