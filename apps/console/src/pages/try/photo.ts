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

/** The member of a request that contains the photo. */
export function imageOf({ file, url }: Photo) {
  return file === undefined ? { image_url: url } : { file };
}
