/** The jobs whose progress the page shows, so that a reload goes on with them. */
export interface ModelsSearch {
  /** The model whose download or activation is in progress. */
  readonly model: number | undefined;
  readonly job: number | undefined;
  /** The model that was active before, to which the page offers the way back. */
  readonly previous: number | undefined;
}

export function parseModelsSearch(raw: Record<string, unknown>): ModelsSearch {
  return { model: toId(raw.model), job: toId(raw.job), previous: toId(raw.previous) };
}

function toId(raw: unknown): number | undefined {
  return Number.isSafeInteger(raw) && (raw as number) > 0 ? (raw as number) : undefined;
}
