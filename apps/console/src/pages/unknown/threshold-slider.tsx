import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useCommands } from '../../keys/keyboard-context.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Slider } from '../../ui/slider.tsx';
import styles from './unknown.module.css';
import { UNKNOWN_MESSAGES } from './unknown-messages.ts';

const route = getRouteApi('/$environment/unknown');

/** The change of the threshold by a key. */
const STEP = 0.05;

/** @param actual the threshold of the groups that are shown */
export function ThresholdSlider({ actual }: { readonly actual: number | undefined }) {
  const texts = useMessages(UNKNOWN_MESSAGES);
  const { threshold } = route.useSearch();
  const navigate = route.useNavigate();
  const [moved, setMoved] = useState<number | null>(null);
  const value = moved ?? threshold ?? Math.max(actual ?? 0, 0);
  const change = (next: number) => {
    setMoved(null);
    const inside = Math.min(Math.max(Math.round(next * 100) / 100, 0), 1);
    void navigate({ replace: true, search: (search) => ({ ...search, threshold: inside }) });
  };
  const looser = () => change(value - STEP);
  const stricter = () => change(value + STEP);
  useCommands([
    { id: 'unknown.looser', label: texts.looser, run: looser },
    { id: 'unknown.stricter', label: texts.stricter, run: stricter },
  ]);
  return (
    <div className={styles.threshold}>
      <Button shortcut="unknown.looser" onPress={looser}>
        {texts.looser}
      </Button>
      <div className={styles.slider}>
        <Slider
          label={texts.alike}
          value={value}
          min={0}
          max={1}
          step={0.01}
          onChange={setMoved}
          onChangeEnd={change}
        />
      </div>
      <Button shortcut="unknown.stricter" onPress={stricter}>
        {texts.stricter}
      </Button>
    </div>
  );
}
