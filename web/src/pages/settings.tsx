// Settings: what belongs to the person, kept in this browser.
import type { Signal } from '@preact/signals';
import { LANGUAGES, t, tMaybe } from '../i18n.js';
import { welcome } from '../net.js';
import { PIECE_SETS } from '../pieces/index.js';
import { BOARDS, resetSettings, settings } from '../settings.js';
import { Button, Choices, Switch } from '../ui/basics.js';
import { MiniBoard } from '../ui/pieces.js';
import { play } from '../ui/sounds.js';

const SAMPLE = 'r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4';

function Toggle({ label, note, of }: { label: string; note?: string; of: Signal<boolean> }) {
  return <Switch label={label} {...(note ? { note } : {})} checked={of.value} onChange={value => (of.value = value)} />;
}

export function SettingsPage() {
  return (
    <div class="page settings">
      <h1>{t('settings.title')}</h1>
      <div class="settings-columns">
        <section class="card pad stack" aria-labelledby="s-look">
          <h2 id="s-look">{t('settings.look')}</h2>
          <div class="settings-board">
            <MiniBoard fen={SAMPLE} label={t('settings.sample')} />
          </div>
          <Choices
            legend={t('settings.board')}
            value={settings.board.value}
            onChange={v => (settings.board.value = v)}
            options={BOARDS.map(value => ({ value, label: t(`board.${value}`) }))}
          />
          <Choices
            legend={t('settings.pieces')}
            value={settings.pieces.value}
            onChange={v => (settings.pieces.value = v)}
            options={PIECE_SETS.map(s => ({ value: s.id, label: tMaybe('pieces.' + s.id, s.id) }))}
          />
          <Choices
            legend={t('settings.theme')}
            value={settings.theme.value}
            onChange={v => (settings.theme.value = v)}
            options={[
              { value: 'auto', label: t('theme.auto') },
              { value: 'light', label: t('theme.light') },
              { value: 'dark', label: t('theme.dark') },
            ]}
          />
          <Choices
            legend={t('settings.view')}
            value={settings.view.value}
            onChange={v => (settings.view.value = v)}
            options={[
              { value: '2d', label: t('view.flat') },
              { value: '3d', label: t('view.deep') },
            ]}
          />
          <Choices
            legend={t('settings.quality')}
            value={settings.quality.value}
            onChange={v => (settings.quality.value = v)}
            options={[
              { value: 'auto', label: t('quality.auto') },
              { value: 'low', label: t('quality.low') },
              { value: 'high', label: t('quality.high') },
            ]}
          />
        </section>
        <section class="card pad stack" aria-labelledby="s-board">
          <h2 id="s-board">{t('settings.play')}</h2>
          <div>
            <Toggle label={t('settings.dests')} of={settings.dests} />
            <Toggle label={t('settings.threats')} note={t('settings.threatsNote')} of={settings.threats} />
            <Toggle label={t('settings.coordinates')} of={settings.coordinates} />
            <Toggle label={t('settings.premove')} of={settings.premove} />
            <Toggle label={t('settings.confirm')} of={settings.confirm} />
            <Toggle label={t('settings.autoQueen')} of={settings.autoQueen} />
            <Toggle label={t('settings.words')} note={t('settings.wordsNote')} of={settings.words} />
            <Toggle label={t('settings.figurines')} of={settings.figurines} />
            {t('letters') !== 'KQRBN' && (
              <Toggle
                label={t('settings.ownLetters')}
                note={t('settings.ownLettersNote', { letters: [...t('letters')].join(' ') })}
                of={settings.ownLetters}
              />
            )}
            <Toggle label={t('settings.thoughts')} of={settings.thoughts} />
            <Toggle label={t('settings.evalBar')} of={settings.evalBar} />
          </div>
          <Choices
            legend={t('settings.animation')}
            value={settings.animation.value}
            onChange={v => (settings.animation.value = v)}
            options={[
              { value: 'none', label: t('animation.none') },
              { value: 'fast', label: t('animation.fast') },
              { value: 'normal', label: t('animation.normal') },
              { value: 'slow', label: t('animation.slow') },
            ]}
          />
          <label class="field">
            <span>
              {t('settings.volume')} <span class="num quiet">{Math.round(settings.volume.value * 100)} %</span>
            </span>
            <input
              type="range"
              min="0"
              max="1"
              step="0.05"
              value={String(settings.volume.value)}
              onInput={e => (settings.volume.value = Number(e.currentTarget.value))}
              onChange={() => play('move')}
            />
          </label>
          <Toggle label={t('settings.mute')} of={settings.mute} />
        </section>
        <section class="card pad stack" aria-labelledby="s-you">
          <h2 id="s-you">{t('settings.you')}</h2>
          <label class="field">
            <span>{t('settings.name')}</span>
            <input
              class="input"
              maxLength={60}
              autocomplete="nickname"
              value={settings.name.value}
              onInput={e => (settings.name.value = e.currentTarget.value)}
            />
          </label>
          <label class="field">
            <span>{t('settings.language')}</span>
            <select
              class="input"
              value={settings.language.value}
              onChange={e => (settings.language.value = e.currentTarget.value)}
              data-testid="language"
            >
              <option value="auto">{t('settings.languageAuto')}</option>
              {LANGUAGES.map(l => (
                <option key={l.id} value={l.id} lang={l.id}>
                  {l.name}
                </option>
              ))}
            </select>
          </label>
          <div>
            <Button label={t('settings.reset')} onClick={resetSettings} />
          </div>
          <p class="quiet small">{t('settings.kept')}</p>
          <p class="quiet small num">Lovac {welcome.value?.version ?? ''} · GPL-3.0-or-later</p>
        </section>
      </div>
    </div>
  );
}
