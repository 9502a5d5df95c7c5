/** A photo that the page has; the service gets it with each request. */
export type Photo =
  | { readonly id: number; readonly file: File; readonly url?: undefined }
  | { readonly id: number; readonly url: string; readonly file?: undefined };

let nextId = 1;

export function photoOfFile(file: File): Photo {
  return { id: nextId++, file };
}

export function photoAtUrl(url: string): Photo {
  return { id: nextId++, url };
}

/** The address of a photo in a text; null if the text is none. */
export function photoAddress(text: string): string | null {
  const address = text.trim();
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol) ? address : null;
}

/** The member of a request that contains the photo. */
export function imageOf({ file, url }: Photo) {
  return file === undefined ? { image_url: url } : { file };
}
