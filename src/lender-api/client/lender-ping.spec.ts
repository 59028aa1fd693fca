import { describe, expect, it } from 'vitest';
import { OutboundFailure, type OutboundFailureReason } from '../../platform/index.js';
import { type CallFailure, LenderCallFailed } from './lender-call-metrics.js';
import { pingAdvice } from './lender-ping.js';

const BASE_URL = 'https://loans.example';

const advice = (failure: CallFailure, options: { status?: number; cause?: unknown } = {}) =>
  pingAdvice(new LenderCallFailed(failure, 'it failed', options), BASE_URL);
const onTheWay = (reason: OutboundFailureReason) =>
  advice('unreachable', { cause: new OutboundFailure(reason) });

describe('what to do about a ping that failed', () => {
  it.each<[OutboundFailureReason, string]>([
    ['ADDRESS_REFUSED', 'PRIVATE_NETWORKS'],
    ['NAME_NOT_FOUND', '/etc/hosts is not read'],
    ['TLS', 'NODE_EXTRA_CA_CERTS'],
    ['CONNECTION', 'firewall'],
  ])('on the way: %s', (reason, text) => {
    expect(onTheWay(reason)).toContain(text);
  });

  it.each([
    ['CERT_HAS_EXPIRED', 'must renew it'],
    ['CERT_NOT_YET_VALID', 'Compare the clocks'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'remote.address'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'NODE_EXTRA_CA_CERTS'],
  ])('by the certificate’s fault: %s', (code, text) => {
    const cause = new OutboundFailure('TLS', { cause: Object.assign(new Error(), { code }) });
    expect(advice('unreachable', { cause })).toContain(text);
  });

  it('where the lender does not know whose request it is', () => {
    const ours = 'https://loans.example/.well-known/rlp-jwks.json';
    expect(advice('error_status', { status: 503 })).toContain(ours);
    expect(advice('error_status', { status: 401 })).toContain(ours);
    expect(advice('asked_to_wait', { status: 503 })).toContain(ours);
  });

  it('where its answer is not taken', () => {
    expect(advice('signature_refused', { status: 200 })).toContain('remote.jwks');
    const redirect = new OutboundFailure('REDIRECT', { status: 302 });
    expect(advice('redirect', { status: 302, cause: redirect })).toContain('remote.address');
  });

  it('nothing, where the failure says it all', () => {
    expect(advice('timeout', { cause: new OutboundFailure('TIMEOUT') })).toBeNull();
    expect(advice('too_large', { status: 200 })).toBeNull();
  });
});
