import 'reflect-metadata';
import { describe, expect, it } from 'vitest';
import { CONSENT_VERSION } from '../../consents/index.js';
import { bodyA, bodyB, type Fields, problemsOf, read } from './initiate-body-example.js';

const GIVEN = {
  textVersion: CONSENT_VERSION,
  language: 'hi',
  givenAt: '2026-06-15T11:59:00+05:30',
  lenderCodes: ['navdhara', 'kaverisetu'],
};
const RECORD = ['consent.textVersion', 'consent.language', 'consent.givenAt'];

const fieldsOf = (consent: unknown) => Object.keys(problemsOf(bodyA({ consent })));

describe('the consent that a partner has taken', () => {
  it('is to our text where it says which lenders the text named, else the partner’s word', () => {
    const { lenderCodes, textVersion, language, givenAt } = GIVEN;
    const shown = { textVersion, language, givenAt: new Date(givenAt) };
    const consentOf = (body: Fields) => read(body).consent;
    expect(consentOf(bodyA({ consent: GIVEN }))).toEqual({
      basis: 'TEXT',
      shown,
      namedLenders: lenderCodes,
    });
    const unnamed = { ...GIVEN, lenderCodes: null };
    expect(consentOf(bodyA({ consent: unnamed }))).toEqual({ basis: 'AGREEMENT', shown });
    expect(consentOf(bodyB({ consent: unnamed }))).toEqual({ basis: 'TERMS_ACCEPTED', shown });
    expect(consentOf(bodyA({ consent: null }))).toEqual({ basis: 'AGREEMENT' });
  });

  it.each([
    [true, ['consent']],
    [[], ['consent']],
    [{}, RECORD],
    [{ textVesion: CONSENT_VERSION }, RECORD],
  ])('cannot be read from %j', (consent, fields) => {
    expect(fieldsOf(consent)).toEqual(fields);
  });

  it.each([
    [{ textVersion: '99' }, 'textVersion'],
    [{ language: 'ta' }, 'language'],
    [{ givenAt: 'yesterday' }, 'givenAt'],
    [{ givenAt: '2026-06-15T11:00:00' }, 'givenAt'],
    [{ givenAt: '2026-06-15T12:06:00+05:30' }, 'givenAt'],
    [{ givenAt: '2026-05-16T11:59:00+05:30' }, 'givenAt'],
    [{ givenAt: undefined }, 'givenAt'],
    [{ lenderCodes: [] }, 'lenderCodes'],
    [{ lenderCodes: ['navdhara', 'navdhara'] }, 'lenderCodes'],
    [{ lenderCodes: ['navdhara', 7] }, 'lenderCodes'],
  ])('is refused with %j', (more, field) => {
    expect(fieldsOf({ ...GIVEN, ...more })).toEqual([`consent.${field}`]);
  });
});
