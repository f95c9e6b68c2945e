// The class: the methods of a chess program one after the other, each with a text, a measurement on this machine, a
// search tree to walk through, and a game against it. The server searches; the steps are those of course.h.
import { useEffect, useState } from 'preact/hooks';
import { go, me, route, startRoom } from '../app.js';
import { t } from '../i18n.js';
import { enterLab, experiments, look, runs } from '../lab.js';
import { request, status } from '../net.js';
import { Button, toastError } from '../ui/basics.js';
import { RunView } from '../ui/labrun.js';
import { SearchTree } from '../ui/searchtree.js';
import { Waiting } from './waiting.js';

const STEPS = ['minimax', 'alphabeta', 'ordering', 'quiescence', 'table', 'evaluation', 'network'] as const;
type Step = (typeof STEPS)[number];
const DEPTHS = [3, 4, 5, 6];

/** The measurement of a step: the last run of it, and a button for a new one. */
function Measure({ step }: { step: Step }) {
  const [depth, setDepth] = useState(4);
  const experiment = experiments.value?.find(e => e.key === 'steps');
  const run = runs.value.find(r => r.experiment === 'steps' && r.choices['step'] === step);
  const shown = run?.run ?? 0;
  useEffect(() => void look(shown).catch(toastError), [shown]);
  const begin = () => void request('run', { experiment: 'steps', choices: { step, depth } }).catch(toastError);
  if (!experiment) return null;
  return (
    <section class="stack" aria-labelledby="class-measure">
      <h3 id="class-measure">{t('class.measure')}</h3>
      <p>{t('class.measure.text')}</p>
      <div class="row">
        <label class="field inline">
          <span>{t('class.depth')}</span>
          <select class="input" value={String(depth)} onChange={e => setDepth(Number(e.currentTarget.value))}>
            {DEPTHS.map(d => (
              <option key={d} value={String(d)}>
                {d}
              </option>
            ))}
          </select>
        </label>
        <Button icon="lab" label={t('class.measure')} kind="primary" testid="class-measure" onClick={begin} />
      </div>
      {run && <RunView experiment={experiment} run={run} />}
    </section>
  );
}

function Game({ step }: { step: Step }) {
  const play = async () => {
    try {
      const black = { kind: 'engine' as const, engine: `step step=${step} depth=3` };
      await startRoom('play', { variant: 'chess', white: me(), black });
      go('');
    } catch (error) {
      toastError(error);
    }
  };
  return (
    <section class="stack" aria-labelledby="class-play">
      <h3 id="class-play">{t('class.play')}</h3>
      <p>{t('class.play.text')}</p>
      <div>
        <Button icon="play" label={t('class.play')} testid="class-play" onClick={() => void play()} />
      </div>
    </section>
  );
}

export function ClassPage() {
  useEffect(() => enterLab(toastError), []);
  const at = Math.max(0, STEPS.indexOf(route.value.rest[0] as Step));
  const step = STEPS[at]!;
  if (!experiments.value && status.value !== 'open') return <Waiting />;
  return (
    <div class="page class">
      <header class="stack tight">
        <h1>{t('class.title')}</h1>
        <p class="lead">{t('class.lead')}</p>
      </header>
      <nav aria-label={t('class.steps')}>
        <ol class="class-steps">
          {STEPS.map((s, i) => (
            <li key={s}>
              <a href={`#/class/${s}`} aria-current={i === at ? 'step' : undefined}>
                {t(`class.${s}.title`)}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <article class="card pad-all stack class-step" aria-labelledby="class-step" data-testid={`class-${step}`}>
        <h2 id="class-step">{t(`class.${step}.title`)}</h2>
        <p class="class-text">{t(`class.${step}.text`)}</p>
        <p class="class-text quiet">{t(`class.${step}.look`)}</p>
        <Measure key={step} step={step} />
        <section class="stack" aria-labelledby="class-tree">
          <h3 id="class-tree">{t('class.tree')}</h3>
          <p>{t('class.tree.text')}</p>
          <SearchTree method={step} />
        </section>
        <Game step={step} />
        <div class="row between">
          {at > 0 ? (
            <Button icon="previous" label={t('class.previous')} onClick={() => go(`class/${STEPS[at - 1]}`)} />
          ) : (
            <span />
          )}
          {at < STEPS.length - 1 && (
            <Button
              icon="next"
              label={t('class.next')}
              testid="class-next"
              onClick={() => go(`class/${STEPS[at + 1]}`)}
            />
          )}
        </div>
      </article>
    </div>
  );
}
