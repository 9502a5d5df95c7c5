import { areTogether, COMMAND_IDS, type CommandId } from './commands.ts';

/** The keys that move the focus, press what has it, or close what is open. */
const NAVIGATION = /(^|\+)(Tab|Enter|Space|Esc|Arrow\w+|Home|End|Page\w+)$/;
/** The keys of the browser, and those for texts. */
const BROWSER = /^Ctrl\+(Shift\+)?[ACFILNOPQRSTVWXYZ0+-]$|^F(1|3|5|6|7|10|11|12)$/;
/** Names that browsers give to keys without a character, and to those that only modify others. */
const UNNAMED = /(^|\+)(Dead|Unidentified|Process|Control|Shift|Alt|AltGraph|Meta|CapsLock)$/;

export type KeyRefusal =
  { readonly kind: 'reserved' } | { readonly kind: 'taken'; readonly by: CommandId };

/** Whether a pressed key can be chosen at all; others keep their meaning while a key is chosen. */
export function isChoosable(key: string): boolean {
  return !NAVIGATION.test(key) && !UNNAMED.test(key);
}

/**
 * The reason why a command cannot have a key; null if it can.
 *
 * @param keysOf returns the keys of a command with all choices up to now
 */
export function refusalOf(
  key: string,
  command: CommandId,
  keysOf: (id: CommandId) => readonly string[],
): KeyRefusal | null {
  if (BROWSER.test(key)) return { kind: 'reserved' };
  const by = COMMAND_IDS.find(
    (id) =>
      id !== command &&
      areTogether(id, command) &&
      // A key that begins a sequence of two cannot have a meaning of its own.
      keysOf(id).some((taken) => taken === key || taken.startsWith(`${key} `)),
  );
  return by === undefined ? null : { kind: 'taken', by };
}
