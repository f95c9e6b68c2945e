// The keys, and how the board is used.
import { closeDialog } from '../app.js';
import { t, type Key } from '../i18n.js';
import { Dialog } from './basics.js';

const KEYS: readonly (readonly [readonly string[], Key])[] = [
  [['←', '→'], 'help.step'],
  [['Home', 'End'], 'help.ends'],
  [['f'], 'help.flip'],
  [['n'], 'help.new'],
  [['l'], 'help.engine'],
  [['x'], 'help.threat'],
  [['␣'], 'help.best'],
  [['z'], 'help.hide'],
  [['c'], 'help.comment'],
  [['?'], 'help.help'],
];
const BOARD: readonly (readonly [readonly string[], Key])[] = [
  [['Tab'], 'help.toBoard'],
  [['↑', '↓', '←', '→'], 'help.squares'],
  [['Enter'], 'help.pick'],
  [['Esc'], 'help.release'],
];

/** Words of the language, with what they ask. */
const spoken = (): typeof KEYS => [
  [['?'], 'help.help'],
  [[t('say.clock').split(' ')[0]!], 'help.sayClock'],
  [[t('say.last').split(' ')[0]!], 'help.sayLast'],
  [[t('say.example.knights'), t('say.example.white')], 'help.sayWhere'],
  [[t('say.board').split(' ')[0]!, `${t('say.rank').split(' ')[0]} 4`], 'help.sayBoard'],
];

function KeyTable({ rows, caption }: { rows: typeof KEYS; caption: string }) {
  return (
    <table class="keys">
      <caption>{caption}</caption>
      <tbody>
        {rows.map(([keys, text]) => (
          <tr key={text}>
            <td>
              {keys.map(k => (
                <kbd key={k}>{k}</kbd>
              ))}
            </td>
            <td>{t(text)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function HelpDialog() {
  return (
    <Dialog title={t('help.title')} onClose={closeDialog} testid="help">
      <KeyTable rows={KEYS} caption={t('help.keys')} />
      <KeyTable rows={BOARD} caption={t('help.onBoard')} />
      <KeyTable rows={spoken()} caption={t('help.spoken')} />
      <p class="small quiet">{t('help.arrows')}</p>
    </Dialog>
  );
}
