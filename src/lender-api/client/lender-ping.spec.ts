import { expect, it } from 'vitest';
import { OutboundFailure, type OutboundFailureReason } from '../../platform/index.js';
import { type CallFailure, LenderCallFailed } from './lender-call-metrics.js';
import { pingAdvice } from './lender-ping.js';

const BASE_URL = 'https://loans.example';

const away = (reason: OutboundFailureReason, code?: string) => ({
  cause: new OutboundFailure(reason, { cause: Object.assign(new Error(), { code }) }),
});

it.each<[CallFailure, { status?: number; cause?: unknown }, string]>([
  ['unreachable', away('ADDRESS_REFUSED'), 'PRIVATE_NETWORKS'],
  ['unreachable', away('CONNECTION'), 'firewall'],
  ['unreachable', away('TLS'), 'NODE_EXTRA_CA_CERTS'],
  ['unreachable', away('TLS', 'CERT_HAS_EXPIRED'), 'must renew it'],
  ['error_status', { status: 401 }, 'https://loans.example/.well-known/rlp-jwks.json'],
  ['signature_refused', { status: 200 }, 'remote.jwks'],
])('a ping that failed with %s, %o has the advice %s', (failure, options, text) => {
  const advice = pingAdvice(new LenderCallFailed(failure, 'it failed', options), BASE_URL);
  expect(advice).toContain(text);
});
