import { describe, expect, it } from 'vitest';
import type { SessionRequest } from '../../lenders/index.js';
import { OffsetClock } from '../../platform/index.js';
import type { LenderClient } from '../client/lender-client.js';
import type { SignatureAlarm } from '../client/signature-alarm.js';
import type { LenderKeys } from '../keys/lender-keys.js';
import { RlpConnector } from './rlp-connector.js';

const REQUEST = {
  idempotencyKey: 'q1',
  subjectId: 'jrn_1',
  step: 'KYC',
  partnerId: 'demo',
  reference: 'rdr_1',
  returnUrl: 'https://partner.example/back',
  lender: { code: 'one', remote: {} },
  payload: {
    subjectKind: 'JOURNEY',
    applicationId: 'app_1',
    productCode: 'ONLINE_PERSONAL',
    loanAmount: 1,
    applicant: { mobile: '9876543210', pan: 'ABCDE1234F' },
    offerReference: 'OFFER-1',
    acknowledgement: {
      keyFactsHash: 'a'.repeat(64),
      acknowledgedAt: '2026-11-22T10:10:00+05:30',
      language: 'hi',
    },
  },
} as unknown as SessionRequest;

function openedAt(url: string, travelledMs = 0) {
  const clock = new OffsetClock();
  clock.setOffset(travelledMs);
  const expiresAt = '2026-11-22T11:00:00Z';
  const verdict = { answerId: 'a', verdict: 'OPENED', url, expiresAt, covers: ['KYC'] };
  const client = { ask: () => Promise.resolve({ kind: 'VERDICT', verdict }) };
  const environment = { isLoopback: false, privateNetworks: [] };
  return new RlpConnector(
    client as unknown as LenderClient,
    {} as LenderKeys,
    {} as SignatureAlarm,
    clock,
    environment,
  ).openSession(REQUEST);
}

describe('a session that a lender opens', () => {
  it('leads to its page', async () => {
    const url = 'https://kyc.lender.example/1';
    await expect(openedAt(url)).resolves.toMatchObject({ kind: 'OPENED', url });
  });

  it('ends as long after now where a sandbox has travelled as the lender says', async () => {
    const opened = openedAt('https://kyc.lender.example/1', 30 * 86_400_000);
    await expect(opened).resolves.toMatchObject({ expiresAt: '2026-12-22T11:00:00.000Z' });
  });

  it('at an address that no applicant is sent to is none', async () => {
    await expect(openedAt('https://192.168.1.1/reboot')).rejects.toThrow(
      'the session’s address is not a valid page for applicants',
    );
  });
});
