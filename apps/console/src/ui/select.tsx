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
import styles from './select.module.css';

export interface SelectOption<Value extends string> {
  readonly value: Value;
  readonly text: string;
}

export interface SelectProps<Value extends string> {
  readonly label: string;
  /** Whether the label is for screen readers alone, because the value says enough to others. */
  readonly isLabelHidden?: boolean;
  readonly options: readonly SelectOption<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** A choice of one of several values. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, isLabelHidden = false, options, value, onChange } = props;
  return (
    <AriaSelect
      className={styles.select}
      value={value}
      onChange={(key) => onChange(key as Value)}
      {...(isLabelHidden && { 'aria-label': label })}
    >
      {!isLabelHidden && <Label className={styles.label}>{label}</Label>}
      <Button className={styles.button}>
        <SelectValue className={styles.value} />
        <Icon name="down" />
      </Button>
      <Popover className={styles.popover}>
        <ListBox className={styles.list}>
          {options.map(({ value: id, text }) => (
            <ListBoxItem key={id} id={id} className={styles.item} textValue={text}>
              {text}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
