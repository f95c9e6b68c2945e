// What the browser remembers, under names that begin with "lovac.". A browser that keeps nothing (private
// windows, blocked storage) still plays: then things last as long as the page.
const memory = new Map<string, string>();

/** The stored value, or `fallback` when there is none or it cannot be read. */
export function readStored<T>(name: string, fallback: T): T {
  try {
    const text = localStorage.getItem('lovac.' + name) ?? memory.get(name);
    return text == null ? fallback : (JSON.parse(text) as T);
  } catch {
    const text = memory.get(name);
    return text == null ? fallback : (JSON.parse(text) as T);
  }
}

/** Keeps a value; undefined removes it. */
export function writeStored(name: string, value: unknown): void {
  const text = value === undefined ? undefined : JSON.stringify(value);
  if (text === undefined) memory.delete(name);
  else memory.set(name, text);
  try {
    if (text === undefined) localStorage.removeItem('lovac.' + name);
    else localStorage.setItem('lovac.' + name, text);
  } catch {
    // Kept in memory, which is all that can be done.
  }
}
