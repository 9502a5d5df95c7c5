/** A time in Kubernetes' format, in whole seconds. @param at ms since 1970 */
export function toTime(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** @returns ms since 1970; null if there is no such time */
export function fromTime(text: string | undefined): number | null {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? null : at;
}
