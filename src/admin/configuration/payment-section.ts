import { z } from 'zod';
import { MAX_ADDRESS_CHARACTERS } from '../../platform/index.js';
import type { PaymentSettings } from '../../settings/index.js';
import { type Deployment, gatewayError, host, pattern, section, standIn, text } from './fields.js';

export const SIMULATED = 'must be a real gateway in production';

const razorpay = section({
  keyId: pattern(/^rzp_(test|live)_\w{6,40}$/, 'must be a key id: rzp_test_… or rzp_live_…'),
  keySecret: text(),
  /** An attacker who guesses it can report false payments. */
  webhookSecret: pattern(
    /^[!-~]{16,200}$/,
    'must have at least 16 letters, digits and symbols, such as from `openssl rand -hex 32`',
  ),
  /** Host of the payment pages, shown to applicants beforehand. */
  pageHost: host.optional(),
  apiBaseUrl: text(MAX_ADDRESS_CHARACTERS).optional(),
});

/** @param noSimulation why the simulated gateway is refused; empty: allowed */
export function payment(
  deployment: Deployment,
  noSimulation = deployment.mode === 'production' ? SIMULATED : '',
) {
  // A test key takes no money; a live key would charge for sandbox loans.
  const prefix = deployment.mode === 'production' ? 'rzp_live_' : 'rzp_test_';
  const { keyId } = razorpay.shape;
  return z
    .discriminatedUnion(
      'gateway',
      [
        section({
          gateway: z.literal('sandbox').refine(() => noSimulation === '', noSimulation),
          razorpay: razorpay.optional(),
        }),
        section({
          gateway: z.literal('razorpay'),
          razorpay: razorpay.extend({
            keyId: keyId.refine(
              (id) => id.startsWith(prefix),
              `must be a key of this mode: ${prefix}…`,
            ),
            apiBaseUrl: standIn(deployment).optional(),
          }),
        }),
      ],
      gatewayError('sandbox', 'razorpay'),
    )
    .transform((given): PaymentSettings =>
      given.gateway === 'razorpay' ? { kind: 'razorpay', ...given.razorpay } : { kind: 'sandbox' },
    );
}
