// Which sound belongs to what happens on the board.
import type { TreeNode } from '../protocol.js';
import { settings } from '../settings.js';
import { playSound, type SoundName } from '../sound.js';

/** Plays a sound as loud as the person wants it. */
export function play(name: SoundName): void {
  if (!settings.mute.value && settings.volume.value > 0) playSound(name, settings.volume.value);
}

/** The sound of a move. */
export function playMove(node: TreeNode): void {
  if (node.check) play('check');
  else if (node.castling) play('castle');
  else if (node.promotion) play('promotion');
  else play(node.taken ? 'capture' : 'move');
}
