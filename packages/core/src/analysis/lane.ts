export const LANES = ['interactive', 'background'] as const;

/**
 * The priority of an analysis. A client waits for an `interactive` analysis. A `background` analysis gets the capacity
 * that interactive ones leave.
 */
export type Lane = (typeof LANES)[number];
