// Analysis: any position of any game, with the engine, variations, comments, arrows, and the review.
import { useEffect, useState } from 'preact/hooks';
import { ensureRoom, go, openDialog, rooms } from '../app.js';
import { t } from '../i18n.js';
import { status } from '../net.js';
import type { Fields, RoomFields } from '../protocol.js';
import type { Room } from '../room.js';
import { Button, toastError } from '../ui/basics.js';
import { TypedMove } from '../ui/actions.js';
import { AnalystPanel, useAnalyst } from '../ui/computer.js';
import { MoveList } from '../ui/movelist.js';
import { ReviewTab, startReview, useReview } from '../ui/reviewtab.js';
import { setupSource } from '../ui/setup.js';
import { COMMON_NAGS, nagSign } from '../words.js';
import { Table, type Tab } from './table.js';
import { Waiting } from './waiting.js';

export function AnalysePage() {
  const room = rooms.analyse.value;
  useEffect(() => {
    if (!room) ensureRoom('analyse').catch(toastError);
  }, [room, status.value]);
  if (!room?.state.value) return <Waiting />;
  return <AnalyseTable key={room.id} />;
}

function AnalyseTable() {
  const room = rooms.analyse.value!;
  const state = room.state.value!;
  const [tab, setTab] = useState('moves');
  const review = useReview(room);
  useAnalyst(room, !review.onTry);
  const reviewed = state.review || room.reviewing.value;
  const tabs: Tab[] = [
    { id: 'computer', label: t('tab.computer'), fixed: true, content: <AnalystPanel room={room} /> },
    {
      id: 'moves',
      label: t('tab.moves'),
      fixed: true,
      content: (
        <>
          <MoveList room={room} />
          <NodeTools room={room} />
          <TypedMove room={room} />
        </>
      ),
    },
    ...(reviewed ? [{ id: 'review', label: t('tab.review'), content: <ReviewTab room={room} review={review} /> }] : []),
    { id: 'game', label: t('tab.tools'), content: <AnalysisActions room={room} onReview={() => setTab('review')} /> },
  ];
  return (
    <Table
      room={room}
      place="analyse"
      tabs={tabs}
      tab={tabs.some(x => x.id === tab) ? tab : 'moves'}
      onTab={setTab}
      analyst
      bar
      shapes={review.shapes}
      {...(review.onTry ? { onTry: review.onTry } : {})}
    />
  );
}

/** What can be done with the move that is looked at. */
function NodeTools({ room }: { room: Room }) {
  const node = room.node.value;
  if (!node || node.id === 0) return null;
  const nodes = room.nodes.value;
  const parent = node.parent === undefined ? undefined : nodes.get(node.parent);
  const side = room.path.value.some((id, i, path) => i > 0 && nodes.get(path[i - 1]!)?.children[0] !== id);
  const act = <W extends 'annotate' | 'promote' | 'cut'>(what: W, fields: Omit<Fields<W>, 'room' | 'node'>) =>
    void room.ask(what, { node: node.id, ...fields } as RoomFields<W>).catch(toastError);
  const nag = node.nags?.[0];
  return (
    <div class="node-tools">
      <label class="count">
        <span class="sr">{t('node.nag')}</span>
        <select
          class="input small"
          value={nag === undefined ? '' : String(nag)}
          onChange={e => act('annotate', { nags: e.currentTarget.value ? [Number(e.currentTarget.value)] : [] })}
        >
          <option value="">{t('node.noNag')}</option>
          {COMMON_NAGS.map(n => (
            <option value={String(n)} key={n}>
              {nagSign(n)}
            </option>
          ))}
        </select>
      </label>
      <Button
        icon="edit"
        label={t('node.comment')}
        kind="ghost small"
        onClick={() => openDialog('comment', 'analyse')}
      />
      {side && (
        <Button
          icon="upload"
          label={t('node.promote')}
          bare
          kind="ghost small"
          onClick={() => act('promote', { main: true })}
        />
      )}
      <Button
        icon="trash"
        label={t('node.cut')}
        bare
        kind="ghost small"
        onClick={() => {
          if (parent) room.look(parent.id);
          act('cut', {});
        }}
      />
    </div>
  );
}

function AnalysisActions({ room, onReview }: { room: Room; onReview: () => void }) {
  const state = room.state.value!;
  const node = room.node.value;
  const moved = room.nodes.value.size > 1;
  return (
    <div class="actions compact" role="group" aria-label={t('actions')}>
      <Button
        icon="review"
        label={t('action.review')}
        disabled={!moved || !!room.reviewing.value}
        onClick={() => {
          onReview();
          void startReview(room);
        }}
      />
      <Button
        icon="play"
        label={t('action.playHere')}
        onClick={() => {
          setupSource.value = {
            from: { room: room.id, node: room.cursor.value, variant: state.variant, fen: node?.fen ?? '' },
          };
          openDialog('new', 'analyse');
        }}
      />
      <Button
        icon="board"
        label={t('editor.title')}
        onClick={() => go(`editor/${encodeURIComponent(state.variant)}/${encodeURIComponent(node?.fen ?? '')}`)}
      />
      <Button icon="upload" label={t('action.import')} onClick={() => openDialog('import', 'analyse')} />
      <Button icon="save" label={t('action.save')} onClick={() => openDialog('save', 'analyse')} />
      <Button icon="share" label={t('action.share')} onClick={() => openDialog('share', 'analyse')} />
      <NewAnalysis />
    </div>
  );
}

function NewAnalysis() {
  return <Button icon="plus" label={t('action.newAnalysis')} onClick={() => go('editor')} />;
}
