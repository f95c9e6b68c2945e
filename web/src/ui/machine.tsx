// Players that are no people, as forms offer them: levels, the engine with a number of nodes or a depth, every name of the
// server's list with what may stand behind it, and any other by its description.
import { t } from '../i18n.js';
import { welcome } from '../net.js';
import type { ListedEngine, MatchPlayer } from '../protocol.js';

const NODES = { low: 10, high: 1000000, usual: 2000 };
const DEPTH = { low: 1, high: 60, usual: 6 };

/** What a form knows besides the kind. */
export interface Details {
  readonly level: number;
  readonly nodes?: number;
  /** How deep it looks; of the engine: instead of nodes. */
  readonly depth?: number;
  /** Other words behind the name of a listed player. */
  readonly words?: string;
  /** Of a described player. */
  readonly text?: string;
}

/** The listed player whose name a text begins with, and the words behind it. */
export function listedPlayer(text: string): { row: ListedEngine; rest: string } | null {
  const rows = (welcome.value?.engines ?? []).filter(e => text === e.name || text.startsWith(e.name + ' '));
  const row = rows.sort((a, b) => b.name.length - a.name.length)[0];
  return row ? { row, rest: text.slice(row.name.length).trim() } : null;
}

const LIMITED = /^lovac depth=(\d+)( net=none)?$/;

/** The kind as lists have it: "lovac", "search:network", "search:hand", "engine:" and a name, or "other". */
export function kindOf(player: MatchPlayer): string {
  if (player.kind === 'search') return `search:${player.evaluation ?? 'network'}`;
  if (player.kind !== 'engine') return 'lovac';
  const text = player.engine ?? '';
  const limited = LIMITED.exec(text);
  if (limited) return limited[2] ? 'search:hand' : 'search:network';
  const listed = listedPlayer(text);
  return listed ? `engine:${listed.row.name}` : 'other';
}

/** What stands behind a name: its depth, and the rest. */
function readWords(rest: string): Partial<Details> {
  const depth = /(?:^| )depth=(\d+)(?= |$)/.exec(rest);
  const words = rest.replace(depth?.[0] ?? '', '').trim();
  return { ...(depth ? { depth: Number(depth[1]) } : {}), ...(words ? { words } : {}) };
}

export function detailsOf(player: MatchPlayer, level: number): Details {
  const text = player.kind === 'engine' ? (player.engine ?? '') : '';
  const limited = LIMITED.exec(text);
  const listed = listedPlayer(text);
  return {
    level: player.level ?? level,
    ...(player.nodes === undefined ? {} : { nodes: player.nodes }),
    ...(limited ? { depth: Number(limited[1]) } : listed ? readWords(listed.rest) : text ? { text } : {}),
  };
}

/** The player that a kind and its details mean. */
export function toMachine(kind: string, details: Details): MatchPlayer {
  const row = kind.startsWith('engine:') ? listedPlayer(kind.slice(7))?.row : undefined;
  const depth = details.depth ? ` depth=${Math.min(details.depth, row?.depth ?? DEPTH.high)}` : '';
  if (kind.startsWith('engine:')) {
    const words = row?.words && details.words?.trim() ? ` ${details.words.trim()}` : '';
    return { kind: 'engine', engine: kind.slice(7) + (row?.depth ? depth : '') + words };
  }
  if (kind === 'other') return { kind: 'engine', engine: details.text ?? '' };
  if (kind === 'lovac') return { kind: 'lovac', level: details.level };
  const evaluation = kind === 'search:hand' ? 'hand' : 'network';
  if (depth) return { kind: 'engine', engine: `lovac${depth}${evaluation === 'hand' ? ' net=none' : ''}` };
  return { kind: 'search', evaluation, nodes: details.nodes ?? NODES.usual };
}

/** The options of a list, after those for people and levels. */
export function MachineOptions({ variant }: { variant: string }) {
  return (
    <>
      <option value="search:network">{t('lab.player.network')}</option>
      <option value="search:hand">{t('lab.player.hand')}</option>
      {welcome.value?.engines
        .filter(e => !e.variants || e.variants.includes(variant))
        .map(e => (
          <option value={`engine:${e.name}`} key={e.name}>
            {e.name}
          </option>
        ))}
      <option value="other">{t('setup.other')}</option>
    </>
  );
}

interface DetailsProps {
  kind: string;
  details: Details;
  testid: string;
  onChange: (part: Partial<Details>) => void;
}

/** The engine's limit, depth and words of a listed player, or the description of another. */
export function MachineDetails(props: DetailsProps) {
  const { kind, details, testid, onChange } = props;
  if (kind.startsWith('search:')) return <EngineLimit {...props} />;
  if (kind.startsWith('engine:')) return <ListedDetails {...props} />;
  if (kind !== 'other') return null;
  return (
    <input
      class="input mono"
      required
      aria-label={t('setup.otherText')}
      placeholder="material depth=2"
      spellcheck={false}
      autocomplete="off"
      value={details.text ?? ''}
      onInput={e => onChange({ text: e.currentTarget.value })}
      data-testid={`${testid}-text`}
    />
  );
}

/** So many nodes, or so deep. */
function EngineLimit({ details, testid, onChange }: DetailsProps) {
  const deep = !!details.depth;
  const range = deep ? DEPTH : NODES;
  return (
    <div class="row lab-nodes">
      <select
        class="input grow"
        aria-label={t('setup.limit')}
        value={deep ? 'depth' : 'nodes'}
        onChange={e => onChange({ depth: e.currentTarget.value === 'depth' ? DEPTH.usual : 0 })}
        data-testid={`${testid}-limit`}
      >
        <option value="nodes">{t('lab.player.nodes')}</option>
        <option value="depth">{t('setup.depth')}</option>
      </select>
      <input
        class="input num grow"
        type="number"
        required
        aria-label={t(deep ? 'setup.depth' : 'lab.player.nodes')}
        min={range.low}
        max={range.high}
        step={1}
        value={String(deep ? details.depth : (details.nodes ?? NODES.usual))}
        onInput={e => {
          const value = Number(e.currentTarget.value);
          onChange(deep ? { depth: value || DEPTH.usual } : { nodes: value });
        }}
        data-testid={`${testid}-${deep ? 'depth' : 'nodes'}`}
      />
    </div>
  );
}

/** What may stand behind the name of a listed player, and what it is. */
function ListedDetails({ kind, details, testid, onChange }: DetailsProps) {
  const row = listedPlayer(kind.slice(7))?.row;
  if (!row) return null;
  return (
    <>
      {row.help && (
        <p class="quiet small" lang="en">
          {row.help}
        </p>
      )}
      {row.depth && (
        <label class="row lab-nodes">
          <span>{t('setup.depth')}</span>
          <input
            class="input num grow"
            type="number"
            min={1}
            max={row.depth}
            step={1}
            placeholder={t('setup.depthUsual')}
            value={details.depth ? String(details.depth) : ''}
            onInput={e => onChange({ depth: Math.min(row.depth!, Number(e.currentTarget.value) || 0) })}
            data-testid={`${testid}-depth`}
          />
        </label>
      )}
      {row.words && (
        <input
          class="input mono"
          aria-label={t('setup.words')}
          placeholder={t('setup.words')}
          spellcheck={false}
          autocomplete="off"
          value={details.words ?? ''}
          onInput={e => onChange({ words: e.currentTarget.value })}
          data-testid={`${testid}-words`}
        />
      )}
    </>
  );
}
