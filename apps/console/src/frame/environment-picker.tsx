import type { OperationBody } from '../client/operations.ts';
import { ListBox, ListBoxItem, Popover, Select, SelectValue, Button } from 'react-aria-components';
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

export function EnvironmentPicker({ environments, selected, onSelect }: EnvironmentPickerProps) {
  const texts = useMessages(FRAME_MESSAGES);
  return (
    <Select
      className={styles.picker}
      aria-label={texts.environment}
      value={selected}
      onChange={(id) => onSelect(Number(id))}
    >
      <Button className={styles.button}>
        <SelectValue className={styles.value} />
        <Icon name="down" />
      </Button>
      <Popover className={menuStyles.popover}>
        <ListBox className={menuStyles.menu}>
          {environments.map(({ id, name }) => (
            <ListBoxItem key={id} id={id} className={menuStyles.item} textValue={name}>
              {name}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
  );
}
