// While the server is not there (yet).
import { t } from '../i18n.js';
import { status } from '../net.js';

export function Waiting() {
  return (
    <div class="waiting" role="status">
      <h1 class="sr">Lovac</h1>
      <p class="quiet">{status.value === 'open' ? t('loading') : t('connecting')}</p>
    </div>
  );
}
