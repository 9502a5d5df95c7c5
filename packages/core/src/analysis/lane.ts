export const LANES = ['interactive', 'background'] as const;

/**
 * The priority of an image: a client waits for `interactive` ones; `background` ones get the
 * capacity that is left.
 */
export type Lane = (typeof LANES)[number];
