// Chess in words: names of players and games, moves for beginners and screen readers, scores, results.
import type { Color } from './board.js';
import { formatNumber, t, tMaybe } from './i18n.js';
import { welcome } from './net.js';
import type { Outcome, Player, RoomState, Score, TreeNode } from './protocol.js';
import { settings } from './settings.js';
import { ROLE_OF } from './ui/pieces.js';

export const other = (color: Color): Color => (color === 'white' ? 'black' : 'white');

/** The name of a game, and its rules in a few lines. */
export function variantTitle(name: string): string {
  return tMaybe(`variant.${name}.title`, welcome.value?.variants.find(v => v.name === name)?.title ?? name);
}
export function variantRules(name: string): string {
  return tMaybe(`variant.${name}.rules`, welcome.value?.variants.find(v => v.name === name)?.summary ?? '');
}

/** "Level 6, medium" and what it is worth. */
export function levelName(level: number): string {
  const info = welcome.value?.levels.find(l => l.level === level);
  return info ? tMaybe(`level.${info.name}`, info.name) : String(level);
}
/** The game in which the levels were rated (docs/lab.md); their numbers mean nothing in another. */
export const RATED_VARIANT = 'chess';
export function levelElo(level: number, variant: string): number | null {
  if (variant !== RATED_VARIANT) return null;
  return welcome.value?.levels.find(l => l.level === level)?.elo ?? null;
}

/** "Engine with network, 2000". */
export const searchName = (player: Player): string =>
  `${tMaybe(`lab.player.${player.evaluation}`, 'Lovac')}, ${player.nodes}`;

/** "Minimax depth=4" in words. */
export function engineName(text: string): string {
  const [step, method, halfMoves] = /^step step=(\w+) depth=(\d+)$/.exec(text) ?? [];
  if (step) return t('player.step', { step: tMaybe(`lab.word.${method}`, method!), depth: halfMoves! });
  const [champion, league, generation] = /^champion (\d+) (\d+)$/.exec(text) ?? [];
  if (champion) return t('player.champion', { league: league!, generation: generation! });
  const [whole, name, depth, rest] = /^(.*?) depth=(\d+)(.*)$/.exec(text) ?? [];
  if (!whole) return text;
  const own = name === 'lovac' && (rest === '' || rest === ' net=none');
  return own
    ? t('player.deep', { name: t(rest ? 'lab.player.hand' : 'lab.player.network'), depth: depth! })
    : t('player.deep', { name: name!, depth: depth! }) + rest!;
}

/** Who plays a colour, as shown beside the board. */
export function playerName(state: RoomState, color: Color): string {
  const player: Player = state[color];
  if (player.kind === 'lovac') return t('player.lovac', { level: player.level ?? 0 });
  if (player.kind === 'engine') return engineName(player.engine ?? player.name ?? '');
  if (player.kind === 'search') return searchName(player);
  if (player.name) return player.name;
  const alone = state.you.length === 1 && state.you[0] === color;
  return alone ? t('player.you') : t(color);
}

/** Title and rating of a player, as the game's tags tell them: "GM · 2751". */
export function playerRank(state: RoomState, color: Color): string {
  const side = color === 'white' ? 'White' : 'Black';
  return [state.tags?.[`${side}Title`], state.tags?.[`${side}Elo`]].filter(x => x && x !== '-').join(' · ');
}

/** Where a loaded game was played: "Candidates, Zagreb, round 3, 1959.09.07". */
export function eventText(state: RoomState): string {
  const { Event, Site, Round, Date } = state.tags ?? {};
  const date = Date?.replace(/(\.\?\?)+$/, '');
  // What this program writes of its own games says no more than when.
  if (Site === 'Lovac' && (Event === 'Game' || Event === 'Analysis')) return date ?? '';
  return [
    Event,
    Site === Event ? undefined : Site,
    Round && Round !== '-' ? t('game.round', { round: Round }) : undefined,
    date?.includes('?') ? undefined : date,
  ]
    .filter(Boolean)
    .join(', ');
}

/** The move number and side of a node, from the FEN after it. */
export function moveNumber(node: TreeNode): { number: number; white: boolean } {
  const fields = node.fen.split(' ');
  const white = fields[1] === 'b';
  const full = Number(fields[5] ?? 1);
  return { number: white ? full : full - 1, white };
}

/** A move in words: "Knight g1 to f3, takes the pawn, check". */
export function moveWords(node: TreeNode): string {
  if (!node.uci || !node.san) return t('words.start');
  if (node.uci === '0000') return t('words.pass');
  const words: string[] = [];
  if (node.castling) words.push(t(node.castling === 'short' ? 'words.castleShort' : 'words.castleLong'));
  else {
    const role = ROLE_OF[(node.piece ?? 'p').toLowerCase()]!;
    words.push(t('words.move', { piece: t(`role.${role}`), from: node.uci.slice(0, 2), to: node.uci.slice(2, 4) }));
  }
  if (node.taken) words.push(t('words.takes', { piece: t(`taken.${ROLE_OF[node.taken.toLowerCase()]!}`) }));
  if (node.promotion) words.push(t('words.promotes', { piece: t(`role.${ROLE_OF[node.promotion.toLowerCase()]!}`) }));
  if (node.san.includes('#')) words.push(t('words.mate'));
  else if (node.check) words.push(t('words.check'));
  return words.join(', ');
}

const FIGURINES: Record<string, string> = { K: '♔', Q: '♕', R: '♖', B: '♗', N: '♘' };

/** The letters of the pieces in the person's language: king, queen, rook, bishop, knight. */
function ownLetter(letter: string): string {
  return t('letters')['KQRBN'.indexOf(letter)] ?? letter;
}

/** How a knight's move is typed: by an example. */
export const knightLetter = (): string => (settings.ownLetters.value ? ownLetter('N') : 'N');

/** A move as it is shown: with the letters of a language, or with figurines, which need none. */
export function sanText(san: string | undefined): string {
  if (!san || !(settings.figurines.value || settings.ownLetters.value)) return san ?? '';
  const sign = settings.figurines.value ? (letter: string) => FIGURINES[letter]! : ownLetter;
  return san.replace(/[KQRBN](?=[a-h1-8x])|(?<==)[KQRBN]/g, sign);
}

/** A typed move with English letters, whichever were used; none of the languages' letters means two pieces. */
export function typedSan(text: string): string {
  const own = t('letters');
  return text.replace(/^\p{Lu}(?=[a-h1-8x])|(?<==)\p{L}/gu, letter => {
    const at = 'KQRBN'.includes(letter) ? -1 : own.indexOf(letter);
    return at < 0 ? letter : 'KQRBN'[at]!;
  });
}

/** A score as chess players write it, for White. */
export function scoreText(score: Score): string {
  if (score.mate !== undefined) return score.mate === 0 ? '#' : `#${score.mate}`;
  const pawns = score.cp / 100;
  return (pawns > 0 ? '+' : pawns < 0 ? '−' : '') + formatNumber(Math.abs(pawns), Math.abs(pawns) < 10 ? 2 : 1);
}

/** White's expected score, 0 to 1. */
export function winChance(score: Score, wdl?: readonly [number, number, number]): number {
  if (wdl) return (wdl[0] + wdl[1] / 2) / (wdl[0] + wdl[1] + wdl[2]);
  if (score.mate !== undefined) return score.mate > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-score.cp / 180));
}

/** A result as people write it: "1 – 0", "½ – ½". */
export function resultSigns(result: string): string {
  return result.replaceAll('1/2', '½').replace('-', ' – ');
}

/** "White wins" and why. */
export function resultTitle(outcome: Outcome): string {
  if (outcome.reason === 'aborted') return t('result.aborted');
  if (outcome.winner) return t(outcome.winner === 'white' ? 'result.white' : 'result.black');
  return outcome.result === '*' ? t('result.open') : t('result.draw');
}
export function resultReason(outcome: Outcome): string {
  return reasonText(outcome.reason);
}

/** What happens now, in one line: the first thing to read beside the board. */
export function statusText(state: RoomState): string {
  if (state.mode === 'analysis') return t('status.analysis');
  if (state.result) return `${resultTitle(state.result)} · ${resultReason(state.result)}`;
  if (state.state === 'waiting') return t('status.waiting');
  if (state.state === 'paused') return t('status.paused');
  const { turn, check } = state.position;
  const mover = state[turn];
  const mine = mover.kind === 'human' && state.you.includes(turn);
  let text: string;
  if (mover.kind !== 'human') text = t('status.thinking', { name: playerName(state, turn) });
  else if (mine && state.you.length === 1) text = t('status.yourTurn');
  else text = t(turn === 'white' ? 'status.whiteTurn' : 'status.blackTurn');
  return check ? `${text} · ${t('status.check')}` : text;
}

const NAGS: Record<number, string> = {
  1: '!',
  2: '?',
  3: '!!',
  4: '??',
  5: '!?',
  6: '?!',
  10: '=',
  13: '∞',
  14: '⩲',
  15: '⩱',
  16: '±',
  17: '∓',
  18: '+−',
  19: '−+',
};
/** The sign of an annotation glyph. */
export const nagSign = (nag: number): string => NAGS[nag] ?? `$${nag}`;
export const COMMON_NAGS: readonly number[] = [1, 2, 3, 4, 5, 6, 10, 13, 14, 15, 16, 17, 18, 19];

/** Milliseconds as a clock shows them. */
export function clockText(ms: number): string {
  const left = Math.max(0, ms);
  const total = left < 10000 ? Math.floor(left / 100) / 10 : Math.ceil(left / 1000 - 0.001);
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor((total % 3600) / 60);
  const seconds = total % 60;
  const two = (n: number) => String(n).padStart(2, '0');
  if (left < 10000) return `0:${seconds < 10 ? '0' : ''}${seconds.toFixed(1)}`;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** Why a game ended, by its code. */
export function reasonText(code: string): string {
  return tMaybe(`reason.${code}`, code);
}

/** A player's name as the server keeps it for results, shorter and in the person's language. */
export function shortName(name: string): string {
  const level = /^Lovac, level (\d+)/.exec(name)?.[1];
  return level ? t('player.lovac', { level }) : name;
}
