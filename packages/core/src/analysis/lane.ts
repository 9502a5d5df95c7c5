export const LANES = ['interactive', 'background'] as const;

/** How soon an image is wanted: a client waits for `interactive` ones, `background` takes what they leave. */
export type Lane = (typeof LANES)[number];
