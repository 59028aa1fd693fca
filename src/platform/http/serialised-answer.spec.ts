import { describe, expect, it } from 'vitest';
import { envelopeOf, SerialisedAnswer, unchanging } from './serialised-answer.js';

describe('what a partner call answers', () => {
  it('is serialised once when it never changes', () => {
    const data = unchanging({ name: 'Asha ₹' });
    const first = envelopeOf(data);
    expect(first).toBeInstanceOf(SerialisedAnswer);
    expect((first as SerialisedAnswer).json.toString('utf8')).toBe(
      '{"success":true,"data":{"name":"Asha ₹"}}',
    );
    expect(envelopeOf(data)).toBe(first);
  });

  it('is of each object its own', () => {
    const [one, other] = [unchanging({ id: 1 }), unchanging({ id: 1 })];
    expect(envelopeOf(one)).toEqual(envelopeOf(other));
    expect(envelopeOf(one)).not.toBe(envelopeOf(other));
    expect(envelopeOf(one)).toBe(envelopeOf(one));
  });

  it('stays an object when nobody says so', () => {
    expect(envelopeOf({ id: 1 })).toEqual({ success: true, data: { id: 1 } });
  });
});
