import { useState } from 'react';
import { useKeyboard } from '../../keys/keyboard-context.tsx';
import { readKeySettings, storeKeySettings } from '../../keys/stored-key-settings.ts';
import { useMessages } from '../../messages/locale-context.tsx';
import { Switch } from '../../ui/switch.tsx';
import { ACCOUNT_MESSAGES } from './account-messages.ts';
import { Section } from './section.tsx';

/** The choices about keys, which this browser stores. */
export function KeyboardSection() {
  const texts = useMessages(ACCOUNT_MESSAGES);
  const keyboard = useKeyboard();
  const [settings, setSettings] = useState(readKeySettings);
  return (
    <Section title={texts.keyboard} text={texts.lettersText}>
      <Switch
        label={texts.letters}
        isOn={settings.characterKeys}
        onChange={(characterKeys) => {
          const chosen = { ...settings, characterKeys };
          setSettings(chosen);
          storeKeySettings(chosen);
          keyboard.apply(chosen);
        }}
      />
    </Section>
  );
}
