/**
 * A number with its noun. English and German have one form for 1 and another one for all other whole numbers.
 *
 * @param count the number as the language writes it
 */
export function counted(count: string, one: string, other: string): string {
  return `${count} ${count === '1' ? one : other}`;
}
