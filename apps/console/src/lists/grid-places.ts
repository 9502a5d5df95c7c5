/** The place at which a list was left: that in its content in px, and the cell that had the focus. */
export interface GridPlace {
  readonly contentTop: number;
  readonly active: number;
}

const MOST = 50;
const places = new Map<string, GridPlace>();

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
