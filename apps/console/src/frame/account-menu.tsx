import { useState } from 'react';
import { Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components';
import { useMessages } from '../messages/locale-context.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import styles from '../ui/menu.module.css';
import { FRAME_MESSAGES } from './frame-messages.ts';
import { chooseLook, type Look, storedLook } from './look.ts';

export interface AccountMenuProps {
  readonly email: string;
  readonly onShowAccount: () => void;
  readonly onShowKeys: () => void;
  readonly onSignOut: () => void;
}

export function AccountMenu({ email, onShowAccount, onShowKeys, onSignOut }: AccountMenuProps) {
  const texts = useMessages(FRAME_MESSAGES);
  const [look, setLook] = useState(storedLook);
  return (
    <MenuTrigger>
      <Button look="quiet" aria-label={texts.account}>
        <Icon name="account" />
      </Button>
      <Popover className={styles.popover} placement="bottom end">
        <Menu className={styles.menu}>
          <MenuSection aria-label={texts.account}>
            <Header className={styles.header}>{email}</Header>
            <MenuItem className={styles.item} onAction={onShowAccount}>
              {texts.account}
            </MenuItem>
            <MenuItem className={styles.item} onAction={onShowKeys}>
              {texts.keys}
            </MenuItem>
            <MenuItem className={styles.item} href="/docs" target="_blank">
              {texts.apiDocs}
            </MenuItem>
          </MenuSection>
          <MenuSection
            selectionMode="single"
            selectedKeys={[look]}
            onSelectionChange={(keys) => {
              const [chosen] = [...(keys as Set<Look>)];
              if (chosen === undefined) return;
              setLook(chosen);
              chooseLook(chosen);
            }}
          >
            <Header className={styles.header}>{texts.look}</Header>
            <MenuItem className={styles.item} id="auto">
              {texts.lookAuto}
            </MenuItem>
            <MenuItem className={styles.item} id="light">
              {texts.lookLight}
            </MenuItem>
            <MenuItem className={styles.item} id="dark">
              {texts.lookDark}
            </MenuItem>
          </MenuSection>
          <MenuSection aria-label={texts.signOut}>
            <MenuItem className={styles.item} onAction={onSignOut}>
              {texts.signOut}
            </MenuItem>
          </MenuSection>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
