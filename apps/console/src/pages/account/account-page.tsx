import { Page } from '../../frame/page.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { Panel, Panels } from '../../ui/panel.tsx';
import { ACCOUNT_MESSAGES } from './account-messages.ts';
import { KeysSection } from './keys-section.tsx';
import { KeyboardSection } from './keyboard-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { SignOnSection } from './sign-on-section.tsx';

/** The own account: profile, password, login of the organization, keyboard, sessions and keys. */
export function AccountPage() {
  const texts = useMessages(ACCOUNT_MESSAGES);
  return (
    <Page title={texts.title}>
      <Panels>
        <ProfileSection />
        <PasswordSection />
        <SignOnSection />
        <KeyboardSection />
        <SessionsSection />
        <KeysSection />
        <Panel title={texts.cors} text={texts.corsText} />
      </Panels>
    </Page>
  );
}
