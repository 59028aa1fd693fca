import { CompactSign } from 'jose';
import type { Outcome } from '../suite.ts';
import type { SigningKey } from '../wire/detached-jws.ts';

/** The report as a compact JWS: header, report and signature, each in base64url. */
export async function signedReport(outcome: Outcome, key: SigningKey): Promise<string> {
  const { url, profile, startedAt, seconds, results } = outcome;
  const report = {
    protocol: 'RLP/1',
    lender: url,
    profile,
    startedAt: startedAt.toISOString(),
    seconds,
    counts: {
      passed: results.filter(({ status }) => status === 'PASSED').length,
      failed: results.filter(({ status }) => status === 'FAILED').length,
      notRun: results.filter(({ status }) => status === 'NOT_RUN').length,
    },
    cases: results,
  };
  const signing = new CompactSign(Buffer.from(JSON.stringify(report)));
  signing.setProtectedHeader({ alg: key.alg, kid: key.kid, cty: 'json', jwk: key.publicJwk });
  return signing.sign(key.privateKey);
}
