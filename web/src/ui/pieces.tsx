// Men outside the big board: captured ones, small pictures of positions.
import { readPieces, squareXY, type Color, type Piece, type Role } from '../board.js';
import { t } from '../i18n.js';

export const ROLE_OF: Record<string, Role> = { k: 'king', q: 'queen', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn' };
export const LETTER_OF: Record<Role, string> = {
  king: 'k',
  queen: 'q',
  rook: 'r',
  bishop: 'b',
  knight: 'n',
  pawn: 'p',
};

/** "white knight" in the person's language. */
export function pieceName(piece: Piece): string {
  return t(`piece.${piece.color}.${piece.role}`);
}

/** One man as a picture. */
export function Man({ piece }: { piece: Piece }) {
  return <piece class={`man ${piece.color} ${piece.role}`} aria-hidden="true" />;
}

/** A small board that only shows. */
export function MiniBoard({
  fen,
  orientation = 'white',
  label,
  last,
  marks,
}: {
  fen: string;
  orientation?: Color;
  label?: string;
  last?: readonly string[] | null;
  /** Squares with a sign of board.css: a dot, a cross, a colour. */
  marks?: ReadonlyMap<string, string>;
}) {
  const place = (square: string) => {
    const [file, rank] = squareXY(square);
    const white = orientation === 'white';
    return { gridColumn: String((white ? file : 7 - file) + 1), gridRow: String((white ? 7 - rank : rank) + 1) };
  };
  return (
    <div class="mini" {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}>
      {last?.map(square => (
        <i key={square} style={place(square)} />
      ))}
      {[...(marks ?? [])].map(([square, mark]) => (
        <i key={square + mark} class={`mark ${mark}`} style={place(square)} />
      ))}
      {[...readPieces(fen)].map(([square, piece]) => (
        <piece key={square} class={`${piece.color} ${piece.role}`} style={place(square)} />
      ))}
    </div>
  );
}

const ORDER = 'qrbnp';
/** More of a kind than a usual army has are shown as a number. */
const MANY = 3;

/** Men that were taken: beside the player who took them, many of a kind as a number. */
export function Captured({ men, color, ahead }: { men: string; color: Color; ahead: number }) {
  const kinds = [...ORDER]
    .map(letter => ({ letter, count: [...men].filter(m => m === letter).length }))
    .filter(k => k.count > 0);
  const label = kinds.map(k => `${k.count} × ${pieceName({ color, role: ROLE_OF[k.letter]! })}`).join(', ');
  return (
    <div class="captured" role="img" aria-label={label ? t('capturedLabel', { men: label }) : t('capturedNone')}>
      {kinds.map(({ letter, count }) => (
        <span class="kind" key={letter}>
          {Array.from({ length: count > (letter === 'p' ? 8 : MANY) ? 1 : count }, (_, i) => (
            <Man key={i} piece={{ color, role: ROLE_OF[letter]! }} />
          ))}
          {count > (letter === 'p' ? 8 : MANY) && <small class="num">×{count}</small>}
        </span>
      ))}
      {ahead > 0 && <small class="num ahead">+{ahead}</small>}
    </div>
  );
}
