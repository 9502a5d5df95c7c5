/** `session`: for this tab. */
type Kind = 'local' | 'session';

/**
 * Returns what an earlier page has stored as JSON, which another version of the console may have written; undefined if
 * there is nothing, or if the browser stores nothing for this page.
 */
export function readStored(kind: Kind, name: string): unknown {
  try {
    const text = storageOf(kind).getItem(name);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Stores a value as JSON. A storage that is full or blocked stays as it is, so pages have to work without it. */
export function store(kind: Kind, name: string, value: unknown): void {
  try {
    if (value === undefined) storageOf(kind).removeItem(name);
    else storageOf(kind).setItem(name, JSON.stringify(value));
  } catch {
    // The page goes on without it.
  }
}

function storageOf(kind: Kind): Storage {
  return kind === 'local' ? localStorage : sessionStorage;
}
