import { describe, expect, it } from 'vitest';
import { isSignatureRight, type SignedRequest, signRequest } from './request-signature.js';

const SECRET = 'rinpath_secret_test_one';
const TARGET = '/api/v1/partner/leads';
const REQUEST: SignedRequest = {
  method: 'POST',
  target: `${TARGET}?status=%41`,
  timestamp: '1700000000',
  nonce: '0f8fad5b-d9cb-469f-a165-70867728950e',
  body: Buffer.from('{"loanAmount":200000,"name":"आशा"}'),
};

function isTaken(signed: SignedRequest, sent = REQUEST, secret = SECRET): boolean {
  return isSignatureRight(SECRET, sent, signRequest(secret, signed));
}

describe('a signature', () => {
  it('is right over what is sent', () => {
    expect(isTaken(REQUEST)).toBe(true);
  });

  it.each<Partial<SignedRequest>>([
    { method: 'GET' },
    { target: TARGET },
    { target: `${TARGET}/?status=%41` },
    { target: `${TARGET}?status=A` },
    { target: `/v1/partner/leads?status=%41` },
    { timestamp: '1700000001' },
    { nonce: REQUEST.nonce.toUpperCase() },
    { body: Buffer.alloc(0) },
    { body: Buffer.from(REQUEST.body.toString().replace('200000', '200001')) },
    { body: Buffer.from(JSON.stringify(JSON.parse(REQUEST.body.toString()), null, 1)) },
  ])('is wrong over anything else than what is sent: %j', (change) => {
    expect(isTaken({ ...REQUEST, ...change })).toBe(false);
  });

  it('is wrong with another secret, and of another length', () => {
    expect(isTaken(REQUEST, REQUEST, `${SECRET}2`)).toBe(false);
    expect(isSignatureRight(SECRET, REQUEST, Buffer.alloc(0))).toBe(false);
  });

  it.each([
    ['GET', true],
    ['get', true],
    ['DELETE', false],
    ['POST', false],
  ])('over the path without its query is taken of %s: %s', (method, expected) => {
    const sent = { ...REQUEST, method };
    expect(isTaken({ ...sent, target: TARGET }, sent)).toBe(expected);
    expect(isTaken({ ...sent, target: `${TARGET}?page=1` }, sent)).toBe(false);
  });
});
