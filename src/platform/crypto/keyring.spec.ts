import { describe, expect, it } from 'vitest';
import { Keyring } from './keyring.js';

const OLD = { name: 'old', bytes: Buffer.alloc(32, 1) };
const NEW = { name: 'new', bytes: Buffer.alloc(32, 2) };
const PAN = 'ABCDE1234F';

describe('sealing', () => {
  const ring = new Keyring([NEW]);

  it('opens what it sealed, and shows the key name but nothing of the value', () => {
    const sealed = ring.seal(PAN, 'journeys.applicant');
    expect(sealed).toMatch(/^v1:new:[A-Za-z0-9_-]+$/);
    expect(Buffer.from(sealed.split(':')[2], 'base64url').toString('latin1')).not.toContain(PAN);
    expect(ring.open(sealed, 'journeys.applicant')).toBe(PAN);
  });

  it('does not open a value that was copied to another column', () => {
    const sealed = ring.seal(PAN, 'journeys.applicant');
    expect(() => ring.open(sealed, 'journeys.bank_account')).toThrow(Error);
  });

  it('does not open a value in which any one byte was changed', () => {
    const [version, name, packed] = ring.seal(PAN, 'p').split(':');
    const bytes = Buffer.from(packed, 'base64url');
    for (let index = 0; index < bytes.length; index += 1) {
      const altered = Buffer.from(bytes);
      altered[index] ^= 1;
      const text = `${version}:${name}:${altered.toString('base64url')}`;
      expect(() => ring.open(text, 'p')).toThrow(Error);
    }
  });

  it('does not open what another master key of the same name sealed', () => {
    const stranger = new Keyring([{ name: 'new', bytes: Buffer.alloc(32, 3) }]);
    expect(() => ring.open(stranger.seal(PAN, 'p'), 'p')).toThrow(Error);
  });
});

describe('rotation', () => {
  const before = new Keyring([OLD]);
  const during = new Keyring([NEW, OLD]);
  const after = new Keyring([NEW]);

  it('seals under the first key and still opens what was sealed under the other', () => {
    const old = before.seal(PAN, 'p');
    expect(during.open(old, 'p')).toBe(PAN);
    const fresh = during.seal(PAN, 'p');
    expect(fresh).toMatch(/^v1:new:/);
    expect(after.open(fresh, 'p')).toBe(PAN);
    expect(() => after.open(old, 'p')).toThrow('unknown key');
  });

  it('finds a value again that was stored under either key', () => {
    const searched = during.lookupHashes(PAN, 'journeys.pan');
    expect(searched).toHaveLength(2);
    expect(searched).toContain(before.lookupHash(PAN, 'journeys.pan'));
    expect(searched).toContain(after.lookupHash(PAN, 'journeys.pan'));
    expect(during.lookupHash(PAN, 'journeys.pan')).toBe(searched[0]);
  });
});

describe('keyed hashes', () => {
  const ring = new Keyring([NEW]);

  it('are the same for the same value and purpose, and for nothing else', () => {
    const hash = ring.lookupHash(PAN, 'journeys.pan');
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(ring.lookupHash(PAN, 'journeys.pan')).toBe(hash);
    expect(ring.lookupHash(PAN, 'journeys.mobile')).not.toBe(hash);
    expect(ring.lookupHash('ABCDE1234G', 'journeys.pan')).not.toBe(hash);
    expect(new Keyring([OLD]).lookupHash(PAN, 'journeys.pan')).not.toBe(hash);
  });
});

describe('link tokens', () => {
  const ring = new Keyring([NEW]);
  const token = ring.signLink('rdr_0123', 'redirect');

  it('lead back to their id', () => {
    expect(token).toMatch(/^rdr_0123\.[A-Za-z0-9_-]{32}$/);
    expect(ring.readLink(token, 'redirect')).toBe('rdr_0123');
  });

  it('are refused for another purpose, and under another master key', () => {
    expect(ring.readLink(token, 'kfs')).toBeNull();
    expect(new Keyring([OLD]).readLink(token, 'redirect')).toBeNull();
  });

  it('are refused when they were forged, altered, cut short or lengthened', () => {
    const [, mac] = token.split('.');
    const others = [`rdr_0124.${mac}`, `rdr_0123.${'A'.repeat(32)}`, `${token}A`, `.${mac}`, ''];
    others.push('rdr_0123', 'rdr_0123.', '.', mac, `${token}.${mac}`);
    for (let length = 0; length < token.length; length += 1) others.push(token.slice(0, length));
    for (const other of others) expect(ring.readLink(other, 'redirect')).toBeNull();
  });
});
