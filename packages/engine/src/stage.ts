/** The steps of an analysis that are timed, in their order. */
export type Stage = 'decode' | 'detect' | 'align' | 'embed' | 'attributes' | 'encode';

/** Told how long each step of one image took. */
export type StageObserver = (stage: Stage, milliseconds: number) => void;
