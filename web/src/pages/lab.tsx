// The laboratory: choose an experiment, run it on the server, see its table and chart beside published figures.
// Everything about an experiment comes from the server; a new one needs no change here.
import { useEffect, useState } from 'preact/hooks';
import { go, route } from '../app.js';
import { formatDate, t, tMaybe } from '../i18n.js';
import { choiceTitle, enterLab, experiments, isOver, look, madeChoices, runs } from '../lab.js';
import { status } from '../net.js';
import type { Experiment, LabChoice, RunSummary } from '../protocol.js';
import { toastError } from '../ui/basics.js';
import { LabForm } from '../ui/labform.js';
import { RunView } from '../ui/labrun.js';
import { Waiting } from './waiting.js';

const title = (experiment: Experiment): string => tMaybe(`lab.${experiment.key}.title`, experiment.title);

/** The run to show: the one in the address, else one that goes on, else the last. */
function chooseRun(experiment: Experiment, id: number): RunSummary | undefined {
  const own = runs.value.filter(r => r.experiment === experiment.key);
  return own.find(r => r.run === id) ?? own.find(r => r.state === 'running') ?? own[0];
}

/** A choice in a list: numbers say nothing without their names, the others do. */
function shortChoice(choice: LabChoice, text: string): string {
  if (choice.kind === 'switch') return choiceTitle(choice);
  return choice.kind === 'number' ? `${choiceTitle(choice)} ${text}` : text;
}

function RunList({ list, current }: { list: readonly Experiment[]; current: number | undefined }) {
  const [all, setAll] = useState(false);
  const known = runs.value.filter(r => list.some(e => e.key === r.experiment));
  if (known.length === 0) return null;
  return (
    <section class="stack" aria-labelledby="lab-runs">
      <h2 id="lab-runs">{t('lab.runs')}</h2>
      <ul class="lab-runs" data-testid="lab-runs">
        {(all ? known : known.slice(0, 8)).map(run => {
          const experiment = list.find(e => e.key === run.experiment)!;
          return (
            <li key={run.run}>
              <a
                class={`lab-link card ${run.run === current ? 'on' : ''}`}
                href={`#/lab/${run.experiment}/${run.run}`}
                aria-current={run.run === current ? 'true' : undefined}
              >
                <span class="row between">
                  <strong>{title(experiment)}</strong>
                  <span class={`badge ${run.state}`}>{tMaybe(`lab.state.${run.state}`, run.state)}</span>
                </span>
                <span class="small lab-what">
                  {madeChoices(experiment, run)
                    .map(([choice, text]) => shortChoice(choice, text))
                    .join(' · ')}
                </span>
                <span class="small quiet num">
                  {t('lab.number', { n: run.run })} · {formatDate(run.created)}
                </span>
              </a>
            </li>
          );
        })}
      </ul>
      {!all && known.length > 8 && (
        <div>
          <button type="button" class="btn" onClick={() => setAll(true)}>
            {t('lab.all')}
          </button>
        </div>
      )}
    </section>
  );
}

export function LabPage() {
  useEffect(() => enterLab(toastError), []);
  const [key, id] = route.value.rest;
  const list = experiments.value;
  const experiment = list?.find(e => e.key === key) ?? list?.[0];
  const run = experiment && chooseRun(experiment, Number(id ?? 0));
  const shownId = run?.run ?? 0;
  useEffect(() => void look(shownId).catch(toastError), [shownId]);
  // On a narrow screen the run is below the form: show what was asked for.
  const [begun, setBegun] = useState(0);
  useEffect(() => {
    const view = document.querySelector('.lab-run');
    if (view && begun === shownId && view.getBoundingClientRect().top > innerHeight * 0.6) view.scrollIntoView();
  }, [begun, shownId]);
  if (!list || (status.value !== 'open' && !experiment)) return <Waiting />;
  if (!experiment) {
    return (
      <div class="page narrow-page">
        <h1>{t('lab.title')}</h1>
        <p class="lead">{t('lab.none')}</p>
      </div>
    );
  }
  const busy = runs.value.some(r => !isOver(r));
  return (
    <div class="page lab">
      <header class="stack tight">
        <h1>{t('lab.title')}</h1>
        <p class="lead">{t('lab.lead')}</p>
        <p>
          <a href="#/class">{t('class.open')}</a>
        </p>
      </header>
      <div class="lab-columns">
        <section class="card pad-all stack lab-choose" aria-labelledby="lab-choose">
          <h2 id="lab-choose" class="sr">
            {t('lab.experiment')}
          </h2>
          <label class="field">
            <span>{t('lab.experiment')}</span>
            <select
              class="input"
              value={experiment.key}
              onChange={e => go(`lab/${e.currentTarget.value}`)}
              data-testid="lab-experiment"
            >
              {list.map(e => (
                <option key={e.key} value={e.key}>
                  {title(e)}
                </option>
              ))}
            </select>
          </label>
          <p class="small">{tMaybe(`lab.${experiment.key}.text`, experiment.text)}</p>
          <LabForm
            key={experiment.key}
            experiment={experiment}
            onRun={number => {
              go(`lab/${experiment.key}/${number}`);
              setBegun(number);
            }}
          />
          {busy && <p class="small quiet">{t('lab.busy')}</p>}
        </section>
        {run ? <RunView experiment={experiment} run={run} /> : <p class="quiet empty">{t('lab.empty')}</p>}
      </div>
      <RunList list={list} current={run?.run} />
    </div>
  );
}
