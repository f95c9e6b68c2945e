// Small parts that every page uses: dialog, toasts, choices, switches, copying, downloading.
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { problemText, t, tMaybe } from '../i18n.js';
import { RequestError } from '../net.js';
import { Icon, type IconName } from './icons.js';

interface DialogProps {
  title: string;
  onClose: () => void;
  wide?: boolean;
  children: ComponentChildren;
  footer?: ComponentChildren;
  testid?: string;
}

/** A modal dialog: the browser keeps the focus inside and closes it with Escape. */
export function Dialog({ title, onClose, wide, children, footer, testid }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current!;
    if (!dialog.open) dialog.showModal();
    return () => dialog.close();
  }, []);
  return (
    <dialog
      ref={ref}
      class={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      data-testid={testid}
      onCancel={e => {
        e.preventDefault();
        onClose();
      }}
      onKeyDown={e => e.stopPropagation()}
      onMouseDown={e => {
        if (e.target === ref.current) onClose();
      }}
    >
      <div class="dialog-in">
        <header>
          <h2 id={id}>{title}</h2>
          <button class="btn ghost square small" type="button" aria-label={t('close')} onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {children}
        {footer && <footer>{footer}</footer>}
      </div>
    </dialog>
  );
}

interface ButtonProps {
  icon?: IconName;
  label: string;
  /** Shows the icon alone; the label stays for screen readers and as a tip. */
  bare?: boolean;
  kind?: string;
  disabled?: boolean;
  pressed?: boolean;
  onClick: () => void;
  testid?: string;
}

export function Button({ icon, label, bare, kind = '', disabled, pressed, onClick, testid }: ButtonProps) {
  return (
    <button
      type="button"
      class={`btn ${kind} ${bare ? 'square' : ''} ${pressed ? 'on' : ''}`}
      aria-label={bare ? label : undefined}
      title={icon ? label : undefined}
      aria-pressed={pressed}
      disabled={disabled}
      onClick={onClick}
      data-testid={testid}
    >
      {icon && <Icon name={icon} />}
      {!bare && <span>{label}</span>}
    </button>
  );
}

interface ChoicesProps<T extends string> {
  legend: string;
  hideLegend?: boolean;
  value: T;
  options: readonly { readonly value: T; readonly label: ComponentChildren; readonly disabled?: boolean }[];
  onChange: (value: T) => void;
}

/** One of a few, as buttons. */
export function Choices<T extends string>({ legend, hideLegend, value, options, onChange }: ChoicesProps<T>) {
  const name = useId();
  return (
    <fieldset class="field">
      <legend class={hideLegend ? 'sr' : 'legend'}>{legend}</legend>
      <div class="choices">
        {options.map(option => (
          <label class="choice" key={option.value}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={option.disabled}
              onChange={() => onChange(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface SwitchProps {
  label: string;
  note?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function Switch({ label, note, checked, onChange }: SwitchProps) {
  return (
    <label class="switch">
      <span>
        {label}
        {note && <small>{note}</small>}
      </span>
      <input type="checkbox" role="switch" checked={checked} onChange={e => onChange(e.currentTarget.checked)} />
    </label>
  );
}

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly bad: boolean;
}

const toasts = signal<readonly Toast[]>([]);
let nextToast = 1;

/** Tells something for a few seconds; also read aloud. */
export function toast(text: string, bad = false): void {
  const id = nextToast++;
  toasts.value = [{ id, text, bad }];
  setTimeout(() => (toasts.value = toasts.value.filter(x => x.id !== id)), bad ? 6000 : 3500);
}

/** What went wrong, in the person's language. */
export function errorText(error: unknown): string {
  if (!(error instanceof RequestError)) return String(error);
  return error.problem ? problemText(error.problem) : tMaybe('error.' + error.code, error.message);
}
export function toastError(error: unknown): void {
  toast(errorText(error), true);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(x => (
        <div key={x.id} class={x.bad ? 'toast bad' : 'toast'}>
          {x.text}
        </div>
      ))}
    </div>
  );
}

const spoken = signal('');

/** Says something to screen readers alone. */
export function announce(text: string): void {
  // The same words twice in a row would not be read twice.
  spoken.value = spoken.value === text ? text + '\u00a0' : text;
}

export function Announcer() {
  return (
    <div class="sr" role="log" aria-live="assertive" aria-atomic="true" data-testid="announcer">
      {spoken.value}
    </div>
  );
}

/** Copies text and says so. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(t('copied'));
  } catch {
    // Without a secure connection the clipboard is closed: an invisible field still works.
    const field = document.createElement('textarea');
    field.value = text;
    (document.querySelector('dialog[open]') ?? document.body).append(field);
    field.select();
    const done = document.execCommand('copy');
    field.remove();
    toast(done ? t('copied') : t('copyFailed'), !done);
  }
}

/** Hands over a text (or what else there is) as a file. */
export function download(name: string, content: string | Blob): void {
  const blob = typeof content === 'string' ? new Blob([content], { type: 'application/x-chess-pgn' }) : content;
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
