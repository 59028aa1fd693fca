import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { METRIC_TEXTS } from './metric-texts.js';
import { OFFER_METRIC } from './offer-metric.js';

/** What the texts were when offers were first shown by each metric: another wording is another version. */
const DIGESTS: Record<string, string> = {
  'APR_ASC/4': '4c2b15c600e590f0134ffbd8f85dc6cd1e77a208b35e777073fe0cc2b7136cb4',
  'APR_ASC/3': 'c89261d923eb496b07c744f31f8a642d6c177f1a4c5c99ce3a5880ade703bdb5',
  'APR_ASC/2': 'aa701f11fd12efb276ed854d4df8543f1cba8f2728a161cb2080647040fcc306',
  'APR_ASC/1': '0e8db3ab969a55905f2793dce71271f3a524e6bd840f0878c4b54604578aeef3',
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

  it.each([
    ['en', 'For an instant loan we ask for a binding offer', /ask nobody|nobody is asked/i],
    ['hi', 'इंस्टेंट लोन के लिए हम ठीक उतनी ही रकम का पक्का ऑफ़र माँगते हैं', /किसी से नहीं पूछ/],
  ] as const)(
    'do not say that nobody is asked, in the version in force: %s',
    (language, asked, nobody) => {
      const inForce = METRIC_TEXTS[OFFER_METRIC][language].points.join(' ');
      expect(inForce).toContain(asked);
      expect(inForce).not.toMatch(nobody);
      // It does find it where it is said.
      expect(METRIC_TEXTS['APR_ASC/1'][language].points.join(' ')).toMatch(nobody);
    },
  );

  it('have the same points in every language', () => {
    for (const { en, hi } of Object.values(METRIC_TEXTS)) {
      expect(hi.points).toHaveLength(en.points.length);
    }
  });
});
