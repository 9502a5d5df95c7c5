import { SwitchButton, SwitchField } from 'react-aria-components';
import styles from './switch.module.css';

export interface SwitchProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

export function Switch({ label, isOn, onChange }: SwitchProps) {
  return (
    <SwitchField isSelected={isOn} onChange={onChange}>
      <SwitchButton className={styles.switch}>
        <span className={styles.track} />
        {label}
      </SwitchButton>
    </SwitchField>
  );
}
