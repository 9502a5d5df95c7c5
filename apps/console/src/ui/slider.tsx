import {
  Label,
  Slider as AriaSlider,
  SliderOutput,
  SliderThumb,
  SliderTrack,
} from 'react-aria-components';
import styles from './slider.module.css';

export interface SliderProps {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** Called with each value on the way. */
  readonly onChange: (value: number) => void;
  /** Called once the person has let go, or pressed a key. */
  readonly onChangeEnd?: (value: number) => void;
}

/** A number on a scale, which the arrow keys change as well. */
export function Slider({ label, value, min, max, step, onChange, onChangeEnd }: SliderProps) {
  return (
    <AriaSlider
      className={styles.field}
      value={value}
      minValue={min}
      maxValue={max}
      step={step}
      formatOptions={{ minimumFractionDigits: 2, maximumFractionDigits: 2 }}
      onChange={onChange}
      {...(onChangeEnd && { onChangeEnd })}
    >
      <Label className={styles.label}>{label}</Label>
      <SliderOutput className={styles.value} />
      <SliderTrack className={styles.track}>
        <SliderThumb className={styles.thumb} />
      </SliderTrack>
    </AriaSlider>
  );
}
