import { type Language, LANGUAGES } from './signature-samples.ts';

export interface WebhookSearch {
  /** The attempt whose message is shown. */
  readonly delivery: number | undefined;
  /** The language of the program that checks signatures. */
  readonly code: Language | undefined;
}

export function parseWebhookSearch({ delivery, code }: Record<string, unknown>): WebhookSearch {
  const isId = Number.isSafeInteger(delivery) && (delivery as number) > 0;
  return {
    delivery: isId ? (delivery as number) : undefined,
    code: LANGUAGES.find((each) => each === code),
  };
}
