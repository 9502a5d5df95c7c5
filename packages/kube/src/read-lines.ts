/**
 * Yields the lines of a UTF-8 stream without line breaks. An unterminated last line is dropped, because its writer was
 * cut off.
 *
 * @throws RangeError for a line of more than `maxBytes` bytes; errors of the stream
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<string, void, undefined> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, from)) {
      parts.push(chunk.subarray(from, end));
      yield Buffer.concat(parts).toString('utf8');
      [parts, length, from] = [[], 0, end + 1];
    }
    if (from === chunk.length) continue;
    parts.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > maxBytes) throw new RangeError(`A line has more than ${maxBytes} bytes.`);
  }
}

const LF = 0x0a;
