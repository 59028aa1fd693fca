import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What the last run took, whichever files it had. */
export const LAST_RUN = fileURLToPath(
  new URL('../../node_modules/.cache/rinpath/test-times.json', import.meta.url),
);

/** Seconds by file, of a run of all of them: what `LongestFirst` sorts by. */
export const RECORDED = fileURLToPath(new URL('recorded.json', import.meta.url));
