import { Label, Slider as AriaSlider, SliderThumb, SliderTrack } from 'react-aria-components';
import styles from './slider.module.css';

export interface SliderProps {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** The value as the person reads it. */
  readonly text: string;
  readonly onChange: (value: number) => void;
  /** Called when the person lets go of it, for what costs a request. */
  readonly onChangeEnd?: (value: number) => void;
}

/** A number that is chosen by moving a thumb, with the mouse or with the arrow keys. */
export function Slider({ label, value, min, max, step, text, ...props }: SliderProps) {
  const { onChange, onChangeEnd } = props;
  return (
    <AriaSlider
      className={styles.slider}
      value={value}
      minValue={min}
      maxValue={max}
      step={step}
      onChange={onChange}
      {...(onChangeEnd && { onChangeEnd })}
    >
      <Label>{label}</Label>
      <SliderTrack className={styles.track}>
        <SliderThumb className={styles.thumb} />
      </SliderTrack>
      <span className={styles.value}>{text}</span>
    </AriaSlider>
  );
}
