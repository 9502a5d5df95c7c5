/** How often the numbers of the page are read while it is visible, in ms. */
export const REFRESH_MS = 10_000;
