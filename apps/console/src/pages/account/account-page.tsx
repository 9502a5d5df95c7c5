import { Page } from '../../frame/page.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { ACCOUNT_MESSAGES } from './account-messages.ts';
import styles from './account.module.css';
import { KeysSection } from './keys-section.tsx';
import { KeyboardSection } from './keyboard-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { Section } from './section.tsx';
import { SessionsSection } from './sessions-section.tsx';

/** The own account: profile, password, keyboard, sessions and keys. */
export function AccountPage() {
  const texts = useMessages(ACCOUNT_MESSAGES);
  return (
    <Page title={texts.title}>
      <div className={styles.sections}>
        <ProfileSection />
        <PasswordSection />
        <KeyboardSection />
        <SessionsSection />
        <KeysSection />
        <Section title={texts.cors} text={texts.corsText} />
      </div>
    </Page>
  );
}
