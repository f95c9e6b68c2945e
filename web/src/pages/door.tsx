// The door of a server that asks for a password.
import { useState } from 'preact/hooks';
import { t } from '../i18n.js';
import { knock, locked } from '../net.js';
import { errorText } from '../ui/basics.js';

export function Door() {
  const [word, setWord] = useState('');
  const enter = (e: Event) => {
    e.preventDefault();
    knock(word);
  };
  const wrong = locked.value?.problem?.code === 'password-wrong';
  return (
    <div class="page narrow-page">
      <h1>{t('door.title')}</h1>
      <p class="lead">{t('door.text')}</p>
      <form class="stack" onSubmit={enter}>
        <label class="field">
          <span>{t('door.password')}</span>
          <input
            class="input"
            type="password"
            autocomplete="current-password"
            required
            value={word}
            aria-invalid={wrong}
            onInput={e => setWord(e.currentTarget.value)}
          />
        </label>
        <p role="alert">{wrong ? errorText(locked.value) : ''}</p>
        <div class="row">
          <button class="btn primary" type="submit">
            {t('door.enter')}
          </button>
        </div>
      </form>
    </div>
  );
}
