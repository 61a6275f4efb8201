/** The most messages of one request to `/messages`. */
export const MAX_MESSAGES = 10;
