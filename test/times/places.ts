import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The times of the last run, whichever files it had. */
export const LAST_RUN = fileURLToPath(
  new URL('../../node_modules/.cache/rinpath/test-times.json', import.meta.url),
);

/** Seconds by file, of a complete run; `LongestFirst` sorts by them. */
export const RECORDED = fileURLToPath(new URL('recorded.json', import.meta.url));
