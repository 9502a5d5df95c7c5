/** The memory for the images of one request that are not in its body: those behind URLs, and the files of batches. */
export interface ImageMemory {
  /**
   * Takes bytes until the request ends.
   *
   * @throws InferenceOverloaded if the share of the caller, or all memory for requests, is used up
   */
  readonly take: TakeMemory;
  /** Opens the memory of one image of a batch. Disposal gives it back. */
  open(): ImageMemoryShare;
}

export interface ImageMemoryShare extends Disposable {
  readonly take: TakeMemory;
}

/** @throws InferenceOverloaded */
export type TakeMemory = (bytes: number) => void;
