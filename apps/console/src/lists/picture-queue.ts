const MAX_LOADING = 24;

/** Lets a limited number of pictures load at once, and none while the list is scrolled fast. */
export class PictureQueue {
  readonly #waiting = new Set<() => void>();
  readonly #loading = new Set<() => void>();
  #isPaused = false;

  /**
   * @param start called when the picture may load
   * @returns a function for the end: the picture has loaded, has failed, or is no longer wanted
   */
  request(start: () => void): () => void {
    // The callbacks are compared by identity, and a caller may request with the same one twice.
    const own = () => start();
    this.#waiting.add(own);
    this.#pump();
    return () => {
      this.#waiting.delete(own);
      if (this.#loading.delete(own)) this.#pump();
    };
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#pump();
  }

  #pump(): void {
    for (const start of this.#waiting) {
      if (this.#isPaused || this.#loading.size >= MAX_LOADING) return;
      this.#waiting.delete(start);
      this.#loading.add(start);
      start();
    }
  }
}
