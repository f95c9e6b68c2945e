// Analysis: any position of any game, with the engine, variations, comments, arrows, and the review.
import { useEffect, useState } from 'preact/hooks';
import { analysisPath, ensureRoom, followAnalysis, go, openDialog, rooms, route, showAddress } from '../app.js';
import { t } from '../i18n.js';
import { status } from '../net.js';
import type { RoomFields, TreeNode } from '../protocol.js';
import type { Room } from '../room.js';
import { Button, toastError } from '../ui/basics.js';
import { TypedMove } from '../ui/actions.js';
import { AnalystPanel, useAnalyst } from '../ui/computer.js';
import { Icon } from '../ui/icons.js';
import { Menu, type MenuItem } from '../ui/menu.js';
import { knownLabel, KnownPanel, mayBeKnown, useKnown } from '../ui/known.js';
import { MoveList } from '../ui/movelist.js';
import { ReviewTab, startReview, useReview } from '../ui/reviewtab.js';
import { setupSource } from '../ui/setup.js';
import { COMMON_NAGS, nagSign } from '../words.js';
import { orientationOf, Table, type Tab } from './table.js';
import { Waiting } from './waiting.js';

export function AnalysePage() {
  const room = rooms.analyse.value;
  const { page, rest } = route.value;
  const wanted = page === 'analyse' ? rest.join('/') : '';
  const [followed, setFollowed] = useState('');
  const ready = status.value === 'open';
  useEffect(() => {
    if (!wanted || !ready || followed === wanted) return;
    followAnalysis(rest).then(
      () => setFollowed(wanted),
      error => {
        setFollowed(wanted);
        toastError(error);
      },
    );
  }, [wanted, ready]);
  const waits = !!wanted && followed !== wanted;
  useEffect(() => {
    if (!room && !waits) ensureRoom('analyse').catch(toastError);
  }, [room, status.value, waits]);
  const path = room?.state.value && !waits ? analysisPath(room) : '';
  useEffect(() => {
    if (path) showAddress(path);
  }, [path, route.value]);
  if (!room?.state.value) return <Waiting />;
  return <AnalyseTable key={room.id} />;
}

function AnalyseTable() {
  const room = rooms.analyse.value!;
  const state = room.state.value!;
  const [tab, setTab] = useState('moves');
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  const review = useReview(room);
  useAnalyst(room, !review.onTry);
  const reviewed = state.review || room.reviewing.value;
  const known = useKnown(room, !review.onTry);
  const tabs: Tab[] = [
    {
      id: 'computer',
      label: t('tab.computer'),
      fixed: true,
      content: <AnalystPanel room={room} orientation={orientationOf(room, 'analyse')} />,
    },
    ...(mayBeKnown(room)
      ? [{ id: 'known', label: knownLabel(known), fixed: true, content: <KnownPanel room={room} known={known} /> }]
      : []),
    {
      id: 'moves',
      label: t('tab.moves'),
      fixed: true,
      content: (
        <>
          <MoveList room={room} onMenu={(node, x, y) => setMenu({ node, x, y })} />
          <NodeTools room={room} onMenu={setMenu} />
          <TypedMove room={room} />
        </>
      ),
    },
    ...(reviewed ? [{ id: 'review', label: t('tab.review'), content: <ReviewTab room={room} review={review} /> }] : []),
    { id: 'game', label: t('tab.tools'), content: <AnalysisActions room={room} onReview={() => setTab('review')} /> },
  ];
  return (
    <>
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
      {menu && room.nodes.value.has(menu.node) && <LineMenu room={room} place={menu} onClose={() => setMenu(null)} />}
    </>
  );
}

/** A menu for the line of a node, and where on the screen. */
interface MenuPlace {
  readonly node: number;
  readonly x: number;
  readonly y: number;
}

/** Where the way to a node leaves the first line, and where another line follows: what can be moved up and down. */
function forks(nodes: ReadonlyMap<number, TreeNode>, id: number): { up: boolean; down: boolean; deep: number } {
  let [up, down, deep] = [false, false, 0];
  for (let node = nodes.get(id); node && node.parent !== undefined; node = nodes.get(node.parent)) {
    const line = nodes.get(node.parent)?.children ?? [];
    const at = line.indexOf(node.id);
    up ||= at > 0;
    deep += at > 0 ? 1 : 0;
    down ||= at >= 0 && at < line.length - 1;
  }
  return { up, down, deep };
}

function LineMenu({ room, place, onClose }: { room: Room; place: MenuPlace; onClose: () => void }) {
  const { node } = place;
  const { up, down, deep } = forks(room.nodes.value, node);
  const ask = (what: 'promote' | 'demote' | 'cut', fields: { main?: boolean } = {}) =>
    void room.ask(what, { node, ...fields } as RoomFields<typeof what>).catch(toastError);
  const items: MenuItem[] = [
    { icon: 'share', label: t('node.up'), disabled: !up || deep < 2, act: () => ask('promote') },
    { icon: 'upload', label: t('node.promote'), disabled: !up, act: () => ask('promote', { main: true }) },
    { icon: 'download', label: t('node.down'), disabled: !down, act: () => ask('demote') },
    {
      icon: 'edit',
      label: t('node.comment'),
      act: () => {
        room.look(node);
        openDialog('comment', 'analyse');
      },
    },
    {
      icon: 'trash',
      label: t('node.cut'),
      bad: true,
      act: () => {
        const parent = room.nodes.value.get(node)?.parent;
        if (parent !== undefined && room.path.value.includes(node)) room.look(parent);
        ask('cut');
      },
    },
  ];
  return <Menu label={t('node.menu')} x={place.x} y={place.y} items={items} onClose={onClose} />;
}

/** What can be done with the move that is looked at. */
function NodeTools({ room, onMenu }: { room: Room; onMenu: (place: MenuPlace) => void }) {
  const node = room.node.value;
  if (!node || node.id === 0) return null;
  const setNags = (nags: number[]) => void room.ask('annotate', { node: node.id, nags }).catch(toastError);
  const nag = node.nags?.[0];
  return (
    <div class="node-tools">
      <label class="count">
        <span class="sr">{t('node.nag')}</span>
        <select
          class="input small"
          value={nag === undefined ? '' : String(nag)}
          onChange={e => setNags(e.currentTarget.value ? [Number(e.currentTarget.value)] : [])}
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
      <button
        type="button"
        class="btn ghost small square"
        aria-label={t('node.menu')}
        title={t('node.menu')}
        aria-haspopup="menu"
        onClick={e => {
          const { left, bottom } = e.currentTarget.getBoundingClientRect();
          onMenu({ node: node.id, x: left, y: bottom });
        }}
      >
        <Icon name="more" />
      </button>
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
