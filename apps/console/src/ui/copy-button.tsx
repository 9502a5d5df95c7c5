import { useState } from 'react';
import { defineMessages } from '../messages/define-messages.ts';
import { useMessages } from '../messages/locale-context.tsx';
import { Button } from './button.tsx';

const MESSAGES = defineMessages({
  en: { copy: 'Copy', copied: 'Copied', refused: 'Not copied' },
  de: { copy: 'Kopieren', copied: 'Kopiert', refused: 'Nicht kopiert' },
});

export interface CopyButtonProps {
  readonly text: string;
  /** The text of the button; "Copy" if absent. */
  readonly label?: string;
}

/** Copies a text. Browsers refuse this to pages without encryption, so there is no button there. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const texts = useMessages(MESSAGES);
  const [result, setResult] = useState<'copied' | 'refused' | null>(null);
  if (!isSecureContext) return null;
  return (
    <Button
      onPress={() =>
        void navigator.clipboard.writeText(text).then(
          () => setResult('copied'),
          () => setResult('refused'),
        )
      }
      onBlur={() => setResult(null)}
    >
      {result === null ? (label ?? texts.copy) : texts[result]}
    </Button>
  );
}
