const MIB = 1024 * 1024;

/** Maximum size of a form with many images, in bytes; its files are worked off one by one. */
export const MAX_FORM_BATCH_BYTES = 2048 * MIB;

/** Maximum size of a JSON body with several images, in bytes. */
export const MAX_JSON_IMAGES_BYTES = 70 * MIB;
