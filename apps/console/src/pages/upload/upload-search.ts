/** The state of the page that its address keeps. */
export interface UploadSearch {
  /** Whether the list has the failed photos alone. */
  readonly only?: 'failed' | undefined;
}

export function parseUploadSearch({ only }: Record<string, unknown>): UploadSearch {
  return { only: only === 'failed' ? only : undefined };
}
