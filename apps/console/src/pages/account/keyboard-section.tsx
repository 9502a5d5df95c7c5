import type { KeySettings } from '../../keys/keyboard.ts';
import { useKeyboard, useKeySettings } from '../../keys/keyboard-context.tsx';
import { storeKeySettings } from '../../keys/stored-key-settings.ts';
import { useMessages } from '../../messages/locale-context.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Switch } from '../../ui/switch.tsx';
import { ACCOUNT_MESSAGES } from './account-messages.ts';
import { CommandKeys } from './command-keys.tsx';

/** The choices about keys, which this browser stores. */
export function KeyboardSection() {
  const texts = useMessages(ACCOUNT_MESSAGES);
  const keyboard = useKeyboard();
  const settings = useKeySettings();
  const change = (part: Partial<KeySettings>) => {
    const chosen = { ...settings, ...part };
    storeKeySettings(chosen);
    keyboard.apply(chosen);
  };
  return (
    <Panel title={texts.keyboard} text={texts.lettersText}>
      <Switch
        label={texts.letters}
        isOn={settings.characterKeys}
        onChange={(characterKeys) => change({ characterKeys })}
      />
      <CommandKeys onChange={(changed) => change({ changed })} />
    </Panel>
  );
}
