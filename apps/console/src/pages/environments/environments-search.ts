/** The parts of the page besides the list. */
export interface EnvironmentsSearch {
  /** The environment whose members are shown. */
  readonly members: number | undefined;
  /** The environment whose deletion is followed. */
  readonly deleting: number | undefined;
}

export function parseEnvironmentsSearch(raw: Record<string, unknown>): EnvironmentsSearch {
  return { members: toId(raw.members), deleting: toId(raw.deleting) };
}

function toId(raw: unknown): number | undefined {
  return Number.isSafeInteger(raw) && (raw as number) > 0 ? (raw as number) : undefined;
}
