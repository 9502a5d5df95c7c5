import type { Setting } from './setting-groups.ts';

export type SettingValue = Setting['value'];

/** The text of a value in its input. Lists have one text per line. */
export function toText(value: SettingValue): string {
  return Array.isArray(value) ? value.join('\n') : String(value);
}

/**
 * Reads what a person has entered. Numbers may have a decimal comma. A text that is no number stays a text, which
 * the service refuses in its own words.
 */
export function fromText(type: Setting['type'], text: string): SettingValue {
  if (type === 'string_array') return linesOf(text);
  if (type === 'string') return text.trim();
  const number = Number(text.trim().replace(',', '.'));
  return text.trim() === '' || !Number.isFinite(number) ? text : number;
}

/** The lines with a text, each once. */
function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}

/** The lines that a list loses: blank ones between others, and repetitions. */
export function droppedLines(text: string): number {
  const given = text.trim() === '' ? 0 : text.trim().split('\n').length;
  return given - linesOf(text).length;
}

export function isSame(one: SettingValue, other: SettingValue): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The pairs of thresholds that a person may set the wrong way round. */
export type Crossing = 'confirmsAll' | 'confirmsNone';

/** Says whether the thresholds leave no face to a review, or none to the service. */
export function crossingOf(settings: readonly Setting[]): Crossing | null {
  const valueOf = (key: string) => settings.find((setting) => setting.key === key)?.value;
  const match = valueOf('face.match_threshold');
  const confirm = valueOf('face.auto_confirm_threshold');
  if (typeof match !== 'number' || typeof confirm !== 'number') return null;
  if (confirm <= match) return 'confirmsAll';
  return confirm >= 1 ? 'confirmsNone' : null;
}
