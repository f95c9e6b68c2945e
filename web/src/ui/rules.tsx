// The rules of a game at hand while it is played: its words, and pictures of the start, of how pawns go and of where they
// promote, drawn from what the server says about the game.
import { closeDialog, rooms } from '../app.js';
import { squareAt, squareXY, type Color, type Square } from '../board.js';
import { t } from '../i18n.js';
import { welcome } from '../net.js';
import type { PawnRules } from '../protocol.js';
import type { TableName } from '../rooms.js';
import { other, variantRules, variantTitle } from '../words.js';
import { Dialog } from './basics.js';
import { MiniBoard } from './pieces.js';

/** The square so far from another, or null beyond the edge: no pawn steps over more than one file. */
function shifted(square: Square, by: number): Square | null {
  const [file, rank] = squareXY(square);
  const index = rank * 8 + file + by;
  const to = index >= 0 && index < 64 ? squareAt(index % 8, Math.floor(index / 8)) : null;
  return to && Math.abs(squareXY(to)[0] - file) <= 1 ? to : null;
}

const EMPTY = '8/8/8/8/8/8/8/8';

/** FEN of a board with few men. */
function fenOf(men: ReadonlyMap<Square, string>): string {
  const row = (rank: number) => Array.from({ length: 8 }, (_, file) => men.get(squareAt(file, rank)) ?? '1').join('');
  return Array.from({ length: 8 }, (_, i) => row(7 - i)).join('/');
}

/** One pawn, where it may step and what it may take; from its first place if it may take two steps there. */
export function pawnPicture(rules: PawnRules, color: Color) {
  const middle: Square = color === 'white' ? 'e4' : 'd5';
  const from = rules.double.find(s => s[0] === middle[0]) ?? middle;
  const step = shifted(from, rules.step);
  const second = rules.double.includes(from) && step ? shifted(step, rules.step) : null;
  const steps = [step, second].filter(s => s !== null);
  const takes = rules.captures.map(by => shifted(from, by)).filter(s => s !== null);
  const [own, enemy] = color === 'white' ? ['P', 'p'] : ['p', 'P'];
  const men = new Map([[from, own], ...takes.map(s => [s, enemy] as const)] as [Square, string][]);
  const marks = new Map([...steps.map(s => [s, 'step'] as const), ...takes.map(s => [s, 'take'] as const)]);
  return { fen: fenOf(men), marks, steps, takes, double: second !== null };
}

function PawnFigure({ rules, color }: { rules: PawnRules; color: Color }) {
  const { fen, marks, steps, takes, double } = pawnPicture(rules, color);
  const text =
    t('rules.pawnText', { steps: steps.join(', '), takes: takes.join(', ') }) + (double ? ` ${t('rules.double')}` : '');
  return (
    <figure>
      <MiniBoard fen={fen} marks={marks} />
      <figcaption class="small">
        <strong>{t(color === 'white' ? 'rules.pawnWhite' : 'rules.pawnBlack')}</strong> {text}
      </figcaption>
    </figure>
  );
}

function PromotionFigure({ pawns }: { pawns: readonly [PawnRules, PawnRules] }) {
  const [white, black] = pawns.map(p => p.promotion) as [readonly Square[], readonly Square[]];
  const marks = new Map<Square, string>(white.map(s => [s, 'white']));
  for (const square of black) marks.set(square, marks.has(square) ? 'both' : 'black');
  return (
    <figure>
      <MiniBoard fen={EMPTY} marks={marks} />
      <figcaption class="small">
        <strong>{t('rules.promotion')}</strong>{' '}
        {t('rules.promotionText', { white: white.join(' '), black: black.join(' ') })}
      </figcaption>
    </figure>
  );
}

export function RulesDialog({ place }: { place: TableName }) {
  const room = rooms[place].value;
  const variant = welcome.value?.variants.find(v => v.name === room?.state.value?.variant);
  if (!room || !variant) return null;
  const start = room.nodes.value.get(0)?.fen ?? variant.fen;
  return (
    <Dialog
      title={`${t('rules.title')}: ${variantTitle(variant.name)}`}
      onClose={closeDialog}
      wide
      testid="rules-dialog"
    >
      <p class="rules-text">{variantRules(variant.name)}</p>
      <div class="figures">
        <figure>
          <MiniBoard fen={start} />
          <figcaption class="small">
            <strong>{t(variant.starts === 1 ? 'rules.start' : 'rules.startOne')}</strong>
          </figcaption>
        </figure>
        {variant.pawns && <PawnFigure rules={variant.pawns[0]} color="white" />}
        {variant.pawns && <PawnFigure rules={variant.pawns[1]} color={other('white')} />}
        {variant.pawns && <PromotionFigure pawns={variant.pawns} />}
      </div>
      <p class="small quiet">{t('rules.now')}</p>
    </Dialog>
  );
}
