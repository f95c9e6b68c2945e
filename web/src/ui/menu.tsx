// A menu at a place of the screen: opened by a button or the right mouse button, closed by a choice, Escape, or a click
// elsewhere. Arrow keys go through it.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon, type IconName } from './icons.js';

export interface MenuItem {
  readonly icon: IconName;
  readonly label: string;
  readonly disabled?: boolean;
  readonly bad?: boolean;
  readonly act: () => void;
}

interface MenuProps {
  label: string;
  x: number;
  y: number;
  items: readonly MenuItem[];
  onClose: () => void;
}

export function Menu({ label, x, y, items, onClose }: MenuProps) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const menu = ref.current!;
    const { width, height } = menu.getBoundingClientRect();
    menu.style.left = `${Math.max(8, Math.min(x, innerWidth - width - 8))}px`;
    menu.style.top = `${Math.max(8, Math.min(y, innerHeight - height - 8))}px`;
    menu.querySelector<HTMLElement>('button:not([disabled])')?.focus();
  }, [x, y]);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    const away = (e: PointerEvent) => {
      if (!ref.current?.contains(e.target as Node)) onClose();
    };
    addEventListener('pointerdown', away, true);
    return () => {
      removeEventListener('pointerdown', away, true);
      if (before?.isConnected && document.activeElement === document.body) before.focus();
    };
  }, []);
  const onKeyDown = (e: KeyboardEvent) => {
    e.stopPropagation();
    const step = e.key === 'ArrowDown' ? 1 : e.key === 'ArrowUp' ? -1 : 0;
    if (e.key === 'Escape' || e.key === 'Tab') onClose();
    if (step === 0) return;
    e.preventDefault();
    const buttons = [...ref.current!.querySelectorAll<HTMLElement>('button:not([disabled])')];
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
  };
  return (
    <div class="menu card" role="menu" aria-label={label} ref={ref} onKeyDown={onKeyDown} data-testid="menu">
      {items.map(item => (
        <button
          type="button"
          role="menuitem"
          key={item.label}
          class={item.bad ? 'bad' : ''}
          disabled={item.disabled}
          onClick={() => {
            onClose();
            item.act();
          }}
        >
          <Icon name={item.icon} />
          <span>{item.label}</span>
        </button>
      ))}
    </div>
  );
}
