/** A whole number as SQL, because COPY takes no parameters. */
export function whole(value: number): string {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a whole number.`);
  return String(value);
}
