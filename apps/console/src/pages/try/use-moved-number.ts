import { useState } from 'react';

export interface MovedNumber {
  /** The value in force: that of the slider while it moves, otherwise that of the address. */
  readonly value: number | undefined;
  readonly onChange: (value: number) => void;
}

/** A number that a slider moves at once, while the address follows when it rests. */
export function useMovedNumber(kept: number | undefined): MovedNumber {
  const [moved, setMoved] = useState({ value: kept, from: kept });
  return {
    // A moved value ends as soon as the address has another one.
    value: moved.from === kept ? moved.value : kept,
    onChange: (value) => setMoved({ value, from: kept }),
  };
}
