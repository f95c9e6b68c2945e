// What the laboratory page knows: the experiments of the server, all runs, and the tables of the run that is
// shown. The server tells of every change while the page is open; after a lost connection all is asked anew.
import { signal } from '@preact/signals';
import { tMaybe } from './i18n.js';
import { listen, onReconnect, request, status } from './net.js';
import type { ChoiceValue, Experiment, LabChoice, LabExample, LabRow, MatchPlayer, RunSummary } from './protocol.js';
import { levelName, searchName, variantTitle } from './words.js';

export const experiments = signal<readonly Experiment[] | null>(null);
/** The newest first. */
export const runs = signal<readonly RunSummary[]>([]);

interface Shown {
  readonly run: number;
  readonly tables: Readonly<Record<string, readonly LabRow[]>>;
}
/** The tables of the run that is looked at, once they are there. */
export const shown = signal<Shown | null>(null);
/** When the last word about each run came, for clocks that go on between two. */
export const heard = new Map<number, number>();

let wanted = 0;

async function ask(): Promise<void> {
  const answer = await request('lab', {
    watch: true,
  });
  const now = performance.now();
  for (const run of answer.runs) heard.set(run.run, now);
  runs.value = answer.runs;
  experiments.value = answer.experiments;
  if (wanted) await look(wanted);
}

/** Shows a run's tables from now on; 0: none. */
export async function look(run: number): Promise<void> {
  wanted = run;
  if (shown.value?.run !== run) shown.value = null;
  if (!run) return;
  const answer = await request('look', { run });
  if (wanted === run) shown.value = { run, tables: answer.run!.tables };
}

/** Hears of runs until the returned function is called. */
export function enterLab(onProblem: (error: unknown) => void): () => void {
  const begin = () => void ask().catch(onProblem);
  const stops = [
    onReconnect(begin),
    listen(event => {
      if (event.event !== 'run') return;
      const { event: _, rows, ...run } = event;
      heard.set(run.run, performance.now());
      const known = runs.value.some(r => r.run === run.run);
      runs.value = known ? runs.value.map(r => (r.run === run.run ? run : r)) : [run, ...runs.value];
      if (shown.value?.run !== run.run) return;
      const tables = { ...shown.value.tables };
      for (const [key, part] of Object.entries(rows))
        tables[key] = [...(tables[key] ?? []).slice(0, part.from), ...part.rows];
      shown.value = { run: run.run, tables };
    }),
  ];
  if (status.value === 'open') begin();
  return () => {
    for (const stop of stops) stop();
    wanted = 0;
    shown.value = null;
    if (status.value === 'open') void request('lab', { watch: false }).catch(() => undefined);
  };
}

export const isOver = (run: RunSummary): boolean => run.state !== 'waiting' && run.state !== 'running';

/** Something of it is left to do, and this browser may let it go on. */
export const canGoOn = (run: RunSummary): boolean => isOver(run) && run.state !== 'done' && run.mine;

/** Words for what the server names by keys; its own English where there are none. */
export const choiceTitle = (choice: LabChoice): string => tMaybe(`lab.choice.${choice.key}`, choice.title);

export const exampleTitle = (example: LabExample): string => tMaybe(`lab.example.${example.key}`, example.title);

export function playerText(player: MatchPlayer): string {
  if (player.kind === 'lovac')
    return `${tMaybe('lab.player.lovac', 'Lovac')} ${player.level} (${levelName(player.level ?? 0)})`;
  return player.kind === 'engine' ? (player.engine ?? '') : searchName(player);
}

/** A choice that was made, as people read it. */
export function choiceText(choice: LabChoice, value: ChoiceValue | undefined): string {
  if (value === undefined) return '';
  if (choice.kind === 'variant') return variantTitle(String(value));
  if (choice.kind === 'player') return playerText(value as MatchPlayer);
  if (choice.kind === 'word') return tMaybe(`lab.word.${String(value)}`, String(value));
  if (choice.kind === 'switch') return tMaybe(value ? 'lab.yes' : 'lab.no', value ? 'yes' : 'no');
  if (choice.kind === 'fen') {
    const example = choice.examples?.find(e => e.fen === value);
    return example ? exampleTitle(example) : String(value);
  }
  return String(value);
}

/** The choices of a run that say something: no empty position, nothing that a switch has put out. */
export function madeChoices(experiment: Experiment, run: RunSummary): readonly [LabChoice, string][] {
  return experiment.choices
    .filter(c => !c.needs || run.choices[c.needs] === true)
    .map(c => [c, choiceText(c, run.choices[c.key])] as [LabChoice, string])
    .filter(([c, text]) => text !== '' && !(c.kind === 'switch' && run.choices[c.key] === false));
}
