// A new game: which game, who plays, which clock, from where. Also used to go on with a saved game or from a
// position, with the players chosen anew.
import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { closeDialog, go, startRoom } from '../app.js';
import type { Color } from '../board.js';
import { formatNumber, problemText, t, tMaybe } from '../i18n.js';
import { request, welcome } from '../net.js';
import type { ClockSetup, CreateRequest, Player, VariantInfo } from '../protocol.js';
import type { TableName } from '../rooms.js';
import { settings } from '../settings.js';
import { readStored, writeStored } from '../storage.js';
import { levelElo, levelName, variantRules, variantTitle } from '../words.js';
import { Button, Choices, Dialog, errorText, Switch, toastError } from './basics.js';
import { MachineDetails, MachineOptions, toMachine } from './machine.js';
import { MiniBoard } from './pieces.js';

interface Seat {
  /** 'me', 'friend' (by link), or what machine.tsx offers. */
  kind: string;
  level: number;
  nodes?: number;
  depth?: number;
  words?: string;
  text?: string;
  /** Seconds a move of a program that would think for ever. */
  pace?: number;
}

interface Setup {
  variant: string;
  white: Seat;
  black: Seat;
  clock: 'none' | 'game' | 'move';
  minutes: number;
  increment: number;
  perMove: number;
  /** Black has a time of his own. */
  odds: boolean;
  blackMinutes: number;
  blackIncrement: number;
  blackPerMove: number;
  games: number;
  alternate: boolean;
  speed: number;
  /** Programs play from the opening book. */
  book: boolean;
  /** Lots are drawn for the colours. */
  random: boolean;
}

/** Where a game begins when it is not the usual start. */
export interface Source {
  readonly saved?: { readonly id: number; readonly name: string; readonly variant: string; readonly fen: string };
  readonly from?: { readonly room: string; readonly node: number; readonly variant: string; readonly fen: string };
  readonly fen?: { readonly variant: string; readonly fen: string };
}
export const setupSource = signal<Source>({});

const MINUTES = [0.5, 1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180];
const PRESETS = ['1+0', '3+2', '5+3', '10+5', '15+10', '30+20'];

function firstSetup(place: TableName): Setup {
  const medium = welcome.value?.difficulties.find(d => d.name === 'medium')?.level ?? 6;
  const watch = place === 'watch';
  return {
    variant: 'chess',
    white: { kind: watch ? 'lovac' : 'me', level: watch ? 8 : medium },
    black: { kind: 'lovac', level: watch ? 9 : medium },
    clock: 'none',
    minutes: 10,
    increment: 5,
    perMove: 30,
    odds: false,
    blackMinutes: 10,
    blackIncrement: 5,
    blackPerMove: 30,
    games: 1,
    alternate: true,
    speed: 700,
    book: true,
    random: false,
  };
}

const isHuman = (seat: Seat) => seat.kind === 'me' || seat.kind === 'friend';

/** Does it think as long as it is told? Levels below the last, and who has few nodes, do not. */
function hasPace(seat: Seat): boolean {
  if (seat.kind === 'lovac') return seat.level === welcome.value?.levels.length;
  return !isHuman(seat);
}

function toPlayer(seat: Seat): Player {
  if (!isHuman(seat)) {
    const machine = toMachine(seat.kind, seat);
    return seat.pace && hasPace(seat) ? { ...machine, move_ms: Math.max(100, Math.round(seat.pace * 1000)) } : machine;
  }
  if (seat.kind === 'friend') return { kind: 'human', remote: true };
  const name = settings.name.value.trim();
  return name ? { kind: 'human', name } : { kind: 'human' };
}

/** The clock of a set-up; `swapped`: lots gave each player the other colour, and the times go with them. */
function toClock(setup: Setup, swapped: boolean): ClockSetup {
  if (setup.clock === 'none') return { kind: 'none' };
  const game = setup.clock === 'game';
  const first = {
    time_ms: game ? setup.minutes * 60000 : setup.perMove * 1000,
    increment_ms: game ? setup.increment * 1000 : 0,
  };
  const second = {
    time_ms: game ? setup.blackMinutes * 60000 : setup.blackPerMove * 1000,
    increment_ms: game ? setup.blackIncrement * 1000 : 0,
  };
  if (!setup.odds) return { kind: setup.clock, ...first };
  const [white, black] = swapped ? [second, first] : [first, second];
  return { kind: setup.clock, ...white, black };
}

/** What a position in the set-up looks like, or what is wrong with it. */
type Preview = { fen: string } | { problem: string } | null;

export function SetupDialog({ place }: { place: TableName }) {
  const source = setupSource.value;
  const fixed = source.saved ?? source.from ?? null;
  const [setup, setSetup] = useState<Setup>(() => {
    const kept = { ...firstSetup(place), ...readStored<Partial<Setup>>('setup.' + place, {}) };
    const variant = fixed?.variant ?? source.fen?.variant ?? kept.variant;
    return { ...kept, variant: welcome.value?.variants.some(v => v.name === variant) ? variant : 'chess' };
  });
  const [begin, setBegin] = useState<'usual' | 'number' | 'fen'>(source.fen ? 'fen' : 'usual');
  const [number, setNumber] = useState('');
  const [fen, setFen] = useState(source.fen?.fen ?? '');
  const [preview, setPreview] = useState<Preview>(null);
  const [busy, setBusy] = useState(false);
  const change = (part: Partial<Setup>) => setSetup(old => ({ ...old, ...part }));

  const hello = welcome.value;
  const variant = hello?.variants.find(v => v.name === setup.variant);
  const bothEngines = !isHuman(setup.white) && !isHuman(setup.black);

  useEffect(() => {
    let stale = false;
    const show = (p: Preview) => !stale && setPreview(p);
    if (fixed || !variant) show(null);
    else if (begin === 'number' && number !== '') {
      request('start', { variant: variant.name, start: startValue(number) })
        .then(a => show({ fen: a.fen }))
        .catch(e => show({ problem: errorText(e) }));
    } else if (begin === 'fen' && fen.trim() !== '') {
      request('check', { variant: variant.name, fen: fen.trim() })
        .then(a => show(a.legal ? { fen: a.fen! } : { problem: problemText(a.problem!) }))
        .catch(e => show({ problem: errorText(e) }));
    } else show(null);
    return () => void (stale = true);
  }, [begin, number, fen, setup.variant]);

  if (!hello || !variant) return null;
  const problem = preview && 'problem' in preview ? preview.problem : null;
  const picture = fixed?.fen ?? (preview && 'fen' in preview ? preview.fen : variant.fen);

  const start = async () => {
    const swapped = setup.random && Math.random() < 0.5;
    const [white, black] = swapped ? [setup.black, setup.white] : [setup.white, setup.black];
    const fields: CreateRequest = { white: toPlayer(white), black: toPlayer(black), clock: toClock(setup, swapped) };
    if (source.saved) fields.saved = source.saved.id;
    else if (source.from) fields.from = { room: source.from.room, node: source.from.node };
    else {
      fields.variant = setup.variant;
      if (begin === 'number' && number !== '') fields.start = startValue(number);
      if (begin === 'fen' && fen.trim() !== '') fields.fen = fen.trim();
    }
    if (!setup.book) fields.book = false;
    if (bothEngines) {
      fields.speed_ms = setup.speed;
      if (setup.games > 1) fields.series = { games: setup.games, alternate: setup.alternate };
    }
    setBusy(true);
    try {
      const target: TableName = bothEngines ? 'watch' : 'play';
      await startRoom(target, fields);
      writeStored('setup.' + place, setup);
      closeDialog();
      go(target === 'play' ? '' : target);
    } catch (error) {
      toastError(error);
      setBusy(false);
    }
  };

  return (
    <Dialog
      title={
        source.saved
          ? t('setup.restore', { name: source.saved.name })
          : source.from
            ? t('setup.fromHere')
            : t('setup.title')
      }
      wide
      onClose={closeDialog}
      testid="setup"
      footer={
        <Button
          icon="play"
          label={t('setup.start')}
          kind="primary large"
          disabled={busy || !!problem}
          onClick={start}
          testid="start"
        />
      }
    >
      <div class="setup">
        <div class="stack">
          {!fixed && (
            <VariantPicker
              variants={hello.variants}
              value={setup.variant}
              onChange={v => {
                change({ variant: v });
                setBegin(source.fen ? 'fen' : 'usual');
              }}
            />
          )}
          <div class="rules">
            <MiniBoard fen={picture} label={t('setup.picture', { name: variantTitle(variant.name) })} />
            <p class="small">{variantRules(variant.name)}</p>
          </div>
        </div>
        <div class="stack">
          <SeatPicker
            color="white"
            seat={setup.white}
            variant={variant}
            clockless={setup.clock === 'none'}
            onChange={white => change({ white })}
          />
          <div class="swap">
            <Button
              icon="swap"
              label={t('setup.swap')}
              kind="ghost small"
              onClick={() => change({ white: setup.black, black: setup.white })}
            />
            <Button
              icon="dice"
              label={t('setup.random')}
              kind="ghost small"
              pressed={setup.random}
              onClick={() => change({ random: !setup.random })}
              testid="setup-random"
            />
          </div>
          <SeatPicker
            color="black"
            seat={setup.black}
            variant={variant}
            clockless={setup.clock === 'none'}
            onChange={black => change({ black })}
          />
          {hello.book && !(isHuman(setup.white) && isHuman(setup.black)) && (
            <Switch
              label={t('setup.book')}
              note={t('setup.bookNote')}
              checked={setup.book}
              onChange={book => change({ book })}
            />
          )}
          {bothEngines && <SeriesPicker setup={setup} change={change} canSeries={!fixed} />}
          <ClockPicker setup={setup} change={change} />
          {!fixed && (
            <fieldset class="field">
              <legend class="sr">{t('setup.begin')}</legend>
              <Choices
                legend={t('setup.begin')}
                value={begin}
                onChange={setBegin}
                options={[
                  { value: 'usual', label: variant.starts === 1 ? t('setup.usual') : t('setup.shuffle') },
                  ...(variant.starts !== 1 ? [{ value: 'number' as const, label: t('setup.number') }] : []),
                  { value: 'fen', label: 'FEN' },
                ]}
              />
              {begin === 'number' && (
                <input
                  class="input num"
                  inputMode="numeric"
                  aria-label={t('setup.number')}
                  placeholder={variant.starts > 0 ? `0 – ${variant.starts - 1}` : '1'}
                  value={number}
                  onInput={e => setNumber(e.currentTarget.value.replace(/\D/g, ''))}
                />
              )}
              {begin === 'fen' && (
                <div class="row">
                  <input
                    class="input mono grow"
                    aria-label="FEN"
                    aria-invalid={!!problem}
                    placeholder={variant.fen}
                    value={fen}
                    onInput={e => setFen(e.currentTarget.value)}
                    spellcheck={false}
                  />
                  <Button
                    icon="edit"
                    label={t('editor.title')}
                    kind="small"
                    onClick={() => {
                      closeDialog();
                      go('editor/' + encodeURIComponent(setup.variant));
                    }}
                  />
                </div>
              )}
              {problem && (
                <p class="problem small" role="alert">
                  {problem}
                </p>
              )}
            </fieldset>
          )}
        </div>
      </div>
    </Dialog>
  );
}

/** Small numbers as numbers, large seeds as text. */
export function startValue(text: string): number | string {
  return text.length > 9 ? text : Number(text);
}

function VariantPicker({
  variants,
  value,
  onChange,
}: {
  variants: readonly VariantInfo[];
  value: string;
  onChange: (v: string) => void;
}) {
  return (
    <Choices
      legend={t('setup.variant')}
      value={value}
      onChange={onChange}
      options={variants.map(v => ({ value: v.name, label: variantTitle(v.name) }))}
    />
  );
}

function SeatPicker({
  color,
  seat,
  variant,
  clockless,
  onChange,
}: {
  color: Color;
  seat: Seat;
  variant: VariantInfo;
  /** Without a clock each program has a time for its moves. */
  clockless: boolean;
  onChange: (seat: Seat) => void;
}) {
  const hello = welcome.value!;
  const elo = levelElo(seat.level, variant.name);
  return (
    <fieldset class="field seat">
      <legend class="legend">
        <span class={`dot ${color}`} aria-hidden="true" /> {t(color)}
      </legend>
      <select
        class="input"
        aria-label={t(color === 'white' ? 'setup.whoWhite' : 'setup.whoBlack')}
        value={seat.kind}
        onChange={e => onChange({ ...seat, kind: e.currentTarget.value })}
      >
        <option value="me">{t('setup.human')}</option>
        <option value="friend">{t('setup.friend')}</option>
        <option value="lovac">{t('setup.lovac')}</option>
        <MachineOptions variant={variant.name} />
      </select>
      <MachineDetails
        kind={seat.kind}
        details={seat}
        testid={`setup-${color}`}
        onChange={part => onChange({ ...seat, ...part })}
      />
      {clockless && hasPace(seat) && (
        <label class="row lab-nodes">
          <span>{t('setup.pace')}</span>
          <input
            class="input num grow"
            type="number"
            min="0.1"
            max="60"
            step="0.1"
            placeholder="1"
            value={seat.pace ? String(seat.pace) : ''}
            onInput={e => onChange({ ...seat, pace: Math.min(60, Number(e.currentTarget.value) || 0) })}
            data-testid={`setup-${color}-pace`}
          />
        </label>
      )}
      {seat.kind === 'lovac' && (
        <div class="level">
          <div class="choices">
            {hello.difficulties.map(d => (
              <button
                type="button"
                key={d.name}
                class={`btn small ${d.level === seat.level ? 'on' : ''}`}
                aria-pressed={d.level === seat.level}
                onClick={() => onChange({ ...seat, level: d.level })}
              >
                {tMaybe('difficulty.' + d.name, d.name)}
              </button>
            ))}
            <span class="grow" />
            <output class="small num">
              {t('setup.level', { level: seat.level })} · {levelName(seat.level)}
              {elo ? ` · ${t('setup.elo', { elo })}` : ''}
            </output>
          </div>
          <input
            type="range"
            min="1"
            max={String(hello.levels.length)}
            step="1"
            value={String(seat.level)}
            aria-label={t(color === 'white' ? 'setup.levelWhite' : 'setup.levelBlack')}
            aria-valuetext={`${seat.level}, ${levelName(seat.level)}`}
            onInput={e => onChange({ ...seat, level: Number(e.currentTarget.value) })}
          />
          <details class="small quiet" data-testid="rating-means">
            <summary>{t(elo ? 'setup.eloTitle' : 'setup.eloNoneTitle')}</summary>
            <p>{t(elo ? 'setup.eloMeans' : 'setup.eloNone')}</p>
          </details>
        </div>
      )}
    </fieldset>
  );
}

function ClockPicker({ setup, change }: { setup: Setup; change: (part: Partial<Setup>) => void }) {
  const preset = `${setup.minutes}+${setup.increment}`;
  return (
    <div class="stack tight">
      <Choices
        legend={t('setup.clock')}
        value={setup.clock}
        onChange={clock => change({ clock })}
        options={[
          { value: 'none', label: t('setup.noClock') },
          { value: 'game', label: t('setup.gameClock') },
          { value: 'move', label: t('setup.moveClock') },
        ]}
      />
      {setup.clock === 'game' && (
        <>
          <div class="choices">
            {PRESETS.map(p => (
              <button
                type="button"
                key={p}
                class={`btn small num ${p === preset ? 'on' : ''}`}
                aria-pressed={p === preset}
                onClick={() => {
                  const [minutes, increment] = p.split('+').map(Number) as [number, number];
                  change({ minutes, increment });
                }}
              >
                {p}
              </button>
            ))}
          </div>
          <TimeSliders
            minutes={setup.minutes}
            increment={setup.increment}
            single={setup.odds}
            onChange={part => change({ minutes: part.minutes, increment: part.increment })}
          />
        </>
      )}
      {setup.clock === 'move' && <MoveSlider value={setup.perMove} onChange={perMove => change({ perMove })} />}
      {setup.clock !== 'none' && (
        <Switch label={t('setup.odds')} checked={setup.odds} onChange={odds => change({ odds })} />
      )}
      {setup.clock !== 'none' && setup.odds && (
        <fieldset class="field" data-testid="setup-odds">
          <legend class="legend">
            <span class="dot black" aria-hidden="true" /> {t('clock.black')}
          </legend>
          {setup.clock === 'game' ? (
            <TimeSliders
              minutes={setup.blackMinutes}
              increment={setup.blackIncrement}
              single
              onChange={part => change({ blackMinutes: part.minutes, blackIncrement: part.increment })}
            />
          ) : (
            <MoveSlider value={setup.blackPerMove} onChange={blackPerMove => change({ blackPerMove })} />
          )}
        </fieldset>
      )}
    </div>
  );
}

interface Times {
  readonly minutes: number;
  readonly increment: number;
}

function TimeSliders({
  minutes,
  increment,
  single,
  onChange,
}: Times & { single: boolean; onChange: (times: Times) => void }) {
  return (
    <>
      <label class="field">
        <span>{t(single ? 'setup.minutesOne' : 'setup.minutes', { n: minutes })}</span>
        <input
          type="range"
          min="0"
          max={String(MINUTES.length - 1)}
          value={String(Math.max(0, MINUTES.indexOf(minutes)))}
          aria-valuetext={String(minutes)}
          onInput={e => onChange({ minutes: MINUTES[Number(e.currentTarget.value)]!, increment })}
        />
      </label>
      <label class="field">
        <span>{t('setup.increment', { n: increment })}</span>
        <input
          type="range"
          min="0"
          max="60"
          value={String(increment)}
          onInput={e => onChange({ minutes, increment: Number(e.currentTarget.value) })}
        />
      </label>
    </>
  );
}

function MoveSlider({ value, onChange }: { value: number; onChange: (seconds: number) => void }) {
  return (
    <label class="field">
      <span>{t('setup.perMove', { n: value })}</span>
      <input
        type="range"
        min="5"
        max="300"
        step="5"
        value={String(value)}
        onInput={e => onChange(Number(e.currentTarget.value))}
      />
    </label>
  );
}

function SeriesPicker({
  setup,
  change,
  canSeries,
}: {
  setup: Setup;
  change: (part: Partial<Setup>) => void;
  canSeries: boolean;
}) {
  return (
    <div class="stack tight">
      {canSeries && (
        <div class="row">
          <label class="field">
            <span>{t('setup.games')}</span>
            <input
              class="input num"
              type="number"
              min="1"
              max="1000"
              value={String(setup.games)}
              onInput={e => change({ games: Math.max(1, Math.min(1000, Number(e.currentTarget.value) || 1)) })}
            />
          </label>
          {setup.games > 1 && (
            <label class="row small">
              <input
                type="checkbox"
                checked={setup.alternate}
                onChange={e => change({ alternate: e.currentTarget.checked })}
              />
              {t('setup.alternate')}
            </label>
          )}
        </div>
      )}
      <SpeedSlider value={setup.speed} onChange={speed => change({ speed })} />
    </div>
  );
}

const SPEEDS = [0, 100, 200, 400, 700, 1000, 1500, 2500, 5000];

/** Time from move to move between programs: the more the farther to the right, as its number says. */
export function SpeedSlider({ value, onChange }: { value: number; onChange: (ms: number) => void }) {
  let at = SPEEDS.findIndex(s => s >= value);
  if (at < 0) at = SPEEDS.length - 1;
  return (
    <label class="field">
      <span>
        {value === 0 ? t('setup.speedMax') : t('setup.speed', { n: formatNumber(value / 1000, value % 1000 ? 1 : 0) })}
      </span>
      <input
        type="range"
        min="0"
        max={String(SPEEDS.length - 1)}
        value={String(at)}
        aria-valuetext={`${value / 1000} s`}
        onInput={e => onChange(SPEEDS[Number(e.currentTarget.value)]!)}
      />
    </label>
  );
}
