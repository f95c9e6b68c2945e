// The form of an experiment, made from the choices that the server lists.
import { useEffect, useId, useState } from 'preact/hooks';
import { t, tMaybe } from '../i18n.js';
import { choiceTitle, exampleTitle } from '../lab.js';
import { request, RequestError, welcome } from '../net.js';
import type { ChoiceValue, Experiment, LabChoice, MatchPlayer } from '../protocol.js';
import { readStored, writeStored } from '../storage.js';
import { levelElo, levelName } from '../words.js';
import { Choices, errorText, Switch } from './basics.js';
import { Icon } from './icons.js';
import { detailsOf, kindOf, MachineDetails, MachineOptions, toMachine } from './machine.js';
import { VariantField } from './variants.js';

type Values = Record<string, ChoiceValue>;

/** What was chosen last, where it still fits. */
function firstValues(experiment: Experiment): Values {
  const kept = readStored<Values>('lab.' + experiment.key, {});
  return Object.fromEntries(
    experiment.choices.map(c => [c.key, typeof kept[c.key] === typeof c.usual ? kept[c.key]! : c.usual]),
  );
}

interface FieldProps {
  choice: LabChoice;
  value: ChoiceValue;
  variant: string;
  problem: string;
  onChange: (value: ChoiceValue) => void;
}

function NumberField({ choice, value, onChange }: FieldProps) {
  return (
    <label class="field">
      <span>
        {choiceTitle(choice)}{' '}
        <span class="quiet num">
          {choice.low} – {choice.high}
        </span>
      </span>
      <input
        class="input num"
        type="number"
        required
        step={1}
        min={choice.low}
        max={choice.high}
        value={String(value)}
        onInput={e => onChange(e.currentTarget.value === '' ? '' : Number(e.currentTarget.value))}
        data-testid={`lab-${choice.key}`}
      />
    </label>
  );
}

function FenField({ choice, value, variant, problem, onChange }: FieldProps) {
  const list = useId();
  const usual = welcome.value?.variants.find(v => v.name === variant)?.fen ?? '';
  const examples = choice.examples?.filter(e => e.variant === variant) ?? [];
  return (
    <label class="field">
      <span>{choiceTitle(choice)}</span>
      <input
        class="input mono"
        value={String(value)}
        placeholder={usual}
        aria-invalid={problem !== ''}
        spellcheck={false}
        autocomplete="off"
        list={examples.length > 0 ? list : undefined}
        onInput={e => onChange(e.currentTarget.value)}
        data-testid={`lab-${choice.key}`}
      />
      {examples.length > 0 && (
        <datalist id={list}>
          {examples.map(e => (
            <option key={e.fen} value={e.fen}>
              {exampleTitle(e)}
            </option>
          ))}
        </datalist>
      )}
    </label>
  );
}

function PlayerField({ choice, value, variant, onChange }: FieldProps) {
  const player = value as MatchPlayer;
  const usual = choice.usual as MatchPlayer;
  const hello = welcome.value;
  const kind = kindOf(player);
  const details = detailsOf(player, usual.level ?? 6);
  return (
    <fieldset class="field">
      <legend class="legend">{choiceTitle(choice)}</legend>
      <select
        class="input"
        aria-label={choiceTitle(choice)}
        value={kind}
        onChange={e => onChange(toMachine(e.currentTarget.value, details))}
        data-testid={`lab-${choice.key}`}
      >
        <option value="lovac">{t('lab.player.levels')}</option>
        <MachineOptions variant={variant} />
      </select>
      {player.kind === 'lovac' && (
        <select
          class="input"
          aria-label={`${choiceTitle(choice)}: ${t('lab.player.level')}`}
          value={String(player.level)}
          onChange={e => onChange({ kind: 'lovac', level: Number(e.currentTarget.value) })}
          data-testid={`lab-${choice.key}-level`}
        >
          {hello?.levels.map(l => (
            <option key={l.level} value={String(l.level)}>
              {[l.level, levelName(l.level), levelElo(l.level, variant) && `${levelElo(l.level, variant)} Elo`]
                .filter(Boolean)
                .join(' · ')}
            </option>
          ))}
        </select>
      )}
      <MachineDetails
        kind={kind}
        details={details}
        testid={`lab-${choice.key}`}
        onChange={part => onChange(toMachine(kind, { ...details, ...part }))}
      />
    </fieldset>
  );
}

function Field(props: FieldProps) {
  const { choice, value, onChange } = props;
  if (choice.kind === 'variant')
    return (
      <VariantField
        title={choiceTitle(choice)}
        value={String(value)}
        onChange={onChange}
        testid={`lab-${choice.key}`}
      />
    );
  if (choice.kind === 'fen') return <FenField {...props} />;
  if (choice.kind === 'player') return <PlayerField {...props} />;
  if (choice.kind === 'switch')
    return <Switch label={choiceTitle(choice)} checked={value === true} onChange={onChange} />;
  if (choice.kind === 'word')
    return (
      <Choices
        legend={choiceTitle(choice)}
        value={String(value)}
        onChange={onChange}
        options={(choice.words ?? []).map(w => ({ value: w, label: tMaybe(`lab.word.${w}`, w) }))}
      />
    );
  return <NumberField {...props} />;
}

/** What the server has against the choices. */
function problemText(error: unknown): string {
  if (!(error instanceof RequestError)) return String(error);
  if (error.problem && error.code !== 'bad-fen') return errorText(error);
  const words = tMaybe('error.' + error.code, '');
  const closer = error.problem ? errorText(error) : error.message;
  return words && closer ? `${words}: ${closer}` : words || closer;
}

/** The choices of an experiment and the button that runs it. */
export function LabForm({ experiment, onRun }: { experiment: Experiment; onRun: (run: number) => void }) {
  const [values, setValues] = useState<Values>(() => firstValues(experiment));
  const [problem, setProblem] = useState('');
  const [badFen, setBadFen] = useState(false);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    setProblem('');
    setBadFen(false);
  }, [values]);
  const variant = String(values['variant'] ?? 'chess');
  const change = (key: string, value: ChoiceValue) => {
    // A position belongs to its game.
    const fen = experiment.choices.find(c => c.kind === 'fen')?.key;
    const reset = key === 'variant' && fen ? { [fen]: '' } : {};
    setValues(old => ({ ...old, ...reset, [key]: value }));
  };
  const run = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    try {
      const answer = await request('run', { experiment: experiment.key, choices: values });
      writeStored('lab.' + experiment.key, values);
      onRun(answer.run);
    } catch (error) {
      setProblem(problemText(error));
      setBadFen(error instanceof RequestError && error.code === 'bad-fen');
    }
    setBusy(false);
  };
  return (
    <form class="stack" onSubmit={e => void run(e)} data-testid="lab-form">
      {experiment.choices
        .filter(c => !c.needs || values[c.needs] === true)
        .map(c => (
          <Field
            key={c.key}
            choice={c}
            value={values[c.key]!}
            variant={variant}
            problem={badFen ? problem : ''}
            onChange={v => change(c.key, v)}
          />
        ))}
      {problem && (
        <p class="problem small" role="alert">
          {problem}
        </p>
      )}
      <button class="btn primary large" type="submit" disabled={busy} data-testid="lab-run">
        <Icon name="play" />
        <span>{t('lab.run')}</span>
      </button>
    </form>
  );
}
