import { describe, expect, it } from 'vitest';
import { asOutboundFailure } from './outbound-failure.js';

const at = (day: string) => new Date(`${day}T10:00:00Z`);
const certificate = { validFrom: at('2027-01-31'), validTo: at('2026-11-20') };
const failureOf = (code: string) =>
  asOutboundFailure(Object.assign(new Error('no'), { code, certificate }), 1);

describe('a server’s certificate that is not taken', () => {
  it.each([
    ['CERT_HAS_EXPIRED', 'the certificate expired on 2026-11-20'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate is for another host name'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'the certificate is self-signed and not trusted here'],
    [
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'the certificate’s issuer is not trusted here, or its chain is incomplete',
    ],
  ])('%s is named', (code, message) => {
    expect(failureOf(code)).toMatchObject({ reason: 'TLS', message });
  });

  it('is not the reason of any other failure', () => {
    expect(failureOf('EPROTO')).toMatchObject({ reason: 'TLS', message: 'TLS' });
    expect(failureOf('ECONNRESET')).toMatchObject({ reason: 'CONNECTION', message: 'CONNECTION' });
  });
});
