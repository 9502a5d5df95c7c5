import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Slider } from '../../ui/slider.tsx';
import { TRY_MESSAGES } from './try-messages.ts';
import styles from './try.module.css';
import type { MovedNumber } from './use-moved-number.ts';

export interface ThresholdSliderProps {
  readonly threshold: MovedNumber;
  /** The threshold of the environment. */
  readonly usual: number;
  /** Called with the threshold for the address; undefined for that of the environment. */
  readonly onKeep: (threshold: number | undefined) => void;
}

/** Moves the threshold over the answer that is there; the service is not asked again. */
export function ThresholdSlider({ threshold, usual, onKeep }: ThresholdSliderProps) {
  const texts = useMessages(TRY_MESSAGES);
  const formats = useFormats();
  return (
    <div className={styles.part}>
      <Slider
        label={texts.threshold}
        min={-1}
        max={1}
        step={0.01}
        value={threshold.value ?? usual}
        onChange={threshold.onChange}
        onChangeEnd={onKeep}
      />
      {threshold.value !== undefined && (
        <div>
          <Button onPress={() => onKeep(undefined)}>
            {texts.usualThreshold(formats.score(usual))}
          </Button>
        </div>
      )}
    </div>
  );
}
