import {
  ChoiceField,
  PatternField,
  TextField,
  MAX_ADDRESS_CHARACTERS,
} from '../../platform/index.js';
import { PartField } from './fields.js';
import { HOST, NO_HOST } from './remote-section.js';

class RazorpaySection {
  @PatternField(/^rzp_(test|live)_\w{6,40}$/, 'must be a key id: rzp_test_… or rzp_live_…')
  keyId: string;

  @TextField()
  keySecret: string;

  /** An attacker who guesses it can report payments that were never made. */
  @PatternField(
    /^[!-~]{16,200}$/,
    'must have at least 16 letters, digits and signs, as `openssl rand -hex 32` makes them',
  )
  webhookSecret: string;

  /** The host of its payment pages, as applicants read it before they leave. */
  @PatternField(HOST, NO_HOST, { optional: true })
  pageHost?: string;

  @TextField({ optional: true, most: MAX_ADDRESS_CHARACTERS })
  apiBaseUrl?: string;
}

export class PaymentSection {
  @ChoiceField(['sandbox', 'razorpay'])
  gateway: 'sandbox' | 'razorpay';

  @PartField(RazorpaySection, { optional: true })
  razorpay?: RazorpaySection;
}
