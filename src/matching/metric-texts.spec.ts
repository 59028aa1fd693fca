import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { METRIC_TEXTS, OFFER_METRIC } from './metric-texts.js';

/** Another wording is another version. */
const DIGESTS: Record<string, string> = {
  'APR_ASC/5': '2532f84559a79d0e7dd0987f2b8cdeafd567be0d44451366ea5a2f7094e2c750',
};

describe('the texts about the metrics', () => {
  it('are never changed once offers were shown by them', () => {
    const digests = Object.entries(METRIC_TEXTS).map(([version, texts]) => [
      version,
      createHash('sha256').update(JSON.stringify(texts)).digest('hex'),
    ]);
    expect(Object.fromEntries(digests)).toEqual(DIGESTS);
  });

  it('begin with that of the metric in force', () => {
    expect(Object.keys(METRIC_TEXTS)[0]).toBe(OFFER_METRIC);
  });

  it('have the same points in every language', () => {
    for (const { en, hi } of Object.values(METRIC_TEXTS)) {
      expect(hi.points).toHaveLength(en.points.length);
    }
  });
});
