// The page as a screen reader has it: the tree of roles and names that the browser hands to it, and nothing else.
import { expect, journey, until } from './lib.mjs';
import { Oracle } from './page.mjs';

const ROLES = { king: 'k', queen: 'q', rook: 'r', bishop: 'b', knight: 'n', pawn: 'p' };

/** What a screen reader knows of a page, read through the browser's own interface for it. */
class Reader {
  static async of(page) {
    const reader = new Reader();
    reader.page = page;
    reader.line = await page.context().newCDPSession(page);
    await reader.line.send('Accessibility.enable');
    return reader;
  }

  /** All nodes that are not hidden from it: { role, name, value, node }. */
  async tree() {
    const { nodes } = await this.line.send('Accessibility.getFullAXTree');
    return nodes
      .filter(n => !n.ignored)
      .map(n => ({ role: n.role?.value, name: n.name?.value ?? '', value: n.value?.value ?? '', node: n.backendDOMNodeId }));
  }

  async find(role, name) {
    return until(`${role} "${name}" in the tree`, async () => (await this.tree()).find(n => n.role === role && name.test(n.name)));
  }

  /** Does what a reader does when its user wants to act on something: focuses it. */
  async focus({ node }) {
    await this.line.send('DOM.focus', { backendNodeId: node });
  }

  /** The men on the board, from the names of its cells alone. */
  async men() {
    const cells = (await this.tree()).filter(n => n.role === 'gridcell');
    expect(cells.length, 'cells of the board').toBe(64);
    const on = new Map(cells.map(({ name }) => {
      const [, square, color, role] = /^([a-h][1-8]), (?:(white|black) (\w+)|empty)/i.exec(name) ?? [];
      const letter = role ? ROLES[role] : '';
      return [square, color?.toLowerCase() === 'white' ? letter.toUpperCase() : letter];
    }));
    return [8, 7, 6, 5, 4, 3, 2, 1]
      .map(rank => [...'abcdefgh'].map(file => on.get(file + rank) || '1').join('').replace(/1+/g, ones => ones.length))
      .join('/');
  }

  /** Types into the field for moves, as its user would. */
  async type(text) {
    await this.focus(await this.find('textbox', /^Type a move$/));
    await this.page.keyboard.type(text);
    await this.page.keyboard.press('Enter');
  }

  /** Words that are spoken. */
  async heard() {
    const { nodes } = await this.line.send('Accessibility.getFullAXTree');
    const log = nodes.find(n => n.role?.value === 'log');
    const text = [];
    const walk = id => {
      const node = nodes.find(n => n.nodeId === id);
      if (node?.role?.value === 'StaticText') text.push(node.name.value);
      else node?.childIds?.forEach(walk);
    };
    if (log) walk(log.nodeId);
    return text.join(' ').trim();
  }

  hears(pattern) {
    return until(`it says ${pattern}`, async () => {
      const text = await this.heard();
      return pattern.test(text) && text;
    });
  }
}

journey('screen reader: a whole game is set up, followed, asked about and won by the tree of names alone', { level: 'long' }, async t => {
  const page = await t.open();
  await t.ready(page);
  await t.newGame(page, { blackLevel: 1, clock: 'Whole game', preset: '10+5' });
  const reader = await Reader.of(page);
  const oracle = new Oracle();
  try {
    expect((await reader.find('textbox', /^Type a move$/)).name).toBe('Type a move');
    await reader.type('?');
    await reader.hears(/You can ask: clock; last; knights/);
    await reader.type('clock');
    await reader.hears(/White's clock 10:00, Black's clock 10:00\. Your turn/);
    await reader.type('where are the knights');
    await reader.hears(/white knight: b1, g1\. black knight: b8, g8/i);
    let over = false;
    let moves = 0;
    for (; moves < 120 && !over; moves++) {
      const before = await reader.men();
      expect(before, `the board of the tree after ${moves} moves`).toBe(await t.fen(page));
      const best = await oracle.best(`${before} w - - 0 ${moves + 1}`, 30000);
      await reader.type(best);
      const said = await reader.hears(/^Black: |White wins|Draw|Black wins/);
      over = /White wins|Black wins|Draw/.test(said);
      if (over) break;
      await until('the tree shows it is my turn', async () => (await reader.tree()).some(n => /^Your turn/.test(n.name)));
      // What was just heard can be asked for again; then a question makes the ears free for the next move.
      await reader.type('last move');
      await reader.hears(/^Black: /);
      await reader.type('rank 1');
      await reader.hears(/^Rank 1: /);
    }
    expect(over, `the end after ${moves} moves`).toBeTrue();
    const last = await reader.heard();
    expect(last, 'the last words').toMatch(/White: .*mate.*White wins, by checkmate/i);
    await reader.find('region', /You win/);
    await reader.find('button', /^Rematch$/);
    expect(await reader.men(), 'the last position is still read').toBe(await t.fen(page));
  } finally {
    oracle.close();
  }
});
