// The 2D piece sets. Each set fills the custom properties --piece-wk … --piece-bp that all men on the page
// take their picture from, under :root[data-pieces="NAME"]. The first is the one the page begins with.
//   cburnett  by Colin M.L. Burnett, GPL-2.0-or-later (also BSD and CC BY-SA 3.0); comes with chessground
//   lovac     drawn for this program, under its licence

export interface PieceSet {
  readonly id: string;
  /** Makes the set usable; what is already there is not fetched again. */
  load(): Promise<void>;
}

let own: Promise<void> | null = null;

async function loadOwn(): Promise<void> {
  const { rule } = await import('./lovac');
  // A rule added by script is no inline style: the strict security policy of the page allows it.
  const sheet = [...document.styleSheets].find(s => s.href) ?? document.styleSheets[0];
  sheet?.insertRule(rule(), sheet.cssRules.length);
}

export const PIECE_SETS: readonly PieceSet[] = [
  { id: 'lovac', load: () => (own ??= loadOwn()) },
  { id: 'cburnett', load: () => Promise.resolve() },
];
