// The messages of docs/protocol.md as types. Nothing here runs. `Requests` at the end has every request with its fields and
// its answer, `ServerEvent` every event. The examples in tests/data/messages, which the server's tests compare with what
// it sends, must fit these types: check_examples.mjs.
import type { Color, Square } from './board.js';

/** What is wrong: a code to be said in the person's language, its parameters, and English words. */
export interface Problem {
  readonly code: string;
  readonly args: Readonly<Record<string, string | Problem>>;
  readonly text: string;
}

export interface VariantInfo {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly fen: string;
  /** 1: one start; more: so many numbered ones; 0: one for every 64-bit seed. */
  readonly starts: number;
  readonly castling: boolean;
  readonly kings: readonly [boolean, boolean];
  /** The server's endgame tables know positions of so many men at most; 0: there are none. */
  readonly table_men: number;
  /** White's and Black's; null where there are none. */
  readonly pawns: readonly [PawnRules, PawnRules] | null;
}

/** How pawns go. Squares are counted a1 = 0, b1 = 1 … h8 = 63; steps and captures are added to one. */
export interface PawnRules {
  readonly step: number;
  readonly captures: readonly [number, number];
  /** From where two steps may be taken. */
  readonly double: readonly Square[];
  readonly promotion: readonly Square[];
}

export interface LevelInfo {
  readonly level: number;
  readonly name: string;
  readonly elo: number;
}

/** A player that can be chosen by name, and what may stand behind the name. */
export interface ListedEngine {
  readonly name: string;
  readonly variants: readonly string[];
  /** The deepest that may be asked for, as `NAME depth=N`. */
  /** It can be asked for an analysis. */
  readonly analyst?: boolean;
  readonly depth?: number;
  readonly help?: string;
  /** It knows other words too; `help` names them. */
  readonly words?: boolean;
}

export interface Welcome {
  readonly protocol: number;
  readonly version: string;
  readonly owner: string;
  readonly library: 'common' | 'private';
  readonly variants: readonly VariantInfo[];
  readonly levels: readonly LevelInfo[];
  readonly difficulties: readonly { readonly name: string; readonly level: number }[];
  readonly engines: readonly ListedEngine[];
  /** Where other machines of the network find this server; told to people on its own machine. */
  readonly addresses: readonly string[];
  /** There is an opening book. */
  readonly book: boolean;
  readonly limits: Readonly<Record<string, number>>;
}

export interface Player {
  readonly kind: 'human' | 'lovac' | 'search' | 'engine';
  readonly name?: string;
  readonly remote?: boolean;
  readonly level?: number;
  /** Of kind 'search': the engine with a number of nodes. */
  readonly evaluation?: 'network' | 'hand';
  readonly nodes?: number;
  /** A name of the server's list, or a description. */
  readonly engine?: string;
  readonly move_ms?: number;
  readonly online?: boolean;
}

export type ClockSetup =
  | { readonly kind: 'none' }
  | { readonly kind: 'game'; readonly time_ms: number; readonly increment_ms: number; readonly black?: SideClock }
  | { readonly kind: 'move'; readonly time_ms: number; readonly black?: SideClock };

/** Black's time where it differs from White's. */
export interface SideClock {
  readonly time_ms: number;
  readonly increment_ms: number;
}

export interface ClockState {
  readonly kind: 'none' | 'game' | 'move';
  readonly time_ms: number;
  readonly increment_ms: number;
  readonly black?: SideClock;
  readonly white_ms: number;
  readonly black_ms: number;
  readonly running: Color | null;
}

export interface Outcome {
  readonly result: '1-0' | '0-1' | '1/2-1/2' | '*';
  readonly winner: Color | null;
  readonly reason: string;
}

export interface NodeShape {
  readonly brush: 'green' | 'red' | 'blue' | 'yellow';
  readonly from: Square;
  readonly to?: Square;
}

export interface TreeNode {
  readonly id: number;
  readonly parent?: number;
  readonly children: readonly number[];
  readonly ply: number;
  readonly uci?: string;
  readonly san?: string;
  readonly fen: string;
  readonly check?: boolean;
  readonly piece?: string;
  readonly taken?: string;
  readonly promotion?: string;
  readonly castling?: 'short' | 'long';
  readonly clock_ms?: number;
  readonly comment?: string;
  /** A value that came with the move, from another program. */
  readonly eval?: Score;
  readonly nags?: readonly number[];
  readonly shapes?: readonly NodeShape[];
}

export interface Position {
  readonly node: number;
  readonly ply: number;
  readonly fen: string;
  readonly turn: Color;
  readonly check: Square | null;
  readonly last: readonly Square[] | null;
  readonly moves: Readonly<Record<Square, readonly string[]>>;
  readonly risky: Readonly<Record<Square, readonly Square[]>>;
  readonly attacked: readonly Square[];
  readonly captured: { readonly white: string; readonly black: string };
  readonly material: number;
  readonly claim: 'repetition' | 'fifty-moves' | null;
  readonly outcome: Outcome | null;
}

export type Score =
  | { readonly cp: number; readonly mate?: undefined }
  | { readonly mate: number; readonly cp?: undefined };

export interface Line {
  readonly rank: number;
  readonly depth: number;
  readonly seldepth: number;
  readonly score: Score;
  readonly wdl?: readonly [number, number, number];
  readonly nodes: number;
  readonly nps: number;
  readonly time_ms: number;
  readonly pv: readonly string[];
  readonly san: readonly string[];
}

export type Judgement = 'best' | 'good' | 'inaccuracy' | 'mistake' | 'blunder';

export interface ReviewSide {
  readonly moves: number;
  readonly accuracy: number;
  readonly mean_loss: number;
  readonly best: number;
  readonly inaccuracies: number;
  readonly mistakes: number;
  readonly blunders: number;
}

export interface ReviewMove {
  readonly node: number;
  readonly judgement: Judgement;
  readonly accuracy: number;
  readonly score: Score;
  readonly win: number;
  readonly better: { readonly uci: readonly string[]; readonly san: readonly string[] } | null;
}

export interface Review {
  readonly white: ReviewSide;
  readonly black: ReviewSide;
  readonly start: { readonly score: Score; readonly win: number };
  readonly moves: readonly ReviewMove[];
}

export interface Match {
  readonly game: number;
  readonly games: number | null;
  readonly score: { readonly white: number; readonly black: number };
  readonly results: readonly {
    readonly white: string;
    readonly black: string;
    readonly result: string;
    readonly reason: string;
    readonly plies: number;
  }[];
}

/** The fields of a room, without its tree. */
export interface RoomState {
  readonly room: string;
  readonly version: number;
  readonly mode: 'play' | 'analysis';
  readonly variant: string;
  readonly start: string | null;
  /** Of the PGN from which an analysis was made: Event, Site, Date, WhiteElo … */
  readonly tags?: Readonly<Record<string, string>> | null;
  readonly white: Player;
  readonly black: Player;
  readonly you: readonly Color[];
  readonly state: 'waiting' | 'playing' | 'paused' | 'over' | 'analysis';
  readonly position: Position;
  readonly live: number;
  readonly clock: ClockState | null;
  readonly result: Outcome | null;
  readonly offers: {
    readonly draw: Color | null;
    readonly takeback: { readonly by: Color; readonly plies: number } | null;
    readonly rematch: Color | null;
  };
  readonly match: Match;
  readonly speed_ms: number;
  readonly watchers: number;
  readonly review: Review | null;
}

export interface RoomEvent extends Partial<RoomState> {
  readonly event: 'room';
  readonly room: string;
  readonly version: number;
  readonly full?: boolean;
  readonly nodes?: readonly TreeNode[];
  readonly removed?: readonly number[];
}

export interface AnalysisEvent {
  readonly event: 'analysis';
  readonly room?: string;
  readonly node?: number;
  readonly fen?: string;
  readonly threat: boolean;
  readonly state: 'queued' | 'running' | 'stopped' | 'done';
  /** With so many others the engine is shared in turn; 0: with nobody. */
  readonly sharing: number;
  readonly lines: readonly Line[];
}

export interface ThinkingEvent {
  readonly event: 'thinking';
  readonly room: string;
  readonly node: number;
  readonly color: Color;
  readonly line: Line;
}

export interface ReviewProgressEvent {
  readonly event: 'review-progress';
  readonly room: string;
  readonly done: number;
  readonly total: number;
}

export interface GoneEvent {
  readonly event: 'gone';
  readonly room: string;
}

// ---- Endgame tables and the book ----

export type TableResult = 'win' | 'cursed-win' | 'draw' | 'blessed-loss' | 'loss';

/** What tables say: how it ends, and in how many half-moves the game or the counting of fifty does. */
export interface TableVerdict {
  readonly verdict: TableResult;
  /** To mate (in Horde: to the end); null: a draw, or not known. */
  readonly end: number | null;
  /** To the next capture or pawn move, or mate. */
  readonly zeroing: number | null;
}

export interface TableMove extends TableVerdict {
  readonly uci: string;
  readonly san: string;
  /** A capture or a pawn move. */
  readonly zeroes: boolean;
  readonly mate: boolean;
}

export interface BookMove {
  readonly uci: string;
  readonly san: string;
  readonly weight: number;
  readonly share: number;
  readonly games: number | null;
}

/** For the side to move. */
export interface Known {
  readonly node: number;
  readonly table: (TableVerdict & { readonly moves: readonly TableMove[] }) | null;
  readonly book: readonly BookMove[] | null;
}

/** For White. */
export interface CoursePoint extends TableVerdict {
  readonly node: number;
}

// ---- The laboratory ----

/** Who plays a side of a match. */
export interface MatchPlayer extends Player {
  readonly kind: 'lovac' | 'search' | 'engine';
}

export type ChoiceValue = number | boolean | string | MatchPlayer;

export interface LabExample {
  readonly variant: string;
  readonly key: string;
  readonly title: string;
  readonly fen: string;
}

export interface LabChoice {
  readonly key: string;
  readonly title: string;
  readonly kind: 'number' | 'switch' | 'word' | 'variant' | 'fen' | 'player';
  readonly usual: ChoiceValue;
  readonly low?: number;
  readonly high?: number;
  readonly words?: readonly string[];
  readonly examples?: readonly LabExample[];
  readonly needs?: string;
}

export interface LabColumn {
  readonly key: string;
  readonly title: string;
  readonly kind: 'count' | 'real' | 'time' | 'text';
  readonly published: boolean;
}

export interface LabTable {
  readonly key: string;
  readonly title: string;
  readonly hidden: boolean;
  /** So many of its first rows have a game that can be opened. */
  readonly texts: number;
  /** Row i is about the player `champion RUN i+1`, who has a picture. */
  readonly players: boolean;
  readonly columns: readonly LabColumn[];
}

export interface LabChart {
  readonly key: string;
  readonly title: string;
  readonly table: string;
  readonly x: string;
  readonly log: boolean;
  /** A bar for each row; the cells of `x` may be texts. */
  readonly bars: boolean;
  readonly series: readonly { readonly column: string; readonly low?: string; readonly high?: string }[];
}

export interface Experiment {
  readonly key: string;
  readonly title: string;
  readonly text: string;
  readonly sources?: string;
  readonly choices: readonly LabChoice[];
  readonly tables: readonly LabTable[];
  readonly charts: readonly LabChart[];
}

export type LabCell = number | string | null;
export type LabRow = readonly LabCell[];

export interface RunSummary {
  readonly run: number;
  readonly experiment: string;
  readonly choices: Readonly<Record<string, ChoiceValue>>;
  readonly state: 'waiting' | 'running' | 'done' | 'stopped' | 'failed' | 'interrupted';
  readonly created: number;
  readonly elapsed_ms: number;
  readonly left_ms?: number;
  readonly share: number;
  readonly problem: string;
  /** What its tables show, in English words; paragraphs. */
  readonly note: string;
  readonly mine: boolean;
}

export interface FullRun extends RunSummary {
  readonly tables: Readonly<Record<string, readonly LabRow[]>>;
}

/** A position of a search tree; value and window are for its side to move, in centipawns, null where it is open. */
export interface WalkNode {
  /** The index of its parent; -1: the root. */
  readonly parent: number;
  readonly ply: number;
  readonly uci?: string;
  readonly san?: string;
  /** In the capture search. */
  readonly quiet: boolean;
  readonly value?: number;
  readonly alpha?: number | null;
  readonly beta?: number | null;
  readonly end: 'searched' | 'leaf' | 'over' | 'cut' | 'stood' | 'known' | 'skipped';
  /** The child that reached beta, or -1. */
  readonly cut_by: number;
  /** The men on the board: the first field of its FEN. */
  readonly board: string;
}

/** The tree of a search, to the depth asked for or to the greatest one that is small enough. */
export interface SearchWalk {
  readonly method: string;
  readonly depth: number;
  readonly visited: number;
  readonly side: Color;
  readonly nodes: readonly WalkNode[];
}

export interface RunEvent extends RunSummary {
  readonly event: 'run';
  readonly rows: Readonly<Record<string, { readonly from: number; readonly rows: readonly LabRow[] }>>;
}

export type ServerEvent = GoneEvent | RoomEvent | AnalysisEvent | ThinkingEvent | ReviewProgressEvent | RunEvent;

export interface Keys {
  readonly white?: string;
  readonly black?: string;
  readonly watch?: string;
}

export interface Created {
  readonly room: string;
  readonly keys: Keys;
  readonly you: readonly Color[];
}

export interface RoomSummary {
  readonly room: string;
  readonly mode: 'play' | 'analysis';
  readonly variant: string;
  readonly white: Player;
  readonly black: Player;
  readonly ply: number;
  readonly turn: Color;
  readonly you: readonly Color[];
  readonly state: RoomState['state'];
  readonly result: Outcome | null;
  readonly fen: string;
  readonly last: readonly Square[] | null;
  readonly updated: number;
}

export interface SavedGame {
  readonly saved: number;
  readonly name: string;
  readonly variant: string;
  readonly white: string;
  readonly black: string;
  readonly result: string;
  readonly reason: string;
  readonly plies: number;
  /** As in PGN: "2026.11.16", with ? for what is not known. */
  readonly date: string;
  readonly updated: number;
  readonly fen: string;
}

export interface ImportedGame {
  readonly index: number;
  readonly white: string;
  readonly black: string;
  readonly result: string;
  readonly variant: string;
  readonly plies: number;
  readonly complete: boolean;
  /** `ply`: at which half-move, where it is about one. */
  readonly problems: readonly (Problem & { readonly line: number; readonly ply?: number })[];
  /** So many more problems. */
  readonly unlisted: number;
  /** Where it stands in the text, as UTF-8. */
  readonly from: number;
  readonly bytes: number;
  /** The number under which it was saved; null when it could not be. */
  readonly saved?: number | null;
}

// ---- Requests ----

/** The fields of `create`; what is left out is as usual. */
export interface CreateRequest {
  mode?: 'play' | 'analysis';
  variant?: string;
  fen?: string;
  start?: number | string;
  white?: Player;
  black?: Player;
  clock?: ClockSetup;
  series?: { games: number; alternate: boolean };
  speed_ms?: number;
  book?: boolean;
  from?: { room: string; node: number };
  pgn?: string;
  game?: number;
  saved?: number;
}

interface InRoom {
  readonly room: string;
}
interface AtNode extends InRoom {
  readonly node: number;
}
type Nothing = Readonly<Record<never, never>>;

/** Every request: the fields that it sends besides `id` and `do`, and what its answer has besides `id` and `ok`. */
export interface Requests {
  hello: {
    /** `invitation`: the key of a room, which opens the door of a server with a password too. */
    fields: {
      readonly protocol?: number;
      readonly owner?: string;
      readonly password?: string;
      readonly invitation?: string;
    };
    answer: Welcome;
  };
  ping: { fields: Nothing; answer: { readonly time: number } };
  create: { fields: CreateRequest; answer: Created };
  join: {
    fields: { readonly keys: readonly string[]; readonly name?: string };
    answer: { readonly room: string; readonly you: readonly Color[] };
  };
  leave: { fields: InRoom; answer: Nothing };
  sync: { fields: InRoom; answer: Nothing };
  rooms: { fields: { readonly keys: readonly string[] }; answer: { readonly rooms: readonly (RoomSummary | null)[] } };
  forget: { fields: InRoom; answer: Nothing };
  move: {
    /** `ply` in a game, `node` in an analysis; `uci`, or what a person typed. */
    fields: InRoom & { readonly ply?: number; readonly node?: number; readonly uci?: string; readonly san?: string };
    answer: { readonly node: number; readonly repeated?: boolean };
  };
  why: { fields: AtNode & { readonly uci: string }; answer: { readonly problem: Problem | null } };
  takeback: { fields: InRoom & { readonly action?: 'ask' | 'accept' | 'decline' }; answer: Nothing };
  draw: {
    fields: InRoom & { readonly action?: 'offer' | 'accept' | 'decline' | 'claim' };
    /** Of an offer to an engine: whether it agrees. */
    answer: { readonly accepted?: boolean };
  };
  resign: { fields: InRoom & { readonly color?: Color }; answer: Nothing };
  abort: { fields: InRoom; answer: Nothing };
  pause: { fields: InRoom; answer: Nothing };
  resume: { fields: InRoom; answer: Nothing };
  rematch: { fields: InRoom & { readonly swap?: boolean }; answer: Nothing };
  switch: { fields: InRoom; answer: Nothing };
  seats: { fields: InRoom & { readonly white?: Player; readonly black?: Player }; answer: Nothing };
  goto: { fields: AtNode; answer: Nothing };
  speed: { fields: InRoom & { readonly speed_ms: number }; answer: Nothing };
  hint: {
    fields: InRoom;
    answer: {
      readonly uci: string;
      readonly san: string;
      readonly score: Score;
      readonly pv: readonly string[];
      readonly pv_san: readonly string[];
    };
  };
  analysis: { fields: InRoom; answer: Nothing };
  show: { fields: AtNode; answer: { readonly position: Position } };
  annotate: {
    fields: AtNode & {
      readonly comment?: string;
      readonly nags?: readonly number[];
      readonly shapes?: readonly NodeShape[];
    };
    answer: Nothing;
  };
  promote: { fields: AtNode & { readonly main?: boolean }; answer: Nothing };
  demote: { fields: AtNode; answer: Nothing };
  cut: { fields: AtNode; answer: Nothing };
  line: { fields: AtNode & { readonly uci: readonly string[] }; answer: { readonly node: number } };
  /** The positions after each move of a line that is not added. */
  peek: {
    fields: AtNode & { readonly uci: readonly string[]; readonly threat?: boolean };
    answer: { readonly fens: readonly string[] };
  };
  analyse: {
    fields: {
      readonly room?: string;
      readonly node?: number;
      readonly variant?: string;
      readonly fen?: string;
      readonly lines?: number;
      readonly threat?: boolean;
      readonly threads?: number;
      /** MB */
      readonly hash?: number;
      /** One of those that analyse, by name; ours if there is none. */
      readonly engine?: string;
      readonly stop?: boolean;
    };
    answer: Nothing;
  };
  review: { fields: InRoom & { readonly nodes?: number; readonly stop?: boolean }; answer: Nothing };
  known: { fields: AtNode; answer: Known };
  course: { fields: InRoom; answer: { readonly course: readonly CoursePoint[] } };
  save: { fields: InRoom & { readonly name: string }; answer: { readonly saved: number } };
  library: {
    fields: { readonly from?: number; readonly count?: number; readonly variant?: string; readonly find?: string };
    answer: { readonly total: number; readonly games: readonly SavedGame[] };
  };
  unsave: { fields: { readonly saved: number }; answer: Nothing };
  export: {
    fields: { readonly room?: string; readonly game?: number; readonly saved?: readonly number[] };
    answer: { readonly pgn: string };
  };
  import: {
    /** A part of a text: 0, 1, 2 …; part 0 says with which game and line it begins. Or `stop`. */
    fields: {
      readonly pgn?: string;
      readonly save?: boolean;
      readonly part?: number;
      readonly last?: boolean;
      readonly game?: number;
      readonly line?: number;
      readonly stop?: boolean;
    };
    answer: {
      readonly games: readonly ImportedGame[];
      /** So many more games of this part are not listed. */
      readonly more: number;
      readonly read: number;
      readonly saved: number;
      readonly same: number;
      readonly failed: number;
      readonly used: number;
      readonly line: number;
      readonly full: boolean;
    };
  };
  check: {
    fields: { readonly variant?: string; readonly fen: string };
    answer: Verdict;
  };
  start: {
    fields: { readonly variant?: string; readonly start?: number | string };
    answer: { readonly start: string; readonly fen: string; readonly position: Position };
  };
  lab: {
    fields: { readonly watch?: boolean };
    answer: { readonly experiments: readonly Experiment[]; readonly runs: readonly RunSummary[] };
  };
  run: {
    fields: { readonly experiment: string; readonly choices?: Readonly<Record<string, ChoiceValue>> };
    answer: { readonly run: number };
  };
  /** With `game` the text of one of its games, with `player` the picture of the one of that row, else its tables. */
  look: {
    fields: { readonly run: number; readonly game?: number; readonly player?: number };
    answer: { readonly run?: FullRun; readonly pgn?: string; readonly svg?: string };
  };
  halt: { fields: { readonly run: number }; answer: Nothing };
  walk: {
    fields: { readonly method: string; readonly depth: number; readonly fen?: string; readonly variant?: string };
    answer: { readonly tree: SearchWalk };
  };
  /** A run that was stopped, failed or was interrupted goes on where it was. */
  continue: { fields: { readonly run: number }; answer: Nothing };
}

/** Whether a position may stand on the board: as the server writes it, or what is wrong. */
export interface Verdict {
  readonly legal: boolean;
  readonly fen?: string;
  readonly position?: Position;
  readonly problem?: Problem;
}

export type Word = keyof Requests;
export type Fields<W extends Word> = Requests[W]['fields'];
export type Answer<W extends Word> = Requests[W]['answer'];
/** Requests about a room, and their fields besides it. */
export type RoomWord = { [W in Word]: Fields<W> extends { readonly room?: string } ? W : never }[Word];
export type RoomFields<W extends RoomWord> = Omit<Fields<W>, 'room'>;

/** What the server had against a request; `problem` and `args` say it closer (see Problem). */
export interface Refusal {
  readonly code: string;
  readonly text: string;
  readonly problem?: string;
  readonly args?: Problem['args'];
}
