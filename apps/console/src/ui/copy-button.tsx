import { useState } from 'react';
import { defineMessages } from '../messages/define-messages.ts';
import { useMessages } from '../messages/locale-context.tsx';
import { Button } from './button.tsx';

const MESSAGES = defineMessages({
  en: { copy: 'Copy', copied: 'Copied' },
  de: { copy: 'Kopieren', copied: 'Kopiert' },
});

/** Copies a text. Browsers refuse this to pages without encryption, so there is no button there. */
export function CopyButton({ text }: { readonly text: string }) {
  const texts = useMessages(MESSAGES);
  const [isCopied, setCopied] = useState(false);
  if (!isSecureContext) return null;
  return (
    <Button
      onPress={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
      onBlur={() => setCopied(false)}
    >
      {isCopied ? texts.copied : texts.copy}
    </Button>
  );
}
