import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskedPath, serializeError, terminalLine } from './logging.module.js';

/** PANs and mobile numbers of nobody in particular. */
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

const TIME = Date.UTC(2026, 0, 31, 10, 20, 30);

describe('a line of the log on a terminal', () => {
  it('says when, how bad, who and what', () => {
    const line = { level: 40, time: TIME, pid: 1, context: 'WebhookSender', msg: 'It is late' };
    expect(terminalLine(JSON.stringify(line))).toBe('10:20:30 warn WebhookSender: It is late\n');
  });
});
