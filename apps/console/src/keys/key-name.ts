/** The parts of a keyboard event that name a key. */
export interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

const NAMES: Readonly<Record<string, string>> = { ' ': 'Space', Escape: 'Esc' };

/**
 * The name of a pressed key, such as `n`, `Shift+Z`, `Ctrl+K` or `Delete`. A letter is the one that is typed, wherever
 * it lies on the board. Command counts as Ctrl.
 */
export function keyName({ key, ctrlKey, metaKey, altKey, shiftKey }: PressedKey): string {
  const isLetter = /^\p{L}$/u.test(key);
  const isSign = key.length === 1 && key !== ' ' && !isLetter;
  const base = NAMES[key] ?? (isLetter ? key.toUpperCase() : key);
  const modifiers = [
    (ctrlKey || metaKey) && 'Ctrl',
    altKey && 'Alt',
    // A sign such as ? already says that Shift is pressed.
    shiftKey && !isSign && 'Shift',
  ];
  return [...modifiers.filter(Boolean), base].join('+');
}

/** Whether a speech program or a slip could press the key inside a text: a character without Ctrl or Alt. */
export function isCharacterKey(name: string): boolean {
  return name.split(' ').every((part) => /^(Shift\+)?.$/u.test(part));
}

/** Whether a key runs commands inside a field for text, too, because the field gives it no meaning of its own. */
export function leavesFields(name: string): boolean {
  return /^(Ctrl\+|Alt\+|Esc$|F\d+$)/.test(name);
}
