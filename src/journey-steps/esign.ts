import { redirectStep } from './redirect-step.js';

export const ESIGN = redirectStep({
  name: 'ESIGN',
  need: 'EVERY_LOAN',
  state: 'ESIGN_PENDING',
  redirectAction: 'REDIRECT_TO_ESIGN',
  pollAction: 'POLL_ESIGN_STATUS',
  asks: 'whether the agreement was signed',
  passed: 'ESIGN_PASSED',
  refused: 'ESIGN_REFUSED',
  event: { name: 'journey.esign_done', meaning: 'The loan agreement is signed' },
  reason: 'ESIGN_DECLINED',
  failureMilestones: [],
  maxTries: 3,
  page: 'esign',
  shows: 'AGREEMENT',
  adviceKeys: ['entry.advice.afresh'],
  texts: {
    en: {
      short: 'Signature',
      title: 'Sign the agreement',
      lead: 'With {lender}. Your signature binds you.',
      button: 'Read and sign',
      again: 'Back to signing',
      failed: 'The agreement was not signed',
      checking: 'Waiting for the result of your signature',
      rejectedTitle: 'The agreement was not signed',
      rejectedReason:
        'Without a signature there is no loan. If you decided against it, that is fine: with us it does not count against you.',
      providerTitle: 'Sign the loan agreement',
      providerExplanation:
        'You would read the whole agreement here and sign it with a one-time code.',
      providerApprove: 'Sign the agreement',
      providerDecline: 'Do not sign',
    },
    hi: {
      short: 'हस्ताक्षर',
      title: 'समझौते पर हस्ताक्षर करें',
      lead: '{lender} के साथ। हस्ताक्षर करते ही आप बँध जाते हैं।',
      button: 'पढ़कर हस्ताक्षर करें',
      again: 'हस्ताक्षर पर फिर जाएँ',
      failed: 'समझौते पर हस्ताक्षर नहीं हुए',
      checking: 'आपके हस्ताक्षर के नतीजे का इंतज़ार',
      rejectedTitle: 'समझौते पर हस्ताक्षर नहीं हुए',
      rejectedReason:
        'हस्ताक्षर के बिना लोन नहीं मिलता। अगर आपने लोन न लेने का फ़ैसला किया है, तो कोई बात नहीं: हमारे यहाँ इससे आपको कोई नुक़सान नहीं होगा।',
      providerTitle: 'लोन समझौते पर हस्ताक्षर करें',
      providerExplanation: 'असली पेज पर आप पूरा समझौता पढ़ते हैं और OTP से उस पर हस्ताक्षर करते हैं।',
      providerApprove: 'समझौते पर हस्ताक्षर करें',
      providerDecline: 'हस्ताक्षर न करें',
    },
  },
});
