/** The charts of the page in their order. */
export const CHARTS = ['faces', 'confirmed', 'rejected'] as const;

export type ChartName = (typeof CHARTS)[number];

/** The state of the page Overview, which is in its address. */
export interface OverviewSearch {
  /** The charts that are shown as tables. */
  readonly tables?: readonly ChartName[] | undefined;
}

/** All members are present, because the router keeps parameters that are absent here. */
export function parseOverviewSearch({ tables }: Record<string, unknown>): OverviewSearch {
  const given = [tables].flat();
  const known = CHARTS.filter((name) => given.includes(name));
  return { tables: known.length > 0 ? known : undefined };
}
