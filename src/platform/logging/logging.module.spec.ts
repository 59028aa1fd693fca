import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { maskedPath, serializeError } from './logging.module.js';

/** Made-up PANs and mobile numbers. */
const IDENTITY_WORDS = fc.stringMatching(/^([A-Z]{5}[0-9]{4}[A-Z]|(0|91)?[6-9][0-9]{9})$/);
const percentEncoded = (text: string) => Buffer.from(text).toString('hex').replaceAll(/../g, '%$&');

it('keeps no PAN and no mobile number of a path, encoded or not', () => {
  fc.assert(
    fc.property(IDENTITY_WORDS, fc.constantFrom('', 'x-', '_'), (word, before) => {
      const path = (part: string) => `/api/${part}/action?a=${word}`;
      expect(maskedPath(path(before + word))).toBe('/api/:masked/action');
      expect(maskedPath(path(percentEncoded(word)))).toBe('/api/:masked/action');
    }),
  );
});

it('keeps no link token', () => {
  expect(maskedPath(`/r/${'a'.repeat(41)}`)).toBe('/r/:token');
  expect(maskedPath('/%zz/9876543210')).toBe('/%zz/:masked');
});

it('keeps none of what an error and its causes say', () => {
  fc.assert(
    fc.property(IDENTITY_WORDS, (word) => {
      const error = new Error(`wrong: "${word}"`, { cause: new Error(`(pan)=(${word})`) });
      expect(JSON.stringify(serializeError(error))).not.toContain(word);
    }),
  );
});
