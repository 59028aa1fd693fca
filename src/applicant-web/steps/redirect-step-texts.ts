import type { HostedJourneyView } from '../../journeys/index.js';
import type { QuestionPage } from '../question-count.js';

export type RedirectStep = NonNullable<HostedJourneyView['redirect']>['step'];

/** What is said at a step that a provider does; every entry but the page is a key. */
export interface RedirectStepTexts {
  readonly page: QuestionPage;
  readonly path: string;
  readonly titleKey: string;
  readonly leadKey: string;
  /** What will happen, in order. */
  readonly listKeys: readonly string[];
  readonly whyKey: string;
  readonly buttonKey: string;
  readonly againKey: string;
  readonly failedKey: string;
  readonly checkingKey: string;
}

export const REDIRECT_STEP_TEXTS: Record<RedirectStep, RedirectStepTexts> = {
  KYC: {
    page: 'kyc',
    path: '/hosted/kyc',
    titleKey: 'steps.kyc.title',
    leadKey: 'steps.kyc.lead',
    listKeys: ['steps.kyc.list.leave', 'steps.kyc.list.show', 'steps.kyc.list.back'],
    whyKey: 'steps.kyc.why',
    buttonKey: 'steps.kyc.button',
    againKey: 'steps.kyc.again',
    failedKey: 'steps.kyc.failed',
    checkingKey: 'steps.kyc.checking',
  },
  MANDATE: {
    page: 'mandate',
    path: '/hosted/mandate',
    titleKey: 'steps.mandate.title',
    leadKey: 'steps.mandate.lead',
    listKeys: ['steps.mandate.list.leave', 'steps.mandate.list.allow', 'steps.mandate.list.back'],
    whyKey: 'steps.mandate.why',
    buttonKey: 'steps.mandate.button',
    againKey: 'steps.mandate.again',
    failedKey: 'steps.mandate.failed',
    checkingKey: 'steps.mandate.checking',
  },
  ESIGN: {
    page: 'esign',
    path: '/hosted/esign',
    titleKey: 'steps.esign.title',
    leadKey: 'steps.esign.lead',
    listKeys: ['steps.esign.list.leave', 'steps.esign.list.sign', 'steps.esign.list.back'],
    whyKey: 'steps.esign.why',
    buttonKey: 'steps.esign.button',
    againKey: 'steps.esign.again',
    failedKey: 'steps.esign.failed',
    checkingKey: 'steps.esign.checking',
  },
};
