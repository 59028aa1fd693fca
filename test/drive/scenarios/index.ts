import type { Scenario } from '../drive.ts';
import { HEADLESS } from './headless.ts';
import { HOSTED } from './hosted.ts';
import { INSTANT } from './instant.ts';
import { PARTNER_API } from './partner-api.ts';
import { WEBHOOKS } from './webhooks.ts';

export const SCENARIOS: readonly Scenario[] = [
  ...PARTNER_API,
  ...WEBHOOKS,
  ...HEADLESS,
  ...INSTANT,
  ...HOSTED,
];
