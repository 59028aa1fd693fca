// Isolated: replaces a module for every file that imports it.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startJourney, type StartedJourney } from '../../support/journey-driver.js';
import { PARTNER_PREFIX, type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { startService, type OwnService } from '../../support/service.js';
import './answer-matchers.js';

// The time of a comparison cannot be measured reliably from outside. So the tests replace Node's constant-time
// comparison, and check that the response depends on it only.
type Compare = (left: Buffer, right: Buffer) => boolean;

const crypto = vi.hoisted(() => ({ says: undefined as Compare | undefined }));

vi.mock('node:crypto', async (importOriginal) => {
  const original = await importOriginal<{ timingSafeEqual: Compare }>();
  const timingSafeEqual: Compare = (left, right) =>
    crypto.says?.(left, right) ?? original.timingSafeEqual(left, right);
  return { ...original, timingSafeEqual };
});

const SIGNATURE_BYTES = 32;
const WRONG_SIGNATURE = '0'.repeat(2 * SIGNATURE_BYTES);

let service: OwnService;
let demo: PartnerClient;
let journey: StartedJourney;

beforeAll(async () => {
  service = await startService();
  demo = partnerClient(service);
  journey = await startJourney(demo);
});

afterEach(() => {
  crypto.says = undefined;
});

afterAll(() => service.close());

/** Sets the result of comparing signatures or other values. */
function comparisonSays(verdict: boolean, about: 'signatures' | 'others'): void {
  crypto.says = (left, right) => {
    const isSignature = left.length === SIGNATURE_BYTES && right.length === SIGNATURE_BYTES;
    return isSignature === (about === 'signatures') ? verdict : left.equals(right);
  };
}

describe('the comparison in constant time decides, and nothing else', () => {
  it('whether a signature is right', async () => {
    const wrong = { overrides: { signature: WRONG_SIGNATURE } };
    // On GET a signature over the path without the query is accepted, too.
    const overPath = { overrides: { signedTarget: `${PARTNER_PREFIX}/products` } };
    expect((await demo.get('/products')).status).toBe(200);
    expect((await demo.get('/products?a=1', overPath)).status).toBe(200);
    expect(await demo.get('/products', wrong)).toBeRefused('invalid_signature');
    comparisonSays(true, 'signatures');
    expect((await demo.get('/products', wrong)).status).toBe(200);
    comparisonSays(false, 'signatures');
    expect(await demo.get('/products')).toBeRefused('invalid_signature');
    expect(await demo.get('/products?a=1', overPath)).toBeRefused('invalid_signature');
  });

  it('whether a session is the journey’s', async () => {
    const read = (session = journey.session) => demo.journey(journey.id, session);
    expect((await read()).status).toBe(200);
    expect(await read('another')).toBeRefused('journey_session_invalid');
    comparisonSays(true, 'others');
    expect((await read('another')).status).toBe(200);
    comparisonSays(false, 'others');
    expect(await read()).toBeRefused('journey_session_invalid');
  });
});
