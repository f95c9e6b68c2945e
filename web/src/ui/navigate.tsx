// Going through the moves: buttons and keys.
import { t } from '../i18n.js';
import { lineEnd, type Room } from '../room.js';
import { Button } from './basics.js';

export function goFirst(room: Room): void {
  room.look(0);
}
export function goPrevious(room: Room): void {
  const parent = room.node.value?.parent;
  if (parent !== undefined) room.look(parent);
}
export function goNext(room: Room): void {
  const children = room.node.value?.children ?? [];
  // In a game, on the way to where it stands; else the first line.
  const live = room.state.value?.mode === 'play' ? pathToLive(room) : null;
  const next = children.find(id => live?.has(id)) ?? children[0];
  if (next !== undefined) room.look(next);
}
export function goLast(room: Room): void {
  const state = room.state.value;
  room.look(state?.mode === 'play' ? state.live : lineEnd(room.nodes.value, room.cursor.value));
}

function pathToLive(room: Room): Set<number> {
  const ids = new Set<number>();
  const nodes = room.nodes.value;
  for (
    let node = nodes.get(room.state.value!.live);
    node;
    node = node.parent === undefined ? undefined : nodes.get(node.parent)
  )
    ids.add(node.id);
  return ids;
}

export function Navigation({ room, onFlip }: { room: Room; onFlip: () => void }) {
  const node = room.node.value;
  const atStart = room.cursor.value === 0;
  const atEnd = !node || node.children.length === 0;
  return (
    <div class="navigate" role="group" aria-label={t('nav.moves')}>
      <Button icon="flip" label={t('nav.flip')} bare kind="ghost" onClick={onFlip} />
      <Button icon="first" label={t('nav.first')} bare kind="ghost" disabled={atStart} onClick={() => goFirst(room)} />
      <Button
        icon="previous"
        label={t('nav.previous')}
        bare
        kind="ghost"
        disabled={atStart}
        onClick={() => goPrevious(room)}
      />
      <Button icon="next" label={t('nav.next')} bare kind="ghost" disabled={atEnd} onClick={() => goNext(room)} />
      <Button
        icon="last"
        label={t('nav.last')}
        bare
        kind="ghost"
        disabled={atEnd && room.isLive.value}
        onClick={() => goLast(room)}
      />
    </div>
  );
}
