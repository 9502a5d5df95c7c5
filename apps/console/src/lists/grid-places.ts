import { readStored, store } from '../client/browser-storage.ts';

/** The place at which a list was left. The layout may be another one when the list is opened again. */
export interface GridPlace {
  /** The cell at the upper edge of the view, as an index with a fraction. */
  readonly top: number;
  /** The index of the cell that had the focus. */
  readonly active: number;
}

const MOST = 50;
const STORED = 'sightline.places';
const places = new Map(readPlaces());

// A reload leads to the same rows, too.
addEventListener('pagehide', () => store('session', STORED, [...places]));

function readPlaces(): [string, GridPlace][] {
  const stored = readStored('session', STORED);
  return Array.isArray(stored) ? stored.filter(isPlace) : [];
}

function isPlace(value: unknown): value is [string, GridPlace] {
  if (!Array.isArray(value) || typeof value[0] !== 'string') return false;
  const { top, active } = (value[1] ?? {}) as Partial<Record<keyof GridPlace, unknown>>;
  return Number.isFinite(top) && Number.isInteger(active);
}

/** Keeps where the list of an entry of the browser's history was left, so that Back leads to the same rows. */
export function keepPlace(entry: string, place: GridPlace): void {
  places.delete(entry);
  places.set(entry, place);
  const [oldest] = places.keys();
  if (places.size > MOST && oldest !== undefined) places.delete(oldest);
}

export function keptPlace(entry: string): GridPlace | undefined {
  return places.get(entry);
}
