/** A time in the format of Kubernetes, in whole seconds. @param at the time in ms since 1970 */
export function toTime(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** @returns the time in ms since 1970; null if the text is not a time */
export function fromTime(text: string | undefined): number | null {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? null : at;
}
