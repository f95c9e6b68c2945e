// The 2D piece sets. Each set fills the custom properties --piece-wk … --piece-bp that all men on the page
// take their picture from, under :root[data-pieces="NAME"]. The first is the one the page begins with.
//   cburnett             by Colin M.L. Burnett, GPL-2.0-or-later (also BSD and CC BY-SA 3.0); comes with chessground
//   lovac, print, token  drawn for this program, under its licence
import type { Dress } from './lovac';

export interface PieceSet {
  readonly id: string;
  /** Makes the set usable; what is already there is not fetched again. */
  load(): Promise<void>;
}

const loaded = new Map<Dress, Promise<void>>();

async function loadOwn(dress: Dress): Promise<void> {
  const { rule } = await import('./lovac');
  // A rule added by script is no inline style: the strict security policy of the page allows it.
  const sheet = [...document.styleSheets].find(s => s.href) ?? document.styleSheets[0];
  sheet?.insertRule(rule(dress), sheet.cssRules.length);
}

function own(id: Dress): PieceSet {
  return {
    id,
    load() {
      if (!loaded.has(id)) loaded.set(id, loadOwn(id));
      return loaded.get(id)!;
    },
  };
}

export const PIECE_SETS: readonly PieceSet[] = [
  own('lovac'),
  { id: 'cburnett', load: () => Promise.resolve() },
  own('print'),
  own('token'),
];
