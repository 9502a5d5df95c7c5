/** The most bytes of an answer of the provider, after decompression. */
export const MAX_ANSWER_BYTES = 1_048_576;

class AnswerTooLarge extends Error {
  readonly code = 'ANSWER_TOO_LARGE';
}

/** Fetches like `fetch`, except that a body fails at its limit. The library would collect a body of any size. */
export async function fetchLimited(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options);
  let received = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      received += chunk.byteLength;
      if (received <= MAX_ANSWER_BYTES) controller.enqueue(chunk);
      else controller.error(new AnswerTooLarge('The answer of the provider is too large.'));
    },
  });
  return new Response(response.body?.pipeThrough(limit), response);
}
