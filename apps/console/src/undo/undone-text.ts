import type { UndoneOperations } from './undo-operations.ts';

/** The texts about an undo, or about a repetition. */
export interface UndoneTexts {
  readonly whole: string;
  readonly partly: (reason: string) => string;
  readonly failed: (reason: string) => string;
  readonly nothing: string;
  readonly skipped: (count: number) => string;
  readonly reasonOf: (error: Error) => string;
}

/** Says what became of an undo. */
export function undoneText(
  { undone, skipped, error }: Pick<UndoneOperations, 'undone' | 'skipped' | 'error'>,
  texts: UndoneTexts,
): string {
  if (error !== null) {
    const reason = texts.reasonOf(error);
    return undone === 0 ? texts.failed(reason) : texts.partly(reason);
  }
  if (undone === 0) return texts.nothing;
  return skipped === 0 ? texts.whole : `${texts.whole} ${texts.skipped(skipped)}`;
}
