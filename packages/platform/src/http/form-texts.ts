import { Base64Text } from './base64-text.ts';
import type { TextMembers } from './json-receiver.ts';
import { TextDecoding } from './text-decoding.ts';

const NONE: TextMembers = { paths: new Set(), maxBytes: 0, digests: false };

/** The text fields of a form that contain images in base64. The images are decoded while they arrive. */
export class FormTexts {
  readonly #members: TextMembers;
  readonly #received = new Map<string, Base64Text[]>();

  constructor(members: TextMembers = NONE) {
    this.#members = members;
  }

  async receive(field: string, chunks: AsyncIterable<Buffer>): Promise<void> {
    const text = new Base64Text(this.#members);
    this.#received.set(field, [...(this.#received.get(field) ?? []), text]);
    const decoding = new TextDecoding({ fatal: false });
    for await (const chunk of chunks) text.write(decoding.decode(chunk));
    text.write(decoding.end());
    text.end();
  }

  /**
   * Returns the decoded texts by field. A repeated text is added to `fields` instead, so that the validation refuses
   * the repetition.
   */
  finish(fields: Map<string, string[]>): ReadonlyMap<string, Base64Text> {
    const texts = new Map<string, Base64Text>();
    for (const [field, [text, ...others]] of this.#received) {
      if (others.length === 0) texts.set(field, text!);
      else fields.set(field, ['', ...others.map(() => '')]);
    }
    return texts;
  }
}
