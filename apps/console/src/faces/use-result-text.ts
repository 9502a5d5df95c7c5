import { counted } from '../messages/counted.ts';
import { defineMessages } from '../messages/define-messages.ts';
import { useFormats, useMessages } from '../messages/locale-context.tsx';
import type { FaceResult } from './face-result.ts';

const MESSAGES = defineMessages({
  en: {
    missing: (count: string) =>
      `${counted(count, 'face', 'faces')} no longer ${count === '1' ? 'exists' : 'exist'}.`,
    failed: (count: string) => `${count} could not be changed.`,
  },
  de: {
    missing: (count: string) =>
      `${counted(count, 'Gesicht existiert', 'Gesichter existieren')} nicht mehr.`,
    failed: (count: string) => `${counted(count, 'konnte', 'konnten')} nicht geändert werden.`,
  },
});

/** Returns a function that says how many faces a decision has changed, and what became of the others. */
export function useResultText(): (result: FaceResult, say: (count: string) => string) => string {
  const texts = useMessages(MESSAGES);
  const formats = useFormats();
  return ({ done, failed, missing }, say) => {
    const others = failed - missing;
    const problems = [
      ...(missing > 0 ? [texts.missing(formats.number(missing))] : []),
      ...(others > 0 ? [texts.failed(formats.number(others))] : []),
    ];
    if (problems.length === 0) return say(formats.number(done));
    if (done === 0) return problems.join(' ');
    return [`${say(formats.number(done))}.`, ...problems].join(' ');
  };
}
