// The page's beginning: settings, language, connection, then the frame with its navigation and the page that
// the address names. Start reading here.
import '@lichess-org/chessground/assets/chessground.base.css';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/board.css';
import 'pieces:cburnett';
import 'uplot/dist/uPlot.min.css';
import { effect } from '@preact/signals';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { dialog, go, onTurn, openLink, route, type PageName } from './app.js';
import { startLanguage, t, type Key } from './i18n.js';
import { connect, locked, RequestError, status } from './net.js';
import { AnalysePage } from './pages/analyse.js';
import { EditorPage } from './pages/editor.js';
import { LibraryPage } from './pages/library.js';
import { PlayPage } from './pages/play.js';
import { SettingsPage } from './pages/settings.js';
import { Waiting } from './pages/waiting.js';
import { WatchPage } from './pages/watch.js';
import { PIECE_SETS } from './pieces/index.js';
import { settings, startSettings } from './settings.js';
import { Announcer, Button, toastError, Toasts } from './ui/basics.js';
import { RulesDialog } from './ui/rules.js';
import { HelpDialog } from './ui/help.js';
import { Icon, type IconName } from './ui/icons.js';
import { SetupDialog } from './ui/setup.js';
import { CommentDialog, SaveDialog, ShareDialog } from './ui/share.js';

const NAVIGATION: readonly { page: PageName; path: string; icon: IconName; label: Key }[] = [
  { page: 'play', path: '', icon: 'play', label: 'nav.play' },
  { page: 'analyse', path: 'analyse', icon: 'analyse', label: 'nav.analyse' },
  { page: 'watch', path: 'watch', icon: 'watch', label: 'nav.watch' },
  { page: 'library', path: 'library', icon: 'library', label: 'nav.library' },
  { page: 'lab', path: 'lab', icon: 'lab', label: 'nav.lab' },
  { page: 'settings', path: 'settings', icon: 'settings', label: 'nav.settings' },
];

function Rail() {
  const { page } = route.value;
  const current = page === 'room' ? 'play' : page === 'editor' ? 'analyse' : page === 'class' ? 'lab' : page;
  return (
    <nav class="rail" aria-label={t('nav.label')}>
      <a class="logo" href="#/" aria-label="Lovac">
        <svg viewBox="0 0 64 64" aria-hidden="true">
          <path d="M32 15c8 6 12 12 12 18 0 5-3 8-5 10H25c-2-2-5-5-5-10 0-6 4-12 12-18zM35 23l-6 9M23 43h18l3 7H20z" />
          <circle cx="32" cy="10.500" r="3" />
        </svg>
      </a>
      {NAVIGATION.map(item => (
        <a key={item.page} href={`#/${item.path}`} aria-current={item.page === current ? 'page' : undefined}>
          <Icon name={item.icon} />
          <span>{t(item.label)}</span>
        </a>
      ))}
    </nav>
  );
}

/** A link from somebody: find out what it opens. */
function LinkPage() {
  const [problem, setProblem] = useState(false);
  const [key = '', node] = route.value.rest;
  useEffect(() => {
    openLink(key, node).catch(error => {
      if (error instanceof RequestError && error.code === 'unknown-room') setProblem(true);
      else toastError(error);
    });
  }, [key, node]);
  if (!problem) return <Waiting />;
  return (
    <div class="page narrow-page">
      <h1>{t('link.unknown')}</h1>
      <p class="lead">{t('link.text')}</p>
      <div class="row">
        <Button label={t('nav.play')} kind="primary" onClick={() => go('')} />
      </div>
    </div>
  );
}

type Part = () => preact.JSX.Element | null;

/** A part of the page that is loaded when it is first opened; `Meanwhile` stands in its place till then. */
function door(load: () => Promise<Part>, Meanwhile: Part): Part {
  let Loaded: Part | null = null;
  return function Door() {
    const [, show] = useState(0);
    useEffect(() => {
      if (Loaded) return;
      load().then(part => {
        Loaded = part;
        show(1);
      }, toastError);
    }, []);
    return Loaded ? <Loaded /> : <Meanwhile />;
  };
}

const LabDoor = door(() => import('./pages/lab.js').then(module => module.LabPage), Waiting);
const ClassDoor = door(() => import('./pages/class.js').then(module => module.ClassPage), Waiting);
const ImportDoor = door(
  () => import('./ui/import.js').then(module => module.ImportDialog),
  () => null,
);
/** The question for the password, where a server has one; most have none. */
const PasswordDoor = door(() => import('./pages/door.js').then(module => module.Door), Waiting);

const EmbedDoor = door(() => import('./pages/embed.js').then(module => module.EmbedPage), Waiting);

const PAGES: Record<PageName, () => preact.JSX.Element | null> = {
  play: PlayPage,
  analyse: AnalysePage,
  watch: WatchPage,
  library: LibraryPage,
  lab: LabDoor,
  class: ClassDoor,
  settings: SettingsPage,
  editor: EditorPage,
  room: LinkPage,
};

function OpenDialog() {
  const { name, place } = dialog.value;
  if (name === 'new') return <SetupDialog place={place} />;
  if (name === 'save') return <SaveDialog place={place} />;
  if (name === 'share') return <ShareDialog place={place} />;
  if (name === 'help') return <HelpDialog />;
  if (name === 'import') return <ImportDoor />;
  if (name === 'rules') return <RulesDialog place={place} />;
  if (name === 'comment') return <CommentDialog place={place} />;
  return null;
}

function App() {
  const { page, rest } = route.value;
  const Page = PAGES[page];
  return (
    <div class="shell">
      <a
        class="skip"
        href="#main"
        onClick={e => {
          e.preventDefault();
          document.querySelector<HTMLElement>('[role="gridcell"][tabindex="0"], main')?.focus();
        }}
      >
        {t('skip')}
      </a>
      <Rail />
      <main id="main" tabIndex={-1}>
        {status.value === 'lost' && (
          <div class="lost" role="alert">
            {t('lost')}
          </div>
        )}
        {locked.value ? <PasswordDoor /> : <Page key={page === 'editor' ? rest.join('/') : page} />}
      </main>
      <OpenDialog />
      <Toasts />
      <Announcer />
    </div>
  );
}

startSettings();
connect();
const dress = () => PIECE_SETS.find(set => set.id === settings.pieces.value)?.load() ?? Promise.resolve();
await Promise.all([startLanguage(), dress().catch(() => undefined)]);
effect(() => void dress());
effect(() => {
  const item = NAVIGATION.find(n => n.page === route.value.page);
  const title = item && item.page !== 'play' ? `${t(item.label)} · Lovac` : 'Lovac';
  document.title = onTurn.value ? `● ${title}` : title;
});
render(location.pathname === '/embed' ? <EmbedDoor /> : <App />, document.getElementById('app')!);
