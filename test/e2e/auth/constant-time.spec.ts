import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startJourney, type StartedJourney } from '../../support/journey-driver.js';
import { PARTNER_PREFIX, type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { sharedService } from '../../support/shared-service.js';
import './answer-matchers.js';

// Timing cannot be measured reliably from outside. So the test replaces Node's constant-time comparison, and checks
// that only its result decides the response.

const SIGNATURE_BYTES = 32;

let demo: PartnerClient;
let journey: StartedJourney;

beforeAll(async () => {
  demo = partnerClient(await sharedService());
  journey = await startJourney(demo);
});

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** Fixes the result of comparing signatures, or of all other comparisons. */
function comparisonSays(verdict: boolean, about: 'signatures' | 'others'): void {
  vi.spyOn(crypto, 'timingSafeEqual').mockImplementation((left, right) => {
    const isSignature = [left, right].every((one) => one.byteLength === SIGNATURE_BYTES);
    return isSignature === (about === 'signatures')
      ? verdict
      : Buffer.compare(left as Buffer, right as Buffer) === 0;
  });
  syncBuiltinESMExports();
}

describe('the comparison in constant time decides, and nothing else', () => {
  it('whether a signature is right', async () => {
    const wrong = { overrides: { signature: '0'.repeat(2 * SIGNATURE_BYTES) } };
    // GET also accepts a signature over the path without the query.
    const overPath = { overrides: { signedTarget: `${PARTNER_PREFIX}/products` } };
    comparisonSays(true, 'signatures');
    expect((await demo.get('/products', wrong)).status).toBe(200);
    comparisonSays(false, 'signatures');
    expect(await demo.get('/products')).toBeRefused('invalid_signature');
    expect(await demo.get('/products?a=1', overPath)).toBeRefused('invalid_signature');
  });

  it('whether a session is the journey’s', async () => {
    const read = (session = journey.session) => demo.journey(journey.id, session);
    comparisonSays(true, 'others');
    expect((await read('another')).status).toBe(200);
    comparisonSays(false, 'others');
    expect(await read()).toBeRefused('journey_session_invalid');
  });
});
