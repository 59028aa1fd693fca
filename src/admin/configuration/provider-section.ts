import { REDIRECT_STEPS, type RedirectStep } from '../../journey-steps/index.js';
import { ChoiceField, PatternField, TextField } from '../../platform/index.js';

// None in other scripts (`xn--`): the address bar would show another spelling.
export const HOST =
  /^(?=.{1,253}$)(?!(?:.*\.)?xn--)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
export const NO_HOST = 'must be a host name, such as kyc.example.in';

/** On whose page a lender's applicants do a redirect step. */
export class ProviderSection {
  @ChoiceField(REDIRECT_STEPS)
  step: RedirectStep;

  /** As applicants are shown it. */
  @TextField()
  name: string;

  /** What the address bar shows as the page opens: a session elsewhere is refused. */
  @PatternField(HOST, NO_HOST)
  host: string;
}
