// Players that are no people, as forms offer them: levels, the engine with a number of nodes, every name of the server's
// list, and any other by its description.
import { t } from '../i18n.js';
import { welcome } from '../net.js';
import type { MatchPlayer } from '../protocol.js';

const NODES = { low: 10, high: 1000000, usual: 2000 };

/** What a form knows besides the kind. */
export interface Details {
  readonly level: number;
  readonly nodes?: number;
  /** Of a described player. */
  readonly text?: string;
}

const listed = (name: string): boolean => welcome.value?.engines.some(e => e.name === name) ?? false;

/** The kind as lists have it: "lovac", "search:network", "search:hand", "engine:" and a name, or "other". */
export function kindOf(player: MatchPlayer): string {
  if (player.kind === 'search') return `search:${player.evaluation ?? 'network'}`;
  if (player.kind !== 'engine') return 'lovac';
  return listed(player.engine ?? '') ? `engine:${player.engine}` : 'other';
}

export const detailsOf = (player: MatchPlayer, level: number): Details => ({
  level: player.level ?? level,
  ...(player.nodes === undefined ? {} : { nodes: player.nodes }),
  ...(player.kind === 'engine' && !listed(player.engine ?? '') ? { text: player.engine ?? '' } : {}),
});

/** The player that a kind and its details mean. */
export function toMachine(kind: string, details: Details): MatchPlayer {
  if (kind.startsWith('engine:')) return { kind: 'engine', engine: kind.slice(7) };
  if (kind === 'other') return { kind: 'engine', engine: details.text ?? '' };
  if (kind === 'lovac') return { kind: 'lovac', level: details.level };
  const evaluation = kind === 'search:hand' ? 'hand' : 'network';
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

/** Nodes of an engine, or the description of another player. */
export function MachineDetails(props: {
  kind: string;
  details: Details;
  testid: string;
  onChange: (part: Partial<Details>) => void;
}) {
  const { kind, details, testid, onChange } = props;
  if (kind.startsWith('search:'))
    return (
      <label class="row lab-nodes">
        <span>{t('lab.player.nodes')}</span>
        <input
          class="input num grow"
          type="number"
          required
          min={NODES.low}
          max={NODES.high}
          step={1}
          value={String(details.nodes ?? NODES.usual)}
          onInput={e => onChange({ nodes: Number(e.currentTarget.value) })}
          data-testid={`${testid}-nodes`}
        />
      </label>
    );
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
