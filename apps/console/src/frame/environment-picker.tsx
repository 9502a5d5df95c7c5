import type { OperationBody } from '../client/operations.ts';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { useMessages } from '../messages/locale-context.tsx';
import { Icon } from '../ui/icon.tsx';
import menuStyles from '../ui/menu.module.css';
import styles from './environment-picker.module.css';
import { FRAME_MESSAGES } from './frame-messages.ts';

type Environment = OperationBody<'listEnvironments'>['items'][number];

export interface EnvironmentPickerProps {
  readonly environments: readonly Environment[];
  readonly selected: number;
  readonly onSelect: (id: number) => void;
}

/** Leads to another environment. A menu costs the first script less than a select. */
export function EnvironmentPicker({ environments, selected, onSelect }: EnvironmentPickerProps) {
  const texts = useMessages(FRAME_MESSAGES);
  const name = environments.find(({ id }) => id === selected)?.name ?? '';
  return (
    <MenuTrigger>
      <Button className={styles.button} aria-label={texts.environmentNamed(name)}>
        <span className={styles.value}>{name}</span>
        <Icon name="down" />
      </Button>
      <Popover className={menuStyles.popover}>
        <Menu
          className={menuStyles.menu}
          items={environments}
          selectionMode="single"
          selectedKeys={[selected]}
          onAction={(id) => onSelect(Number(id))}
        >
          {({ name: text }) => (
            <MenuItem className={menuStyles.item} textValue={text}>
              {text}
            </MenuItem>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
