import {
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  SelectValue,
} from 'react-aria-components';
import { Icon } from './icon.tsx';
import menu from './menu.module.css';
import styles from './select.module.css';

export interface Option<Value extends string> {
  readonly value: Value;
  readonly text: string;
}

export interface SelectProps<Value extends string> {
  readonly label: string;
  /** Whether only screen readers get the label, because the place explains the choice. */
  readonly isLabelHidden?: boolean;
  readonly isDisabled?: boolean;
  readonly options: readonly Option<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** A choice of one among a few values. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, isLabelHidden = false, isDisabled = false, options, value, onChange } = props;
  return (
    <AriaSelect
      className={styles.field}
      {...(isLabelHidden && { 'aria-label': label })}
      isDisabled={isDisabled}
      value={value}
      onChange={(key) => onChange(key as Value)}
    >
      {!isLabelHidden && <Label className={styles.label}>{label}</Label>}
      <Button className={styles.button}>
        <SelectValue className={styles.value} />
        <Icon name="down" />
      </Button>
      <Popover className={menu.popover}>
        <ListBox className={menu.menu}>
          {options.map((option) => (
            <ListBoxItem
              key={option.value}
              id={option.value}
              textValue={option.text}
              className={menu.item}
            >
              {option.text}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
