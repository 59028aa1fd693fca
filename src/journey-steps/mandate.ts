import { redirectStep } from './redirect-step.js';

/** Permission to collect the instalments (eNACH). */
export const MANDATE = redirectStep({
  name: 'MANDATE',
  // Without it the lender collects the instalments in another way.
  need: 'OPTIONAL',
  state: 'MANDATE_PENDING',
  redirectAction: 'REDIRECT_TO_MANDATE',
  pollAction: 'POLL_MANDATE_STATUS',
  asks: 'whether the mandate to repay was set up',
  passed: 'MANDATE_PASSED',
  refused: 'MANDATE_REFUSED',
  event: { name: 'journey.enach_done', meaning: 'The eNACH mandate is authorized' },
  reason: 'MANDATE_FAILED',
  failureMilestones: [],
  maxTries: 3,
  page: 'mandate',
  shows: 'INSTALMENT',
  adviceKeys: ['entry.advice.bank', 'entry.advice.afresh'],
  texts: {
    en: {
      short: 'Autopay',
      title: 'Set up Autopay (eNACH)',
      lead: '{short} then collects each EMI from your account. Nothing is taken today.',
      button: 'Set up Autopay',
      again: 'Set up Autopay again',
      failed: 'Autopay could not be set up',
      checking: 'Waiting for your bank to confirm Autopay',
      rejectedTitle: 'Autopay could not be set up',
      rejectedReason:
        '{lender} needs Autopay to collect the EMIs. It could not be set up, so the loan cannot go on.',
      providerTitle: 'Allow the instalments to be collected',
      providerExplanation:
        'Your bank would ask you here to allow the lender to collect the monthly instalments from your account.',
      providerApprove: 'Allow the collection',
      providerDecline: 'Do not allow it',
    },
    hi: {
      short: 'ऑटोपे',
      title: 'ऑटोपे (eNACH) चालू करें',
      lead: 'फिर {short} हर किस्त आपके खाते से लेगा। आज कुछ नहीं कटेगा।',
      button: 'ऑटोपे चालू करें',
      again: 'ऑटोपे फिर से चालू करें',
      failed: 'ऑटोपे चालू नहीं हो सका',
      checking: 'आपके बैंक से ऑटोपे की पुष्टि का इंतज़ार',
      rejectedTitle: 'ऑटोपे चालू नहीं हो सका',
      rejectedReason:
        '{lender} को किस्तें लेने के लिए ऑटोपे चाहिए। वह चालू नहीं हो सका, इसलिए लोन आगे नहीं बढ़ सकता।',
      providerTitle: 'किस्तें खाते से लेने की अनुमति दें',
      providerExplanation:
        'असली पेज पर आपका बैंक पूछता है कि क्या ऋणदाता हर महीने की किस्त आपके खाते से ले सकता है।',
      providerApprove: 'अनुमति दें',
      providerDecline: 'अनुमति न दें',
    },
  },
});
