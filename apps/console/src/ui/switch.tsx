import { SwitchButton, SwitchField } from 'react-aria-components';
import styles from './switch.module.css';

export interface SwitchProps {
  readonly label: string;
  /** The name for screen readers, where the label says only the state. */
  readonly accessibleName?: string;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isOn: boolean) => void;
}

export function Switch({ label, accessibleName, isOn, isDisabled, onChange }: SwitchProps) {
  return (
    <SwitchField
      isSelected={isOn}
      isDisabled={isDisabled ?? false}
      onChange={onChange}
      {...(accessibleName !== undefined && { 'aria-label': accessibleName })}
    >
      <SwitchButton className={styles.switch}>
        <span className={styles.track} />
        {label}
      </SwitchButton>
    </SwitchField>
  );
}
