interface Source {
  /** Returns the next chunk, or null after the last one. */
  readonly next: () => Promise<Uint8Array | null>;
  /** Frees the source. Called after the last chunk, and on cancel, failure and abort; may be called twice. */
  readonly close: () => void | Promise<void>;
}

/** Streams the chunks of a source, each of which is read when the reader of the stream needs it. */
export function streamOf(
  { next, close }: Source,
  signal?: AbortSignal,
): ReadableStream<Uint8Array> {
  let abort: () => void;
  const end = async (): Promise<void> => {
    signal?.removeEventListener('abort', abort);
    await close();
  };
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        abort = () => {
          controller.error(signal?.reason);
          void end();
        };
        signal?.addEventListener('abort', abort, { once: true });
      },
      pull: async (controller) => {
        try {
          const chunk = await next();
          if (chunk !== null) {
            controller.enqueue(chunk);
            return;
          }
        } catch (error) {
          await end();
          throw error;
        }
        await end();
        controller.close();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}
