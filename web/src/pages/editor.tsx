// The position editor, for every game. The server says whether a position is legal, and what is wrong if not.
import { useEffect, useRef, useState } from 'preact/hooks';
import { go, openDialog, route, startRoom } from '../app.js';
import { readPieces, squareAt, writePieces, type Color, type Piece, type Role, type Square } from '../board.js';
import { problemText, t } from '../i18n.js';
import { request, status, welcome } from '../net.js';
import type { Verdict } from '../protocol.js';
import { Button, Choices, copyText, toastError } from '../ui/basics.js';
import { Man, pieceName } from '../ui/pieces.js';
import { setupSource } from '../ui/setup.js';
import { VariantField } from '../ui/variants.js';
import { Waiting } from './waiting.js';

type Tool = 'hand' | 'eraser' | Piece;
type Men = ReadonlyMap<Square, Piece>;

const ROLES: readonly Role[] = ['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'];
const EMPTY = '8/8/8/8/8/8/8/8';

export function EditorPage() {
  const hello = welcome.value;
  if (!hello || status.value === 'connecting') return <Waiting />;
  return <Editor />;
}

function Editor() {
  const hello = welcome.value!;
  const [first = '', given = ''] = route.value.rest;
  const [variant, setVariant] = useState(hello.variants.some(v => v.name === first) ? first : 'chess');
  const info = hello.variants.find(v => v.name === variant)!;
  const begin = given || info.fen;
  const [men, setMen] = useState<Men>(() => readPieces(begin));
  const [turn, setTurn] = useState<'w' | 'b'>(begin.split(' ')[1] === 'b' ? 'b' : 'w');
  const [castling, setCastling] = useState(begin.split(' ')[2] ?? '-');
  const [tool, setTool] = useState<Tool>('hand');
  const [held, setHeld] = useState<Square | null>(null);
  const [bottom, setBottom] = useState<Color>('white');
  const [verdict, setVerdict] = useState<Verdict | null>(null);

  const fen = `${writePieces(men)} ${turn} ${info.castling ? castling || '-' : '-'} - 0 1`;
  useEffect(() => {
    let stale = false;
    request('check', { variant, fen }).then(
      a => !stale && setVerdict(a),
      () => undefined,
    );
    return () => void (stale = true);
  }, [variant, fen]);

  const load = (text: string) => {
    const fields = text.trim().split(/\s+/);
    setMen(readPieces(text));
    setTurn(fields[1] === 'b' ? 'b' : 'w');
    setCastling(fields[2] ?? '-');
    setHeld(null);
  };
  const shuffle = () => request('start', { variant }).then(a => load(a.fen), toastError);
  const put = (square: Square, man: Piece | null) => {
    const next = new Map(men);
    if (man) next.set(square, man);
    else next.delete(square);
    setMen(next);
  };
  const move = (from: Square, to: Square) => {
    const man = men.get(from);
    if (!man || from === to) return;
    const next = new Map(men);
    next.delete(from);
    next.set(to, man);
    setMen(next);
  };
  const press = (square: Square) => {
    if (tool === 'eraser') put(square, null);
    else if (tool === 'hand') {
      if (held) {
        move(held, square);
        setHeld(null);
      } else if (men.has(square)) setHeld(square);
    } else {
      const there = men.get(square);
      const same = there && there.color === tool.color && there.role === tool.role;
      put(square, same ? null : tool);
    }
  };
  const legal = verdict?.legal ? verdict.fen! : null;
  const toggleRight = (letter: string) => {
    const has = castling.includes(letter);
    const rights = [...'KQkq'].filter(l => (l === letter ? !has : castling.includes(l))).join('');
    setCastling(rights || '-');
  };

  return (
    <div class="table editor">
      <section class="boardside" aria-label={t('editor.title')}>
        <Palette color={bottom === 'white' ? 'black' : 'white'} tool={tool} onTool={setTool} onDrop={put} />
        <EditBoard
          men={men}
          bottom={bottom}
          held={held}
          onPress={press}
          onDrag={(from, to) => {
            setHeld(null);
            if (to) move(from, to);
            else put(from, null);
          }}
          canDrag={tool === 'hand'}
        />
        <Palette color={bottom} tool={tool} onTool={setTool} onDrop={put} />
      </section>
      <aside class="panel card pad-all stack" aria-label={t('panel')}>
        <h1 class="game-title">{t('editor.title')}</h1>
        <VariantField
          title={t('setup.variant')}
          value={variant}
          onChange={name => {
            setVariant(name);
            load(hello.variants.find(v => v.name === name)!.fen);
          }}
        />
        <Choices
          legend={t('editor.turn')}
          value={turn}
          onChange={setTurn}
          options={[
            { value: 'w', label: t('white') },
            { value: 'b', label: t('black') },
          ]}
        />
        {info.castling && (
          <fieldset class="field">
            <legend class="legend">{t('editor.castling')}</legend>
            <div class="choices">
              {(['K', 'Q', 'k', 'q'] as const).map(letter => (
                <label class="check small" key={letter}>
                  <input type="checkbox" checked={castling.includes(letter)} onChange={() => toggleRight(letter)} />
                  {t(
                    letter === 'K'
                      ? 'castle.K'
                      : letter === 'Q'
                        ? 'castle.Q'
                        : letter === 'k'
                          ? 'castle.k'
                          : 'castle.q',
                  )}
                </label>
              ))}
            </div>
          </fieldset>
        )}
        <div class="row">
          <Button label={t('editor.start')} kind="small" onClick={() => load(info.fen)} />
          {info.starts !== 1 && (
            <Button icon="rematch" label={t('editor.shuffle')} kind="small" onClick={() => void shuffle()} />
          )}
          <Button label={t('editor.clear')} kind="small" onClick={() => load(`${EMPTY} ${turn} - - 0 1`)} />
          <Button
            icon="flip"
            label={t('nav.flip')}
            bare
            kind="small"
            onClick={() => setBottom(bottom === 'white' ? 'black' : 'white')}
          />
        </div>
        <label class="field">
          <span>FEN</span>
          <span class="row">
            <input
              class="input mono grow"
              value={fen}
              spellcheck={false}
              onChange={e => load(e.currentTarget.value)}
              data-testid="editor-fen"
            />
            <Button icon="copy" label={t('copy')} bare onClick={() => void copyText(legal ?? fen)} />
          </span>
        </label>
        <p class={verdict?.legal ? 'good small' : 'problem small'} role="status" data-testid="verdict">
          {verdict
            ? verdict.legal
              ? t('editor.legal')
              : t('editor.illegal', { problem: verdict.problem ? problemText(verdict.problem) : '' })
            : ''}
        </p>
        <div class="row">
          <Button
            icon="play"
            label={t('editor.play')}
            kind="primary"
            disabled={!legal}
            onClick={() => {
              setupSource.value = { fen: { variant, fen: legal! } };
              openDialog('new', 'play');
            }}
          />
          <Button
            icon="analyse"
            label={t('action.analyse')}
            disabled={!legal}
            onClick={() =>
              void startRoom('analyse', { mode: 'analysis', variant, fen: legal! }).then(
                () => go('analyse'),
                toastError,
              )
            }
          />
        </div>
        <p class="quiet small">{t('editor.help')}</p>
      </aside>
    </div>
  );
}

/** The square under a point, if there is one. */
function squareUnder(x: number, y: number): Square | null {
  const cell = document.elementFromPoint(x, y)?.closest<HTMLElement>('.edit-board [data-square]');
  return cell?.dataset['square'] ?? null;
}

function Palette({
  color,
  tool,
  onTool,
  onDrop,
}: {
  color: Color;
  tool: Tool;
  onTool: (tool: Tool) => void;
  onDrop: (square: Square, man: Piece) => void;
}) {
  const chosen = (role: Role) => typeof tool === 'object' && tool.color === color && tool.role === role;
  return (
    <div class="palette" role="group" aria-label={t(color === 'white' ? 'editor.whiteMen' : 'editor.blackMen')}>
      <Button
        icon="hand"
        label={t('editor.hand')}
        bare
        kind="small"
        pressed={tool === 'hand'}
        onClick={() => onTool('hand')}
      />
      {ROLES.map(role => (
        <button
          type="button"
          key={role}
          class={`btn square ${chosen(role) ? 'on' : ''}`}
          aria-label={pieceName({ color, role })}
          aria-pressed={chosen(role)}
          onClick={() => onTool({ color, role })}
          onPointerDown={e => {
            // Dragged from here onto the board.
            const up = (u: PointerEvent) => {
              const square = squareUnder(u.clientX, u.clientY);
              if (square) onDrop(square, { color, role });
            };
            (e.currentTarget as HTMLElement).releasePointerCapture?.(e.pointerId);
            addEventListener('pointerup', up, { once: true });
          }}
        >
          <Man piece={{ color, role }} />
        </button>
      ))}
      <Button
        icon="trash"
        label={t('editor.eraser')}
        bare
        kind="small"
        pressed={tool === 'eraser'}
        onClick={() => onTool('eraser')}
      />
    </div>
  );
}

interface EditBoardProps {
  men: Men;
  bottom: Color;
  held: Square | null;
  canDrag: boolean;
  onPress: (square: Square) => void;
  /** Dragged from a square to another, or off the board (null). */
  onDrag: (from: Square, to: Square | null) => void;
}

function EditBoard({ men, bottom, held, canDrag, onPress, onDrag }: EditBoardProps) {
  const [drag, setDrag] = useState<{ from: Square; x: number; y: number } | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const moved = useRef(false);
  const white = bottom === 'white';
  const down = (e: PointerEvent, square: Square) => {
    if (!canDrag || !men.has(square)) return;
    moved.current = false;
    const startX = e.clientX;
    const startY = e.clientY;
    const onMove = (m: PointerEvent) => {
      if (!moved.current && Math.hypot(m.clientX - startX, m.clientY - startY) < 6) return;
      moved.current = true;
      const rect = box.current!.getBoundingClientRect();
      setDrag({ from: square, x: m.clientX - rect.left, y: m.clientY - rect.top });
    };
    const onUp = (u: PointerEvent) => {
      removeEventListener('pointermove', onMove);
      setDrag(null);
      if (moved.current) onDrag(square, squareUnder(u.clientX, u.clientY));
    };
    addEventListener('pointermove', onMove);
    addEventListener('pointerup', onUp, { once: true });
  };
  return (
    <div class="board edit-board" role="grid" aria-label={t('board')} ref={box} data-testid="edit-board">
      {Array.from({ length: 8 }, (_, row) => (
        <div role="row" key={row}>
          {Array.from({ length: 8 }, (_, column) => {
            const square = squareAt(white ? column : 7 - column, white ? 7 - row : row);
            const man = men.get(square);
            return (
              <div role="gridcell" key={square}>
                <button
                  type="button"
                  data-square={square}
                  class={held === square ? 'held' : ''}
                  aria-label={`${square}, ${man ? pieceName(man) : t('grid.empty')}`}
                  onPointerDown={e => down(e, square)}
                  onClick={() => {
                    if (!moved.current) onPress(square);
                    moved.current = false;
                  }}
                >
                  {man && drag?.from !== square && <Man piece={man} />}
                </button>
              </div>
            );
          })}
        </div>
      ))}
      {drag && men.get(drag.from) && (
        <span class="dragged" style={{ left: `${drag.x}px`, top: `${drag.y}px` }}>
          <Man piece={men.get(drag.from)!} />
        </span>
      )}
    </div>
  );
}
