import type { Scenario } from '../drive.ts';
import { HEADLESS } from './headless.ts';
import { HOSTED } from './hosted.ts';

export const SCENARIOS: readonly Scenario[] = [...HEADLESS, ...HOSTED];
