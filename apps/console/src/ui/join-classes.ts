/** The names of classes in one text, without those that are absent. */
export function joinClasses(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}
